"""Choose cells of several subjects that can be compared, and check that they have one measure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from agent.understanding.linking.program import Reading
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_SEVERAL = 2


def comparable(found: list[list[Binding]]) -> list[list[Binding]]:
    """Return the candidates whose labels all subjects have and, among ties, those of the tables that all subjects are
    in.
    """
    if len(found) < _SEVERAL:
        return found
    labelled = _sharing(found, lambda binding: phrase(binding.label))
    pairs = zip(found, labelled, strict=True)
    if any(len(own[0].unmatched_words) < len(same[0].unmatched_words) for own, same in pairs):
        labelled = found  # an equal label is no reason for another entity
    labelled = _of_one_label(labelled)
    tops = [[each for each in some if each.rank == some[0].rank] for some in labelled]
    if all(len(top) < _SEVERAL for top in tops):
        return labelled
    same = _sharing(
        tops, lambda binding: (binding.cell.source, binding.cell.caption, binding.cell.title, binding.label)
    )
    return labelled if same is tops else same


def _of_one_label(found: list[list[Binding]]) -> list[list[Binding]]:
    """Return the candidates under the shared label that fits best for all together, if their own best labels differ."""
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
    """Return how well a label fits by words of the question that are in it."""
    fit = binding.fit
    return len(fit.matched_words - fit.indirect), len(fit.label - fit.indirect), fit.share


def _left(binding: Binding) -> int:
    """Return how many words of the question neither the label nor its surroundings have."""
    return len({*binding.unmatched_words, *binding.fit.indirect})


def _sharing(found: list[list[Binding]], of: Callable[[Binding], Hashable]) -> list[list[Binding]]:
    """Return the candidates that share a property with one of each other subject; all of them if none do."""
    all_said = [list(map(of, some)) for some in found]
    shared = set.intersection(*map(set, all_said))
    if not shared:
        return found
    pairs = zip(found, all_said, strict=True)
    return [[each for each, said in zip(some, own, strict=True) if said in shared] for some, own in pairs]


def is_one_measure(readings: Sequence[Reading]) -> bool:
    """True for cells under one label, names of the subjects aside (*Speed*, under *Reed Mk I* and under *Reed Mk II*).
    Also true in rows with one key if one label has only more words than the other: *Usual* and *Usual value*.
    """
    labels = {phrase(reading.best.label): reading.best for reading in readings}
    if len(labels) < _SEVERAL or len(set(map(_own_label, readings))) < _SEVERAL:
        return True
    rows = {phrase(reading.best.cell.row_label) for reading in readings}
    shortest = min(labels, key=len)
    is_one_row = len(rows) == 1 and all(set(*rows) < set(label) for label in labels)
    return is_one_row and labels[shortest].fit.share == 1 and all(set(shortest) <= set(label) for label in labels)


def _own_label(reading: Reading) -> tuple[str, ...]:
    """Return a label without words of the subject's name."""
    named = {*phrase(reading.subject.text), *reading.subject.key.split()}
    return tuple(word for word in phrase(reading.best.label) if word not in named)
