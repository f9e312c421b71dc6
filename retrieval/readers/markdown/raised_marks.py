"""Raised footnote marks, *Kiel¹*: not part of the words before them, if the page has the note.

Notes are lines that begin with a mark, *¹ In summer only.*; on a page without them, *m²* is a unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_SIGNS = "[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]"
_NOTE = re.compile(rf"[ \t>*_]*(?P<mark>{_SIGNS}{{1,2}})[ \t]+\S")
_MARK = re.compile(rf"(?:(?<=[^\W\d_]{{3}})|(?<=[)\]*%.,\"”]))(?P<mark>{_SIGNS}{{1,2}})(?![^\W_])")


def note_marks(rows: Iterable[str]) -> frozenset[str]:
    """Return the marks of the notes among lines.

    >>> sorted(note_marks(["¹ In summer only.", "4 m² of sail"]))
    ['¹']
    """
    return frozenset(found["mark"] for row in rows if (found := _NOTE.match(row)))


def without_raised(marks: frozenset[str]) -> Callable[[str], str]:
    """Return a function that removes the page's footnote marks behind words of a line.

    >>> without_raised(frozenset("¹²"))("| Kiel¹ | 4 m² | open (May)² |")
    '| Kiel | 4 m² | open (May) |'
    """

    def kept(found: re.Match[str]) -> str:
        return "" if found["mark"] in marks else found[0]

    return lambda line: _MARK.sub(kept, line)
