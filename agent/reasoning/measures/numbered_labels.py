"""Labels that have a number of the question: *Top-1* is what *better top 1* asks for."""

from __future__ import annotations

from itertools import pairwise

from agent.understanding.linking.program import Linked, Subject
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase


def is_label_numbered(binding: Binding, linked: Linked, subject: Subject) -> bool:
    """True for a label that has a number of the question with its word, as *Top-1* has; or for such a key of a row,
    where the question does not say that it is there: *better top 1*, but not *bigger in zone 1*.
    """
    pairs = [(word, key.value) for key in subject.keys for word in key.words]
    pairs = [each for word, value in pairs for each in ((word, value), (value, word))]
    if not {*pairwise(phrase(binding.label))}.isdisjoint(pairs):
        return True
    tokens, places = linked.question.tokens, linked.question.language.told_by.get("places", ())
    said = (pair for before, *pair in zip(("", *tokens), tokens, tokens[1:], strict=False) if (before,) not in places)
    return not {*pairwise(phrase(binding.cell.row_label))}.intersection(pairs).isdisjoint(map(tuple, said))
