"""Decode text of undeclared encoding.

UTF-8 proves itself. Other text is mostly in a single-byte encoding. The context of its letters shows which: letters
have the case of their neighbors, quotes and dashes stand around words, and no mark stands within one. If no encoding
makes words, a few unknown letters are replaced by a mark, and a text with many is rejected: a wrong name is worse than
none.
"""

from __future__ import annotations

import codecs
import re

_MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_ALPHABETS = ("cp1252", "mac-roman")
"""The single-byte encodings of Western languages, most frequent first."""
_DECLARED = re.compile(rb"<(?:meta\b[^<>]{0,200}?\bcharset|\?xml\b[^<>]{0,100}?\bencoding)\s*=\s*[\"']?([\w.:-]{2,40})")
UNKNOWN = ""
"""The name of an unknown encoding."""
LOST = "\ufffd"
_LAST_OF_ASCII = 127
_FEW_LOST = 0.02
"""The share of bytes that may be unknown letters."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_FEWEST_LETTERS = 3
"""The fewest distinct letters that must support a less frequent encoding."""
_HEAD = 2_000
"""Bytes in which a page declares its encoding."""
_MOSTLY = 0.9
"""The share of non-ASCII characters that must fit their context."""
_MOST_FOREIGN = 0.3
"""The share of non-ASCII letters up to which a text counts as Western."""
_MARKS = frozenset("…‘‚“”„†‡•«»‹›°±²³½¼¾§©®™·¿¡ªº´×÷\u00a0\u00ad")
_MONEY = frozenset("£€¥¢")
_DASHES = frozenset("–—")
_ELIDED = 2
"""The most letters on one side of an apostrophe within a word, and the fewest on both sides of a dash."""


def decoded(data: bytes) -> tuple[str, str]:
    r"""Return the text and the name of its encoding; `UnicodeDecodeError` if the encoding is unknown.

    >>> decoded("Ilha do Corvo é pequena; São João não.".encode("cp1252"))
    ('Ilha do Corvo é pequena; São João não.', 'cp1252')
    >>> decoded("Zürich, Genève, São Tomé".encode("mac-roman"))[1], decoded("Zürich".encode())[1]
    ('mac-roman', 'utf-8')
    >>> decoded(b"The port of Cura\x87ao is one of the largest in the whole of the sea.")[0][:19]
    'The port of Cura�ao'
    """
    for mark, name in _MARKED:
        if data.startswith(mark) and len(data) > len(mark):
            return data.decode(name), name
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError as error:
        name = _declared(data) or _guessed(data)
        if not name and not _is_mostly_ascii(data):
            raise error
        return (data.decode(name), name) if name else (data.decode("ascii", "replace"), UNKNOWN)


def encoding_message(name: str) -> str:
    """Return a message about an encoding; empty for UTF-8.

    >>> encoding_message("cp1252"), encoding_message("utf-8")
    ('not UTF-8; read as cp1252', '')
    """
    if name == UNKNOWN:
        return f"not UTF-8, nor anything that its words show; letters beyond ASCII stand as {LOST}"
    return "" if name == "utf-8" else f"not UTF-8; read as {name}"


def _is_mostly_ascii(data: bytes) -> bool:
    """True for a text with few non-ASCII bytes and no control characters."""
    odd = sum(byte > _LAST_OF_ASCII for byte in data)
    return odd <= _FEW_LOST * len(data) and not _CONTROLS.search(data)


def _declared(data: bytes) -> str:
    """Return the encoding that a page declares, if it decodes the page."""
    found = _DECLARED.search(data[:_HEAD])
    name = found[1].decode("ascii", "replace") if found else ""
    return name if name and _reads(data, name) is not None else ""


def _guessed(data: bytes) -> str:
    """Return the first encoding in which most non-ASCII characters fit their context; empty if there is none."""
    for name in _ALPHABETS:
        text = _reads(data, name)
        if text is not None and _likely(text) >= _MOSTLY:
            letters = {sign for sign in text if sign > "\x7f"}
            return name if name == _ALPHABETS[0] or len(letters) >= _FEWEST_LETTERS else ""
    return ""


def _reads(data: bytes, name: str) -> str | None:
    try:
        text = data.decode(name)
    except (LookupError, UnicodeDecodeError):
        return None
    return None if _CONTROLS.search(text.encode("ascii", "ignore")) else text


def _likely(text: str) -> float:
    """Return the share of non-ASCII characters that fit their context; 0 if there are too many of them."""
    places = [at for at, sign in enumerate(text) if sign > "\x7f"]
    letters = sum(map(str.isalpha, text))
    if not places or sum(text[at].isalpha() for at in places) > _MOST_FOREIGN * letters:
        return 0.0
    return sum(_fits(text, at) for at in places) / len(places)


def _fits(text: str, at: int) -> bool:
    """True for a letter in the case of its neighbors, and for a mark where such marks stand.

    >>> _fits("Curaçao", 4), _fits("Cura‡ao", 4), _fits("don’t", 3), _fits("Mart’nez", 4), _fits("du¿o", 2)
    (True, False, True, False, False)
    """
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign.isalpha() and sign not in "ªº":
        return not (before.islower() and sign.isupper()) and not (sign.islower() and after.isupper())
    if sign in _MONEY:
        return not after.isalpha() and not before.isalpha()
    left, right = _run(text, at - 1, -1), _run(text, at + 1, 1)
    if sign == "’":
        return not right or not left or min(left, right) <= _ELIDED - (right > left > 1)
    if sign in _DASHES:
        return not left or not right or min(left, right) >= _ELIDED
    return sign in _MARKS and not (left and right)


def _run(text: str, at: int, step: int) -> int:
    """Count the letters in a row from a place, up to a few."""
    count = 0
    while 0 <= at < len(text) and text[at].isalpha() and count <= _ELIDED:
        count, at = count + 1, at + step
    return count
