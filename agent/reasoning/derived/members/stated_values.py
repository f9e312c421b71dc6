"""Whether a value is what the question says: *is Mr Brook the keeper of the lynx* reads its keeper and compares."""

from __future__ import annotations

from dataclasses import replace

from agent.reasoning.derived.derivation import Bind, for_question
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.text.normal import phrase


def is_stated(question: Tagged, index: Cells, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the value with the answer whether it is the stated one; None for other questions."""
    tokens, language = question.tokens[:-1], question.language
    of = question.place(language.partitive)
    is_asked = of < len(tokens) and tokens[0] in language.copulas and not (question.negated or question.prose)
    if not is_asked or question.compares:
        return None
    label = of
    while label > 1 and tokens[label - 1] in index.measure_words:
        label -= 1
    if not 1 < label < of < len(tokens) - 1 or tokens[label - 1] not in language.articles:
        return None
    said = tuple(token for token in tokens[1 : label - 1] if token not in language.articles)
    text = language.wordings["value_of"].format(label=" ".join(tokens[label:of]), name=" ".join(tokens[of + 1 :]))
    bound = (yield from bind(text)) if said else None
    if bound is None or bound.operation != "read" or len(bound.readings) != 1 or bound.is_open:
        return None
    found = bound.readings[0].found
    is_so = len(found) == 1 and said == phrase(found[0].text)
    return replace(for_question(question, bound), yes_or_no=is_so) if len(found) == 1 else None
