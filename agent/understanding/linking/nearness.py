"""Which label a wording means where no word is its own: the nearest by its embedding, among the labels at hand.

*How heavy* is *Weight* and *price* is *Cost* without a list that says so. Only the labels of cells that stand under the
name are candidates, the nearest has to be near, and the next one clearly farther; else nothing is assumed.

What has to know it is a generator that yields a `Wording` and is sent its label, or a `Telling` and is sent the texts
that are as near as the nearest. `with_model` asks the model, `without_model` assumes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from agent.understanding.linking.background import Thinking
from retrieval.embedding.protocol import Embedder
from retrieval.errors import EmbeddingError
from retrieval.tables.match import said_words
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import phrase

log = logging.getLogger(__name__)
T = TypeVar("T")

NEAR = 0.48
"""Cosine similarity from which a label may be meant. Measured on pairs of wordings and heads with all-MiniLM-L6-v2:
right pairs have 0.49 to 0.97, the nearest wrong ones up to 0.46."""
MARGIN = 0.12
"""How much farther the second label has to be."""
MOST_LABELS = 512
VARIANT_MARGIN = 0.1
"""How much nearer one variant of a label has to be than each other, by what tells them apart: *women* is 0.70 from
*female*, 0.48 from *male*, 0.26 from *total*."""
_SHORTEST = 3
"""Letters of a word that means something to a model; what is shorter is an abbreviation, of anything."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What is asked in other words, the labels that it may mean, and how near the one that it means has to be.

    `plain` are the words of labels by which the one for all is told from those for some: *total*.
    """

    text: str
    labels: tuple[str, ...]
    least: float = NEAR
    plain: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Telling:
    """A question, and the texts that may tell its answer: how near the nearest has to be, and how much farther one is
    that is clearly not meant.
    """

    text: str
    texts: tuple[str, ...]
    least: float
    margin: float


Asking = Generator[Wording | Telling, tuple[str, ...], T]
"""Work that asks which label a wording means, or which texts tell a question, and is sent them, the nearest first: one
label, all texts that are not clearly farther than the nearest, or none.
"""


def label_for(wording: Wording) -> Asking[str | None]:
    """The label that a wording means; None where none is near enough."""
    found = yield wording
    return found[0] if found else None


async def with_model(asking: Asking[T], embedder: Embedder, thinking: Thinking) -> T:
    """The result of work that is told the nearest labels; it keeps a core busy, so it is done off the event loop."""
    results: list[T] = []
    told: dict[Wording | Telling, tuple[str, ...]] = {}
    asked = await thinking.do(partial(_next, asking, None, results))
    while asked is not None:
        if asked not in told:  # each way to mean a question asks for much the same
            told[asked] = await _answer(embedder, asked)
        asked = await thinking.do(partial(_next, asking, told[asked], results))
    return results[0]


async def _answer(embedder: Embedder, asked: Wording | Telling) -> tuple[str, ...]:
    if isinstance(asked, Telling):
        return await nearest_texts(embedder, asked)
    label = await nearest_label(embedder, asked)
    return () if label is None else (label,)


def without_model(asking: Asking[T]) -> T:
    """The result of work for which no label is near.

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


def _next(asking: Asking[T], found: tuple[str, ...] | None, results: list[T]) -> Wording | Telling | None:
    """What is asked next, first of all where nothing was `found` yet; None when the work is done, and its result is in
    `results`.
    """
    try:
        return next(asking) if found is None else asking.send(found)
    except StopIteration as done:
        results.append(done.value)
        return None


async def similarities(embedder: Embedder, wording: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """The cosine similarity of each text to a wording; None, and a warning in the log, where the model fails.

    Then nothing is assumed; the searches that need the model say that they failed.
    """
    vectors = await _vectors(embedder, (wording, *texts))
    return None if vectors is None else np.asarray(vectors[1:] @ vectors[0])


async def _vectors(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """The unit vectors of some texts, shape (texts, dimensions); None where the model fails."""
    try:
        return np.asarray(await embedder.embed(list(texts)), dtype=np.float32)
    except EmbeddingError as error:
        log.warning("which text is nearest can't be told: %s", error)
        return None


async def nearest_texts(embedder: Embedder, telling: Telling) -> tuple[str, ...]:
    """The texts that may tell a question, the nearest first; none where none is near."""
    texts = telling.texts[:MOST_LABELS]
    similar = await similarities(embedder, telling.text, texts) if texts else None
    if similar is None or similar.max() < telling.least:
        return ()
    places = np.argsort(-similar, kind="stable")
    return tuple(texts[place] for place in places if similar.max() - similar[place] < telling.margin)


async def nearest_label(embedder: Embedder, wording: Wording) -> str | None:
    """The label that is meant; None where none is near, or two are.

    Labels that share words with the nearest are its variants: what tells them apart decides between them.
    """
    some = list(wording.labels)[:MOST_LABELS]
    if not some or not any(len(word) >= _SHORTEST for word in wording.text.split()):
        return None
    similar = await similarities(embedder, wording.text, some)
    if similar is None:
        return None
    top, best = some[int(np.argmax(similar))], float(similar.max())
    own = set(said_words(top))
    others = [score for label, score in zip(some, similar, strict=True) if own.isdisjoint(said_words(label))]
    if best < wording.least or best - max(others, default=0.0) < MARGIN or _is_code_untold(wording.text, top):
        return None
    variants = [label for label in some if label != top and not own.isdisjoint(said_words(label))]
    contests = [_Contest.of(wording, top, each) for each in variants]
    texts = list(dict.fromkeys(text for each in contests if not each.is_plain for text in each.texts))
    vectors = await _vectors(embedder, texts) if texts else np.zeros((0, 0), dtype=np.float32)
    known = {} if vectors is None else dict(zip(texts, vectors, strict=True))
    return top if vectors is not None and all(each.is_won(known) for each in contests) else None


def _is_code_untold(wording: str, label: str) -> bool:
    """True for a code or a symbol that a label does not have: no model knows what *w_a* is near to."""
    return any(is_identifier(word) and word not in phrase(label) for word in phrase(wording))


@dataclass(frozen=True, slots=True)
class _Contest:
    """What a wording, a label and its variant say beside the words that both labels have."""

    asked: tuple[str, ...]
    own: str
    other: str
    is_plain: bool

    @classmethod
    def of(cls, wording: Wording, label: str, variant: str) -> _Contest:
        """The rest of each."""
        shared = {*phrase(label)} & {*phrase(variant)}
        rests = ([word for word in phrase(text) if word not in shared] for text in (wording.text, label, variant))
        asked, own, other = rests
        return cls(tuple(asked), " ".join(own), " ".join(other), wording.plain.issuperset(own))

    @property
    def texts(self) -> tuple[str, ...]:
        """What has to be embedded to tell who wins."""
        return (*self.asked, *filter(None, (self.own, self.other)))

    def is_won(self, vectors: Mapping[str, NDArray[np.float32]]) -> bool:
        """True where some word that is asked is nearer to the label than any is to the variant; the plain one is meant
        where nothing tells more.
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
