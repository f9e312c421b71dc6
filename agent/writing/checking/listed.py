"""Support a number that counts the items of a list in the answer.

The list must have that many items, and the cited chunks must have their words: *seven careers: Athlete, … [2]*. In a
list below a line, *four rooms cost 9 gp [1]*, each item needs a citation mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from agent.writing.checking.cited import MARK, marks_of
from agent.writing.texts.numbers import numbers_of_plain
from agent.writing.texts.plain import plain
from retrieval.text.normal import content_words
from retrieval.types import Chunk

_LEAD = re.compile(r":\s|\s[-–—]\s|\b(?:namely|that is|i\.e\.)\s", re.IGNORECASE)
"""What introduces a list within a sentence."""
_BETWEEN = re.compile(r"\s*[,;]\s*(?:and|or|&)?\s*|\s+(?:and|or|&)\s+")
_LINE = re.compile(r"\s*[-*•]\s+\S")
_FEWEST = 2


def list_sizes(text: str, chunks: Mapping[int, Chunk]) -> dict[str, frozenset[str]]:
    """Return the sizes of the lists in a text, by the line that introduces the list or holds it."""
    lines = text.split("\n")
    found: dict[str, frozenset[str]] = {}
    for place, line in enumerate(lines):
        sizes = set(_inline_list_sizes(line, chunks))
        below = list_below(lines, place)
        if len(below) >= _FEWEST:
            sizes.add(len(below))
        if sizes:
            found[line.strip()] = frozenset(map(str, sizes))
    return found


def numbers_counting_list(
    sentence: str, lacking: Iterable[str], counted: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """Return those of the `lacking` numbers of a sentence that are the size of its list, without unit or measure."""
    wanted = frozenset(lacking)
    sizes = frozenset[str]().union(*(own for line, own in counted.items() if sentence.strip() in line))
    if sizes.isdisjoint(wanted):
        return frozenset()
    bare = {each.value for each in numbers_of_plain(plain(MARK.sub("", sentence))) if not (each.unit or each.measure)}
    return sizes & wanted & bare


def list_below(lines: Sequence[str], place: int) -> Sequence[str]:
    """Return the lines of the list below a line; empty if one of them has no mark."""
    below = list(takewhile(_LINE.match, lines[place + 1 :]))
    return below if not _LINE.match(lines[place]) and all(map(MARK.search, below)) else ()


def _inline_list_sizes(line: str, chunks: Mapping[int, Chunk]) -> Iterator[int]:
    """Yield the number of items of a list within a line, if the cited chunks have all words of the items."""
    lead = _LEAD.search(MARK.sub("", line))
    if lead is None:
        return
    items = [each for each in _BETWEEN.split(MARK.sub("", line)[lead.end() :].rstrip(" .;")) if each]
    marks = marks_of(line) or chunks  # a line without marks may take its items from any source
    cited = frozenset[str]().union(*(_words_of(chunks[n]) for n in marks if n in chunks))
    if len(items) >= _FEWEST and all(cited.issuperset(content_words(each)) for each in items):
        yield len(items)


def _words_of(chunk: Chunk) -> frozenset[str]:
    return frozenset(content_words(f"{chunk.title} {chunk.text}"))
