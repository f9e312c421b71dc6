"""The findings of an examination: what is wrong, what it means and what to do, as `versus doctor` reports them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

State = Literal["sound", "noted", "wrong", "repaired"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The outcome of one check of a collection, or of the place of the collections (`collection` is `None`)."""

    check: str
    state: State
    message: str
    advice: str = ""
    collection: str | None = None


def with_repairs(before: Iterable[Diagnosis], after: Iterable[Diagnosis]) -> list[Diagnosis]:
    """Return problems that a repair removed, as repaired, followed by the findings after the repair.

    >>> [d.state for d in with_repairs([Diagnosis("index", "wrong", "it is gone")], [])]
    ['repaired']
    """
    found = list(after)
    remaining = {(one.collection, one.check) for one in found if one.state == "wrong"}
    gone = [one for one in before if one.state == "wrong" and (one.collection, one.check) not in remaining]
    mended = {(one.collection, one.check) for one in gone}
    others = [one for one in found if one.state != "sound" or (one.collection, one.check) not in mended]
    return [*(replace(one, state="repaired", advice="") for one in gone), *others]
