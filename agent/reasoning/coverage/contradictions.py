"""Reasons in the table around a cell why the cell is not the answer.

A label may share words with the question and mean something else: the *Spells* under *Saving Throws* are throws, not a
number of spells. An unmatched word may be the name of another row or column of the same table. The table itself shows
this, so no word list is needed.

A name doesn't answer *when*, and a word in a column of numbers doesn't answer *how much*.
"""

from __future__ import annotations

from itertools import pairwise

from agent.languages.language import Language
from agent.reasoning.coverage.borne import is_only_borne
from agent.reasoning.coverage.counted_things import counts_another_thing
from agent.reasoning.measures.dimensions import asks_when, dimensions_in, words_for_time
from agent.reasoning.values.conditions import is_nothing, is_numbered, truth_of
from agent.reasoning.values.dates import date_of
from agent.understanding.linking.program import Linked
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.related import antonyms_of
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, label_words, matches_any
from retrieval.tables.names import name_keys, same_name
from retrieval.tables.writing import Kind
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, phrase

_MOST_HOLDING = 60
"""The most records with a word whose labels are checked."""


def is_contradicted(linked: Linked, binding: Binding) -> bool:
    """True if the table of a cell shows that another cell was asked for, or none."""
    is_counted = linked.amount is not None and (linked.amount in binding.fit.label or binding.place.kind is Kind.COLUMN)
    if is_counted and counts_another_thing(binding.grid, binding.column, linked.question):
        return True
    if _has_another_number(linked, binding) or is_only_borne(linked.question, binding.label, binding.text):
        return True
    if any(says_contrary(word, binding.label, linked) for word in binding.unmatched_words):
        return True
    if _leaves_joined_measure(linked, binding):
        return True
    return any(_is_beside(word, linked, binding) for word in binding.unmatched_words)


def graded(question: Tagged) -> frozenset[str]:
    """Return the words for the object of *how long* or *how heavy*: the *warranty* in *how long was the warranty on the
    Reed*, which the length of the Reed does not answer.
    """
    tokens, language = question.tokens, question.language
    verbs = language.copulas | language.support
    for i, (how, adjective, verb, article) in enumerate(zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False)):
        if how in language.before_adjectives and adjective in language.adjectives and verb in verbs:
            rest = range(i + 4, len(tokens)) if article in language.articles else range(0)
            end = next((at for at in rest if tokens[at] in language.function_words), i + 4)
            is_of_something = tokens[end] in language.partitive | language.statement_words("places") | language.of_each
            return frozenset(tokens[i + 4 : end]) if is_of_something else frozenset()
    return frozenset()


def is_value_of_others(word: str, binding: Binding, linked: Linked, index: Cells) -> bool:
    """True if a *which* question asks for a value that other records have under the label of the found one: a form that
    is *Usual* does not answer which forms are *urgent*.
    """
    question, label = linked.question, phrase(binding.label)
    asks_which = question.tokens[0] in question.language.kinds and question.language.joining.isdisjoint(question.tokens)
    for number in sorted(index.holding(word))[:_MOST_HOLDING] if asks_which and binding.grid.table.is_record else ():
        table = index.grid(number).table
        if table.is_record and any(phrase(row[0]) == label and phrase(row[-1]) == (word,) for row in table.rows):
            return True
    return False


def _has_another_number(linked: Linked, binding: Binding) -> bool:
    """True if the question has a word of the row label before another number than the row's: *Fixed 20* is not *Fixed
    5*, whatever else is in its row.
    """
    row = binding.cell.row_label
    said = phrase(row)
    if not any(map(is_number, said)) or read_label(row).span is not None:
        return False
    asked = ((before, number) for before, number in pairwise(linked.question.tokens) if is_number(number))
    return any(before in said and before.isalpha() and number not in said for before, number in asked)


def _leaves_joined_measure(linked: Linked, binding: Binding) -> bool:
    """True if the question asks for the measure of another column as well: for *dose and duration*, a duration is no
    answer, though the table's name has the word *dose*.
    """
    question, grid = linked.question, binding.grid
    if question.language.joining.isdisjoint(question.tokens):
        return False
    plain = [(token, i) for i, token in enumerate(question.tokens) if token not in question.language.articles]
    joined = {i for (before, _), (_, i) in pairwise(plain) if before in question.language.joining}
    joined |= {i for (_, i), (behind, _) in pairwise(plain) if behind in question.language.joining}
    heads = () if grid.table.is_record else enumerate(grid.column_labels)
    keys = {key for at, head in heads if at and at != binding.column for key in name_keys(head)[:1]}
    own = {*binding.fit.label, *binding.fit.row, *(word for each in linked.subjects for word in phrase(each.text))}
    return any(
        mention.key in keys
        and not joined.isdisjoint(mention.places)
        and not own.issuperset(mention.key.split())
        and {*linked.words}.issuperset(question.tokens[mention.start : mention.end])
        for mention in question.names
    )


def says_contrary(word: str, label: str, linked: Linked) -> bool:
    """True if the label has an antonym of the word: the price at which a thing *sells* is not what it was
    *bought* for.
    """
    return not antonyms_of(word, linked.question.language).isdisjoint(label_words(label))


def _is_beside(word: str, linked: Linked, binding: Binding) -> bool:
    """True if a word is the name of another row of the table, or a measure in another column."""
    grid = binding.grid
    if grid.table.is_record:
        return False
    rows = (row[0] for at, row in enumerate(grid.table.rows) if at != binding.row)
    if any(same_name(word, name) for name in rows):
        return True
    if not matches_any(word, linked.question.language.measures):
        return False
    meant = (word, *linked.implied.get(word, ()))
    heads = (head for at, head in enumerate(grid.column_labels) if at and at != binding.column)
    return any(any_matches(meant, label_words(head)) for head in heads)


_BRIEF = 3
"""The most words of a length of time."""


def is_no_amount(binding: Binding, linked: Linked) -> bool:
    """True for a value without a number in a column of numbers, unless it means nothing or no limit."""
    grid, text = binding.grid, binding.text
    if grid.table.is_record or any(map(str.isdigit, text)) or is_nothing(text, linked.question.language):
        return False
    cells = (cell for row in grid.table.rows for cell in row[binding.column : binding.column + 1])
    column = tuple(cell for cell in cells if cell.strip())
    is_endless = not linked.question.language.ranges.endless.isdisjoint(phrase(text))
    return len(column) > 1 and is_numbered(column, binding.label) and not is_endless


def tells_no_time_or_place(binding: Binding, linked: Linked) -> bool:
    """True if the question asks when, and the value has no number or word for a time; or if it asks where, and the
    value is only a number.
    """
    language, said = linked.question.language, phrase(binding.text)
    begins = linked.question.tokens[:1]
    if begins in language.answers.get("place", ()) and linked.question.end is None:
        return all(map(is_number, said)) and language.elements.isdisjoint(phrase(binding.label))
    if asks_when(linked.question) and _is_length_of_time(binding.text, language):
        return True
    if not asks_when(linked.question) or any(word[:1].isdigit() for word in said):
        return False  # the *v2.1* of a version is no time
    times = frozenset().union(*map(language.statement_words, language.statement_phrases))
    return times.isdisjoint(said) and not dimensions_in(binding.text, language)


def tells_no_count(binding: Binding, linked: Linked) -> bool:
    """True if the question asks how many, and the value says yes: *how many boats are covered* counts those with it."""
    language, said = linked.question.language, phrase(binding.text)
    return linked.question.operation == "count" and bool(said) and truth_of(said[0], language) is True


def _is_length_of_time(text: str, language: Language) -> bool:
    """True for *2 years*, which names no year."""
    if date_of(text) is not None or len(text.split()) > _BRIEF:
        return False
    return any(not words_for_time(language).isdisjoint(each.units) for each in dimensions_in(text, language))
