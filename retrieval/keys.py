"""Keys and passwords on their way to a server, and out of everything that people read.

A key belongs into one header of one connection. Servers echo keys in their complaints, and HTTP libraries name the
header they can't send, so what others say is cleaned before it is repeated.
"""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import unquote

_WORD = re.compile(r"\S+")
_QUERY = re.compile(r"\?[^\s\"'<>)\]]+")
_SHORT = 8
"""Characters. A shorter key is a word of its own, or it would be found in half of all words."""


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
    """Return an address, or a text with some, as messages may show it: without name and password, and without a query.

    >>> shown("http://me:secret@host:8000"), shown("ask http://me:p@s/s@host/v1?api-key=s3cret or me@host?")
    ('http://***@host:8000', 'ask http://***@host/v1?*** or me@host?')
    """
    return _WORD.sub(lambda word: _masked(word[0]), url)


def cleaned(text: str, key: str | None, address: str = "") -> str:
    """Return what a server or a library said, on one line, with the key and every password made unreadable.

    Those that stand in the `address` that was asked are among them: a server may quote what it was sent.

    >>> cleaned("no such key:\\n sk-1", "sk-1"), cleaned("who is me with pass-1?", None, "http://me:pass-1@host")
    ('no such key: ***', 'who is me with ***?')
    """
    for secret in filter(None, ((key or "").strip(), *secrets_in(address))):
        escaped = re.escape(secret)
        text = re.sub(escaped if len(secret) >= _SHORT else rf"(?<!\w){escaped}(?!\w)", "***", text)
    return " ".join(shown(text).split())


def secrets_in(address: str) -> tuple[str, ...]:
    """The password of an address, as it stands, decoded, and as a header carries it, and long values of its query.

    >>> secrets_in("http://me:a%20b@host/v1?key=0123456789&v=2")
    ('a%20b', 'a b', 'bWU6YSBi', '0123456789')
    """
    _, slashes, rest = address.partition("//")
    if not slashes:
        return ()
    before, _, query = rest.partition("?")
    name, _, password = before.rpartition("@")[0].partition(":")
    plain = unquote(password)
    header = b64encode(f"{unquote(name)}:{plain}".encode()).decode() if password else ""
    values = [value for part in query.split("&") if len(value := part.partition("=")[2]) >= _SHORT]
    return tuple(dict.fromkeys(secret for secret in (password, plain, header, *values) if secret))


def _masked(word: str) -> str:
    """By hand, for a password may hold what ends one for every parser."""
    scheme, slashes, rest = word.partition("//")
    _, at, host = rest.rpartition("@")
    return f"{scheme}//{'***@' if at else ''}{_QUERY.sub('?***', host)}" if slashes else word
