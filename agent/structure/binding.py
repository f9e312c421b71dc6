"""Bind a linked question to cells, and say whether nothing of it is left out of account.

*Whole* is a promise: the subject is the one asked, a cell stands under every number, its label is what was asked, no
word contradicts it, and the answer is of the kind asked. Structure decides: a word that the collection knows as
something else contradicts, a word that nobody knows is a note. What is less is left to others, or told as part.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from agent.planner.clauses import in_own_words, tokens_of
from agent.structure.direction import end_of
from agent.structure.linking import MOST_ALIKE, linkings, mentions_of
from agent.structure.nearness import nearest_label
from agent.structure.operations import Operation
from agent.structure.program import Bound, Linked, Reading, Subject
from agent.structure.selection import selected
from agent.structure.tagged import Tagged, tagged
from retrieval.embed import Embedder
from retrieval.tables.bind import Asked, Binding, assumed, best, candidates, labels
from retrieval.tables.index import Cells, Kind, Place
from retrieval.tables.match import is_told, said_words
from retrieval.tables.names import key_of, spans_of
from retrieval.text import phrase

MOST_WAYS = 16
"""Ways to mean a question that are tried; one of more names than that asks for no cell."""
MOST_VALUES = 200
"""Tables whose values are looked through for another kind of a measure."""
_SEVERAL = 2
_AXES = 2
"""Numbers that choose one cell of a matrix, whatever the question calls it."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds questions to the cells of one collection."""

    index: Cells
    embedder: Embedder

    async def bind(self, question: str) -> Bound | None:
        """The best way to bind a question whole; None where there is none."""
        found = await asyncio.to_thread(self._tagged, question)
        if found.prose:
            return None
        if not any(number.limit for number in found.numbers) and not found.negated:
            for linked in await asyncio.to_thread(lambda: list(islice(linkings(found, self.index), MOST_WAYS))):
                bound = await self._bound(linked)
                if bound is not None and bound.whole:
                    return bound
        return await self._selected(found)

    def _tagged(self, question: str) -> Tagged:
        """The question; what is part of a name of several words (*Faster R-CNN*) is no comparative."""
        tokens = tuple(tokens_of(question))
        mentions = mentions_of(tokens, self.index)
        named = {i for each in mentions if each.end - each.start > 1 for i in range(each.start, each.end)}
        return tagged(question, named)

    async def _selected(self, question: Tagged) -> Bound | None:
        return await asyncio.to_thread(selected, question, self.index)

    async def _bound(self, linked: Linked) -> Bound | None:
        """The cells of the subjects; a question for the better one, or for the best of a kind, is none of them."""
        question, alone = linked.question, len(linked.subjects) < _SEVERAL or linked.alike
        compares = question.end is not None or question.operation not in (None, "count")
        if not linked.subjects or (alone and compares):
            return None
        found = await asyncio.to_thread(lambda: [self._candidates(linked, subject) for subject in linked.subjects])
        if not all(found):
            return None
        found = _comparable(found)
        pairs = zip(linked.subjects, found, strict=True)
        readings = [await self._reading(linked, subject, some) for subject, some in pairs]
        return await self._whole(linked, readings)

    async def _whole(self, linked: Linked, readings: Sequence[Reading]) -> Bound | None:
        """The question with its readings, where every one of them is whole."""
        notes: list[str] = []
        for reading in readings:
            left = await self._left_over(linked, reading)
            if left is None or (len(readings) > 1 and len(reading.found) > 1):
                return None
            notes += left
        if len({phrase(reading.found[0].label) for reading in readings}) > 1:
            return None
        label = readings[0].found[0].label
        end = end_of(linked.question, label)
        operation: Operation = "read" if len(readings) < _SEVERAL else "compare"
        if operation == "compare" and linked.question.operation in ("total", "difference", "ratio", "order"):
            operation = linked.question.operation
        return Bound(linked, tuple(readings), label, True, operation, end, tuple(dict.fromkeys(notes)))

    def _candidates(self, linked: Linked, subject: Subject) -> list[Binding]:
        """The cells under a subject, by the words of the question and its own."""
        words = tuple(dict.fromkeys((*linked.words, *subject.words)))
        return candidates(self.index, Asked(subject.key, words, subject.keys, linked.implied))

    async def _reading(self, linked: Linked, subject: Subject, found: Sequence[Binding]) -> Reading:
        """The bindings that fit best; where no label has a word of the question, those of the nearest label."""
        top = best(found)
        if not top or top[0].fit.label or top[0].fit.value or not linked.words:
            return Reading(subject, tuple(top))
        free = [binding for binding in found if not binding.open_keys]
        if self._contradicts(subject, top[0].unheeded, {}):
            return Reading(subject, tuple(top))
        label = await nearest_label(self.embedder, _worded(linked, top[0].unheeded), labels(free))
        if label is None:
            return Reading(subject, tuple(top))
        return Reading(subject, tuple(best(assumed(found, label))), label)

    def _contradicts(self, subject: Subject, unheeded: Sequence[str], implied: Mapping[str, tuple[str, ...]]) -> bool:
        """True where words are left over that are a measure of this collection, for it is that one that is asked for;
        or that make another name of the subject's: the *winter* of a wolf.
        """
        if not unheeded:
            return False
        meant = [key_of((each,)) for word in unheeded for each in implied.get(word, ())]
        measures = [*spans_of(tuple(unheeded)), *filter(None, meant)]
        longer = [key_of((*subject.key.split(), word)) for word in unheeded]
        return bool(self.index.measures(measures) or self.index.known([key for key in longer if key]))

    async def _left_over(self, linked: Linked, reading: Reading) -> list[str] | None:
        """The words of the question that nothing tells and nothing contradicts; None where the reading is not whole."""
        if not 0 < len(reading.found) <= MOST_ALIKE:
            return None
        binding = reading.found[0]
        if binding.open_keys or not _is_labelled(binding, reading.subject):
            return None
        if linked.counts and not all(_DIGIT.search(each.cell.text) for each in reading.found):
            return None
        if self._contradicts(reading.subject, binding.unheeded, {} if reading.assumed else linked.implied):
            return None
        if any(_is_named(word, binding, linked) for word in binding.unheeded):
            return None
        left = [word for word in binding.unheeded if word not in linked.verbs]
        if left and binding.place.kind is Kind.COLUMN:
            return None  # under a head the rows are other things, and what is left over is the measure
        if any(is_told(word, linked.question.language.measures) for word in left):
            return None
        told = _told_by_words(binding, reading.subject)
        if left and not told and len(reading.subject.keys) < _AXES:
            near = await nearest_label(self.embedder, linked.wording, [binding.label])
            return None if near is None else left
        qualifying = [word for word in left if _stands_with(word, binding, linked)]
        return None if await asyncio.to_thread(self._knows_another, qualifying, told, binding) else left

    def _knows_another(self, qualifying: Sequence[str], told: frozenset[str], binding: Binding) -> bool:
        """True where the collection has a kind of the measure that the words ask for, elsewhere: a *swimming* speed."""
        for name, places in self.index.heads.items() if qualifying else ():
            said = said_words(name)
            if any(is_told(word, said) for word in told) and any(is_told(word, said) for word in qualifying):
                return True
            same = phrase(name) == phrase(binding.label)
            if same and any(is_told(word, self._values(places)) for word in qualifying):
                return True
        return False

    def _values(self, places: Sequence[Place]) -> frozenset[str]:
        """The words of the values under a head or label."""
        found: set[str] = set()
        for place in places[:MOST_VALUES]:
            if place.grid is not None and place.at is not None:
                rows = self.index.grid(place.grid).table.rows
                cells = [rows[place.at]] if place.kind is Kind.LABEL else [row[place.at : place.at + 1] for row in rows]
                found.update(word for cell in cells for word in said_words(" ".join(cell)))
        return frozenset(found)


def _is_labelled(binding: Binding, subject: Subject) -> bool:
    """True for a cell that words chose by its label or unit, or that several numbers chose in a matrix."""
    return bool(binding.fit.label or binding.fit.value) or len(subject.keys) >= _AXES


def _told_by_words(binding: Binding, subject: Subject) -> frozenset[str]:
    """The words that the label or the unit tells, but for those that only say which number is meant."""
    axes = {word for key in subject.keys for word in key.words}
    return (binding.fit.label | binding.fit.value) - axes


def _stands_with(word: str, binding: Binding, linked: Linked) -> bool:
    """True for a word beside those of the label: *GPU memory*."""
    said = binding.fit.label | binding.fit.value
    return any(word in stretch and said.intersection(stretch) for stretch in linked.stretches)


def _is_named(word: str, binding: Binding, linked: Linked) -> bool:
    """True for a word that the collection has a name by, that somebody coined, or that is written as a name: it is
    asked for, and was not found. Capitals beside the words of the label are an abbreviation: *GPU memory*.
    """
    question = linked.question.question
    own = in_own_words((word,), question)
    if own.isupper() and own.isalpha() and _stands_with(word, binding, linked):
        return False
    begins = question.strip().startswith(own)
    return word in linked.others or any(map(str.isdigit, own)) or (own[:1].isupper() and not begins)


def _worded(linked: Linked, words: Sequence[str]) -> str:
    """The wording without what names the table already."""
    return " ".join(word for word in linked.wording.split() if word == "how" or word in words) or linked.wording


def _comparable(found: list[list[Binding]]) -> list[list[Binding]]:
    """Of the candidates of several subjects those whose labels all of them have, and, where there are such, those of
    the tables that all of them stand in.
    """
    if len(found) < _SEVERAL:
        return found
    for of in (lambda b: phrase(b.label), lambda b: (b.cell.source, b.cell.caption, phrase(b.label))):
        shared = set.intersection(*({of(binding) for binding in some} for some in found))
        found = [[b for b in some if of(b) in shared] for some in found] if shared else found
    return found
