"""Synonyms and derivatives of words, and the attributes that adjectives grade.

*Builder* matches *built*, *height* matches *tall*, *pay* matches *salary*. Only common senses count, without antonyms:
*illegal* does not match *legal*, which no embedding similarity can tell apart. The relations are WordNet's (Fellbaum,
C. (ed.): WordNet, an electronic lexical database. MIT Press, 1998), made by `make.py`.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

_ENDINGS = (("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"), ("est", ""))
"""The endings that are removed from a form, as in WordNet's morphology; the normal form has no plurals."""
_DOUBLED = re.compile(r"([bdgklmnprtvz])\1$")
_SHORTEST = 3


class Related(NamedTuple):
    """The parts of speech of a word (*n*, *v*, *a*, *r* for an adverb), its synonyms and derivatives, and its
    antonyms.
    """

    parts: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    against: frozenset[str] = frozenset()


class Thesaurus:
    """The related words of one language, read from its file; words are in normal form."""

    def __init__(self, path: Path) -> None:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._db, self._turn = sqlite3.connect(uri, uri=True, check_same_thread=False), threading.Lock()
        self.related = lru_cache(maxsize=16384)(self._related)
        self._read = lru_cache(maxsize=16384)(self._read_entry)

    def is_relating(self, word: str) -> bool:
        """True for a word that can only be a verb or an adverb: it relates other words."""
        entry = self._read(word)
        return entry is not None and bool(entry.parts) and entry.parts <= {"v", "r"}

    def is_past(self, word: str) -> bool:
        """True for the past tense or past participle of a verb: *built*, *limited*; not *building*."""
        entries = [] if word.endswith("ing") else [self._read(lemma) for lemma in self._lemmas(word) if lemma != word]
        return any(entry is not None and "v" in entry.parts for entry in entries) and not word.endswith(("er", "est"))

    def is_superlative(self, word: str) -> bool:
        """True for the superlative of an adjective: *faintest*, but not *honest*, which is a word of its own."""
        own = [self._read(lemma) for lemma in self._lemmas(word) if lemma != word]
        is_form = word.endswith("est") and self._read(word) is None
        return is_form and any(entry is not None and "a" in entry.parts for entry in own)

    def _related(self, word: str) -> Related:
        """Return the related words of a word or of its base form; empty for an unknown word."""
        found = {lemma: each for lemma in self._lemmas(word) if (each := self._read(lemma)) is not None}
        if not found:
            return Related()
        parts, same, against = (frozenset().union(*each) for each in zip(*found.values(), strict=True))
        same = (same | found.keys()) - {word}
        return Related(parts, same, against)

    def _lemmas(self, word: str) -> Iterator[str]:
        """Yield the word and its possible base forms."""
        yield word
        irregular = self._row("select word from forms where form = ?", word)
        if irregular is not None:
            yield irregular[0]
            return
        for ending, own in _ENDINGS:
            stem = word.removesuffix(ending)
            if stem != word and len(stem) >= _SHORTEST:
                yield from dict.fromkeys((stem + own, _DOUBLED.sub(r"\1", stem) if not own else stem + own))

    def irregular_forms(self, word: str) -> frozenset[str]:
        """Return the irregular forms of a word's base form: *began* and *begun*, for *begin*."""
        lemmas = [each for each in self._lemmas(word) if self._read(each) is not None]
        with self._turn, closing(self._db.cursor()) as cursor:
            rows = [cursor.execute("select form from forms where word = ?", (each,)).fetchall() for each in lemmas]
        return frozenset(form for found in rows for (form,) in found)

    def _read_entry(self, word: str) -> Related | None:
        row = self._row("select parts, same, against from related where word = ?", word)
        return None if row is None else Related(frozenset(row[0]), *(frozenset(words.split()) for words in row[1:]))

    def _row(self, statement: str, word: str) -> tuple[str, ...] | None:
        with self._turn, closing(self._db.cursor()) as cursor:
            found: tuple[str, ...] | None = cursor.execute(statement, (word,)).fetchone()
            return found


@cache
def thesaurus(language: str = "english") -> Thesaurus | None:
    """Return the thesaurus of a language by the name of its file; None if there is none.

    >>> english = thesaurus()
    >>> [word in english.related(said).same for said, word in (("built", "builder"), ("tall", "height"))]
    [True, True]
    >>> "illegal" in english.related("legal").same
    False
    """
    path = Path(__file__).parent / f"{language}.sqlite"
    return Thesaurus(path) if path.exists() else None
