"""`python -m agent.events` writes the documentation of the log."""

from __future__ import annotations

import sys

from agent.events.catalogue import catalogue_page

if __name__ == "__main__":
    sys.stdout.write(catalogue_page())
