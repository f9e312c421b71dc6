"""Distinguish a thing's load from its own measure: the weight that a mule can carry is not what the mule weighs.

The question shows it by a verb of bearing, or by an adjective for something else: *how heavy a camera can I put on it*.
Then the thing's own measure is excluded, and a label for a load or a limit is taken if there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language
from agent.languages.scales import Dimension
from agent.reasoning.measures.dimensions import measures_in
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import label_words, matches_any


def is_load(label: Sequence[str], texts: Sequence[str], dimension: Dimension, language: Language) -> bool:
    """True for the label of a load or limit with a value that has a unit of the dimension: *Payload*, *Max. rider*.

    A label with the thing's own measure belongs to the thing, or to a part of it.
    """
    own = dimension.measures & language.measures
    if any(matches_any(word, label) for word in own):
        return False
    is_limit = not language.ranges.high.isdisjoint(label)
    is_limit = is_limit or any(word.endswith(load) for word in label for load in dimension.measures - own)
    return is_limit and any(measures_in(text, language) & dimension.measures for text in texts)


def is_only_borne(question: Tagged, label: str, text: str) -> bool:
    """True if the question asks for the thing's own measure and the label is that of a load: a *payload* does not say
    how heavy the thing is.
    """
    own = (each for each in question.language.dimensions if each.bearing and _places_of_own(question, each))
    return any(is_load(label_words(label), (text,), each, question.language) for each in own)


def _places_of_own(question: Tagged, dimension: Dimension) -> list[int]:
    """Return the places of words for the thing's own measure: nouns, adjectives and verbs such as *weighs*."""
    language, own = question.language, dimension.measures & question.language.measures
    found = []
    for i, token in enumerate(question.tokens):
        adjective = language.adjectives.get(token)
        measures = (token,) if adjective is None else adjective.scale.measures
        if not own.isdisjoint(measures) or token in dimension.verbs:
            found.append(i)
    return found
