"""Find the values of named entities under the label nearest to what is asked, if words match no label.

*How long can a man expect to live* asks for *Life expectancy at birth: male* though the two share no word. A word
written as a name, or that is a name in the collection, is never part of such a paraphrase: it was asked for and has to
match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from agent.reasoning.coverage.accounting import is_named
from agent.reasoning.measures.dimensions import named_otherwise
from agent.reasoning.measures.variants import sum_words
from agent.understanding.linking.nearness import LabelRequests, Wording, label_for
from agent.understanding.linking.program import Bound, Linked, Reading, Subject
from agent.understanding.question.tagged import Tagged
from retrieval.tables.bind import Binding, best, labels
from retrieval.tables.index import Cells
from retrieval.text.normal import phrase

SURE = 0.8
"""Cosine similarity from which a label is a synonym of what is asked; below, it is shown as assumed, and the answer as
partial. *Rally points* has 0.56 with *hit points*, *base rent* 0.69 with *base pay*, *median age woman* 0.92 with
*Median age: female*.
"""
_MOST_SIBLINGS = 60
"""The most tables whose names have a word of the question, for the word to choose among them."""
_FEWEST = 3
"""The fewest labels from which the nearest is chosen; among fewer, it may win only for lack of others."""


def by_nearest_label(linked: Linked, found: Sequence[Sequence[Binding]]) -> LabelRequests[list[Reading] | None]:
    """Return a reading for each subject, from its candidates in `found`, under the one nearest label; None if no label
    is near enough.
    """
    shared = list(_shared(found))
    if len(shared) < _FEWEST or not linked.wording:
        return None
    label = yield from label_for(Wording(linked.wording, tuple(shared), plain=sum_words(linked.question.language)))
    if label is None:
        return None
    if named_otherwise(label, linked.question, linked.words):
        return None
    is_sure = bool((yield Wording(linked.wording, (label,), SURE)))
    readings = [_taken(linked, subject, some, label) for subject, some in zip(linked.subjects, found, strict=True)]
    return [replace(reading, sure=is_sure) for reading in readings] if all(one.found for one in readings) else None


def takes_another_measure(bound: Bound, question: Tagged, index: Cells) -> bool:
    """True if the question names a measure that is not the label of the value, but that the table has as well, or that
    shares a word with the label: what has no *boiling point* is not told by its *melting point*.
    """
    tokens = question.tokens
    named = [phrase(" ".join(tokens[each.start : each.end])) for each in question.names if index.measures([each.key])]
    best = [reading.best for reading in bound.readings]
    around = frozenset[str]().union(*map(_around, best))
    if any(_is_in_sibling(each, around, question, index) for each in best):
        return True
    return any(_is_instead(each, words) for each in best for words in named)


def _around(binding: Binding) -> frozenset[str]:
    """Return the words of a value's row and label, and of the names of its table."""
    cell = binding.cell
    return binding.grid.context.union(phrase(" ".join((*cell.row_path, cell.column_label, binding.label))))


def _is_in_sibling(binding: Binding, around: Collection[str], question: Tagged, index: Cells) -> bool:
    """True if the question names another table with the same columns, by a word that is around none of the values: *on
    silk*, beside *Colours on wool*.
    """
    grid = binding.grid
    numbers = {number for _, word in question.words() if word not in around for number in index.of_kind(word)}
    others = (index.grid(number) for number in numbers) if len(numbers) <= _MOST_SIBLINGS else ()
    alike = (each for each in others if each.table.columns == grid.table.columns and not each.table.is_record)
    return any(each.table_id != grid.table_id for each in alike)


def _is_instead(binding: Binding, words: Sequence[str]) -> bool:
    told = {*phrase(binding.label), *phrase(binding.cell.row_label), *phrase(binding.place.name)}
    if told.issuperset(words):
        return False
    grid = binding.grid
    others = grid.labels if grid.table.is_record else grid.column_labels[1:]
    shares = len(words) > 1 and not told.isdisjoint(words) and any(word in phrase(binding.label) for word in words)
    return shares or any(set(phrase(label)) >= {*words} for label in others)


def _shared(found: Sequence[Sequence[Binding]]) -> Iterator[str]:
    """Yield the labels under which all subjects have values."""
    shared = set.intersection(*(set(map(phrase, labels(some))) for some in found))
    yield from (label for label in labels(found[0]) if phrase(label) in shared)


def _taken(linked: Linked, subject: Subject, found: Sequence[Binding], label: str) -> Reading:
    """Return the best values under a label; the label counts as a match of all unmatched words that are no names."""
    values = (each for each in found if phrase(each.label) == phrase(label))
    return Reading(subject, tuple(best([_told(linked, each) for each in values])), label)


def _told(linked: Linked, binding: Binding) -> Binding:
    """Return a value with its unmatched words matched by the label, except names and words for another measure of the
    collection.
    """
    words = (word for word in binding.unmatched_words if word not in linked.related)
    return binding.with_matches([word for word in words if not is_named(word, binding, linked)], share=1.0)
