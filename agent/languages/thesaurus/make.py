"""Make the file of related words from WordNet's files, without glosses, place names and phrases.

    python -m agent.languages.thesaurus.make /usr/share/wordnet english.sqlite

Fellbaum, C. (ed.): WordNet, an electronic lexical database. MIT Press, 1998. Debian's package `wordnet-base` has its
files.
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from retrieval.text.spelling import fold, singular

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
"""The parts of speech by their digits in sense keys."""
SELDOM = 0.1
"""The share of a word's uses below which a part of speech is ignored."""
MANY_SENSES = 12
"""A verb with more senses may mean nearly anything, so only its commonest counts: *run*, *take*."""
MOST_SENSES = 4
"""Most senses of a word for one part of speech, commonest first."""
SYNONYM_OF_ADJECTIVE, ATTRIBUTE, ANTONYM, INSTANCE = "&", "=", "!", "@i"
DERIVED, PERTAINS = ("+", "\\"), "\\"
SCHEMA = """
create table related (word text primary key, parts text not null, same text not null, against text not null)
    without rowid;
create table forms (form text primary key, word text not null) without rowid;
"""


class Sense(NamedTuple):
    """The key of a meaning: the part of speech, and the offset in its file."""

    part: str
    at: str


class Pointer(NamedTuple):
    """A relation to another meaning; `source` and `target` are the words concerned, from 1, or 0 for all."""

    symbol: str
    sense: Sense
    source: int
    target: int


class Entry(NamedTuple):
    """The parts of speech of a word, its related words and its antonyms."""

    parts: set[str]
    same: set[str]
    against: set[str]


class Meaning(NamedTuple):
    """The words for one meaning, and its relations."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


@dataclass(frozen=True)
class WordNet:
    """WordNet's files in a folder."""

    folder: Path

    @cached_property
    def meanings(self) -> Mapping[Sense, Meaning]:
        """Every meaning by its key."""
        return {
            Sense(part, fields[0]): _meaning(fields)
            for part, name in PARTS.items()
            for fields in self._lines(f"data.{name}")
        }

    @cached_property
    def senses(self) -> Mapping[str, Sequence[Sense]]:
        """The common senses of every single word."""
        found: dict[str, list[Sense]] = {}
        for part, name in PARTS.items():
            for word, _, count, *rest in self._lines(f"index.{name}"):
                is_vague = part == "v" and int(count) > MANY_SENSES
                places = rest[-int(count) :][: 1 if is_vague else MOST_SENSES]
                found.setdefault(word, []).extend(Sense(part, at) for at in places)
        return {word: senses for word, senses in found.items() if word.isalpha()}

    @cached_property
    def forms(self) -> Mapping[str, str]:
        """The irregular forms of words: *built* for *build*."""
        lines = (fields for name in PARTS.values() for fields in self._lines(f"{name}.exc"))
        return {form: word for form, word, *_ in lines if form.isalpha() and word in self.senses}

    def _lines(self, name: str) -> Iterator[list[str]]:
        for line in (self.folder / name).read_text(encoding="latin-1").splitlines():
            if not line.startswith("  "):  # the licence
                yield line.partition("|")[0].split()

    def related(self, word: str) -> Entry:
        """Return the synonyms and derivatives of a word, the attribute it grades, and its antonyms."""
        senses = [each for each in self.senses[word] if not self._is_name(each)]
        same = {other for sense in senses for other in self._same(word, sense)}
        against = {other for sense in senses for other in self._antonyms(sense)}
        return Entry(self._parts(word, senses), same, against)

    def _parts(self, word: str, senses: Sequence[Sense]) -> set[str]:
        """Return a word's common parts of speech in the texts where senses were counted, or all if it is in none."""
        counts = self.counts.get(word, Counter())
        often = {part for part, count in counts.items() if count >= SELDOM * counts.total()}
        return often or {each.part for each in senses}

    @cached_property
    def counts(self) -> Mapping[str, Counter[str]]:
        """How often each word was counted as each part of speech."""
        found: dict[str, Counter[str]] = {}
        for key, _, count in self._lines("cntlist.rev"):
            word, _, rest = key.partition("%")
            found.setdefault(word, Counter())[TYPES[rest[0]]] += int(count)
        return found

    def _same(self, word: str, sense: Sense) -> Iterator[str]:
        meaning = self.meanings[sense]
        yield from self._words(sense)
        for each in meaning.pointers:
            if each.symbol == PERTAINS:
                yield from self.meanings[each.sense].words  # even if it is a place: *Norwegian* leads to *Norway*
            if each.symbol in DERIVED:
                is_own = not each.source or meaning.words[each.source - 1].casefold() == word
                yield from self._words(each.sense) if is_own else self._words(each.sense, each.target)
                yield from self._graded(each.sense)
            elif each.symbol == SYNONYM_OF_ADJECTIVE:
                yield from self._words(each.sense)
                yield from self._graded(each.sense)
        yield from self._graded(sense)

    def _graded(self, sense: Sense) -> Iterator[str]:
        """Yield the attribute that an adjective is a value of: *weight* for *heavy*."""
        for each in self.meanings[sense].pointers:
            if each.symbol == ATTRIBUTE and each.sense.part == "n":
                yield from self._words(each.sense)

    def _antonyms(self, sense: Sense) -> Iterator[str]:
        for each in self.meanings[sense].pointers:
            if each.symbol == ANTONYM:
                yield from self._words(each.sense)

    def _words(self, sense: Sense, only: int = 0) -> Iterator[str]:
        """Yield the words of a meaning, or only the one at a place, from 1."""
        if not self._is_name(sense):
            words = self.meanings[sense].words
            yield from (word for word in (words[only - 1 : only] if only else words) if word.isalpha())

    def _is_name(self, sense: Sense) -> bool:
        """True for an instance, such as a town or a person."""
        return any(each.symbol == INSTANCE for each in self.meanings[sense].pointers)


def _meaning(fields: Sequence[str]) -> Meaning:
    """Parse the line of a meaning: offset, file, type, words in hexadecimal, pointers in decimal."""
    end = 4 + 2 * int(fields[3], 16)
    words = tuple(word.partition("(")[0].casefold() for word in fields[4:end:2])
    several = (fields[end + 1 + 4 * n : end + 5 + 4 * n] for n in range(int(fields[end])))
    pointers = (
        Pointer(symbol, Sense(part, at), int(ends[:2], 16), int(ends[2:], 16)) for symbol, at, part, ends in several
    )
    return Meaning(words, tuple(pointers))


def make(folder: Path, out: Path) -> int:
    """Write the related words of WordNet's files in a folder to a new file; return the number of words."""
    wordnet = WordNet(folder)
    entries: dict[str, Entry] = {}
    for word in wordnet.senses:
        found = wordnet.related(word)
        own = entries.setdefault(_normal(word), Entry(set(), set(), set()))
        own.parts.update(found.parts)
        for known, words in zip(own[1:], found[1:], strict=True):
            known.update(map(_normal, words))
    forms = {_normal(form): _normal(lemma) for form, lemma in wordnet.forms.items()}
    out.unlink(missing_ok=True)
    with closing(sqlite3.connect(out)) as database, database:
        database.executescript(SCHEMA)
        lines = (_line(word, entry) for word, entry in sorted(entries.items()) if entry.parts)
        database.executemany("insert into related values (?, ?, ?, ?)", lines)
        database.executemany("insert into forms values (?, ?)", sorted((a, b) for a, b in forms.items() if a != b))
    with closing(sqlite3.connect(out)) as database:
        database.execute("vacuum")
    return len(entries)


def _line(word: str, entry: Entry) -> tuple[str, ...]:
    """Return the row of a word; antonyms are removed from its related words."""
    against = entry.against - {word}
    same = entry.same - against - {word}
    return word, "".join(sorted(entry.parts)), *(" ".join(sorted(words)) for words in (same, against))


def _normal(word: str) -> str:
    return singular(fold(word))


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), Path(sys.argv[2])))  # noqa: T201
