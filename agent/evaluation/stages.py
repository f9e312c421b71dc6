"""The chunks that remain after each stage of a search, from its hits and drops.

Every candidate is recorded, either as a hit or as a drop with the rule that removed it. So the pool after a stage
consists of the hits and of what only later rules removed. Pools hold the chunks of all sub-queries of the plan. Chunks
of the follow-up wave, which no cut limits, are added after the cuts; otherwise they would hide the effect of the cuts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from agent.types import Evidence
from retrieval.filters import cuts_of
from retrieval.types import Policy, Retrieved

STAGES = ("plain", "planned", "screen", "threshold", "gap", "follow-up", "fusion")
"""*plain*: the whole question, no filter. *planned*: its sub-queries, no filter. *screen*: after the screens.
*threshold*, *gap*: after these cuts. *follow-up*: that, with the chunks of the follow-up wave for missing facts.
*fusion*: the passages of the answer."""

_AFTER_CUTS = ("follow-up", "fusion")

_FOLLOW_UP = re.compile(r"f\d+\.")
"""The beginning of a sub-query's id that `agent.ask` gives to follow-ups."""

Pools = Mapping[str, tuple[str, ...]]
"""The ids of the chunks by stage, each once."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A wanted entry that a stage lost, None if no stage had it; `found_again` if a follow-up found it again."""

    wanted: str
    stage: str | None
    found_again: bool = False


def pools_of(plain: Retrieved, planned: Evidence, evidence: Evidence, policy: Policy) -> Pools:
    """Return the chunks of a question by stage: by plain search, by the plan without filters, and by a whole search.

    `policy` is the policy of the search: it determines which rules belong to cuts.
    """
    found = plan_results(evidence)
    threshold, *further = (stage.rules for stage in cuts_of(policy))
    behind = [rule for rules in further for rule in rules]
    return {
        "plain": _pool([plain]),
        "planned": _pool(plan_results(planned)),
        "screen": _pool(found, undone=[*threshold, *behind]),
        "threshold": _pool(found, undone=behind),
        "gap": _pool(found),
        "follow-up": _pool(evidence.retrieved),
        "fusion": passages_of(evidence),
    }


def passages_of(evidence: Evidence) -> tuple[str, ...]:
    """Return the ids of the passages behind an answer, best first."""
    return tuple(passage.chunk.id for passage in evidence.passages)


def loss_of(pools: Pools, wanted: str, fact: Set[str]) -> Loss | None:
    """Return the stage that lost a fact, given as the ids of its chunks: the one after the last that had it.

    None if the answer has it, unless the cuts or an earlier stage lost it and a follow-up found it again.

    >>> pools = {"plain": ("a",), "planned": (), "screen": ("a",), "threshold": ("a",), "gap": ()}
    >>> loss_of(pools | {"follow-up": ("a",), "fusion": ("a",)}, "an orc", {"a"})
    Loss(wanted='an orc', stage='gap', found_again=True)
    """
    having = [stage for stage in STAGES if not fact.isdisjoint(pools[stage])]
    again = "fusion" in having
    if again:
        having = [stage for stage in having if stage not in _AFTER_CUTS]
        if not having or having[-1] == "gap":
            return None
    return Loss(wanted, STAGES[STAGES.index(having[-1]) + 1] if having else None, again)


def plan_results(evidence: Evidence) -> list[Retrieved]:
    """Return the results of the plan's sub-queries, without follow-ups."""
    return [retrieved for retrieved in evidence.retrieved if not _FOLLOW_UP.match(retrieved.sub_query.id)]


def _pool(found: Sequence[Retrieved], undone: Collection[str] = ()) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id_ for retrieved in found for id_ in _ids(retrieved, undone)))


def _ids(retrieved: Retrieved, undone: Collection[str]) -> Iterator[str]:
    yield from (hit.chunk.id for hit in retrieved.hits)
    yield from (drop.chunk_id for drop in retrieved.drops if drop.rule in undone)
