"""What a book calls what its fights are computed from: what most books say, and what this one says of itself.

The words of most books are data, in `profile.toml`. A book gives a thing a name of its own in a sentence: *roll a d20
and add your Strike*, *equals or beats the Guard of the target*, *whose Grit drops to 0*.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from agent.domains.combat.rulebook.sayings import saying
from agent.plugins.domain import Scales
from agent.reasoning.notebook import Notebook
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import phrase, title_key
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold
from retrieval.types import Chunk

_NAME = r"([a-z][a-z-]+(?: [a-z-]+){0,2}?)"
"""A name of one to three words, as few as will do."""


Labels = Mapping[str, tuple[str, ...]]
"""What things are called, each list in the order in which it is tried; the file says what they mean."""
_FIELDS = {
    "defense": ("defense",),
    "attack_bonus": ("attack_bonus",),
    "hit_points": ("hit_points", "hit_points_by_level", "hit_dice"),
    "damage": ("damage", "damage_to_large", "damage_of_attacks"),
}
"""What one name of a book is tried for."""


@dataclass(slots=True)
class Rulebook(Notebook):
    """The evidence of a fight, read with the words of its book."""

    _labels: Labels = field(default_factory=dict, init=False)

    @property
    def labels(self) -> Labels:
        """The labels to look for; found when they are first wanted."""
        if not self._labels:
            self._labels = with_names(usual_labels(), own_names(self.chunks))
        return self._labels


@cache
def usual_labels() -> Labels:
    """What most books call things."""
    return {name: tuple(words) for name, words in _data().items() if isinstance(words, list)}


def with_names(labels: Labels, names: Mapping[str, str]) -> Labels:
    """The labels with what a book calls its things, tried after the usual words.

    >>> with_names(usual_labels(), {"defense": "guard"})["defense"]
    ('armor class', 'guard')
    """
    own = {label: (*labels[label], name) for kind, name in names.items() for label in _FIELDS[kind]}
    return {**labels, **own}


@cache
def usual_scales() -> Scales:
    """Which way the measures of a fight go."""
    return Scales(**{name: tuple(words) for name, words in _data()["scales"].items()})


@cache
def _data() -> Mapping[str, Any]:
    text = files("agent.domains.combat").joinpath("profile.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def has_fights(lexicon: Lexicon) -> bool:
    """False for a collection of which labels are known, and none of what fights are computed from.

    >>> has_fights(Lexicon(labels={"heron": frozenset({"length", "speed"})}))
    False
    """
    return not lexicon.labels or bool(lexicon.described) or not _signs().isdisjoint(lexicon.labelled)


@cache
def _signs() -> frozenset[str]:
    return frozenset(map(title_key, _data()["game"]["signs"]))


def own_names(chunks: Sequence[Chunk]) -> dict[str, str]:
    """What the rules of a book call its things, where a table has that name over values.

    A book that calls a thing as most do has no name of its own for it, and what most books call something else is no
    name of this.
    """
    told = [(kind, name) for chunk in chunks for kind, name in _named_in(chunk.text)]
    if not told:
        return {}
    heads = {phrase(head) for chunk in chunks for head in _heads(chunk)}
    usual = {phrase(name) for names in usual_labels().values() for name in names}
    names: dict[str, str] = {}
    for kind, name in told:
        has_usual = any(phrase(word) in heads for label in _FIELDS[kind] for word in usual_labels()[label])
        if phrase(name) in heads - usual and not has_usual:
            names.setdefault(kind, name)
    return names


@lru_cache(maxsize=4096)
def _named_in(text: str) -> Sequence[tuple[str, str]]:
    """What a text names, each with the name; books stay the same from question to question."""
    folded = list(map(fold, sentences(text)))
    found = ((kind, saying(f"names_{kind}", _NAME).search(sentence)) for sentence in folded for kind in _FIELDS)
    return [(kind, next(filter(None, named.groups()))) for kind, named in found if named]


def _heads(chunk: Chunk) -> Iterator[str]:
    """The heads of a chunk's tables, and the labels of its records."""
    for table in chunk.tables:
        if table.is_record:
            yield from (row[0] for row in table.rows)
        else:
            yield from (" ".join(path) for path in table.columns)
