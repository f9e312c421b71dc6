"""Split sentences at a point, an exclamation or question mark, unless the point belongs to a word.

An abbreviation does not end a sentence, nor does an initial before a name. Some abbreviations may end one (*etc.*):
after these a sentence continues only if the next word is in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.normal import STOP_WORDS

_END = re.compile(r"(?<=[.!?])\s+|\n")
_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"(?<![^\W_])([^\W_]+(?:\.[^\W_]+)*)\.$")
_LONGEST = 12
"""The most characters of an abbreviation."""
_BEFORE_MORE = frozenset("i.e e.g cf vs viz approx resp incl excl".split())
"""Abbreviations that never end a sentence."""
_BEFORE_NAME = frozenset("dr mr mrs ms messrs prof st".split())
_BEFORE_NUMBER = frozenset("no nos nr fig figs eq eqs sec ch chap vol pp p ver ca".split())
"""Abbreviations before a number; *no* is also a word."""
_MAY_END = frozenset("etc al a.m p.m u.s inc ltd co jr sr".split())
"""Abbreviations that may end a sentence."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, line by line.

    >>> list(sentences("Use a board (i.e. an F4). See Fig. 3, by J. R. Smith, etc. It works."))
    ['Use a board (i.e. an F4).', 'See Fig. 3, by J. R. Smith, etc.', 'It works.']
    >>> list(sentences("Is there a fee? No. 3 of 4 pay none! Done"))
    ['Is there a fee?', 'No. 3 of 4 pay none!', 'Done']
    """
    start = 0
    for end in _END.finditer(text):
        if "\n" not in end[0] and _goes_on(text, start, end):
            continue
        if sentence := text[start : end.start()].strip():
            yield sentence
        start = end.end()
    if sentence := text[start:].strip():
        yield sentence


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """True if the point before a space belongs to a word within a sentence."""
    last = _LAST_WORD.search(text, max(start, end.start() - _LONGEST), end.start())
    if last is None:
        return False
    word, following = last[1].lower(), _WORD.match(text, end.end())
    then = following[0] if following else ""
    if word.isdigit():
        return not text[start : last.start()].strip()  # a list number
    if word in _BEFORE_NUMBER:
        return then[:1].isdigit()
    if word in _BEFORE_NAME or _is_initial(last[1]):
        return then[:1].isupper() and then.lower() not in STOP_WORDS
    return word in _BEFORE_MORE or (word in _MAY_END and then[:1].islower())


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isupper() and word != "I"
