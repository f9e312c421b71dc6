"""Keys and passwords: prepared for a server's header, and masked in everything that people read.

A key belongs in one header of one connection. Servers echo keys in their complaints, and HTTP libraries quote headers
that they can't send, so foreign messages are cleaned before they are repeated.
"""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import unquote

_WORD = re.compile(r"\S+")
_QUERY = re.compile(r"\?[^\s\"'<>)\]]+")
_SHORT = 8
"""The fewest characters of a key that is masked anywhere; a shorter one only as a whole word, or it would match in half
of all words.
"""


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
    """Return an address, or a text with addresses, for display: without name, password and query.

    >>> shown("http://me:secret@host:8000"), shown("ask http://me:p@s/s@host/v1?api-key=s3cret or me@host?")
    ('http://***@host:8000', 'ask http://***@host/v1?*** or me@host?')
    """
    return _WORD.sub(lambda word: _masked(word[0]), url)


def cleaned(text: str, key: str | None, address: str = "") -> str:
    """Return a server's or library's message on one line, with the key and every password masked.

    Secrets in the requested `address` are masked too, since a server may quote the request.

    >>> cleaned("no such key:\\n sk-1", "sk-1"), cleaned("who is me with pass-1?", None, "http://me:pass-1@host")
    ('no such key: ***', 'who is me with ***?')
    """
    for secret in filter(None, ((key or "").strip(), *secrets_in(address))):
        escaped = re.escape(secret)
        text = re.sub(escaped if len(secret) >= _SHORT else rf"(?<!\w){escaped}(?!\w)", "***", text)
    return " ".join(shown(text).split())


def secrets_in(address: str) -> tuple[str, ...]:
    """Return the secrets of an address: its password as written, decoded and in header form, and long values of its
    query.

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
    """Mask one word; done by hand because a password may contain any character that ends it for a parser."""
    scheme, slashes, rest = word.partition("//")
    _, at, host = rest.rpartition("@")
    return f"{scheme}//{'***@' if at else ''}{_QUERY.sub('?***', host)}" if slashes else word
