"""What all tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A loaded machine is no reason to fail; the tests that are about time measure it themselves.
settings.register_profile("versus", deadline=None)
settings.load_profile("versus")


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """A shell makes what it starts in the background deaf to Ctrl-C, and so would be the programs that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def nobodys_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The user's own settings and trusted folders are not those of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
        yield
