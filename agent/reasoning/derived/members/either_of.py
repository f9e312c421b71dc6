"""Members that meet one of two conditions with a verb each: *the boats that are blue or belong to Wick*."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.reasoning.derived.derivation import Bind, for_question
from agent.reasoning.kinds.asked import kind_asked, place_behind
from agent.reasoning.selection.both import lead_of, text_of
from agent.reasoning.selection.either import united
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound
from agent.understanding.question.sides import are_exclusive
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells


def either_of(question: Tagged, index: Cells, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the members that the question before an *or* or the one behind it lists; None if one of them has no
    binding.
    """
    tokens, language = question.tokens[:-1], question.language
    start = place_behind(kind_asked(question, index), tokens)
    apart = language.alternating
    joints = [i for i in range(start + 1, len(tokens) - 1) if tokens[i] in apart]
    if len(joints) != 1 or not start or COMMA in tokens or not are_exclusive(question):
        return None
    (joint,) = joints
    first = yield from bind(text_of(question, tokens[:joint]))
    if first is None:
        return None
    for text in _second(question, start, joint):
        second = yield from bind(text)
        if second is not None and (both := _united(first, second, question)) is not None:
            return both
    return None


def _second(question: Tagged, start: int, joint: int) -> Iterator[str]:
    """Yield the questions that the words behind an *or* may stand for: with their own verb, or with the one before."""
    tokens = question.tokens[:-1]
    behind = tokens[joint + 1 :]
    yield text_of(question, tokens[:start], behind)
    yield text_of(question, lead_of(tokens, start, "", question), behind)
    if behind[0] in tokens[start:joint]:
        yield text_of(question, tokens[: tokens.index(behind[0], start)], behind)  # *belong to Hull or to York*


def _united(first: Bound, second: Bound, question: Tagged) -> Bound | None:
    """Return the members of either list, with what both leave unmatched or in doubt."""
    whole = for_question(question, first, second)
    known = [replace(each, unmatched_question_words=(), doubtful_word="") for each in (first, second)]
    both = united(known, question, is_of_conditions=True)
    left, doubtful = whole.unmatched_question_words, whole.doubtful_word
    return both and replace(both, linked=whole.linked, unmatched_question_words=left, doubtful_word=doubtful)
