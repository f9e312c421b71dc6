"""The numbers of a question as keys: each with the words for what it is a value of.

*Grade 8*, *8th grade* and *miller 8* all select by a grade. The 8 of *Machine 8*, if that is a name, selects nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from agent.languages.language import Language
from agent.understanding.linking.lists import is_joined
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.asked import Key
from retrieval.tables.names import Mention


def keys_in(
    question: Tagged, taken: AbstractSet[int], named: int = 1, holders: Sequence[Mention] = ()
) -> list[tuple[int, Key]]:
    """Return the numbers of a question as keys with the words beside them, and their places.

    Numbers within names are left out, and so is the count of the `named` subjects: *of these three*. If a `holder` of
    values or another name follows a number, only the word before the number belongs to it.
    """
    things = set[int]().union(*(each.places for each in holders))
    names = set[int]().union(*(each.places for each in question.names))
    tokens = question.tokens
    found: list[tuple[int, Key]] = []
    for each in question.numbers:
        i = each.place
        is_own = i in taken or is_in_name(i, question)
        if not is_own and not counts_names(question, each, named) and not _is_of_first(question, i):
            before, behind = ([j] if 0 <= j < len(tokens) and j not in taken else [] for j in (i - 1, i + 1))
            is_other = i + 1 in things or {i - 1, i + 1} <= names  # *grade 8 miller*, *grade 8 fee*, *miller 8 fee*
            near = [tokens[j] for j in (before if is_other else (*before, *behind))]
            words = tuple(word for word in near if _may_be_axis(word, question.language))
            words = (*_graded(i, question), *words)
            if found and not words and is_listed_number(i, question):
                words = found[-1][1].words
            if not words and i - 1 in taken and _may_be_axis(tokens[i - 1], question.language):
                is_thing = any(one.end == i and taken >= {*range(one.start, i)} for one in holders)
                levels = sorted(question.language.levels) if is_thing else []  # *miller 9*
                words = (*levels, tokens[i - 1])  # the name may be that of an axis: *gradient 14*
            found.append((i, Key(words, each.value, _is_alone(question, each, taken))))
    return _with_next(found, question)


def is_in_name(place: int, question: Tagged) -> bool:
    """True for a number that begins a name of several words, *a two-bed room*; a level chooses a value of the name."""
    language, tokens = question.language, question.tokens
    beginning = (name for name in question.names if name.start == place and name.end - place > 1)
    return any(language.levels.isdisjoint(tokens[name.start : name.end]) for name in beginning)


def _graded(place: int, question: Tagged) -> tuple[str, ...]:
    """Return the adjective behind a number and its unit, with its measures: *age* for *30 year old*."""
    word = "".join(question.tokens[place + 2 : place + 3])
    adjective = question.language.adjectives.get(word)
    return () if adjective is None else (*adjective.scale.measures, word)


def _with_next(found: Sequence[tuple[int, Key]], question: Tagged) -> list[tuple[int, Key]]:
    """Give a number without a word of its own the word of the next one in its list: *the 3rd and the 4th level*."""
    out = list(found)
    for n, (place, key) in reversed(list(enumerate(out))[:-1]):
        following, after = out[n + 1]
        between = {*question.tokens[place + 1 : following]} - {*after.words}
        if not key.words and is_joined(between, question.language):
            out[n] = place, replace(key, words=after.words[:1])
    return out


def _is_alone(question: Tagged, number: Number, taken: Collection[int]) -> bool:
    """True for a number outside names and without a unit: *a roll of 50*, *who earns 10,001*."""
    if number.value == "1" and number.value not in question.question:
        return False  # the *first* of something
    before, after = number.place - 1, number.place + 1
    token = question.tokens[after] if after < len(question.tokens) else COMMA
    language = question.language
    has_unit = token != COMMA and token not in language.function_words | language.asking
    is_named = before >= 0 and question.tokens[before] in language.quantities
    return number.limit is None and not (has_unit or is_named) and after not in taken


def is_listed_number(place: int, question: Tagged) -> bool:
    """True for a number that follows another in a list: 5 in *levels 3 and 5*."""
    tokens = question.tokens
    joined = place > 1 and (tokens[place - 1] == COMMA or tokens[place - 1] in question.language.joining)
    return joined and any(number.place == place - 2 for number in question.numbers)


def _may_be_axis(word: str, language: Language) -> bool:
    """True for a word that can name what a number beside it is a value of."""
    return word.replace(" ", "").isalpha() and word not in language.function_words | language.in_order


def counts_names(question: Tagged, number: Number, named: int) -> bool:
    """True for a number that counts the names: *one* before a name, *three* in *of these three*; not for one within a
    name, as in *Top-1*, nor for the 1 directly behind a name, as in *level 1 spells*.
    """
    if any(mention.start <= number.place < mention.end for mention in question.names):
        return False
    if number.value == "1":
        is_of_axis = any(mention.end == number.place for mention in question.names)
        return not is_of_axis and any(mention.start == number.place + 1 for mention in question.names)
    before = question.tokens[number.place - 1] if number.place else COMMA
    return named > 1 and number.value == str(named) and (before == COMMA or before in question.language.function_words)


def _is_of_first(question: Tagged, place: int) -> bool:
    """True for the numbers of *the first four letters*: they count parts of a value and select none."""
    start = place if question.tokens[place] == "1" else place - 1
    is_ordinal = start >= 0 and question.tokens[start] == "1" and "1" not in question.question
    return is_ordinal and any(number.place == start + 1 for number in question.numbers)
