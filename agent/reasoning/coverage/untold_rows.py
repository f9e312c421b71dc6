"""Whether a value is of a row that the question does not choose, where it names no more than the table.

*How long are the songs* asks for no song's length, and *when* is not answered by a name.
"""

from __future__ import annotations

from agent.languages.language import Language
from agent.reasoning.measures.dimensions import asks_when, dimensions_in, words_for_time
from agent.reasoning.values.conditions import is_nothing, is_numbered
from agent.reasoning.values.dates import date_of
from agent.understanding.linking.program import Linked, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.match import is_any_told
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

_BRIEF = 3
"""Words of a length of time."""
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


def is_no_amount(binding: Binding, linked: Linked) -> bool:
    """True for a value without a number in a column of numbers: another head of it, and no size of anything."""
    grid, text = binding.grid, binding.text
    if grid.table.is_record or any(map(str.isdigit, text)) or is_nothing(text, linked.question.language):
        return False
    cells = (cell for row in grid.table.rows for cell in row[binding.column : binding.column + 1])
    column = tuple(cell for cell in cells if cell.strip())
    is_endless = not linked.question.language.ranges.endless.isdisjoint(phrase(text))
    return len(column) > 1 and is_numbered(column, binding.label) and not is_endless


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


def _meant(linked: Linked, binding: Binding) -> set[str]:
    """The words of the question that tell the value, and the measures that they speak of; where it was taken for other
    words, all of them.
    """
    words = binding.fit.label | binding.fit.row | binding.fit.value or frozenset(linked.words)
    implied = (each for word in words for each in (*linked.implied.get(word, ()), *linked.related.get(word, ())))
    return {*words, *implied}
