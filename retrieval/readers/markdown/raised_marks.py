"""Marks of footnotes that are written raised, *Kiel¹*: no part of the words before them, where the page has the note.

A page says what its marks mean in lines that begin with one, *¹ In summer only.*; in a page without, *m²* is a unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_SIGNS = "[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]"
_NOTE = re.compile(rf"[ \t>*_]*(?P<mark>{_SIGNS}{{1,2}})[ \t]+\S")
_MARK = re.compile(rf"(?:(?<=[^\W\d_]{{3}})|(?<=[)\]*%.,\"”]))(?P<mark>{_SIGNS}{{1,2}})(?![^\W_])")


def note_marks(rows: Iterable[str]) -> frozenset[str]:
    """The marks with which lines begin that are notes.

    >>> sorted(note_marks(["¹ In summer only.", "4 m² of sail"]))
    ['¹']
    """
    return frozenset(found["mark"] for row in rows if (found := _NOTE.match(row)))


def without_raised(marks: frozenset[str]) -> Callable[[str], str]:
    """What takes the marks of a page's notes from behind the words of a line.

    >>> without_raised(frozenset("¹²"))("| Kiel¹ | 4 m² | open (May)² |")
    '| Kiel | 4 m² | open (May) |'
    """

    def kept(found: re.Match[str]) -> str:
        return "" if found["mark"] in marks else found[0]

    return lambda line: _MARK.sub(kept, line)
