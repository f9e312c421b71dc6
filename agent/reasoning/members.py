"""Members of groups: *a reaver* is meant by a row of *Warriors*, where the book lists the reavers among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agent.reasoning.groups import Group, listed
from agent.reasoning.labels import Asking, name_words, stem
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Membership:
    """The group of a member that a question names in tokens [start, end)."""

    start: int
    end: int
    group: Group


def memberships(asking: Asking, chunks: Sequence[Chunk]) -> list[Membership]:
    """The members of groups that a question names, from left to right; none where groups of one member differ."""
    stems = tuple(map(stem, asking.tokens))
    found: dict[tuple[int, int, str], Membership] = {}
    for group in (group for chunk in chunks for group in listed(chunk)):
        words = tuple(map(stem, name_words(group.member)))
        for start in range(len(stems) - len(words) + 1):
            end = start + len(words)
            if words and stems[start:end] == words:
                found.setdefault((start, end, group.name), Membership(start, end, group))
    starts = Counter(start for start, *_ in found)
    return [found[place] for place in sorted(found)] if all(count == 1 for count in starts.values()) else []


def as_groups(asking: Asking, members: Sequence[Membership]) -> Asking:
    """The question with each member called as its group."""
    tokens = list(asking.tokens)
    for one in reversed(members):
        tokens[one.start : one.end] = name_words(one.group.name)
    return Asking.of(tokens)
