"""Bind a comparison of alternatives to the lines of one table that have their names.

The names choose the table, so some words of the question may stay unmatched. The measure is the one that words of the
question match, by its label or the unit of its values; else the only one with amounts, if the table's name matches what
is asked; else the one with the nearest label. The remaining words are shown as unmatched, and are a doubt if they may
ask for something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.languages.operations import Operation
from agent.reasoning.kinds.member import Value, brief_words
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.measures.direction import end_of
from agent.reasoning.measures.variants import sum_words
from agent.reasoning.rows.chosen_rows import Word
from agent.reasoning.rows.lineup import Lineup, Measure, Named, lineups
from agent.reasoning.rows.told_measures import Told, Words
from agent.reasoning.subjects.nearest import SURE
from agent.reasoning.values.several_amounts import can_be_compared
from agent.understanding.linking.nearness import LabelRequests, Wording, label_for
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.sides import listed_entities
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import in_own_words
from agent.understanding.words.related import only_relates
from retrieval.tables.index import Cells
from retrieval.tables.match import Fit, matches_any
from retrieval.tables.names import name_keys
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_JUDGED: tuple[Operation | None, ...] = (None, "compare", "average", "total", "count")
"""The operations on values that can go with a comparative or superlative."""
_FEWEST = 3
"""The fewest labels from which the nearest is chosen; among fewer, it may win only for lack of others."""


def by_lines(question: Tagged, index: Cells) -> LabelRequests[Bound | None]:
    """Return the compared values of alternatives. None if no table answers, or if two tables answer equally well and
    differ.
    """
    if question.end is None or question.negated or question.prose or any(n.limit for n in question.numbers):
        return None
    items = listed_entities(question) if question.operation in _JUDGED else []
    found: list[tuple[Told, _Asked]] = []
    for lineup in lineups(question, items, index) if items else ():
        if _is_of_others(lineup, index):
            continue
        asked = _Asked(question, items, lineup, index)
        told = yield from asked.told()
        found += [(told, asked)] if told is not None else []
    best = max((told.rank for told, _ in found), default=None)
    alike = [(told, asked) for told, asked in found if told.rank == best]
    if not alike or any(told.measure.texts != alike[0][0].measure.texts for told, _ in alike):
        return None
    told, asked = alike[0]
    return asked.bound(told)


def _is_of_others(lineup: Lineup, index: Cells) -> bool:
    """True for rows that have other names, if another table has rows with the names of all alternatives: the goals of a
    club are not those of its only player in a list of players.
    """
    lines = [line for each in lineup.things for line in each.lines]
    if lineup.kind is not Kind.ROW or any(lineup.column < len(grid.row_names(at)) for _, grid, at in lines):
        return False
    found = (index.places(name_keys(each.name)[:1], (Kind.ROW,)) for each in lineup.things)
    own = {number for number, _ in lineup.pieces}
    return all(any(not place.depth and place.grid not in own for place in places) for places in found)


@dataclass(frozen=True)
class _Asked:
    """A question about alternatives that all have a line in one table."""

    question: Tagged
    items: Sequence[range]
    lineup: Lineup
    index: Cells

    def told(self) -> LabelRequests[Told | None]:
        """Return the measure asked for; None if there is none."""
        told = self._by_words()
        if told is None:
            told = yield from self._by_nearest()
        elif self.lineup.kind is Kind.LABEL and not told.of_dimension:
            return None  # a list without a label for it
        return None if told is None or self._is_lacking(told) else told

    def _is_lacking(self, told: Told) -> bool:
        """True if more words are in a label under which an alternative has no value: who lacks a *boiling point* is not
        compared by its *melting point*.
        """
        lacking = (self._of(each) for each in self.lineup.measures() if not each.texts)
        return any(each.direct > told.direct for each in lacking)

    @cached_property
    def words(self) -> Words:
        """The words and numbers of the question besides the names."""
        question, language = self.question, self.question.language
        named = {i for each in self.lineup.things for i in each.called.places}
        said = {i: Word(word, question.implied_of_kind(i)) for i, word in question.words() if word not in language.ends}
        said |= {n.place: Word(n.value) for n in question.numbers if n.value != str(len(self.items))}
        return {i: word for i, word in sorted(said.items()) if i not in named}

    @cached_property
    def open(self) -> Words:
        """The words that match nothing around the values: not the table's name, the header of the name column or
        another cell.
        """
        grid, beside = self.lineup.grid, (word for text in self.lineup.beside() for word in brief_words(text))
        heads = phrase(grid.column_labels[self.lineup.column]) if self.lineup.kind is Kind.ROW else ()
        around = {*grid.context, *heads, *beside, *grid.corner_words}.union(*map(_words, self.lineup.things))
        return {i: word for i, word in self.words.items() if not matches_any(word.text, around)}

    @cached_property
    def measures(self) -> list[Measure]:
        """The measures of the alternatives whose amounts can be compared."""
        said = [word.text for word in self.words.values()]
        found = (each for each in self.lineup.measures() if each.texts)
        return [each for each in found if can_be_compared(each.plain_texts, each.label, said)]

    def _of(self, measure: Measure) -> Told:
        return Told(self.question, measure, self.words, self.open)

    def _by_words(self) -> Told | None:
        """Return the measure that matches the most words. If no word is unmatched, ties go to the largest matched share
        of the label. None if the tie remains, or if there are words and none matches.
        """
        found = list(map(self._of, self.measures))
        best = max((each.fit for each in found), default=None)
        alike = [each for each in found if each.fit == best]
        if len(alike) > 1 and not alike[0].left:
            share = max(each.share for each in alike)
            alike = [each for each in alike if each.share == share]
        is_told = len(alike) == 1 and (alike[0].places or not alike[0].left)
        return alike[0] if is_told else None

    def _by_nearest(self) -> LabelRequests[Told | None]:
        """Return the measure with the label nearest to what is asked; it is certain if words match it too."""
        labels = {each.label: each for each in self.measures if each.label}
        if len(labels) < _FEWEST or not self.words:
            return None
        wording = in_own_words([self.question.tokens[i] for i in self.words], self.question.question)
        label = yield from label_for(Wording(wording, tuple(labels), plain=sum_words(self.question.language)))
        if label is None:
            return None
        told = self._of(labels[label])
        is_sure = bool(told.places) or bool((yield Wording(wording, (label,), SURE)))
        return replace(told, assumed=wording, is_sure=is_sure)

    def bound(self, told: Told) -> Bound | None:
        """Return the values as the binding of the question; None if the question asks for neither their high nor low
        end.
        """
        measure, grid = told.measure, self.lineup.grid
        label = measure.label or grid.table.caption or grid.title
        end = end_of(self.question, measure.label, f"{grid.table.caption} {grid.title}", value=measure.texts[0])
        if end not in ("low", "high"):
            return None
        pairs = zip(self.lineup.things, measure.values, strict=True)
        readings = tuple(self._reading(thing, values[0], told) for thing, values in pairs)
        words = tuple(word.text for word in self.words.values())
        left = () if told.assumed else tuple(dict.fromkeys(self._unmatched(told)))
        linked = Linked(self.question, (), words, told.assumed or " ".join(words))
        return Bound(linked, readings, label, "compare", end, left)

    def _reading(self, thing: Named, value: Value, told: Told) -> Reading:
        """Return one value as the reading of an alternative."""
        label = told.measure.label
        fit = Fit(
            self._said(told.direct | told.implied),
            self._said(self.words.keys() - self.open.keys()),
            self._said(told.by_unit),
            told.share,
            indirect=self._said(told.implied),
        )
        reading = reading_of(thing.name, value, value.row, fit)
        return replace(reading, assumed=label, sure=told.is_sure) if told.assumed else reading

    def _said(self, places: Iterable[int]) -> frozenset[str]:
        return frozenset(self.words[i].text for i in places)

    def _unmatched(self, told: Told) -> Iterator[str]:
        """Yield the unmatched words, except verbs, filler words and adjectives of degree."""
        question, language = self.question, self.question.language
        for i, word in told.left.items():
            if not (i in question.scales or word.text in language.idle or only_relates(question.tokens, i, language)):
                yield word.text


def _words(thing: Named) -> tuple[str, ...]:
    return phrase(thing.name)
