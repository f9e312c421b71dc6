"""Lists in a question: the words between entities, or measures, that stand side by side.

*The price of an orc, a troll or an ogre* has three subjects, and *the damage and the price of a knife* asks for two
measures of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from agent.languages.language import Language
from agent.understanding.linking.program import Linked
from agent.understanding.words.clauses import COMMA


def joining_words(language: Language) -> frozenset[str]:
    """Return the words that make the names around them alternatives."""
    return language.joining | {COMMA}


def between_words(language: Language) -> frozenset[str]:
    """Return the words that may stand between two alternatives."""
    return joining_words(language) | language.beside | language.articles | language.persons | language.of_each


def is_listed(between: Collection[str], language: Language) -> bool:
    """Return whether the words between two names form a list: a comma or a conjunction, and otherwise only list words.
    Behind a conjunction the place is said again: *in the hotel and in the shop*.

    >>> from agent.languages.language import english
    >>> is_listed({",", "a"}, english()), is_listed({"a"}, english()), is_listed({"and", "kiln"}, english())
    (True, False, False)
    >>> is_listed({"and", "in", "the"}, english()), is_listed({",", "in", "the"}, english())
    (True, False)
    """
    small = between_words(language)
    if not language.joining.isdisjoint(between):
        small |= language.statement_words("places")
    return not joining_words(language).isdisjoint(between) and small.issuperset(between)


def is_joined(between: Collection[str], language: Language) -> bool:
    """Return whether words join what stands around them: a conjunction with only function words, or *that of*, which
    repeats the question for another subject.

    >>> from agent.languages.language import english
    >>> is_joined({"and", "the"}, english()), is_joined({"the"}, english()), is_joined({"and", "kiln"}, english())
    (True, False, False)
    >>> is_joined({"against", "that", "of"}, english())
    True
    """
    small = between_words(language) | language.function_words
    if not (language.again | language.pronouns).isdisjoint(between) and not language.partitive.isdisjoint(between):
        return (small | language.asking).issuperset(between)
    return not language.joining.isdisjoint(between) and small.issuperset(between)


def each_measure(linked: Linked) -> list[Linked]:
    """Return the question once for each measure in a list, with all words outside of the list; empty if it has no
    list.
    """
    listed = next((group for group in _groups(linked) if len(group) > 1), [])
    others = [stretch for stretch in linked.stretches if stretch not in listed]
    return [_asking_for(linked, [*others, stretch]) for stretch in listed]


def are_nested(measures: Sequence[Linked]) -> bool:
    """True if one measure of a list has all words of another, *members and non-members*: a label with these is only one
    of them.
    """
    return any(set(one.words).issubset(other.words) for one, other in permutations(measures, 2))


def _asking_for(linked: Linked, stretches: list[tuple[str, ...]]) -> Linked:
    words = tuple(dict.fromkeys(word for stretch in stretches for word in stretch))
    return replace(linked, words=words, wording=" ".join(words), stretches=tuple(stretches))


def _groups(linked: Linked) -> Iterator[list[tuple[str, ...]]]:
    """Yield the runs of words outside names, grouped where a list joins them."""
    tokens = linked.question.tokens
    group: list[tuple[str, ...]] = []
    end = 0
    for stretch in linked.stretches:
        start, behind = _bounds(tokens, stretch, end)
        if group and is_listed(tokens[end:start], linked.question.language):
            group.append(stretch)
        else:
            yield group
            group = [stretch]
        end = behind
    yield group


def _bounds(tokens: tuple[str, ...], stretch: tuple[str, ...], start: int) -> tuple[int, int]:
    """Return where some words begin and end, from a start on: in one run, or with other words between, *cost for
    guests*.
    """
    runs = (i for i in range(start, len(tokens) - len(stretch) + 1) if tokens[i : i + len(stretch)] == stretch)
    if (run := next(runs, None)) is not None:
        return run, run + len(stretch)
    places = list[int]()
    for word in stretch:
        begin = places[-1] + 1 if places else start
        places += [i for i in range(begin, len(tokens)) if tokens[i] == word][:1]
    return (places[0], places[-1] + 1) if places else (start, start)
