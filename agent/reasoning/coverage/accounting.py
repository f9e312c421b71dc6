"""Coverage: whether the found cells account for every word of the question.

An unmatched word contradicts if the collection knows it as another measure or another entity, or if it is written as a
name: that was asked for and not found. A word unknown to the collection is only noted in the answer. So a new wording
works without a new word in a list, and the answer says which words it ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from agent.reasoning.coverage.contradictions import (
    graded,
    is_contradicted,
    is_no_amount,
    is_value_of_others,
    tells_no_count,
    tells_no_time_or_place,
)
from agent.reasoning.coverage.heads import heads_of, is_label_numbered
from agent.reasoning.coverage.other_rows import is_of_longer_row, is_of_untold_record, is_of_untold_row
from agent.reasoning.coverage.siblings import names_sibling
from agent.reasoning.kinds.asked import is_unknown
from agent.reasoning.measures.asked_in import is_asked_in
from agent.reasoning.measures.dimensions import (
    dimensions_in,
    dimensions_of,
    is_of_other_unit,
    is_of_other_verb,
    is_told_by_heading,
    measures_in,
)
from agent.reasoning.measures.units import named_units
from agent.reasoning.values.cell_text import amount_of, is_amount
from agent.reasoning.values.quantities import is_range, number_of
from agent.understanding.linking.nearness import LabelRequests, Wording
from agent.understanding.linking.partial import MOST_ALIKE
from agent.understanding.linking.program import Linked, Reading, Subject
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, in_own_words
from agent.understanding.words.proper import is_written_as_name
from agent.understanding.words.related import derives_measure
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, label_words, matches_any
from retrieval.tables.names import key_of, name_keys, spans_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

_AXES = 2
"""The axes, row and column, that choose one cell of a table, whatever words the question uses."""
_NUMBER_AND_UNIT = 2
_FEW_WORDS = 4
"""The most words of a value without a number that may still be an amount: *until the next dawn*."""
_DIGIT = re.compile(r"\d")
_RATE = re.compile(r"/\s*([^\W\d_]+)")
_BRACKET = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Compares questions with the cells that they were bound to."""

    index: Cells

    def left_over(self, linked: Linked, reading: Reading) -> LabelRequests[list[str] | None]:
        """Return the unmatched words, which are only noted; None if the reading does not answer the question."""
        if not 0 < len(reading.found) <= MOST_ALIKE or not _is_asked(linked, reading):
            return None
        binding = reading.best
        is_other = is_of_longer_row(linked, reading, self.index) or is_of_untold_record(linked, reading, self.index)
        if is_other or any(is_contradicted(linked, each) for each in reading.found):
            return None
        own = phrase(reading.subject.text)  # *toll list: how many tolls* repeats the subject
        left_out = _without_degree(binding, linked, is_pinned=_is_pinned(reading))
        unmatched = tuple(word for word in left_out if word not in own)
        verb = _infinitive(linked)
        if not self._names_another(reading.subject, (verb,)):
            unmatched = tuple(word for word in unmatched if word != verb)
        if self._is_another(linked, reading, unmatched):
            return None
        idle = linked.verbs | (linked.relational_words if binding.fit.label and not reading.assumed else frozenset())
        is_head = binding.place.kind is Kind.COLUMN  # a number under a column header may belong to any verb
        left = [
            word
            for word in unmatched
            if word not in idle or (reading.subject.keys and (is_head or dimensions_of(word, linked)))
        ]
        if _is_pinned(reading) and _is_said_of_what(binding, linked):
            return None if any(_is_asked_for(word, reading, linked) for word in left) else left
        is_measure = is_head or any_matches(left, linked.question.language.measures)
        if left and (len(reading.found) > 1 or (is_measure and not is_asked_in(binding, linked))):
            return None  # an unmatched word would choose among the values, or is the measure
        return (yield from self._told(linked, reading, left))

    def _is_another(self, linked: Linked, reading: Reading, unmatched: Sequence[str]) -> bool:
        """True if the unmatched words ask for another measure or another entity."""
        is_other = self.contradicts(reading.subject, unmatched, {} if reading.assumed else linked.implied)
        is_other = is_other or names_sibling(unmatched, reading.best, linked, self.index)
        if is_other or is_of_other_verb(reading.best.text, linked.question):
            return True
        found, question = reading.best, linked.question
        measured = graded(question)  # a *warranty* that the collection doesn't know has no length in it
        if measured and all(word in unmatched and is_unknown(word, question, self.index) for word in measured):
            return True
        return (
            _has_half_a_name(found, linked)
            or self._has_half_a_measure(found, linked)
            or any(
                derives_measure(word, linked.related.get(word, ()))  # another measure means the same
                or is_named(word, found, linked)
                or is_of_other_unit(word, found, linked)
                or is_value_of_others(word, found, linked, self.index)
                for word in unmatched
            )
        )

    def _has_half_a_measure(self, binding: Binding, linked: Linked) -> bool:
        """True if the label has only some words of a measure in the question: what has no boiling point is not told by
        its *melting point*.
        """
        tokens, left = linked.question.tokens, binding.unmatched_words
        others = (each for each in linked.question.names if each.key not in name_keys(binding.label))
        named = ((each.key, {*tokens[each.start : each.end]}) for each in others)
        halves = (key for key, words in named if words & binding.fit.label and words.intersection(left))
        return bool(self.index.measures(list(halves)))

    def _told(self, linked: Linked, reading: Reading, left: list[str]) -> LabelRequests[list[str] | None]:
        """Return the unmatched words if the label answers the question; None if it doesn't."""
        binding = reading.best
        told = _told_by_words(binding, reading.subject)
        if not told and linked.question.end is not None and not is_label_numbered(binding, linked, reading.subject):
            return None  # nothing says which measure the end is of
        if left and not told:
            near = yield Wording(linked.wording, (binding.label,))
            return left if near else None
        return left

    def contradicts(self, subject: Subject, unmatched: Sequence[str], implied: Mapping[str, tuple[str, ...]]) -> bool:
        """True if unmatched words are a measure of this collection, which is then what is asked for, or make the
        subject another name: the *winter* of a wolf.
        """
        if not unmatched:
            return False
        meant = [key_of((each,)) for word in unmatched for each in implied.get(word, ())]
        measures = [*spans_of(tuple(unmatched)), *filter(None, meant)]
        return bool(self.index.measures(measures)) or self._names_another(subject, unmatched)

    def _names_another(self, subject: Subject, words: Sequence[str]) -> bool:
        """True if a word makes the subject another name: the *winter* of a wolf."""
        longer = [key_of((*subject.key.split(), word)) for word in words if word]
        return bool(self.index.known_names(list(filter(None, longer))))


def _infinitive(linked: Linked) -> str:
    """Return the verb that ends a question behind its subject: *what engine does the Tern use*. Empty if there is none,
    if nothing else is asked for, or if the verb is itself the measure: *cost*.
    """
    tokens = tuple(token for token in linked.question.tokens if token != COMMA)
    is_verb = tokens[-1] in linked.verbs and not linked.question.language.support.isdisjoint(tokens)
    is_measure = tokens[-1] in linked.implied or bool(dimensions_of(tokens[-1], linked))
    return tokens[-1] if is_verb and not is_measure and set(linked.words) > {tokens[-1]} else ""


def _tells_no_such(linked: Linked, binding: Binding) -> bool:
    """True for a value of another kind than a time, a place or a count that is asked for."""
    return tells_no_time_or_place(binding, linked) or tells_no_count(binding, linked)


def _is_asked(linked: Linked, reading: Reading) -> bool:
    """True if the cell is chosen by all numbers, its label was asked for, its value doesn't only repeat the question,
    and it is an amount if one is asked for.
    """
    binding = reading.best
    is_labelled = _is_labelled(reading) or _is_asked_as_range(linked, reading)
    if not is_labelled or any(_is_echo(each, linked) for each in reading.found):
        return False
    if is_of_untold_row(linked, reading) or any(map(partial(_tells_no_such, linked), reading.found)):
        return False
    if asked_how(linked) and (_is_untold_how(linked, reading) or any(_is_no_amount(e, linked) for e in reading.found)):
        return False
    if linked.amount is None:
        return True
    joining = linked.question.language.joining
    if not all(is_amount(each.text, joining) for each in reading.found):
        return False
    is_plain = all(len(each.text.split()) <= _NUMBER_AND_UNIT for each in reading.found)
    is_own = is_plain and linked.amount in phrase(reading.subject.text)
    is_free = not linked.amount or is_own or bool(reading.assumed)
    is_count = not _counts_some(linked.question) or all(each.text.strip().isdecimal() for each in reading.found)
    return is_count and (is_free or _is_amount(linked, binding))


def _counts_some(question: Tagged) -> bool:
    """True for *how many of the districts*: *10 units per acre* is no number of districts."""
    asking = max(question.asking, default=len(question.tokens))
    is_partitive = not question.language.partitive.isdisjoint(question.tokens[asking + 1 : asking + 2])
    return question.operation == "count" and is_partitive


def _is_untold_how(linked: Linked, reading: Reading) -> bool:
    """True if neither the label nor a unit matches the adjective of *how wide*, or if an assumed label has no number.
    *How large* matches any bare number.
    """
    adjectives, best = linked.question.language.adjectives, reading.best
    is_bare = bool(best.fit.label) and not any(map(str.isalpha, best.text))
    asked = {word for word in asked_how(linked) if not (is_bare and adjectives[word].scale.of_any)}
    asked &= set(best.unmatched_words)
    if reading.assumed:
        return not any(map(partial(_has_number, linked), reading.found))
    return any(not _is_told_by_unit(word, reading.best, linked) for word in asked)


def asked_how(linked: Linked) -> set[str]:
    """Return the adjectives of degree that are asked for: *how long*, *how quickly*."""
    language, pairs = linked.question.language, pairwise(linked.question.tokens)
    return {after for word, after in pairs if word in language.before_adjectives and after in language.adjectives}


def _has_number(linked: Linked, binding: Binding) -> bool:
    """True for a value with a number in digits or words, or a word for no limit: an assumed *Days: D* is no length."""
    language, said = linked.question.language, phrase(binding.text)
    words = language.ranges.endless | language.numbers.keys()
    return any(map(is_number, said)) or bool(_DIGIT.search(binding.text)) or not words.isdisjoint(said)


def _is_no_amount(binding: Binding, linked: Linked) -> bool:
    """True for several words without a number in digits or words, and for a word in a column of numbers."""
    said, numbers = phrase(binding.text), linked.question.language.numbers
    is_prose = len(said) > _FEW_WORDS and not _DIGIT.search(binding.text) and numbers.keys().isdisjoint(said)
    return is_prose or is_no_amount(binding, linked)


def _is_echo(binding: Binding, linked: Linked) -> bool:
    """True for a value that only repeats the question: all its words are there, or it is a number that stands there
    with a word of the label, which chooses the cell and is not asked for.
    """
    said = set(label_words(binding.text))
    if said and (not _DIGIT.search(binding.text) or sum(map(str.isalpha, said)) > 1):
        return said <= set(linked.question.tokens)
    keys = (key for subject in linked.subjects for key in subject.keys)
    return any({key.value} == set(phrase(binding.text)) and binding.fit.label & {*key.words} for key in keys)


def _is_labelled(reading: Reading) -> bool:
    """True if words match the label, if only this cell matches by its unit, or if one cell is fixed on both axes of its
    table: by numbers, or by a number and the name of its row or column.
    """
    fit = reading.best.fit
    rates = phrase(" ".join(_RATE.findall(reading.best.text)))  # *8/hp* is no number of hit points
    is_by_unit = bool(fit.value.difference(rates)) and len(reading.found) == 1
    return bool(fit.label) or is_by_unit or _is_pinned(reading)


def _is_asked_as_range(linked: Linked, reading: Reading) -> bool:
    """True for the only value of a row that is a range, if one is asked for: the *storage temperature range*."""
    binding, words = reading.best, linked.question.language.ranges.words
    is_only = binding.place.kind is Kind.ROW and len(binding.grid.table.columns) == _AXES and len(reading.found) == 1
    return is_only and is_range(binding.text) and bool(linked.words) and words.issuperset(linked.words)


def _is_pinned(reading: Reading) -> bool:
    """True for a single cell whose row and column the question names or has numbers for. In a table with one column of
    values, a number for the row is enough.
    """
    binding, keys = reading.best, len(reading.subject.keys)
    chosen = keys + (binding.place.kind in (Kind.ROW, Kind.COLUMN))
    if keys == 1 and len(binding.grid.table.columns) == _AXES:
        chosen = _AXES
    return keys > 0 and chosen >= _AXES and len(reading.found) == 1


def _is_asked_for(word: str, reading: Reading, linked: Linked) -> bool:
    """True for a word that may name what is asked for: it is a measure, or is not next to a name, a number or a word of
    the label, and no unit of the cell or of its table's name matches it.
    """
    language, binding = linked.question.language, reading.best
    asked = {word, *linked.implied.get(word, ())}
    is_measure = bool(dimensions_of(word, linked)) or any_matches(asked, language.measures)
    if not is_measure and _is_beside(word, reading, linked):
        return False
    return not _is_told_by_unit(word, binding, linked)


def _is_said_of_what(binding: Binding, linked: Linked) -> bool:
    """True if the question asks for no end, or if something says which measure the end is of: a column header, alone or
    with the number of an axis (*to hit AC 3*), or the unit of the value, as *$* for *cost*.
    """
    is_of_head = not binding.fit.context.isdisjoint(phrase(binding.cell.column_label))
    if linked.question.end is None or binding.place.kind is Kind.COLUMN or is_of_head:
        return True
    return any(_is_told_by_unit(word, binding, linked) for word in linked.words)


def _is_told_by_unit(word: str, binding: Binding, linked: Linked) -> bool:
    """True if the unit of the cell, its column header or its table's name matches the dimension of a word: *long*
    matches *5 min*, *cost* matches *Hire (€)*.
    """
    language, asked = linked.question.language, dimensions_of(word, linked)
    if not asked or is_told_by_heading(word, binding, linked):
        return bool(asked)
    named = (binding.place.name, *binding.grid.names)
    brackets = " ".join(part for name in named for part in _BRACKET.findall(name))
    around = f"{binding.text} {binding.label} {binding.grid.table.caption} {brackets}"
    held = (*dimensions_in(binding.text, language), *dimensions_in(around, language))
    return any(each in held for each in asked)


def _is_beside(word: str, reading: Reading, linked: Linked) -> bool:
    """True for a word next to the subject, a number that chooses a row or column, or a word of the label."""
    subject, tokens = reading.subject, linked.question.tokens
    keys = {each for key in subject.keys for each in (*key.words, key.value)}
    told = {*phrase(subject.text), *keys, *reading.best.fit.label} - linked.question.language.function_words
    pairs = {*pairwise(tokens)}
    return any((each, word) in pairs or (word, each) in pairs for each in told)


def _without_degree(binding: Binding, linked: Linked, *, is_pinned: bool) -> tuple[str, ...]:
    """Return the unmatched words, except question words and an adjective that only says which end is asked for: the
    *largest* default.
    """
    question = linked.question
    degree = question.degree
    direct = any(word != degree for word in binding.fit.label | binding.fit.value)
    words = (word for word in binding.unmatched_words if word not in question.soft or word in linked.rivals)
    of_range = question.language.ranges.words if is_range(binding.text) and not question.scales else frozenset[str]()
    words = (word for word in words if word not in of_range)  # *how wide is the range* asks for no end of it
    words = (word for word in words if not (direct and word == degree))
    is_chosen = bool(binding.fit.label) or is_pinned
    return tuple(word for word in words if not (is_chosen and _is_told_by_unit(word, binding, linked)))


def _is_amount(linked: Linked, binding: Binding) -> bool:
    """True if the value is an amount of what is counted: under *Cantrips Known*, *UARTs* or an abbreviation, but not
    under *Model id*.
    """
    language = linked.question.language
    if linked.amount in binding.fit.value - binding.fit.label:
        return bool(amount_of(binding.text, binding.fit.value))  # *how many sank*: *sank 1999* is no number of them
    if linked.amount in binding.unmatched_words or linked.amount not in binding.fit.label:
        if linked.amount in binding.fit.row and any(linked.amount in each.units for each in language.dimensions):
            return False  # a price in the same row is no number of *hours*
        return linked.amount not in binding.unmatched_words and number_of(binding.text, binding.label) is not None
    if counts_another(binding, linked):
        return False
    several = any(word.casefold().endswith("s") and phrase(word) == (linked.amount,) for word in binding.label.split())
    is_spelled = linked.amount not in binding.fit.indirect and not matches_any(
        linked.amount, label_words(binding.label)
    )
    return several or is_spelled or any_matches(heads_of(binding.label, language), binding.fit.label)


def counts_another(binding: Binding, linked: Linked) -> bool:
    """True if the value is an amount of something else, and the label only begins with the counted word: *3 TB* of
    *Data* doesn't answer *how many databases*.
    """
    language, amount = linked.question.language, linked.amount
    if not amount or amount not in binding.fit.label or any(amount in each.units for each in language.dimensions):
        return False
    is_named = amount in label_words(binding.label)
    return not is_named and bool(measures_in(binding.text, language) or named_units(binding.text, ""))


def _told_by_words(binding: Binding, subject: Subject) -> frozenset[str]:
    """Return the words that the label or the unit matches, without axis words, which only say what a number is of."""
    axes = {word for key in subject.keys for word in key.words}
    return (binding.fit.label | binding.fit.value) - axes


def _has_half_a_name(binding: Binding, linked: Linked) -> bool:
    """True if the label has only some words of a name in the question: a *buffer size* is no *packet size*. The header
    of the row labels may supply the others: the *Tern line*, under *Line*.
    """
    tokens = linked.question.tokens
    told = binding.fit.label | binding.fit.value | binding.fit.row
    row, axis = {*phrase(binding.cell.row_label)}, {*phrase(binding.cell.axis)}
    for mention in linked.question.names:
        words = linked.rivals.intersection(tokens[mention.start : mention.end])
        of_row = axis if words & row else set[str]()
        if binding.fit.label & words and not words <= told | of_row:
            return True
    return False


def is_named(word: str, binding: Binding, linked: Linked) -> bool:
    """True if a word is asked for and was not found: a name of the collection, a coined word, or a word written as a
    name. Capitals next to words of the label are an abbreviation: *GPU memory*.
    """
    question = linked.question.question
    own = in_own_words((word,), question)
    if word in linked.rivals and not any(word in each and binding.fit.label & set(each) for each in linked.stretches):
        return True
    said, is_plain = binding.fit.label | binding.fit.value, own.isalpha() and (own.isupper() or own.islower())
    if is_plain and len(own) > 1 and any(word in each and said.intersection(each) for each in linked.stretches):
        return False
    return word in linked.others or is_written_as_name(word, question)
