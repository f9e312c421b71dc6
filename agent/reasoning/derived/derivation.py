"""A question that is answered by plainer ones: a share by two counts, a spread by two superlatives.

Each form writes the plainer questions and combines their bindings. If one of them has no binding, the whole has none: a
part of a question is no answer to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged

Combine = Callable[[Sequence[Bound]], Bound | None]
Bind = Callable[[str], LabelRequests[Bound | None]]


class Derivation(NamedTuple):
    """The plainer questions, and what combines their bindings."""

    questions: tuple[str, ...]
    combine: Combine

    def bound(self, bind: Bind) -> LabelRequests[Bound | None]:
        """Return the combined binding; None if a question has none."""
        found = list[Bound]()
        for text in self.questions:
            bound = yield from bind(text)
            if bound is None:
                return None
            found.append(bound)
        return self.combine(found)


def for_question(question: Tagged, first: Bound, *others: Bound) -> Bound:
    """Return the first of some bindings as one of the whole question, with the words and the doubts of all."""
    every = (first, *others)
    words = tuple(dict.fromkeys(word for each in every for word in each.linked.words))
    notes = tuple(dict.fromkeys(note for each in every for note in each.linked.name_assumptions))
    left = tuple(dict.fromkeys(word for each in every for word in each.unmatched_question_words))
    doubtful = next((each.doubtful_word for each in every if each.doubtful_word), "")
    linked = replace(first.linked, question=question, words=words, name_assumptions=notes)
    return replace(first, linked=linked, unmatched_question_words=left, doubtful_word=doubtful)
