"""A typed step of a plan, as a language model states it: operation, subjects, measures and conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agent.understanding.question.intent import Intent
from agent.understanding.question.references import filled, names_in

Relation = Literal["below", "at most", "above", "at least", "is", "is not"]
Reading = Literal["read", "compare", "find"]
Choosing = Literal["highest", "lowest", "best", "worst", "list", "count"]
Computing = Literal["total", "average", "difference", "ratio"]
StepOperation = Literal[Reading, Choosing, Computing]


@dataclass(frozen=True, slots=True)
class NamedSubject:
    """A subject of a step, with the keys that select among its values: `("level", "3")`."""

    name: str
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def described(self) -> str:
        """The name with its keys.

        >>> NamedSubject("thief", (("level", "3"),)).described
        'thief (level 3)'
        """
        keys = ", ".join(f"{name} {value}".strip() for name, value in self.keys)
        return f"{self.name} ({keys})" if keys else self.name


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the members of a kind: a measure with a limit, or a value."""

    measure: str
    relation: Relation
    value: str


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step: its operation over named subjects, over all members of a `kind`, or over the results of earlier steps
    (`of`).

    `text` is the step in words, for the search and for the message if it fails. `intent` is what a domain computes. A
    result of an earlier step stands as `{s1}` in a name, key, condition or measure, or in a text to search for.

    >>> sorted(PlanStep("s2", "read", "", (NamedSubject("{s1}", (("level", "{s0}"),)),)).inputs)
    ['s0', 's1']
    """

    id: str
    operation: StepOperation
    text: str
    subjects: tuple[NamedSubject, ...] = ()
    kind: str = ""
    measures: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    of: tuple[str, ...] = ()
    top: int = 1
    intent: Intent | None = None

    @property
    def inputs(self) -> frozenset[str]:
        """The ids of the steps whose results this one uses."""
        return frozenset(self.of).union(*map(names_in, self._texts()))

    @property
    def is_of_kind(self) -> bool:
        """True for a step over all members of a kind."""
        return bool(self.kind) and not self.subjects

    @property
    def is_prose_search(self) -> bool:
        """True for a step that searches prose."""
        return self.operation == "find" and self.intent is None

    def _texts(self) -> Iterator[str]:
        for subject in self.subjects:
            yield subject.name
            yield from (value for _, value in subject.keys)
        yield from (condition.value for condition in self.where)
        yield from self.measures
        if self.is_prose_search:
            yield self.text

    def search_texts(self, names: Mapping[str, tuple[str, ...]], values: Mapping[str, str]) -> tuple[str, ...]:
        """Return the questions of a search step, with the results of earlier steps filled in: one for each name of its
        first place. Raise `KeyError` for a missing result.
        """
        known = {**{id_: (value,) for id_, value in values.items()}, **names}
        places = names_in(self.text)
        if not places:
            return (self.text,)
        others = {id_: " and ".join(known[id_]) for id_ in places[1:]}
        return tuple(filled(self.text, {places[0]: name, **others}) for name in known[places[0]])

    def filled(self, names: Mapping[str, tuple[str, ...]], values: Mapping[str, str]) -> PlanStep:
        """Return the step with the results of earlier ones filled in: `names` for its subjects, one subject for each,
        and `values` in keys, conditions and measures. Raise `KeyError` for a missing result.
        """
        subjects = []
        for subject in self.subjects:
            keys = tuple((name, filled(value, values)) for name, value in subject.keys)
            subjects += [NamedSubject(name, keys) for name in _names(subject.name, names)]
        where = tuple(replace(each, value=filled(each.value, values)) for each in self.where)
        measures = tuple(filled(each, values) for each in self.measures)
        return replace(self, subjects=tuple(subjects), where=where, measures=measures)


def _names(text: str, names: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return a name, or each of the names that its place stands for."""
    inputs = names_in(text)
    if not inputs:
        return [text]
    return [filled(text, dict.fromkeys(inputs, name)) for name in names[inputs[0]]]
