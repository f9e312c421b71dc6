"""Files and folders that are named on the command line: whether they are there, and what to do when they are not.

One rule for every command, before anything is opened or written. What turns out later is told by who reads the file.
"""

from __future__ import annotations

import os
from pathlib import Path

from agent.errors import FileError


def require_file(path: Path) -> None:
    """`FileError` unless this is a file that can be read, or a stream."""
    require_readable(path)
    if path.is_dir():
        raise FileError(f"{path} is a folder; name a file")


def require_readable(path: Path) -> None:
    """`FileError` unless this is a file or a folder that can be read."""
    try:
        path.stat()
    except FileNotFoundError:
        raise FileError(f"{path} is not there; check its name") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{path} can't be read ({getattr(error, 'strerror', error)}); check its name") from error
    if not os.access(path, os.R_OK):
        raise FileError(f"{path} can't be read (Permission denied); check whose it is")


def require_output(path: Path) -> None:
    """`FileError` when this can't be written to and read again: a stream, a folder, or a file in a missing folder."""
    if str(path) == "-" or (path.exists() and not path.is_file()):
        raise FileError(f"the output has to be a file, for a resume goes on from it, and {path} is none; name one")
    if not path.parent.is_dir():
        raise FileError(f"the folder {path.parent} of the output is not there; make it, or check its name")
