"""A book's labels for the values of a fight: those of most books, and its own.

The usual labels are data, in `profile.toml`. A book introduces its own in a sentence: *roll a d20 and add your Strike*,
*equals or beats the Guard of the target*, *whose Grit drops to 0*.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from agent.domains.combat.rulebook.sayings import rule_pattern
from agent.plugins.domain import Scales
from agent.reasoning.notebook import Notebook
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import phrase, title_key
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold
from retrieval.types import Chunk

_NAME = r"([a-z][a-z-]+(?: [a-z-]+){0,2}?)"
"""A name of one to three words, as short as possible."""


Labels = Mapping[str, tuple[str, ...]]
"""Labels by purpose, each list in the order in which it is tried; `profile.toml` explains the purposes."""
_FIELDS = {
    "defense": ("defense",),
    "attack_bonus": ("attack_bonus",),
    "hit_points": ("hit_points", "hit_points_by_level", "hit_dice"),
    "damage": ("damage", "damage_to_large", "damage_of_attacks"),
}
"""The purposes for which one name of a book is tried."""


@dataclass(slots=True)
class Rulebook(Notebook):
    """The evidence of a fight with the labels of its book."""

    _labels: Labels = field(default_factory=dict, init=False)

    @property
    def labels(self) -> Labels:
        """The labels to look for; computed on first use."""
        if not self._labels:
            self._labels = with_names(usual_labels(), own_names(self.chunks))
        return self._labels


@cache
def usual_labels() -> Labels:
    """Return the labels of most books."""
    return {name: tuple(words) for name, words in _data().items() if isinstance(words, list)}


def with_names(labels: Labels, names: Mapping[str, str]) -> Labels:
    """Return the labels with a book's own names after the usual ones.

    >>> with_names(usual_labels(), {"defense": "guard"})["defense"]
    ('armor class', 'guard')
    """
    own = {label: (*labels[label], name) for kind, name in names.items() for label in _FIELDS[kind]}
    return {**labels, **own}


@cache
def usual_scales() -> Scales:
    """Return the direction of each measure of combat: whether more or less is better."""
    return Scales(**{name: tuple(words) for name, words in _data()["scales"].items()})


@cache
def _data() -> Mapping[str, Any]:
    text = files("agent.domains.combat").joinpath("profile.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def has_fights(lexicon: Lexicon) -> bool:
    """Return False for a collection that has labels but none of a fight.

    >>> has_fights(Lexicon(labels={"heron": frozenset({"length", "speed"})}))
    False
    """
    return not lexicon.labels or bool(lexicon.described) or not _signs().isdisjoint(lexicon.labelled)


@cache
def _signs() -> frozenset[str]:
    return frozenset(map(title_key, _data()["game"]["signs"]))


def own_names(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Return the own names of a book's rules that also head values in its tables.

    A book that uses a usual label has no own name for that value; a usual label is never an own name.
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
    """Return what a text names, each with the name; cached, as books stay the same."""
    folded = list(map(fold, sentences(text)))
    found = ((kind, rule_pattern(f"names_{kind}", _NAME).search(sentence)) for sentence in folded for kind in _FIELDS)
    return [(kind, next(filter(None, named.groups()))) for kind, named in found if named]


def _heads(chunk: Chunk) -> Iterator[str]:
    """Yield the column headers of a chunk's tables, and the labels of its records."""
    for table in chunk.tables:
        if table.is_record:
            yield from (row[0] for row in table.rows)
        else:
            yield from (" ".join(path) for path in table.columns)
