"""The value of the best, asked for as its owner: *which port has the oldest boat* is the port of that boat."""

from __future__ import annotations

from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.kinds.asked import kind_asked, place_behind
from agent.reasoning.kinds.members import is_kind
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells


def owner_of_best(question: Tagged, index: Cells) -> Derivation | None:
    """Return the question for the value of the best; None for other questions."""
    tokens, language = question.tokens[:-1], question.language
    label = kind_asked(question, index)
    place = place_behind(label, tokens)
    if not label or not question.best or question.negated or question.numbers or place >= len(tokens) - 1:
        return None
    best = tokens[place + 1 :]
    end = question.end or 0
    is_of_kind = end in question.scales and any(is_kind(word, index) for word in tokens[end + 1 :])
    if tokens[place] not in language.helpers - language.copulas or not is_of_kind:
        return None
    name = " ".join(word for word in best if word not in language.articles)
    text = language.wordings["value_of"].format(label=" ".join(label), name=name)
    return Derivation((text,), lambda bounds: for_question(question, bounds[0]) if bounds[0].other_values else None)
