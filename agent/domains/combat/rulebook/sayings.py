"""Sentences about fights in books and answers; the expressions that match them are data, in `sayings.toml`.

An expression matches a sentence in plain spelling and lower case, or in normal words, in which *one* and *first* are
numbers and *hits* is *hit*.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from agent.reasoning.notebook import Fact, Notebook
from retrieval.text.normal import normal
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold
from retrieval.types import Chunk

_LIST = re.compile(r"\{([a-z_]+\d?)\}")


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """A sentence of a chunk that matches a saying: as written, as matched, and the match."""

    chunk: Chunk
    text: str
    normalised: str
    match: re.Match[str]

    @property
    def words(self) -> str:
        """The sentence as normal words."""
        return _in_words(self.text)

    def fact(self, text: str, notebook: Notebook) -> Fact:
        """Return `text` as a fact that cites the sentence."""
        return Fact(text, notebook.cite(self.chunk, self.text))


def rule_sentences(kind: str, notebook: Notebook, name: str = "") -> Iterator[RuleSentence]:
    """Yield the sentences that match a kind of saying, about `name` if given; kinds of words skip tables and rows."""
    in_words = kind in _data()["words"]
    for chunk in notebook.chunks:
        if not (in_words and chunk.chunk_type in ("row", "table")):
            for sentence, read, found in _matching_sentences(chunk.text, kind, name):
                yield RuleSentence(chunk, sentence, read, found)


@lru_cache(maxsize=16384)
def _matching_sentences(text: str, kind: str, name: str) -> Sequence[tuple[str, str, re.Match[str]]]:
    """Return the matching sentences of a text, as written and as matched; most texts have none."""
    pattern = rule_pattern(kind, name)
    read = _read(text, kind in _data()["words"])
    return [(sentence, words, found) for sentence, words in read if (found := pattern.search(words))]


@lru_cache(maxsize=2048)
def _read(text: str, in_words: bool) -> Sequence[tuple[str, str]]:
    """Return the sentences of a text, each as written and in the form in which it is matched."""
    return [(sentence, _in_words(sentence) if in_words else fold(sentence)) for sentence in sentences(text)]


@lru_cache(maxsize=1024)
def rule_pattern(kind: str, name: str = "") -> re.Pattern[str]:
    """Return the expression of a kind of saying.

    >>> rule_pattern("last_level").findall("a die at each level to level 9")
    ['9']
    """
    return re.compile(_expression(kind, name))


def _expression(kind: str, name: str) -> str:
    lines = next(lists[kind] for lists in _data().values() if kind in lists)
    return _LIST.sub(lambda m: name if m[1] == "name" else f"(?:{_expression(m[1], name)})", "|".join(lines))


@cache
def _data() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(files("agent.domains.combat").joinpath("sayings.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=16384)
def _in_words(sentence: str) -> str:
    return " ".join(normal(sentence))
