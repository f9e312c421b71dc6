"""Bind a question about things side by side to the lines of one table that are called so.

The names choose the table, so of what is asked of them not every word has to be told: the measure is that which words
of the question tell, by its label or by the unit of its values; else the only one with amounts, of a table that is
called as what is asked for; else the nearest in other words. What is left over is told as not heeded, and is a doubt
where it may ask for something else.
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
from agent.understanding.linking.nearness import Asking, Wording, label_for
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.sides import sides
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import in_own_words
from agent.understanding.words.related import only_relates
from retrieval.tables.index import Cells
from retrieval.tables.match import Fit, is_told
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_JUDGED: tuple[Operation | None, ...] = (None, "compare", "average", "total", "count")
"""What is done with values of which one end is asked for."""
_FEWEST = 3
"""Labels of which one can be the nearest; of fewer, each may be it for lack of another."""


def by_lines(question: Tagged, index: Cells) -> Asking[Bound | None]:
    """The values of things side by side, held against each other; None where no one table tells what is asked of them,
    or two tables tell it alike and differ.
    """
    if question.end is None or question.negated or question.prose or any(n.limit for n in question.numbers):
        return None
    items = sides(question) if question.operation in _JUDGED else []
    found: list[tuple[Told, _Asked]] = []
    for lineup in lineups(question, items, index) if items else ():
        asked = _Asked(question, items, lineup, index)
        told = yield from asked.told()
        found += [(told, asked)] if told is not None else []
    best = max((told.rank for told, _ in found), default=None)
    alike = [(told, asked) for told, asked in found if told.rank == best]
    if not alike or any(told.measure.texts != alike[0][0].measure.texts for told, _ in alike):
        return None
    told, asked = alike[0]
    return asked.bound(told)


@dataclass(frozen=True)
class _Asked:
    """What a question asks of things that one table has lines for."""

    question: Tagged
    items: Sequence[range]
    lineup: Lineup
    index: Cells

    def told(self) -> Asking[Told | None]:
        """The measure that is asked for; None where none is, or where some thing is not named whole."""
        told = self._by_words()
        if told is None:
            told = yield from self._by_nearest()
        elif self.lineup.kind is Kind.LABEL and not told.of_dimension:
            return None  # a list has no label for it
        return told

    @cached_property
    def words(self) -> Words:
        """What is said besides the names: words and numbers."""
        question, language = self.question, self.question.language
        named = {i for each in self.lineup.things for i in each.called.places}
        said = {i: Word(word, question.implied_of_kind(i)) for i, word in question.words() if word not in language.ends}
        said |= {n.place: Word(n.value) for n in question.numbers if n.value != str(len(self.items))}
        return {i: word for i, word in sorted(said.items()) if i not in named}

    @cached_property
    def open(self) -> Words:
        """The words that nothing around the values tells: no name of the table, no head of the names, no other cell."""
        grid, beside = self.lineup.grid, (word for text in self.lineup.beside() for word in brief_words(text))
        heads = phrase(grid.column_labels[self.lineup.column]) if self.lineup.kind is Kind.ROW else ()
        around = {*grid.context, *heads, *beside}
        return {i: word for i, word in self.words.items() if not is_told(word.text, around)}

    @cached_property
    def measures(self) -> list[Measure]:
        """What the things have amounts of that can be held against each other."""
        said = [word.text for word in self.words.values()]
        found = (each for each in self.lineup.measures() if each.texts)
        return [each for each in found if can_be_compared(each.plain_texts, each.label, said)]

    def _of(self, measure: Measure) -> Told:
        return Told(self.question, measure, self.words, self.open)

    def _by_words(self) -> Told | None:
        """The measure of which the words tell the most; where no word is left, by how much of its label they are, or
        the only one.
        """
        found = list(map(self._of, self.measures))
        best = max((each.fit for each in found), default=None)
        alike = [each for each in found if each.fit == best]
        if len(alike) > 1 and not alike[0].left:
            share = max(each.share for each in alike)
            alike = [each for each in alike if each.share == share]
        is_told = len(alike) == 1 and (alike[0].places or not alike[0].left)
        return alike[0] if is_told else None

    def _by_nearest(self) -> Asking[Told | None]:
        """The measure whose label is the nearest to what is asked; it is certain where words tell it too."""
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
        """The values as what the question is bound to; None where it asks for no end of theirs."""
        measure, grid = told.measure, self.lineup.grid
        label = measure.label or grid.table.caption or grid.title
        end = end_of(self.question, measure.label, f"{grid.table.caption} {grid.title}", value=measure.texts[0])
        if end not in ("low", "high"):
            return None
        pairs = zip(self.lineup.things, measure.values, strict=True)
        readings = tuple(self._reading(thing, values[0], told) for thing, values in pairs)
        words = tuple(word.text for word in self.words.values())
        left = () if told.assumed else tuple(dict.fromkeys(self._unheeded(told)))
        linked = Linked(self.question, (), words, told.assumed or " ".join(words))
        return Bound(linked, readings, label, "compare", end, left)

    def _reading(self, thing: Named, value: Value, told: Told) -> Reading:
        """One value as what is told of a thing."""
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

    def _unheeded(self, told: Told) -> Iterator[str]:
        """The words that nothing tells, but for verbs, those that say little, and adjectives of any measure."""
        question, language = self.question, self.question.language
        for i, word in told.left.items():
            if not (i in question.scales or word.text in language.idle or only_relates(question.tokens, i, language)):
                yield word.text
