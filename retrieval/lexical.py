"""BM25 over the same chunks: finds words that vectors blur, such as a rare name or one number among many.

Words are in the project's normal form, so *AC 3* finds *armour class of 3*; stop words are ignored. The index stores
how often each word occurs in each chunk, which no other chunk affects: an update rewrites only the changed chunks, and
scores are computed from the columns of the query's words.
"""

from __future__ import annotations

import hashlib
import json
import os
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import StoreError
from retrieval.text.normal import STOP_WORDS, content_words, is_number, normal
from retrieval.text.vocabulary import fingerprint

K1, B = 1.5, 0.75
"""How soon a word's repetitions stop counting, and how strongly a long text is penalized."""

FORMAT = 10
"""The format of a saved index; raise it when its files or the normal form of words change."""

_IDS, _WORDS, _MANIFEST, _SINCE = "ids.json", "words.json", "manifest.json", "since.json"
_ARRAYS = ("starts.npy", "rows.npy", "counts.npy", "lengths.npy")
_FILES = (_IDS, _WORDS, *_ARRAYS)


class LexicalIndex:
    """How often every word occurs in every chunk; immutable, so threads may share it.

    A chunk's score is the sum over the query's different words of
    `ln(1 + (N - n + 0.5) / (n + 0.5)) * f / (f + K1 * (1 - B + B * length / average length))`
    where n of N chunks have the word, this one f times. Source: Robertson and Zaragoza, "The Probabilistic Relevance
    Framework: BM25 and Beyond", 2009, in Lucene's variant (Kamphuis et al., "Which BM25 Do You Mean?", 2020), which
    has no negative scores.

    >>> index = LexicalIndex.build(["c1", "c2"], ["A druid of armour class 9", "A fighter of armour class 3"])
    >>> [id_ for id_, score in index.search("AC 3", limit=5)]
    ['c2', 'c1']
    """

    def __init__(
        self,
        ids: Sequence[str],
        words: Sequence[str],
        starts: NDArray[np.int64],
        rows: NDArray[np.int32],
        counts: NDArray[np.int32],
        lengths: NDArray[np.int32],
    ) -> None:
        """`ids` and `words` ascend; the rows with word w, and its counts there, are `starts[w]` to `starts[w + 1]` of
        `rows` and `counts`. Use `build` or `load`.
        """
        self._ids, self._words, self._lengths = ids, words, lengths
        self._starts, self._rows, self._counts = starts, rows, counts
        self._average = float(lengths.mean()) if len(lengths) else 0.0

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str]) -> Self:
        """Index one text for each of the distinct `ids`; run it in a thread, 0.3 s for 1,000 chunks of a rulebook."""
        chunks = sorted(zip(ids, texts, strict=True), key=itemgetter(0))
        numbers: dict[str, int] = {}
        said, lengths = array("q"), array("i")
        for _, text in chunks:
            words = _words(text)
            said.extend(numbers.setdefault(word, len(numbers)) for word in words)
            lengths.append(len(words))
        vocabulary = sorted(numbers)
        places = np.empty(len(numbers), np.int64)
        places[[numbers[word] for word in vocabulary]] = np.arange(len(vocabulary))
        row_of = np.repeat(np.arange(len(chunks)), lengths)
        # One number for each word in a row, so that sorting these sorts both.
        pairs, counts = np.unique(places[np.array(said, np.int64)] * max(1, len(chunks)) + row_of, return_counts=True)
        return cls._of_pairs([id_ for id_, _ in chunks], vocabulary, pairs, counts, np.array(lengths, np.int32))

    @classmethod
    def _of_pairs(
        cls,
        ids: Sequence[str],
        words: Sequence[str],
        pairs: NDArray[np.int64],
        counts: NDArray[Any],
        lengths: NDArray[np.int32],
    ) -> Self:
        """Build from ascending pairs, each `word * len(ids) + row`; words without rows are left out."""
        numbers, rows = np.divmod(pairs, max(1, len(ids)))
        having = np.bincount(numbers, minlength=len(words))
        starts = np.concatenate([[0], np.cumsum(having[having > 0])])
        said = [word for word, count in zip(words, having.tolist(), strict=True) if count]
        return cls(ids, said, starts, rows.astype(np.int32), counts.astype(np.int32), lengths)

    def changed(self, removed: Collection[str], texts: Mapping[str, str]) -> LexicalIndex:
        """Return the index of other chunks: without the `removed`, and with these texts, whose ids may be known or new.

        It equals what `build` makes of them all.

        >>> index = LexicalIndex.build(["c1", "c2"], ["an owl", "a bear"]).changed(["c1"], {"c2": "a wolf"})
        >>> index.search("an owl and a bear", 5), [id_ for id_, _ in index.search("wolf", 5)]
        ([], ['c2'])
        """
        fresh = LexicalIndex.build(list(texts), list(texts.values()))
        gone = {*removed, *texts}
        stays = np.fromiter((id_ not in gone for id_ in self._ids), np.bool_, len(self._ids))
        left = [id_ for id_ in self._ids if id_ not in gone]
        ids = sorted([*left, *fresh._ids])
        words = sorted({*self._words, *fresh._words})
        lengths = np.empty(len(ids), np.int32)
        old, new = _places(left, ids), _places(fresh._ids, ids)
        lengths[old], lengths[new] = self._lengths[stays], fresh._lengths
        row_of = np.full(len(self._ids), -1)
        row_of[stays] = old
        pairs, counts = self._pairs(_places(self._words, words), row_of, len(ids))
        more, their_counts = fresh._pairs(_places(fresh._words, words), new, len(ids))
        where = np.searchsorted(pairs, more)
        return self._of_pairs(
            ids, words, np.insert(pairs, where, more), np.insert(counts, where, their_counts), lengths
        )

    def _pairs(
        self, word_of: NDArray[np.int64], row_of: NDArray[np.int64], size: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return ascending pairs of words and rows by their new numbers, without removed rows, and their counts."""
        rows = row_of[self._rows]
        stays = rows >= 0
        pairs = np.repeat(word_of, np.diff(self._starts)) * size + rows
        return pairs[stays], np.asarray(self._counts)[stays]

    def search(self, query: str, limit: int) -> list[tuple[str, float]]:
        """Return at most `limit` ids with their scores, best first, ties by id; all share a word with the query."""
        scores = np.zeros(len(self._ids), np.float32)
        for word in content_words(query):
            at = bisect_left(self._words, word)
            if at < len(self._words) and self._words[at] == word:
                self._add_scores(at, scores)
        found = np.flatnonzero(scores)
        # Rows are in the order of their ids, which a stable sort preserves.
        best = found[np.argsort(-scores[found], kind="stable")[:limit]]
        return [(self._ids[row], float(scores[row])) for row in best]

    def _add_scores(self, word: int, scores: NDArray[np.float32]) -> None:
        """Add a word's score, by its number, to each row."""
        start, end = self._starts[word], self._starts[word + 1]
        rows, times = self._rows[start:end], self._counts[start:end]
        rarity = np.float32(np.log(1 + (len(self._ids) - len(rows) + 0.5) / (len(rows) + 0.5)))
        shares = times / (K1 * ((1 - B) + B * self._lengths[rows] / self._average) + times)
        scores[rows] += (rarity * shares).astype(np.float32)

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, replacing an existing one; `StoreError` if that fails."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=folder) as name:
                fresh = Path(name)
                arrays: tuple[NDArray[Any], ...] = (self._starts, self._rows, self._counts, self._lengths)
                for file, content in zip(_ARRAYS, arrays, strict=True):
                    np.save(fresh / file, content)
                (fresh / _IDS).write_text(json.dumps(list(self._ids)), encoding="ascii")
                (fresh / _WORDS).write_text(json.dumps(list(self._words)), encoding="ascii")
                (fresh / _MANIFEST).write_text(json.dumps(_manifest(fresh)), encoding="ascii")
                # Moved, never overwritten: a process may have the old files mapped.
                for file in (*_FILES, _MANIFEST):
                    (fresh / file).replace(folder / file)
        except OSError as error:
            raise StoreError(
                f"the lexical index can't be saved in {folder}: {error}. Give it another folder"
            ) from error

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """Open a saved index with its counts memory-mapped; `StoreError` if it is missing or not as saved."""
        with _usable(folder):
            if (folder / _SINCE).exists():
                base, removed, texts = _read_since(folder)
                return cls._of_files(base).changed(removed, texts)
            return cls._of_files(folder)

    @classmethod
    def _of_files(cls, folder: Path) -> LexicalIndex:
        if json.loads((folder / _MANIFEST).read_bytes()) != _manifest(folder):
            raise ValueError("its files are damaged, or another version made them")
        ids, words = (json.loads((folder / file).read_bytes()) for file in (_IDS, _WORDS))
        return cls(ids, words, *(_mapped(folder / file) for file in _ARRAYS))

    def words_of_others(self, ids: Collection[str]) -> set[str]:
        """Return the words that occur in any chunk other than these."""
        stays = np.fromiter((id_ not in ids for id_ in self._ids), np.bool_, len(self._ids))
        until = np.concatenate([[0], np.cumsum(stays[self._rows])])
        left = np.diff(until[self._starts]).tolist()
        return {word for word, count in zip(self._words, left, strict=True) if count}


def save_since(folder: Path, base: Path, removed: Collection[str], texts: Mapping[str, str]) -> None:
    """Write into `folder` the changes since an index was saved in `base`, whose relative path must not change.

    `LexicalIndex.load` reads it as `LexicalIndex.load(base).changed(removed, texts)`.
    """
    content = [os.path.relpath(base, folder), sorted(removed), dict(texts)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _SINCE).write_text(json.dumps([FORMAT, fingerprint(), _sum_of(content), content]), encoding="ascii")


def _read_since(folder: Path) -> tuple[Path, list[str], dict[str, str]]:
    version, words, total, content = json.loads((folder / _SINCE).read_bytes())
    if [version, words, total] != [FORMAT, fingerprint(), _sum_of(content)]:
        raise ValueError("its files are damaged, or another version made them")
    return folder / content[0], content[1], content[2]


def _sum_of(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()


def vocabulary(folder: Path) -> frozenset[str]:
    """Return every word of a saved index, in normal form and without stop words; `StoreError` if it can't be read.

    That takes milliseconds, while opening the whole index checks each file.
    """
    with _usable(folder):
        if not (folder / _SINCE).exists():
            return frozenset(json.loads((folder / _WORDS).read_bytes()))
        base, removed, texts = _read_since(folder)
    own = {word for text in texts.values() for word in _words(text)}
    return frozenset(LexicalIndex.load(base).words_of_others({*removed, *texts}) | own)


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(
            f"the lexical index in {folder} can't be used: {error}. Delete that folder and build the index again"
        ) from error


def absent_words(text: str, known: Collection[str]) -> list[str]:
    """Return the content words of a text that are not known, each once and in normal form, without numbers.

    >>> absent_words("the owlbear and the 3 beholders", {"owlbear"})
    ['beholder']
    """
    words = dict.fromkeys(content_words(text))
    return [word for word in words if word not in known and not is_number(word)]


def _words(text: str) -> list[str]:
    return [word for word in normal(text) if word not in STOP_WORDS]


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the format and the SHA-256 of every file, which reveal an interrupted save and a damaged disk."""
    return {"format": FORMAT, "words": fingerprint(), "sha256": {name: _digest(folder / name) for name in _FILES}}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mapped(path: Path) -> NDArray[Any]:
    """Memory-map an array; one without elements is loaded, since it can't be mapped."""
    found = np.load(path, mmap_mode="r")
    return np.asarray(found) if found.size else np.load(path)


def _places(some: Sequence[str], all_: Sequence[str]) -> NDArray[np.int64]:
    """Return the position of each of some texts among all; both ascend."""
    number = {text: at for at, text in enumerate(all_)}
    return np.fromiter((number[text] for text in some), np.int64, len(some))
