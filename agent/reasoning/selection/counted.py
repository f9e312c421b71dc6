"""The noun that a number counts in a question, where the collection has only numbers: *won at least 10 matches*."""

from __future__ import annotations

from agent.reasoning.kinds.member import Label
from agent.reasoning.kinds.shape import Shape
from agent.reasoning.measures.dimensions import measures_in
from agent.understanding.words.related import is_past_verb
from retrieval.tables.match import matches_any

_BEFORE = 3
"""How many tokens before a number the verb is that names its label: *won at least 10*."""


def counted_thing(place: int, label: Label, shape: Shape) -> set[str]:
    """Return the unknown noun behind a number or an end, if a verb before it names the label of plain numbers, or a
    price: the *matches* of *won 10 matches*, the *coins* of *cost 5 coins*.
    """
    tokens, language = shape.question.tokens, shape.question.language
    before = tokens[max(0, place - _BEFORE) : place]
    is_named = any(is_past_verb(word, language) and matches_any(word, label) for word in before)
    is_unit = any(word in each.units for word in tokens[place + 1 : place + 2] for each in language.dimensions)
    is_named = is_named or (not language.prices.isdisjoint(label) and not is_unit)
    are_plain = not any(measures_in(text, language) for text in shape.texts(label))
    noun = dict(shape.said).get(place + 1, "") if is_named and are_plain else ""
    return set() if not noun or any(matches_any(noun, each) for each in shape.labels) else {noun}
