"""What a comparison looks up, one by one: an entity under its keys, and one attribute of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.understanding.intent import Comparison
from retrieval.ingest.rules import ordinal

Keys = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to look up: an attribute of an entity under certain keys, and what to call it."""

    name: str
    entity: str
    keys: Keys
    attribute: str


def cases_of(comparison: Comparison) -> Iterator[Case]:
    """Pair entities with keys: a key with one value is for all; as many values as entities are dealt out.

    Several values of one entity, or values that are not dealt out, make a case each.
    """
    values: dict[str, list[str]] = {}
    for name, value in comparison.keys:
        values.setdefault(name, []).append(value)
    for entity, keys in _paired(comparison, values):
        distinct = [key for key in keys if len(set(values[key[0]])) > 1]
        name = " ".join([*map(_key_words, distinct), *([] if entity in dict(distinct) else [entity])])
        yield Case(name, entity, keys, comparison.attribute)


def _paired(comparison: Comparison, values: dict[str, list[str]]) -> Iterator[tuple[str, Keys]]:
    entities = comparison.entities
    dealt = {
        name
        for name, found in values.items()
        if len(found) == len(entities) > 1 and len(set(found)) > 1 and not comparison.crossed
    }
    free = {name: list(dict.fromkeys(found)) for name, found in values.items() if name not in dealt}
    for i, entity in enumerate(entities):
        for combination in _combinations(list(free.items())):
            chosen = dict(combination) | {name: values[name][i] for name in dealt}
            yield entity, tuple((name, chosen[name]) for name in values)


def _combinations(free: Sequence[tuple[str, list[str]]]) -> Iterator[Keys]:
    if not free:
        yield ()
        return
    (name, found), *rest = free
    for value in found:
        for others in _combinations(rest):
            yield ((name, value), *others)


def _key_words(key: tuple[str, str]) -> str:
    name, value = key
    return f"{ordinal(int(value))} level" if name == "level" and value.isdigit() else f"{name} {value}"
