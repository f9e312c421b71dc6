"""Check numbers against the table cell that is cited right behind them.

The cell may support a number under another label: *a range of 100 [13]* cites *Rifle / Rng = 100*. The text before the
mark must name the cell's row, or at least no other cited row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, combinations

from agent.types import Citation
from agent.writing.checking.cited import MARK, MARKED, marks_of
from agent.writing.texts.numbers import numbers_of_plain
from agent.writing.texts.plain import plain
from retrieval.text.normal import content_words, normal

_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_COMPARING = frozenset({"than", "difference", "by", "apart"})
"""Words that state a difference between two things."""
_IS = " = "


def numbers_in_cited_cells(sentence: str, citations: Sequence[Citation]) -> frozenset[str]:
    """Return the numbers of a sentence that stand in the cells cited right behind them.

    >>> from agent.types import CellRef
    >>> cell = Citation(3, "c", "Weapons", "b.md", None, "Rifle / Rng = 100", CellRef(0, 1, 2))
    >>> numbers_in_cited_cells("The rifle has a range of 100 [3].", [cell])
    frozenset({'100'})
    >>> numbers_in_cited_cells("A bow has 100 [3], it says.", [])
    frozenset()
    """
    marks = frozenset(marks_of(sentence))
    cells = {each.n: each for each in citations if each.n in marks and each.cell is not None and _IS in each.quote}
    names = {n: _row_words(each) for n, each in cells.items()}
    found: set[str] = set()
    for part in MARKED.findall(sentence) if cells else ():
        text = MARK.sub("", part)
        words = frozenset(content_words(text))
        for n in marks_of(part):
            if n in cells and _names_cell_row(n, words, names):
                found |= _shared(text, cells[n].quote.rpartition(_IS)[2])
    is_compared = not _COMPARING.isdisjoint(normal(sentence))
    return frozenset(found) | (_differences([each.quote for each in cells.values()]) if is_compared else frozenset())


def _differences(quotes: Sequence[str]) -> frozenset[str]:
    """Return the differences between two cells under one label, *Rifle / Rng = 100* and *Sling / Rng = 45*."""
    numbers: dict[str, list[float]] = {}
    for quote in quotes:
        where, _, cell = quote.rpartition(_IS)
        own = [each for each in numbers_of_plain(plain(cell)) if _PLAIN.fullmatch(each.value)]
        if len(own) == 1:
            numbers.setdefault(where.rpartition(" / ")[2], []).append(float(own[0].value))
    pairs = chain.from_iterable(combinations(each, 2) for each in numbers.values())
    return frozenset(f"{abs(one - other):g}" for one, other in pairs)


def _shared(text: str, cell: str) -> set[str]:
    """Return the numbers that a text shares with a cell, without those in another unit."""
    own = {each.value: each.unit for each in numbers_of_plain(plain(cell))}
    told = numbers_of_plain(plain(text))
    return {each.value for each in told if each.value in own and each.unit in ("", own[each.value])}


def _row_words(cell: Citation) -> frozenset[str]:
    """Return the words of a cell's title and of its first label: its table or record, and its row."""
    return frozenset(content_words(f"{cell.title} {cell.quote.rpartition(_IS)[0].partition(' / ')[0]}"))


def _names_cell_row(cell: int, words: frozenset[str], names: dict[int, frozenset[str]]) -> bool:
    """True if the words name the row of a cell by a word that no other cited row has, or name no cited row at all."""
    others = frozenset[str]().union(*(own for n, own in names.items() if n != cell and own != names[cell]))
    return not words.isdisjoint(names[cell] - others) or words.isdisjoint(others - names[cell])
