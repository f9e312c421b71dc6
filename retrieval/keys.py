"""Keys and passwords on their way to a server, and out of everything that people read.

A key belongs into one header of one connection. Servers echo keys in their complaints, and HTTP libraries name the
header they can't send, so what others say is cleaned before it is repeated.
"""

from __future__ import annotations

import re

_PASSWORD = re.compile(r"//[^/@\s]+@")


def sendable(key: str) -> str:
    """Return a key as a header can carry it, without the line break that files end with; `ValueError` otherwise.

    >>> sendable("sk-1\\n")
    'sk-1'
    """
    stripped = key.strip()
    if not (stripped.isascii() and stripped.isprintable() and " " not in stripped):
        raise ValueError("a key has letters, digits and signs of ASCII only")
    return stripped


def shown(url: str) -> str:
    """Return an address as messages may show it, without a password.

    >>> shown("http://me:secret@host:8000")
    'http://***@host:8000'
    """
    return _PASSWORD.sub("//***@", url)


def cleaned(text: str, key: str | None) -> str:
    """Return what a server or a library said, on one line, with the key and every password made unreadable.

    >>> cleaned("no such key:\\n sk-1", "sk-1")
    'no such key: ***'
    """
    secret = (key or "").strip()
    return " ".join(shown(text.replace(secret, "***") if secret else text).split())
