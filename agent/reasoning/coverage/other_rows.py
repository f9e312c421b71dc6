"""Whether a value is of another row or record than the one that is named, where only what stands above it is named.

What *Hull at Goole* has is no answer to what Hull has, the *draught* of one of *Our boats* is none of all boats, and
*how long are the songs* asks for no song's length.
"""

from __future__ import annotations

from agent.understanding.linking.program import Linked, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import is_any_told
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_MOST_BELOW = 60
"""Records below one heading that are looked at."""
_ABOVE = (Kind.TITLE, Kind.CAPTION, Kind.HEADING, Kind.SUBJECT)


def is_of_untold_row(linked: Linked, reading: Reading) -> bool:
    """True where the name of a table of several rows is all that leads to one value, and its column alone is told."""
    if len(reading.found) > 1:
        return False  # all of them are told
    binding = reading.best
    grid = binding.grid
    if binding.place.kind not in _ABOVE or grid.table.is_record or grid.is_single or reading.subject.keys:
        return False
    row = phrase(" ".join(binding.cell.row_path))
    told = _meant(linked, binding)
    return not is_any_told(told, row) and is_any_told(told, phrase(binding.cell.column_label))


def is_of_longer_row(linked: Linked, reading: Reading, index: Cells) -> bool:
    """True where the name of another row is a part of what the row is called, and only the table is named besides:
    what *Hull at Goole* has is no answer to what Hull has.
    """
    binding = reading.best
    row = phrase(" ".join(binding.cell.row_path))
    if binding.place.kind not in _ABOVE or binding.grid.table.is_record or not row:
        return False
    for name in linked.question.names:
        words = set(linked.question.tokens[name.start : name.end])
        is_part = len(words) > 1 and words < set(row) and not words.isdisjoint(binding.fit.label | binding.fit.row)
        if is_part and index.places([name.key], (Kind.ROW,)):
            return True
    return False


def is_of_untold_record(linked: Linked, reading: Reading, index: Cells) -> bool:
    """True where a heading above several things is all that leads to the record of one, and others have the label too,
    and what chose it by another line: the *draught* of one of *Our boats* is none of all boats.
    """
    binding = reading.best
    grid, name = binding.grid, binding.place.name
    if len(reading.found) > 1 or binding.place.kind is not Kind.HEADING or not grid.table.is_record:
        return False
    own = {*phrase(grid.title)}.difference(phrase(name))
    if not own or is_any_told(own, linked.question.tokens):
        return False
    below = [index.grid(place.grid) for place in index.places([reading.subject.key], (Kind.HEADING,)) if place.grid]
    others = [each for each in below[:_MOST_BELOW] if each.table.is_record and each.title != grid.title]
    others = [each for each in others if all(map(each.facts.rows_telling, binding.fit.row))]
    return any(phrase(row[0]) == phrase(binding.label) for each in others for row in each.table.rows)


def _meant(linked: Linked, binding: Binding) -> set[str]:
    """The words of the question that tell the value, and the measures that they speak of; where it was taken for other
    words, all of them.
    """
    words = binding.fit.label | binding.fit.row | binding.fit.value or frozenset(linked.words)
    implied = (each for word in words for each in (*linked.implied.get(word, ()), *linked.related.get(word, ())))
    return {*words, *implied}
