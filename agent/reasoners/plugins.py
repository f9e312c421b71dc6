"""Reasoners as plug-ins: any installed distribution may bring one, under the entry point group `versus.reasoners`.

    [project.entry-points."versus.reasoners"]
    encumbrance = "my_package:Encumbrance"

A plug-in is asked before the built-in two, which are registered in the same way; the first that does not return None
answers. It works on an intent (`agent.types.Duel` or `Comparison`) and chunks, and returns a finding with its citations
and its needs: on no chunks at all, its needs are the plan. `tests/agent/test_plugins.py` has a complete example.

What can't be loaded is reported once in the log; what raises, each time. The others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, runtime_checkable

from agent.domains.combat import reasoner as combat
from agent.reasoners import compare
from agent.reasoners.facts import Reasoned
from agent.types import Comparison, Duel, Finding, Intent
from retrieval.types import Chunk

GROUP = "versus.reasoners"
log = logging.getLogger(__name__)


@runtime_checkable
class Reasoner(Protocol):
    """Turns evidence into a finding. `name`, which may be a plain attribute, tells which in the log."""

    @property
    def name(self) -> str:
        """The reasoner's name."""
        ...

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str, *, final: bool) -> Reasoned | None:
        """Return what these chunks say of the intent, or None when it is not for this reasoner.

        With `final` it makes the most of them; without, it names every need that more retrieval might fill, in
        sub-queries whose ids begin with `prefix`.
        """
        ...


class Combat:
    """Who wins a fight."""

    name = "combat"

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str, *, final: bool) -> Reasoned | None:
        """Fight the duel."""
        return combat.reason(intent, chunks, prefix, final=final) if isinstance(intent, Duel) else None


class Compare:
    """Looked-up values, side by side, and open questions."""

    name = "compare"

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str, *, final: bool) -> Reasoned | None:
        """Look up what is asked."""
        return compare.reason(intent, chunks, prefix, final=final) if isinstance(intent, Comparison) else None


BUILT_IN: tuple[Reasoner, ...] = (Combat(), Compare())


@dataclass(frozen=True, slots=True)
class Guarded:
    """A plug-in whose failure is logged and leaves the question to the others."""

    reasoner: Reasoner

    @property
    def name(self) -> str:
        """The plug-in's name."""
        return self.reasoner.name

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str, *, final: bool) -> Reasoned | None:
        """What the plug-in says, or None."""
        try:
            return _sound(self.reasoner.reason(intent, chunks, prefix, final=final))
        except Exception as error:  # noqa: BLE001 - a plug-in is foreign code; whatever it raises must not stop the others
            log.warning("the reasoner %r failed: %s: %s", self.name, type(error).__name__, error)
            return None


def _sound(found: object) -> Reasoned | None:
    """What a plug-in returned; an error where it is of another type, or cites what it does not give."""
    if found is None:
        return None
    if not isinstance(found, Reasoned) or not isinstance(found.finding, Finding):
        raise TypeError(f"it returned {type(found).__name__} where Reasoned with a Finding, or None, is wanted")
    given = {citation.n for citation in found.citations}
    lost = sorted({n for step in found.finding.steps for n in step.cites} - given)
    if lost:
        raise ValueError(f"its steps cite {', '.join(map(str, lost))}, which is no citation of its own")
    return found


def load(points: Iterable[EntryPoint]) -> Iterator[Guarded]:
    """Load plug-ins, in the order of their names; what can't be loaded is logged and left out."""
    for point in sorted(points, key=lambda point: point.name):
        try:
            loaded = point.load()
            reasoner = loaded() if isinstance(loaded, type) else loaded
            if not isinstance(reasoner, Reasoner):
                raise TypeError(f"{point.value} has no `name` and `reason`")
        except Exception as error:  # noqa: BLE001 - importing foreign code can raise anything
            log.warning(
                "the reasoner %r (%s) can't be loaded and is left out: %s: %s. Uninstall or repair its package.",
                point.name,
                point.value,
                type(error).__name__,
                error,
            )
        else:
            yield Guarded(reasoner)


@cache
def installed() -> tuple[Reasoner, ...]:
    """All reasoners: the plug-ins of other distributions, then the built-in two. Looked for once, at the first use."""
    own = {f"{type(each).__module__}:{type(each).__qualname__}" for each in BUILT_IN}
    foreign = (point for point in entry_points(group=GROUP) if point.value not in own)
    return (*load(foreign), *BUILT_IN)
