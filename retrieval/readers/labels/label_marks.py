"""The marks of an item or a label, and what a label is: a few words without their marks."""

from __future__ import annotations

import re
import unicodedata

MOST_WORDS = 6
"""The most words of a label; more are a sentence."""
_LONGEST = 50
_LONGEST_CODE = 70
"""The most characters of a label, and of a label of a few words, which are long if they are compounds."""
_BULLET = re.compile(
    r"^\s*(?:[-+•‣⁃◦·]|\*(?!\*)|\d{1,3}[.)]|[a-z][.)]|\((?:[A-Za-z]|\d{1,2}|[ivx]{2,4})\)|\d{1,3}(?:[a-z]\d{0,2}){1,3}\))\s+"
)
"""The mark before an item: a bullet or its outline number, *3.*, *(b)*, *12a1)*."""
_SYMBOLS = frozenset({"So", "Sk", "Cf", "Mn"})
"""Unicode categories of pictures and dingbats, and of modifiers of these."""
_SHORTCODE = re.compile(r"(?::[a-z+-][\w+-]*:(?:\s+|(?=\*\*)))+")
"""Emoji shortcodes: *:anchor:*."""
_UNDONE = "☐"
"""The unchecked box before a task."""
MARKS = " :.–—-\t"
"""Characters around a label and before a value."""
_IN_QUOTES = re.compile(r"^(?:\"(?P<plain>[^\"]+)\"|“(?P<curly>[^“”]+)”)$")
_SIGNED = re.compile(r"-(?:\d|-\w|\w\b)")
"""A negative number or a command's option: *-3*, *-d*, *--debug*."""
_FEW = 4
"""The most words of a label that may be long because they are compounds."""


def without_mark(row: str) -> str:
    """Return a line without its bullet and leading pictures.

    >>> without_mark("- Crew: 3"), without_mark("12a1) Crew: 3"), without_mark("- :anchor: Crew: 3")
    ('Crew: 3', 'Crew: 3', 'Crew: 3')
    """
    text = _BULLET.sub("", row).strip()
    named = _SHORTCODE.match(text)
    if named is not None:
        return text[named.end() :].lstrip()
    start = next((n for n, sign in enumerate(text) if not _is_picture(sign)), len(text))
    return text[start:].lstrip()


def without_bullet(row: str) -> str:
    """Return a line without its list marker.

    >>> without_bullet("* Crew: 3")
    'Crew: 3'
    """
    return _BULLET.sub("", row)


def _is_picture(sign: str) -> bool:
    return sign.isspace() or (unicodedata.category(sign) in _SYMBOLS and sign != _UNDONE)


def is_label(text: str) -> bool:
    """True for a few words that may be a label.

    >>> is_label("**Armor Class**"), is_label("What is it?")
    (True, False)
    """
    label = clean_label(text)
    is_brief = 0 < len(label) <= (_LONGEST_CODE if len(label.split()) <= _FEW else _LONGEST)
    return is_brief and len(label.split()) <= MOST_WORDS and any(map(str.isalpha, label)) and not label.endswith("?")


def clean_label(text: str) -> str:
    """Return a label without its marks; options of commands and negative numbers keep their hyphens.

    >>> clean_label("**Crew:**"), clean_label("--home -")
    ('Crew', '--home')
    """
    label = " ".join(text.replace("*", "").split()).strip(MARKS.replace("-", ""))
    label = _IN_QUOTES.sub(lambda found: found["plain"] or found["curly"], label)
    return label.rstrip(MARKS) if _SIGNED.match(label) else label.strip(MARKS)
