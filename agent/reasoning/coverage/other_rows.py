"""Detect values of another row or record than the named one, if only a name above them leads there.

The value of *Hull at Goole* is not that of Hull, the *draught* of one of *Our boats* is not that of all boats, and *how
long are the songs* does not ask for the length of one song.
"""

from __future__ import annotations

from agent.understanding.linking.program import Linked, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_MOST_BELOW = 60
"""The most records below one heading that are checked."""
_ABOVE = (Kind.TITLE, Kind.CAPTION, Kind.HEADING, Kind.SUBJECT)


def is_of_untold_row(linked: Linked, reading: Reading) -> bool:
    """True if only the name of a table with several rows leads to a single value, and the question matches its column
    but not its row.
    """
    if len(reading.found) > 1:
        return False  # all of them are shown
    binding = reading.best
    grid = binding.grid
    if binding.place.kind not in _ABOVE or grid.table.is_record or grid.is_single or reading.subject.keys:
        return False
    row = phrase(" ".join(binding.cell.row_path))
    told = _meant(linked, binding)
    return not any_matches(told, row) and any_matches(told, phrase(binding.cell.column_label))


def is_of_longer_row(linked: Linked, reading: Reading, index: Cells) -> bool:
    """True if only the table is named, and the question has the name of another row that is part of this row's name:
    the value of *Hull at Goole* is not that of Hull.
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
    """True if only a heading above several records leads to a record, and other records below it have the same label
    and the other matched words: the *draught* of one of *Our boats* is not that of all boats.
    """
    binding = reading.best
    grid, name = binding.grid, binding.place.name
    if len(reading.found) > 1 or binding.place.kind is not Kind.HEADING or not grid.table.is_record:
        return False
    own = {*phrase(grid.title)}.difference(phrase(name))
    if not own or any_matches(own, linked.question.tokens):
        return False
    below = [index.grid(place.grid) for place in index.places([reading.subject.key], (Kind.HEADING,)) if place.grid]
    others = [each for each in below[:_MOST_BELOW] if each.table.is_record and each.title != grid.title]
    others = [each for each in others if all(map(each.facts.rows_with_form, binding.fit.row))]
    return any(phrase(row[0]) == phrase(binding.label) for each in others for row in each.table.rows)


def _meant(linked: Linked, binding: Binding) -> set[str]:
    """Return the matched words of the question with the measures that they imply; all words if the label was
    assumed.
    """
    words = binding.fit.label | binding.fit.row | binding.fit.value or frozenset(linked.words)
    implied = (each for word in words for each in (*linked.implied.get(word, ()), *linked.related.get(word, ())))
    return {*words, *implied}
