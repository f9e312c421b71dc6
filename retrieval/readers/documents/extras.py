"""Optional libraries, each installed by an extra of this distribution and imported when a file needs it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from retrieval.errors import MissingExtra


def require(module: str, extra: str, place: str) -> ModuleType:
    """Return a library; `MissingExtra` names the extra that installs it.

    >>> require("no_such_library", "office", "prices.xlsx")
    Traceback (most recent call last):
    retrieval.errors.MissingExtra: prices.xlsx: needs no_such_library; say: pip install 'versus-rag[office]'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(f"needs {module}; say: pip install 'versus-rag[{extra}]'", place) from error
