"""Foreign text must not act: on a terminal, in a log line, in a JSON document.

Questions and chunks come from strangers. A carriage return can hide a line, an escape sequence can repaint a
terminal, U+2028 can break one log event into two, a lone surrogate can crash an encoder.
"""

from __future__ import annotations

import re

# C1 controls, line separators, marks that reorder text: valid in JSON strings, harmful on screens.
_HARMFUL = "\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_IN_JSON = re.compile(f"[{_HARMFUL}]")
_ON_SCREEN = re.compile(f"[\x00-\x08\x0b-\x1f{_HARMFUL}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def _code(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def encodable(text: str) -> str:
    r"""Write lone surrogates out, so that every encoder takes the text.

    >>> encodable("caf\udce9")
    'caf\\udce9'
    """
    return _SURROGATE.sub(_code, text)


def printable(text: str) -> str:
    r"""Write control characters out; line breaks and tabs stay.

    >>> printable("red \x1b[31m\r")
    'red \\u001b[31m\\u000d'
    """
    return _ON_SCREEN.sub(_code, encodable(text.replace("\r\n", "\n")))


def one_line(text: str) -> str:
    r"""`printable`, on a single line with single spaces.

    >>> one_line("a\n  b")
    'a b'
    """
    return " ".join(printable(text).split())


def json_safe(document: str) -> str:
    r"""Escape what JSON permits unescaped but a terminal or a line reader trips over.

    The argument is finished JSON, where such a character can only stand inside a string.

    >>> json_safe('"a\u2028b"')
    '"a\\u2028b"'
    """
    return _IN_JSON.sub(_code, document)
