"""Bind a linked question to cells, and say whether nothing of it is left out of account.

*Whole* is a promise: the subject is the one asked, a cell stands under every number, its label is what was asked, no
word contradicts it, and the answer is of the kind asked. What is less is left to others, or told as part.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from agent.planner.clauses import in_own_words
from agent.structure.linking import linkings
from agent.structure.nearness import nearest_label
from agent.structure.program import Bound, Linked, Reading, Subject
from agent.structure.ranking import is_contested, ranked
from retrieval.embed import Embedder
from retrieval.tables.bind import Asked, Binding, assumed, best, candidates, labels
from retrieval.tables.index import Cells, Kind
from retrieval.tables.names import key_of, spans_of
from retrieval.text import phrase

MOST_WAYS = 16
"""Ways to mean a question that are tried; one of more names than that asks for no cell."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds questions to the cells of one collection."""

    index: Cells
    embedder: Embedder

    async def bind(self, question: str) -> Bound | None:
        """The best way to bind a question whole; None where there is none."""
        for linked in await asyncio.to_thread(lambda: list(islice(linkings(question, self.index), MOST_WAYS))):
            bound = await self._bound(linked)
            if bound is not None and bound.whole:
                return bound
        return None

    async def _bound(self, linked: Linked) -> Bound | None:
        if is_contested(linked):
            return None
        if linked.best and len(linked.subjects) < 2:
            return await asyncio.to_thread(ranked, linked, self.index)
        if not linked.subjects or (linked.prefer and len(linked.subjects) < 2):
            return None
        found = await asyncio.to_thread(self._comparable, linked)
        if not found:
            return None
        pairs = zip(linked.subjects, found, strict=True)
        readings = [await self._reading(linked, subject, some) for subject, some in pairs]
        whole = all([await self._is_whole(linked, reading) for reading in readings]) and _are_alike(readings)
        measure = readings[0].found[0].label if readings[0].found else ""
        return Bound(linked, tuple(readings), measure, whole)

    def _comparable(self, linked: Linked) -> list[list[Binding]]:
        """The cells under each subject, of labels that all have; nothing where a subject has none."""
        found: list[list[Binding]] = []
        for subject in linked.subjects:
            found.append(self._candidates(linked, subject))
            if not found[-1]:
                return []
        shared = _shared_labels(found)
        return [[b for b in some if b.label in shared] for some in found] if shared else found

    def _candidates(self, linked: Linked, subject: Subject) -> list[Binding]:
        """The cells under a subject, by the words of the question, or by the measures that its adjectives name."""
        found = candidates(self.index, Asked(subject.key, linked.words, subject.keys))
        if linked.implied and found and not found[0].fit.label:
            implied = candidates(self.index, Asked(subject.key, linked.measures, subject.keys))
            return implied if implied[0].fit.label else found
        return found

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
        meant = [key_of(implied[word]) for word in unheeded if implied.get(word)]
        measures = [*spans_of(tuple(unheeded)), *filter(None, meant)]
        longer = [key_of((*subject.key.split(), word)) for word in unheeded]
        return bool(self.index.measures(measures) or self.index.known([key for key in longer if key]))

    async def _is_whole(self, linked: Linked, reading: Reading) -> bool:
        if len(reading.found) != 1:
            return False
        (binding,) = reading.found
        if binding.open_keys or not (binding.fit.label or binding.fit.value):
            return False
        if linked.counts and not _DIGIT.search(binding.text):
            return False
        if self._contradicts(reading.subject, binding.unheeded, {} if reading.assumed else linked.implied):
            return False
        left = [word for word in binding.unheeded if word not in linked.verbs]
        if any(_is_name(word, linked.question) for word in binding.unheeded):
            return False
        if not left or binding.place.kind is Kind.COLUMN:
            return not left  # under a head the rows are other things, and what is left over is the measure
        return await nearest_label(self.embedder, linked.wording, [binding.label]) is not None


def _is_name(word: str, question: str) -> bool:
    """True for a word that somebody coined or that is written as a name: it is asked for, and was not found."""
    own = in_own_words((word,), question)
    begins = question.strip().startswith(own)
    return any(map(str.isdigit, own)) or (own[:1].isupper() and not begins)


def _worded(linked: Linked, words: Sequence[str]) -> str:
    """The wording without what names the table already."""
    return " ".join(word for word in linked.wording.split() if word == "how" or word in words) or linked.wording


def _shared_labels(found: Sequence[Sequence[Binding]]) -> set[str]:
    """The labels, in all their forms, that every subject has: what may be compared."""
    if len(found) < 2:
        return set()
    own = [{label: phrase(label) for label in {binding.label for binding in some}} for some in found]
    shared = set.intersection(*(set(labels.values()) for labels in own))
    return {label for labels in own for label, form in labels.items() if form in shared}


def _are_alike(readings: Sequence[Reading]) -> bool:
    return len({phrase(reading.found[0].label) for reading in readings}) == 1
