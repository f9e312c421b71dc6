"""BM25 over the same chunks: finds by their words what vectors blur, such as a rare name or one number among many.

Words are the project's normal form, so *AC 3* finds *armour class of 3*; stop words count for nothing. bm25s works
every score out while the index is built, and a search only adds up columns. It is imported when first needed.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Sequence
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np

from retrieval.errors import StoreError
from retrieval.text.normal import STOP_WORDS, content_words, is_number, normal
from retrieval.text.vocabulary import fingerprint

K1, B = 1.5, 0.75
"""How soon a word's repetitions stop counting, and how much a long text is held against its words."""

FORMAT = 6
"""Of a saved index; to be raised when its files change, or the normal form of words does."""

_IDS, _MANIFEST, _VOCABULARY = "ids.json", "manifest.json", "vocab.index.json"
_FILES = (
    "data.csc.index.npy",
    "indices.csc.index.npy",
    "indptr.csc.index.npy",
    "params.index.json",
    _VOCABULARY,
    _IDS,
)


class LexicalIndex:
    """The BM25 scores of every word in every chunk; never changes, so threads may share it.

    A chunk's score is the sum over the query's different words of
    `ln(1 + (N - n + 0.5) / (n + 0.5)) * f / (f + K1 * (1 - B + B * length / average length))`
    where n of N chunks have the word, this one f times. Source: Robertson and Zaragoza, "The Probabilistic Relevance
    Framework: BM25 and Beyond", 2009, in Lucene's variant (Kamphuis et al., "Which BM25 Do You Mean?", 2020), which
    has no negative scores.

    >>> index = LexicalIndex.build(["c1", "c2"], ["A druid of armour class 9", "A fighter of armour class 3"])
    >>> [id_ for id_, score in index.search("AC 3", limit=5)]
    ['c2', 'c1']
    """

    def __init__(self, ids: Sequence[str], bm25: Any) -> None:
        """`ids` in ascending order, one for each row of the `bm25s.BM25`; use `build` or `load`."""
        self._ids = tuple(ids)
        self._bm25 = bm25

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str]) -> Self:
        """Index one text for each of the different `ids`; work for a thread, 0.6 s for 1,000 chunks of a rulebook."""
        chunks = sorted(zip(ids, texts, strict=True), key=itemgetter(0))
        vocabulary = {"": 0}
        rows = [[vocabulary.setdefault(word, len(vocabulary)) for word in _words(text)] for _, text in chunks]
        bm25 = _bm25s().BM25(k1=K1, b=B, method="lucene", backend="numpy", csc_backend="numpy")
        # bm25s can't index nothing, so then there is one row, with a word that no query has.
        bm25.index((rows if any(rows) else [[0]], vocabulary), create_empty_token=False, show_progress=False)
        return cls([id_ for id_, _ in chunks], bm25)

    def search(self, query: str, limit: int) -> list[tuple[str, float]]:
        """Return at most `limit` ids with their scores, best first, equal ones by id; none that shares no word."""
        scores = self._bm25.get_scores_from_ids(self._bm25.get_tokens_ids(content_words(query)))
        found = np.flatnonzero(scores)
        # Rows are in the order of their ids, which a stable sort keeps.
        best = found[np.argsort(-scores[found], kind="stable")[:limit]]
        return [(self._ids[row], float(scores[row])) for row in best]

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, in place of one that is there; `StoreError` when that can't be done."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=folder) as name:
                fresh = Path(name)
                self._bm25.save(fresh)
                (fresh / _IDS).write_text(json.dumps(self._ids), encoding="ascii")
                (fresh / _MANIFEST).write_text(json.dumps(_manifest(fresh)), encoding="ascii")
                # Moved, never overwritten: somebody may have the old files mapped.
                for file in (*_FILES, _MANIFEST):
                    (fresh / file).replace(folder / file)
        except OSError as error:
            raise StoreError(
                f"the lexical index can't be saved in {folder}: {error}. Give it another folder"
            ) from error

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open a saved index, its scores mapped into memory; `StoreError` when it is missing or not as it was saved."""
        try:
            if json.loads((folder / _MANIFEST).read_bytes()) != _manifest(folder):
                raise ValueError("its files are damaged, or another version made them")
            ids = json.loads((folder / _IDS).read_bytes())
            return cls(ids, _bm25s().BM25.load(folder, mmap=True))
        except (OSError, ValueError) as error:
            raise StoreError(
                f"the lexical index in {folder} can't be used: {error}. Delete that folder and build the index again"
            ) from error


def vocabulary(folder: Path) -> frozenset[str]:
    """Return every word of a saved index, in normal form and without stop words; `StoreError` when it can't be read.

    That takes milliseconds, where opening the whole index takes a library and a look at each file.
    """
    try:
        return frozenset(json.loads((folder / _VOCABULARY).read_bytes()))
    except (OSError, ValueError) as error:
        raise StoreError(f"the words of the lexical index in {folder} can't be read: {error}") from error


def absent_words(text: str, known: Collection[str]) -> list[str]:
    """Return the content words of a text that are not known, each once and in normal form; numbers do not count.

    >>> absent_words("the owlbear and the 3 beholders", {"owlbear"})
    ['beholder']
    """
    words = dict.fromkeys(content_words(text))
    return [word for word in words if word not in known and not is_number(word)]


def _words(text: str) -> list[str]:
    return [word for word in normal(text) if word not in STOP_WORDS]


def _manifest(folder: Path) -> dict[str, Any]:
    """The format, and the SHA-256 of every file: a save that was broken off shows, and so does a damaged disk."""
    return {"format": FORMAT, "words": fingerprint(), "sha256": {name: _digest(folder / name) for name in _FILES}}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _bm25s() -> Any:
    """Import bm25s, which switches its debug messages on; whether they are seen stays the program's choice."""
    log = logging.getLogger("bm25s")
    chosen = log.level
    import bm25s

    log.setLevel(chosen)
    return bm25s
