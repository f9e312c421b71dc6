"""Lists in a question: the words between entities, or measures, that stand side by side.

*The price of an orc, a troll or an ogre* has three subjects, and *the damage and the price of a knife* asks for two
measures of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

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

    >>> from agent.languages.language import english
    >>> is_listed({",", "a"}, english()), is_listed({"a"}, english()), is_listed({"and", "kiln"}, english())
    (True, False, False)
    """
    return not joining_words(language).isdisjoint(between) and between_words(language).issuperset(between)


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


def _asking_for(linked: Linked, stretches: list[tuple[str, ...]]) -> Linked:
    words = tuple(dict.fromkeys(word for stretch in stretches for word in stretch))
    return replace(linked, words=words, wording=" ".join(words), stretches=tuple(stretches))


def _groups(linked: Linked) -> Iterator[list[tuple[str, ...]]]:
    """Yield the runs of words outside names, grouped where a list joins them."""
    tokens = linked.question.tokens
    group: list[tuple[str, ...]] = []
    end = 0
    for stretch in linked.stretches:
        start = _place(tokens, stretch, end)
        if group and is_listed(tokens[end:start], linked.question.language):
            group.append(stretch)
        else:
            yield group
            group = [stretch]
        end = start + len(stretch)
    yield group


def _place(tokens: tuple[str, ...], stretch: tuple[str, ...], start: int) -> int:
    """Return the place of a run of words, from a start on."""
    places = range(start, len(tokens) - len(stretch) + 1)
    return next((i for i in places if tokens[i : i + len(stretch)] == stretch), start)
