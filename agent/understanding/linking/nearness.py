"""Match a wording to the nearest label by embedding similarity, if no label has its words.

*How heavy* matches *Weight* and *price* matches *Cost* without a list of synonyms. Only the labels of cells under the
name are candidates. The nearest must be near, and the runner-up clearly farther; else nothing is assumed.

Work that needs a label is a generator: it yields a `Wording` and is sent its label, or yields
`AnswerCandidates` and is sent the texts that are as near as the nearest. `with_model` asks the model, `without_model`
assumes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from agent.understanding.linking.background import ComputeQueue
from retrieval.embedding.protocol import Embedder
from retrieval.errors import EmbeddingError
from retrieval.tables.match import label_words
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import phrase

log = logging.getLogger(__name__)
T = TypeVar("T")

NEAR = 0.48
"""Least cosine similarity of a matching label. Measured on pairs of wordings and headers with all-MiniLM-L6-v2: right
pairs have 0.49 to 0.97, the nearest wrong ones up to 0.46.
"""
MARGIN = 0.12
"""Least distance of the runner-up."""
MOST_LABELS = 512
VARIANT_MARGIN = 0.1
"""Least lead of a variant of a label over each other one, by the words that differ: *women* is 0.70 from *female*, 0.48
from *male*, 0.26 from *total*.
"""
_SHORTEST = 3
"""Least letters of a word that a model can embed. A shorter one is an abbreviation of anything."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of the question, the labels that it may mean, and the least similarity.

    `plain` are the words that mark the label for all among its variants: *total*.
    """

    text: str
    labels: tuple[str, ...]
    least: float = NEAR
    plain: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AnswerCandidates:
    """A question and the texts that may answer it, with the least similarity of the nearest and the margin beyond which
    a text is dropped.
    """

    text: str
    texts: tuple[str, ...]
    least: float
    margin: float


LabelRequests = Generator[Wording | AnswerCandidates, tuple[str, ...], T]
"""Work that asks for the label of a wording, or for the texts that answer a question. It is sent the nearest first: one
label, or all texts within the margin, or nothing.
"""


def label_for(wording: Wording) -> LabelRequests[str | None]:
    """Ask for the label that a wording means; None if none is near enough."""
    found = yield wording
    return found[0] if found else None


async def with_model(asking: LabelRequests[T], embedder: Embedder, thinking: ComputeQueue) -> T:
    """Run the work with labels from the model. It keeps a core busy, so it runs off the event loop."""
    results: list[T] = []
    told: dict[Wording | AnswerCandidates, tuple[str, ...]] = {}
    asked = await thinking.do(partial(_next, asking, None, results))
    while asked is not None:
        if asked not in told:  # the readings of a question ask for much the same
            told[asked] = await _answer(embedder, asked)
        asked = await thinking.do(partial(_next, asking, told[asked], results))
    return results[0]


async def _answer(embedder: Embedder, asked: Wording | AnswerCandidates) -> tuple[str, ...]:
    if isinstance(asked, AnswerCandidates):
        return await nearest_texts(embedder, asked)
    label = await nearest_label(embedder, asked)
    return () if label is None else (label,)


def without_model(asking: LabelRequests[T]) -> T:
    """Run the work without a model: no label is near.

    >>> def work() -> Asking[str]:
    ...     label = yield from label_for(Wording("how heavy", ("Weight",)))
    ...     return label or "nothing assumed"
    >>> without_model(work())
    'nothing assumed'
    """
    results: list[T] = []
    sent: tuple[str, ...] | None = None
    while _next(asking, sent, results) is not None:
        sent = ()
    return results[0]


def _next(
    asking: LabelRequests[T], found: tuple[str, ...] | None, results: list[T]
) -> Wording | AnswerCandidates | None:
    """Return the next request of the work, after sending it what was `found`; None if the work is done and its result
    is in `results`.
    """
    try:
        return next(asking) if found is None else asking.send(found)
    except StopIteration as done:
        results.append(done.value)
        return None


async def similarities(embedder: Embedder, wording: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """Return the cosine similarity of each text to a wording; None, with a warning in the log, if the model fails.

    Then nothing is assumed. Searches that need the model report the failure.
    """
    vectors = await _vectors(embedder, (wording, *texts))
    return None if vectors is None else np.asarray(vectors[1:] @ vectors[0])


async def _vectors(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """Return the unit vectors of some texts, shape (texts, dimensions); None if the model fails."""
    try:
        return np.asarray(await embedder.embed(list(texts)), dtype=np.float32)
    except EmbeddingError as error:
        log.warning("which text is nearest can't be told: %s", error)
        return None


async def nearest_texts(embedder: Embedder, telling: AnswerCandidates) -> tuple[str, ...]:
    """Return the texts that may answer a question, nearest first; empty if none is near."""
    texts = telling.texts[:MOST_LABELS]
    similar = await similarities(embedder, telling.text, texts) if texts else None
    if similar is None or similar.max() < telling.least:
        return ()
    places = np.argsort(-similar, kind="stable")
    return tuple(texts[place] for place in places if similar.max() - similar[place] < telling.margin)


async def nearest_label(embedder: Embedder, wording: Wording) -> str | None:
    """Return the label that a wording means; None if none is near, or if two tie.

    Labels that share words with the nearest are its variants. The words that differ decide between them.
    """
    some = list(wording.labels)[:MOST_LABELS]
    if not some or not any(len(word) >= _SHORTEST for word in wording.text.split()):
        return None
    similar = await similarities(embedder, wording.text, some)
    if similar is None:
        return None
    top, best = some[int(np.argmax(similar))], float(similar.max())
    own = set(label_words(top))
    others = [score for label, score in zip(some, similar, strict=True) if own.isdisjoint(label_words(label))]
    if best < wording.least or best - max(others, default=0.0) < MARGIN or _is_code_unmatched(wording.text, top):
        return None
    variants = [label for label in some if label != top and not own.isdisjoint(label_words(label))]
    contests = [_Contest.of(wording, top, each) for each in variants]
    texts = list(dict.fromkeys(text for each in contests if not each.is_plain for text in each.texts))
    vectors = await _vectors(embedder, texts) if texts else np.zeros((0, 0), dtype=np.float32)
    known = {} if vectors is None else dict(zip(texts, vectors, strict=True))
    return top if vectors is not None and all(each.is_won(known) for each in contests) else None


def _is_code_unmatched(wording: str, label: str) -> bool:
    """True for a code or symbol that the label does not have: no model can tell what *w_a* is near to."""
    return any(is_identifier(word) and word not in phrase(label) for word in phrase(wording))


@dataclass(frozen=True, slots=True)
class _Contest:
    """The words of a wording, a label and its variant, without those that both labels share."""

    asked: tuple[str, ...]
    own: str
    other: str
    is_plain: bool

    @classmethod
    def of(cls, wording: Wording, label: str, variant: str) -> _Contest:
        """Remove the shared words from each."""
        shared = {*phrase(label)} & {*phrase(variant)}
        rests = ([word for word in phrase(text) if word not in shared] for text in (wording.text, label, variant))
        asked, own, other = rests
        return cls(tuple(asked), " ".join(own), " ".join(other), wording.plain.issuperset(own))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to embed to decide the contest."""
        return (*self.asked, *filter(None, (self.own, self.other)))

    def is_won(self, vectors: Mapping[str, NDArray[np.float32]]) -> bool:
        """True if some word of the wording is nearer to the label than any is to the variant. A plain label wins
        without a comparison.
        """
        if self.is_plain:
            return True
        if not self.asked or max(map(len, self.own.split())) < _SHORTEST:
            return False
        near, other = (
            max(float(vectors[word] @ vectors[said]) for word in self.asked) if said else 0.0
            for said in (self.own, self.other)
        )
        return near - other >= VARIANT_MARGIN
