"""The cells of several subjects side by side: those that may be held against each other, and whether they are of one
measure.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from agent.understanding.linking.program import Reading
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_SEVERAL = 2


def comparable(found: list[list[Binding]]) -> list[list[Binding]]:
    """Of the candidates of several subjects those whose labels all of them have, and, where several fit alike, those
    of the tables that all of them stand in.
    """
    if len(found) < _SEVERAL:
        return found
    labelled = _sharing(found, lambda binding: phrase(binding.label))
    pairs = zip(found, labelled, strict=True)
    if any(len(own[0].unheeded) < len(same[0].unheeded) for own, same in pairs):
        labelled = found  # who has the same label is not who was asked for
    labelled = _of_one_label(labelled)
    tops = [[each for each in some if each.rank == some[0].rank] for some in labelled]
    if all(len(top) < _SEVERAL for top in tops):
        return labelled
    same = _sharing(
        tops, lambda binding: (binding.cell.source, binding.cell.caption, binding.cell.title, binding.label)
    )
    return labelled if same is tops else same


def _of_one_label(found: list[list[Binding]]) -> list[list[Binding]]:
    """The candidates under the label that fits best for all of them together, where each by itself has another one."""
    tops = {phrase(some[0].label) for some in found}
    best = [{phrase(each.label): each for each in reversed(some)} for some in found]
    shared = [label for label in tops if all(label in each for each in best)]
    if len(tops) < _SEVERAL or not shared:
        return found
    label = max(shared, key=lambda label: sorted(_told_directly(each[label]) for each in best))
    if any(_left(some[0]) < _left(each[label]) for some, each in zip(found, best, strict=True)):
        return found
    return [[each for each in some if phrase(each.label) == label] for some in found]


def _told_directly(binding: Binding) -> tuple[int, int, float]:
    """How well a label fits by the words of the question that stand there."""
    fit = binding.fit
    return len(fit.heeded - fit.indirect), len(fit.label - fit.indirect), fit.share


def _left(binding: Binding) -> int:
    """How many words of the question neither stand in a label nor in what else tells them."""
    return len({*binding.unheeded, *binding.fit.indirect})


def _sharing(found: list[list[Binding]], of: Callable[[Binding], Hashable]) -> list[list[Binding]]:
    """The candidates that have something in common with one of each other subject; all of them where none have."""
    all_said = [list(map(of, some)) for some in found]
    shared = set.intersection(*map(set, all_said))
    if not shared:
        return found
    pairs = zip(found, all_said, strict=True)
    return [[each for each, said in zip(some, own, strict=True) if said in shared] for some, own in pairs]


def is_one_measure(readings: Sequence[Reading]) -> bool:
    """True for cells under one label, each without the name of whose it is (*Speed*, under *Reed Mk I* and under *Reed
    Mk II*); or in rows of one key under heads of which one says a word more than is asked: *Usual* and *Usual value*.
    """
    labels = {phrase(reading.best.label): reading.best for reading in readings}
    if len(labels) < _SEVERAL or len(set(map(_own_label, readings))) < _SEVERAL:
        return True
    rows = {phrase(reading.best.cell.row_label) for reading in readings}
    shortest = min(labels, key=len)
    is_one_row = len(rows) == 1 and all(set(*rows) < set(label) for label in labels)
    return is_one_row and labels[shortest].fit.share == 1 and all(set(shortest) <= set(label) for label in labels)


def _own_label(reading: Reading) -> tuple[str, ...]:
    """A label without the words of whom it is of."""
    named = {*phrase(reading.subject.text), *reading.subject.key.split()}
    return tuple(word for word in phrase(reading.best.label) if word not in named)
