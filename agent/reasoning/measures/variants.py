"""Choose among several values whose labels match the same words of the question: *male*, *female* or *total*.

The unmatched words of the question are compared with the words in which the labels differ; if they decide nothing, the
value for all is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language
from agent.understanding.linking.nearness import LabelRequests, Wording, label_for
from agent.understanding.linking.program import Linked, Reading, Subject
from agent.understanding.words.clauses import in_own_words
from agent.understanding.words.proper import is_written_as_name
from retrieval.tables.bind import Binding
from retrieval.tables.match import label_words

LEAST, SURE = 0.4, 0.6
"""Cosine similarity from which a word may mean the distinctive words of a label, and from which it is a synonym:
*women* has 0.70 with *female*, 0.48 with *male*.
"""


def variant(linked: Linked, subject: Subject, found: Sequence[Binding]) -> LabelRequests[Reading]:
    """Return the reading of the chosen candidate, or of all tied ones if nothing chooses."""
    own = _apart(found)
    if len(found) < 2 or not all(own):
        return Reading(subject, tuple(found))
    idle, question = linked.verbs | linked.relational_words | linked.others, linked.question.question
    left = [word for word in found[0].unmatched_words if word not in idle]
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
            return Reading(subject, (meant.with_matches((word,)),), meant.label, is_sure)
    return Reading(subject, tuple(found))


def _apart(found: Sequence[Binding]) -> list[tuple[str, ...]]:
    """Return the words of each label that not all labels share."""
    said = [label_words(each.label) for each in found]
    shared = set(said[0]).intersection(*said[1:]) if said else set[str]()
    return [tuple(word for word in words if word not in shared) for words in said]


def _plainest(found: Sequence[Binding], own: Sequence[tuple[str, ...]], language: Language) -> Sequence[Binding]:
    """Return the candidate for the total if exactly one label names it; otherwise all candidates."""
    plain = [each for each, words in zip(found, own, strict=True) if sum_words(language).issuperset(words)]
    return plain if len(plain) == 1 else found


def sum_words(language: Language) -> frozenset[str]:
    """Return the words that name a value for all: *total*, *average*."""
    return frozenset().union(*language.sums)
