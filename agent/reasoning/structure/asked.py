"""What a question asks for: the words for the kind, behind *which* or *how many*, without the verb behind them."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoning.structure.conditions import negation_in
from agent.reasoning.structure.members import is_kind
from agent.understanding.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.names import key_of
from retrieval.text.normal import is_number


def asked_for(question: Tagged) -> tuple[str, ...]:
    """The words for what is asked for: those side by side behind *which*, *what* or *how many*."""
    tokens = question.tokens
    asked = (i for i, token in enumerate(tokens) if token in question.language.kinds)
    start = place = next(asked, len(tokens)) + 1
    while place < len(tokens) and tokens[place].replace(" ", "").isalpha() and not _ends_name(place, question):
        place += 1
    return tokens[start:place]


def without_verb(question: Tagged, asked: tuple[str, ...], index: Cells) -> tuple[tuple[str, ...], frozenset[str]]:
    """What is asked for without the verb behind it, and the verbs that nothing in the collection is called by: *run*
    of *which floating cranes run on diesel*, *need* of *do not need*.
    """
    tokens, negation = question.tokens, negation_in(question)
    denied = tokens[negation + 1 : negation + 2] if negation is not None else ()
    verbs = {word for word in (*asked[1:][-1:], *denied) if _is_unknown(word, question, index)}
    return (asked[:-1] if asked[-1:] and asked[-1] in verbs else asked), frozenset(verbs)


def _is_unknown(word: str, question: Tagged, index: Cells) -> bool:
    """True for a word that is no measure, kind, value or part of a name here, nor another word for a measure."""
    language = question.language
    measures = word in index.measured or word in language.same_measures or word in language.adjectives
    if measures or is_number(word) or word in language.small:
        return False
    return not (index.of_kind(word) or index.holding(word) or index.holders([word]))


def is_amount(asked: Sequence[str], index: Cells) -> bool:
    """True for *how many hit points*, which asks for a value of somebody and for no number of members."""
    key = key_of(asked)
    return bool(key) and bool(index.measures([key])) and not any(is_kind(word, index) for word in asked)


def loose_words(asked: Sequence[str], index: Cells) -> tuple[str, ...]:
    """Of the words for what is asked for those that no member has to be called by: the only one, and those behind one
    that tells who is meant (*which curry recipes*), unless the collection calls many so.
    """
    first = 0 if len(asked) > 1 else -1
    return tuple(word for n, word in enumerate(asked) if n > first and not is_kind(word, index))


def _ends_name(place: int, question: Tagged) -> bool:
    """True for a word that asks, or makes a limit of a number: *over 40 t*."""
    token, language = question.tokens[place], question.language
    return place in question.asking or token in language.small or token in language.ends or token in language.worth
