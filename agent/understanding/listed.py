"""Several measures that one question asks for: *the damage and the price of a knife*.

The words of a question that no name has stand in stretches. Those with nothing but *and* and an article between them
are a list, and each of them is asked for by itself, with all words that stand outside of the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.understanding.between import joining_words
from agent.understanding.program import Linked


def each_measure(linked: Linked) -> list[Linked]:
    """The question once for each measure that it lists; empty where it lists none."""
    listed = next((group for group in _groups(linked) if len(group) > 1), [])
    others = [stretch for stretch in linked.stretches if stretch not in listed]
    return [_with(linked, [*others, stretch]) for stretch in listed]


def _with(linked: Linked, stretches: list[tuple[str, ...]]) -> Linked:
    words = tuple(dict.fromkeys(word for stretch in stretches for word in stretch))
    return replace(linked, words=words, wording=" ".join(words), stretches=tuple(stretches))


def _groups(linked: Linked) -> Iterator[list[tuple[str, ...]]]:
    """The stretches in runs that a list joins."""
    tokens, language = linked.question.tokens, linked.question.language
    joining = joining_words(language)
    group: list[tuple[str, ...]] = []
    end = 0
    for stretch in linked.stretches:
        start = _place(tokens, stretch, end)
        between = set(tokens[end:start]) if group else set()
        if group and between & joining and between <= joining | language.articles:
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
