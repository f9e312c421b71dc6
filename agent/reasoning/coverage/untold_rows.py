"""Whether a value is of a row that the question does not choose, where it names no more than the table.

*How long are the songs* asks for no song's length, and *when* is not answered by a name.
"""

from __future__ import annotations

from agent.languages.language import Language
from agent.reasoning.measures.dimensions import dimensions_in
from agent.reasoning.measures.when import asks_when, words_for_time
from agent.reasoning.values.conditions import is_nothing, is_numbered
from agent.reasoning.values.dates import date_of
from agent.understanding.linking.program import Linked, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import is_any_told
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

_BRIEF = 3
"""Words of a length of time."""
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


def is_no_amount(binding: Binding, linked: Linked) -> bool:
    """True for a value without a number in a column of numbers: another head of it, and no size of anything."""
    grid, text = binding.grid, binding.text
    if grid.table.is_record or any(map(str.isdigit, text)) or is_nothing(text, linked.question.language):
        return False
    column = [cell for row in grid.table.rows for cell in row[binding.column : binding.column + 1] if cell.strip()]
    return len(column) > 1 and is_numbered(column, binding.label) and not _is_endless(binding.text, linked)


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


def tells_no_time_or_place(binding: Binding, linked: Linked) -> bool:
    """True where it is asked when something was, and the value has neither a number nor a word for a time; or where it
    was, and there is nothing but a number.
    """
    language, said = linked.question.language, phrase(binding.text)
    begins = linked.question.tokens[:1]
    if begins in language.answers.get("place", ()) and linked.question.end is None:
        return all(map(is_number, said)) and language.elements.isdisjoint(phrase(binding.label))
    if asks_when(linked.question) and _is_length_of_time(binding.text, language):
        return True
    if not asks_when(linked.question) or any(word[:1].isdigit() for word in said):
        return False  # the *v2.1* of a version is no time
    times = frozenset().union(*map(language.telling, language.told_by))
    return times.isdisjoint(said) and not dimensions_in(binding.text, language)


def _is_length_of_time(text: str, language: Language) -> bool:
    """True for *2 years*, which tell no year."""
    if date_of(text) is not None or len(text.split()) > _BRIEF:
        return False
    return any(not words_for_time(language).isdisjoint(each.units) for each in dimensions_in(text, language))


def _is_endless(text: str, linked: Linked) -> bool:
    return not linked.question.language.ranges.endless.isdisjoint(phrase(text))


def _meant(linked: Linked, binding: Binding) -> set[str]:
    """The words of the question that tell the value, and the measures that they speak of; where it was taken for other
    words, all of them.
    """
    words = binding.fit.label | binding.fit.row | binding.fit.value or frozenset(linked.words)
    implied = (each for word in words for each in (*linked.implied.get(word, ()), *linked.related.get(word, ())))
    return {*words, *implied}
