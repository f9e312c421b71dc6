"""The forms of questions that are computed from plainer ones, in the order in which they are tried."""

from __future__ import annotations

from agent.languages.operations import SUMS
from agent.reasoning.derived.derivation import Bind
from agent.reasoning.derived.members.alternatives import one_of
from agent.reasoning.derived.members.among_best import among_best
from agent.reasoning.derived.members.averages import beyond_average
from agent.reasoning.derived.members.closest import closest
from agent.reasoning.derived.members.either_of import either_of
from agent.reasoning.derived.members.ends import ends
from agent.reasoning.derived.members.joined_rows import by_another_row
from agent.reasoning.derived.members.order import ordered
from agent.reasoning.derived.members.owners import owner_of_best
from agent.reasoning.derived.members.referents import of_described
from agent.reasoning.derived.members.stated_values import is_stated
from agent.reasoning.derived.members.tally import tally
from agent.reasoning.derived.numbers.amounts import amounts, counted_names
from agent.reasoning.derived.numbers.budget import budget
from agent.reasoning.derived.numbers.changes import change
from agent.reasoning.derived.numbers.elapsed import before_or_after, elapsed
from agent.reasoning.derived.numbers.of_total import portion
from agent.reasoning.derived.numbers.rates import rate
from agent.reasoning.derived.numbers.share import share
from agent.reasoning.kinds.asked import kind_asked
from agent.reasoning.kinds.members import is_kind
from agent.reasoning.series.by_band import by_band
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tag, Tagged
from retrieval.tables.index import Cells


def derived(question: Tagged, index: Cells, tag: Tag, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the binding of a question of which a plain binding would lose a part; None for others."""
    derivations = (
        portion(question, index),
        *counted_names(question, index),
        share(question, index, tag),
        change(question),
        budget(question, index),
        beyond_average(question),
        among_best(question),
        ends(question),
        closest(question),
    )
    for derivation in (*filter(None, derivations), *ordered(question, index)):
        bound = yield from derivation.bound(bind)
        if bound is not None:
            return bound
    described = yield from of_described(question, index, bind)
    if described is not None:
        return described
    if question.operation in ("count", *SUMS) and (found := tally(question, index)) is not None:
        return found
    if is_kind("".join(kind_asked(question, index)[-1:]), index):
        bound = yield from by_another_row(question, index, bind)
        if bound is not None and bound.operation != "read":
            return bound
    if (dated := before_or_after(question, index)) is not None:
        return dated
    stated = one_of(question, index) or (yield from is_stated(question, index, bind))
    return stated or (yield from rate(question, bind))


def derived_else(question: Tagged, index: Cells, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the binding of a question that has no plain one, by plainer questions; None if it has no such form."""
    banded = by_band(question, index) or by_band(question, index, in_doubt=True)
    found = tally(question, index) or elapsed(question, index) or banded
    if found is not None:
        return found
    if (united := (yield from either_of(question, index, bind))) is not None:
        return united
    owner = owner_of_best(question, index)
    for derivation in filter(None, (*amounts(question, index), owner)):
        if (bound := (yield from derivation.bound(bind))) is not None:
            return bound
    return (yield from by_another_row(question, index, bind))
