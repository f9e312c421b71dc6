"""Whether a named entity is among the best of its kind: *is the Kite one of the three longest boats*."""

from __future__ import annotations

from dataclasses import replace

from agent.languages.phrases import found
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.kinds.readings import best_readings
from agent.reasoning.selection.apart import name_at
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.tables.names import name_keys


def among_best(question: Tagged) -> Derivation | None:
    """Return the question for the best; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.names import Mention
    >>> text = "Is the Kite one of the three longest boats?"
    >>> among_best(tagged(text, [Mention(2, 3, "kite")])).questions
    ('which 3 longest boat',)
    """
    language, tokens = question.language, question.tokens[:-1]
    name = name_at(question, 1)
    if name is None or not question.best or question.negated or tokens[0] not in language.copulas:
        return None
    behind = tokens[name.end :]
    among = next((said for said in language.belonging if found(behind[: len(said)], said) == 0), ())
    rest = tuple(token for token in behind[len(among) :] if token not in language.articles)
    if not among or not rest:
        return None
    text = " ".join((language.wordings["which"], *rest))
    return Derivation((text,), lambda bounds: _told(question, name.key, bounds[0]))


def _told(question: Tagged, key: str, best: Bound) -> Bound | None:
    """Return the best with the answer whether the named entity is one of them; None if it was not compared."""
    if best.operation != "best" or best.is_open or best.other_values:
        return None
    if not any(key in name_keys(reading.name) for reading in best.readings):
        return None
    is_so = any(key in name_keys(reading.name) for reading in best_readings(best))
    return replace(for_question(question, best), yes_or_no=is_so)
