"""Terms of plain text on lines of their own, each with its meaning indented below, as manuals list options.

A short term may also stand before its meaning: *-k keep it open* below *-d, --depth=METRES*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from typing import NamedTuple

from retrieval.readers.labels.label_marks import MOST_WORDS

_FEWEST = 3
_LEAST_INDENT = 2
_MOST_BLANK = 2
_LONGEST = 60
_SAMPLE = 20
"""The number of terms by which a list is recognized."""
_NEARLY_ALL = 0.8
_ENDS = (".", ",", ";", ":", "!", "?")
BLANK = "&#32;"
"""A line that is not blank but renders empty, because an HTML block in Markdown ends at a blank line."""


class _Entry(NamedTuple):
    line: int
    end: int
    term: str
    meaning: list[str]


def hanging_terms(lines: Sequence[str], at: int) -> list[str] | None:
    """Return the list of terms that begins on a line as HTML, one line for each source line; `None` if there is none.

    >>> lines = ["  -d METRES", "       the depth", "", "  -k   keep it open", "", "  -q   say nothing"]
    >>> hanging_terms(lines, 0)[3]
    '<dt>-k</dt><dd>keep it open</dd>'
    """
    below = lines[at + 1] if at + 1 < len(lines) else ""
    own, inner = _indent(lines[at]), _indent(below)
    if not below.strip() or inner < own + _LEAST_INDENT or not _is_term(lines[at]):
        return None
    terms = [entry.term for entry in islice(_entries(lines, at, own, inner), _SAMPLE)]
    brief = sum(map(_is_term, terms))
    are_heads = own == 0 and all(map(str.isupper, terms))  # of a manual's sections
    if len(terms) < _FEWEST or len(set(terms)) < len(terms) or brief < _NEARLY_ALL * len(terms) or are_heads:
        return None
    return _html(list(_entries(lines, at, own, inner)), at)


def _entries(lines: Sequence[str], at: int, own: int, inner: int) -> Iterator[_Entry]:
    while at < len(lines) and lines[at].strip() and _indent(lines[at]) == own:
        line = lines[at]
        before, behind = line[own:inner], line[inner:]
        is_parted = before.endswith("  ") or (before.endswith(" ") and _end(lines, at + 1, inner) == at + 1)
        is_beside = is_parted and behind[:1].strip() and "  " not in before.strip()
        term, first = (before, [behind]) if is_beside else (line, [])
        end = _end(lines, at + 1, inner)
        meaning = [*first, *(each.strip() for each in lines[at + 1 : end] if each.strip())]
        if not meaning:
            return
        yield _Entry(at, end, term.strip(), meaning)
        at = next((n for n in range(end, min(end + _MOST_BLANK + 1, len(lines))) if lines[n].strip()), len(lines))


def _end(lines: Sequence[str], at: int, inner: int) -> int:
    """Return the end of the lines that are indented so far, or blank among these."""
    end = at
    for n in range(at, len(lines)):
        if lines[n].strip():
            if _indent(lines[n]) < inner:
                break
            end = n + 1
        elif n > end + _MOST_BLANK:
            break
    return end


def _is_term(text: str) -> bool:
    plain = text.strip()
    return len(plain) <= _LONGEST and len(plain.split()) <= MOST_WORDS and not plain.endswith(_ENDS)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _html(entries: Sequence[_Entry], start: int) -> list[str]:
    written = [BLANK] * (entries[-1].end - start)
    for line, _, term, meaning in entries:
        told = escape(" ".join(meaning), quote=False)
        written[line - start] = f"<dt>{escape(term, quote=False)}</dt><dd>{told}</dd>"
    written[0], written[-1] = "<dl>" + written[0], written[-1] + "</dl>"
    return written
