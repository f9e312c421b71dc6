"""Checks of files and folders named on the command line, with advice if they are missing.

All commands share these checks, which come before anything is opened or written. The reader of a file reports later
problems.
"""

from __future__ import annotations

import os
from pathlib import Path

from agent.errors import FileError


def require_file(path: Path) -> None:
    """Raise `FileError` unless this is a readable file or stream."""
    require_readable(path)
    if path.is_dir():
        raise FileError(f"{path} is a folder; name a file")


def require_readable(path: Path) -> None:
    """Raise `FileError` unless this is a readable file or folder."""
    try:
        path.stat()
    except FileNotFoundError:
        raise FileError(f"{path} is not there; check its name") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{path} can't be read ({getattr(error, 'strerror', error)}); check its name") from error
    if not os.access(path, os.R_OK):
        raise FileError(f"{path} can't be read (Permission denied); check whose it is")


def require_output(path: Path) -> None:
    """Raise `FileError` if this can't be written and read again: a stream, a folder, or a file in a missing folder."""
    if str(path) == "-" or (path.exists() and not path.is_file()):
        raise FileError(f"the output has to be a file, for a resume goes on from it, and {path} is none; name one")
    if not path.parent.is_dir():
        raise FileError(f"the folder {path.parent} of the output is not there; make it, or check its name")
