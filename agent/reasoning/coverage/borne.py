"""What a thing bears is no measure of its own: the weight that a mule can carry is not what the mule weighs.

The question shows it by a verb of bearing, or by an adjective that it says of something else: *how heavy a camera can I
put on it*. Then the own measure is left out of account, and a label for a load or a limit is taken, where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language
from agent.languages.scales import Dimension
from agent.reasoning.measures.dimensions import measures_in
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import is_told, said_words


def is_load(label: Sequence[str], texts: Sequence[str], dimension: Dimension, language: Language) -> bool:
    """True for the label of a load or limit, of which some value has a unit of the dimension: *Payload*, *Max. rider*.

    A label with an own measure is that of the thing, or of a part of it.
    """
    own = dimension.measures & language.measures
    if any(is_told(word, label) for word in own):
        return False
    is_limit = not language.ranges.high.isdisjoint(label)
    is_limit = is_limit or any(word.endswith(load) for word in label for load in dimension.measures - own)
    return is_limit and any(measures_in(text, language) & dimension.measures for text in texts)


def is_only_borne(question: Tagged, label: str, text: str) -> bool:
    """True where a measure of the thing itself is asked for, and the label is that of a load: no *payload* is how heavy
    it is.
    """
    own = (each for each in question.language.dimensions if each.bearing and _places_of_own(question, each))
    return any(is_load(said_words(label), (text,), each, question.language) for each in own)


def _places_of_own(question: Tagged, dimension: Dimension) -> list[int]:
    """Where a question has a measure of a thing itself, an adjective that speaks of one, or a verb: *weighs*."""
    language, own = question.language, dimension.measures & question.language.measures
    found = []
    for i, token in enumerate(question.tokens):
        adjective = language.adjectives.get(token)
        measures = (token,) if adjective is None else adjective.scale.measures
        if not own.isdisjoint(measures) or token in dimension.verbs:
            found.append(i)
    return found
