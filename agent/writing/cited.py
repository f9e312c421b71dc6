"""The marks in a model's text, `[3]`, become citations: of the words in the source that bear the sentence out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.types import Citation
from agent.verify import Problem, numbers_of
from retrieval.text import content_words
from retrieval.types import Chunk

MARK = re.compile(r"\s?\[(\d{1,6})\]")
_PIECE = re.compile(r"\S.*?(?:[.!?](?:\s*\[\d+\])*(?=\s|$)|$)")
_LONGEST = 400
"""Characters of a quotation."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be cited: a chunk, or with `quote` certain words of it."""

    chunk: Chunk
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """A text whose marks are citations' numbers, all citations, and the marks that led nowhere."""

    text: str
    citations: tuple[Citation, ...]
    problems: tuple[Problem, ...]


def cited(text: str, sources: Mapping[int, Source], known: Sequence[Citation] = ()) -> Cited:
    """Give every mark its citation. A mark that is no source's number is taken out, and is a problem.

    The citations that are `known`, numbered from 1, keep their numbers; new ones follow.

    >>> cited("It is 5 [1][9].", {1: Source(Chunk("c1", "Its armor class is 5.", "Orc"))}).text
    'It is 5 [1].'
    """
    marks = _Marks(sources, {(each.chunk_id, each.quote): each for each in known})
    lines = [_PIECE.sub(lambda match: marks.rewritten(match[0]), line) for line in text.split("\n")]
    return Cited("\n".join(lines), tuple(marks.citations.values()), tuple(marks.problems))


@dataclass(slots=True)
class _Marks:
    """The citations so far, by chunk and quotation."""

    sources: Mapping[int, Source]
    citations: dict[tuple[str, str], Citation] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def rewritten(self, piece: str) -> str:
        """A sentence with its marks numbered anew, and without those that lead nowhere."""
        told = MARK.sub(lambda mark: self._mark(mark, piece), piece)
        unknown = [number for number in marks_of(piece) if number not in self.sources]
        self.problems += [Problem(told, f"citation [{number}] leads nowhere") for number in unknown]
        return told

    def _mark(self, mark: re.Match[str], piece: str) -> str:
        source = self.sources.get(int(mark[1]))
        if source is None:
            return ""
        chunk, quote = source.chunk, source.quote or quote_for(piece, source.chunk)
        fresh = Citation(len(self.citations) + 1, chunk.id, chunk.title, chunk.source, chunk.page, quote)
        return mark[0].replace(mark[1], str(self.citations.setdefault((chunk.id, quote), fresh).n))


def pieces(line: str) -> Iterator[str]:
    """The sentences of a line, each with the marks behind it.

    >>> list(pieces("- It hits on 14. [1] It has 3 HD [2]."))
    ['- It hits on 14. [1]', 'It has 3 HD [2].']
    """
    return (match[0] for match in _PIECE.finditer(line))


def quote_for(sentence: str, chunk: Chunk) -> str:
    """The lines of a chunk, two at most, that hold most of a sentence's numbers and words."""
    plain = MARK.sub("", sentence)
    wanted, words = numbers_of(plain), frozenset(content_words(plain))
    lines = [line.strip() for line in chunk.text.split("\n") if line.strip()] or [chunk.title]
    first = max(lines, key=lambda line: _fit(line, wanted, words))
    rest = wanted - numbers_of(first)
    second = max(lines, key=lambda line: _fit(line, rest, words)) if rest else first
    helps = second != first and bool(rest & numbers_of(second))
    return _cut(f"{first} … {second}" if helps else first, wanted)


def _fit(line: str, wanted: Counter[str], words: frozenset[str]) -> tuple[int, int, int]:
    held = sum((wanted & numbers_of(line)).values())
    return held, len(words & frozenset(content_words(line))), -len(line)


def _cut(quote: str, wanted: Counter[str]) -> str:
    """The quotation, shortened where nothing that is wanted stands."""
    short = quote[:_LONGEST]
    return f"{short}…" if len(quote) > _LONGEST and not (wanted & numbers_of(quote)) - numbers_of(short) else quote


def marks_of(text: str) -> Sequence[int]:
    """The numbers of all marks in a text."""
    return [int(number) for number in MARK.findall(text)]
