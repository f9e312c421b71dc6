"""Which of several values is meant whose labels tell the same words of the question: *male*, *female* or *total*.

What is left over of the question is held against what tells the labels apart; where that says nothing, the one for all
is meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language
from agent.understanding.linking.nearness import Asking, Wording, label_for
from agent.understanding.linking.program import Linked, Reading, Subject
from agent.understanding.words.clauses import in_own_words
from agent.understanding.words.proper import is_written_as_name
from retrieval.tables.bind import Binding
from retrieval.tables.match import said_words

LEAST, SURE = 0.4, 0.6
"""Cosine similarity from which a word may mean what tells a label apart, and from which it is a name of it: *women* is
0.70 from *female*, 0.48 from *male*."""


def variant(linked: Linked, subject: Subject, found: Sequence[Binding]) -> Asking[Reading]:
    """The reading of one of several that fit alike, or of all of them where nothing tells which is meant."""
    own = _apart(found)
    if len(found) < 2 or not all(own):
        return Reading(subject, tuple(found))
    idle, question = linked.verbs | linked.relating | linked.others, linked.question.question
    left = [word for word in found[0].unheeded if word not in idle]
    if any(is_written_as_name(word, question) for word in left):
        return Reading(subject, tuple(found))  # the *Cosmos field* is none of the other fields
    if not left:
        return Reading(subject, tuple(_plainest(found, own, linked.question.language)))
    texts = tuple(map(" ".join, own))
    for word in left if len(set(texts)) == len(texts) else ():
        said = in_own_words((word,), question)
        chosen = yield from label_for(Wording(said, texts, LEAST))
        if chosen is not None:
            is_sure = bool((yield Wording(said, (chosen,), SURE)))
            meant = found[texts.index(chosen)]
            return Reading(subject, (meant.telling((word,)),), meant.label, is_sure)
    return Reading(subject, tuple(found))


def _apart(found: Sequence[Binding]) -> list[tuple[str, ...]]:
    """What each label says beside the words that all of them have."""
    said = [said_words(each.label) for each in found]
    shared = set(said[0]).intersection(*said[1:]) if said else set[str]()
    return [tuple(word for word in words if word not in shared) for words in said]


def _plainest(found: Sequence[Binding], own: Sequence[tuple[str, ...]], language: Language) -> Sequence[Binding]:
    """The one for all, where labels tell it from those for some; all of them where there is none."""
    plain = [each for each, words in zip(found, own, strict=True) if sum_words(language).issuperset(words)]
    return plain if len(plain) == 1 else found


def sum_words(language: Language) -> frozenset[str]:
    """The words by which what is told of all is called: *total*, *average*."""
    return frozenset().union(*language.sums)
