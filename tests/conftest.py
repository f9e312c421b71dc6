"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# A loaded machine is no reason to fail; the tests that are about time measure it themselves.
settings.register_profile("versus", deadline=None)
settings.load_profile("versus")
