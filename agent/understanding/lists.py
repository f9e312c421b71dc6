"""Lists in a question: what stands between the things that are named side by side, and what they say only once.

*The price of an orc, a troll or an ogre* has three names. The names of *the red or the blue dragon* share their last
word, and *the damage and the price of a knife* asks for two measures of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from agent.languages.language import Language
from agent.understanding.clauses import COMMA
from agent.understanding.program import Linked
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention, spans_of


def joining_words(language: Language) -> frozenset[str]:
    """Return what makes the names around it alternatives."""
    return language.joining | {COMMA}


def between_words(language: Language) -> frozenset[str]:
    """Return what may stand between two alternatives."""
    return joining_words(language) | language.beside | language.articles | language.persons | language.of_each


def is_listed(between: Collection[str], language: Language) -> bool:
    """Return whether a list has what stands around some words side by side: a comma or *and*, and what may be besides.

    >>> from agent.languages.language import english
    >>> is_listed({",", "a"}, english()), is_listed({"a"}, english()), is_listed({"and", "kiln"}, english())
    (True, False, False)
    """
    return not joining_words(language).isdisjoint(between) and between_words(language).issuperset(between)


def is_joined(between: Collection[str], language: Language) -> bool:
    """Return whether words join what stands around them: *and* or the like, and besides it small words only.

    >>> from agent.languages.language import english
    >>> is_joined({"and", "the"}, english()), is_joined({"the"}, english()), is_joined({"and", "kiln"}, english())
    (True, False, False)
    """
    small = between_words(language) | language.small
    return not language.joining.isdisjoint(between) and small.issuperset(between)


def with_elided(tokens: Sequence[str], mentions: Sequence[Mention], index: Cells, language: Language) -> list[Mention]:
    """Return the mentions with those that a list leaves the last word out of, where the collection has the whole name:
    the *red* of *the red, the green or the blue dragon*.
    """
    found = {mention.start: mention for mention in mentions}
    for mention in mentions:
        if mention.end - mention.start > 1 and COMMA not in tokens[mention.start : mention.end]:
            for elided in _elided(tokens, mention, index, language):
                found[elided.start] = elided
    return sorted(found.values(), key=lambda mention: mention.start)


def _elided(tokens: Sequence[str], whole: Mention, index: Cells, language: Language) -> Iterator[Mention]:
    """The words before a whole name that are names with its last word: back to the first that is none."""
    place = _listed_before(tokens, whole.start, language)
    while place is not None:
        keys = [key for key, spans in spans_of((tokens[place], tokens[whole.end - 1])).items() if (0, 2) in spans]
        known = sorted(index.known(keys))
        if not known:
            return
        yield Mention(place, place + 1, known[0])
        place = _listed_before(tokens, place, language)


def _listed_before(tokens: Sequence[str], start: int, language: Language) -> int | None:
    """The place of the word that a list has before the one at `start`; None where nothing joins them."""
    joining = joining_words(language)
    place = start - 1
    while place >= 0 and tokens[place] in joining | language.articles:
        place -= 1
    return place if place >= 0 and joining & set(tokens[place + 1 : start]) else None


def shared_words(tokens: Sequence[str], mention: Mention) -> list[str]:
    """Return the words of a name that its list leaves out: the *dragon* of *the red or the blue dragon*."""
    own, words = tokens[mention.start : mention.end], mention.key.split()
    return [word for word in words if word not in own] if len(own) == 1 and own[0] in words else []


def each_measure(linked: Linked) -> list[Linked]:
    """Return the question once for each measure that it lists, with all words outside of the list; empty where it
    lists none.
    """
    listed = next((group for group in _groups(linked) if len(group) > 1), [])
    others = [stretch for stretch in linked.stretches if stretch not in listed]
    return [_asking_for(linked, [*others, stretch]) for stretch in listed]


def _asking_for(linked: Linked, stretches: list[tuple[str, ...]]) -> Linked:
    words = tuple(dict.fromkeys(word for stretch in stretches for word in stretch))
    return replace(linked, words=words, wording=" ".join(words), stretches=tuple(stretches))


def _groups(linked: Linked) -> Iterator[list[tuple[str, ...]]]:
    """The stretches of words that no name has, in runs that a list joins."""
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
    """Where a stretch stands, from a place on."""
    places = range(start, len(tokens) - len(stretch) + 1)
    return next((i for i in places if tokens[i : i + len(stretch)] == stretch), start)
