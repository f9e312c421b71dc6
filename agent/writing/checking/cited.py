"""Turn the citation marks of a model's text, `[3]`, into citations that quote the supporting lines of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from agent.types import CellRef, Citation
from agent.writing.checking.verify import Problem
from agent.writing.texts.numbers import values_in
from retrieval.text.normal import content_words
from retrieval.types import Chunk

MARK = re.compile(r"\s?\[(\d{1,6})\]")
MARKED = re.compile(r"[^\[\]]+?(?:\s?\[\d{1,6}\])+")
"""Part of a sentence, with the marks behind it."""
_PIECE = re.compile(
    r"\S.*?(?:(?<!\bvs)(?<!\bNo)(?<!\bno)(?<!\bp)(?<!\be\.g)(?<!\bi\.e)(?<!^\d)(?<!^\d\d)[.!?](?:\s*\[\d+\])*"
    r"(?!(?<=\d\.)\s[^\W\d_]+ \d{4}\b)"
    r"(?=\s(?!\s*[a-z]+[ ,])|$)|$)"
)
"""A sentence, with the marks behind it. The number of a list item, an abbreviation, a full stop before a word in small
letters, or that of *6. April 2020*, does not end it.
"""
_CODE = re.compile(r"\s*(?:[-*•]\s+)?\(?[A-Za-z]?\d{1,3}(?:\.\d{1,3})*[A-Za-z]?[.)]\s+(?=\S)")
"""The number or code of an item at the beginning of a line."""
_OTHER_MARK = re.compile(
    r"[\[【](?P<list>\d{1,6}(?:\s*[,;]\s*\d{1,6})+)[\]】]|\[(?P<first>\d{1,6})\s*[-–]\s*(?P<last>\d{1,6})\]"
    r"|(?:\[\^|【|\[(?:passage|source|ref)\s+)(?P<one>\d{1,6})(?:†[^】\]]*)?[\]】]",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\n\s*((?:\[\d+\][ \t]*)+)(?=\n|$)")
"""Marks on a line of their own: they belong to the sentence before them."""
_LONGEST_RANGE = 10
_MOST_LINES = 8
_LONGEST = 400
"""Most characters of a quotation."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be cited: a chunk, or with `quote` a passage of it, which may be the text of a `cell`."""

    chunk: Chunk
    quote: str | None = None
    cell: CellRef | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """A text whose marks are citation numbers, all citations, and a problem for each mark without a source.

    `own` is the text with its original marks; `originals` maps each sentence of `text` to the one with its original
    marks.
    """

    text: str
    citations: tuple[Citation, ...]
    problems: tuple[Problem, ...]
    own: str = ""
    originals: Mapping[str, str] = field(default_factory=dict)


def cited(
    text: str,
    sources: Mapping[int, Source],
    known: Sequence[Citation] = (),
    results: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> Cited:
    """Give every mark its citation. Remove a mark that is no source number, and report it as a problem.

    The citations that are `known`, numbered from 1, keep their numbers; new ones follow. A mark of one of the `results`
    of a computation stands for the sources of its operands.

    >>> cited("It is 5 [1][9].", {1: Source(Chunk("c1", "Its armor class is 5.", "Orc"))}).text
    'It is 5 [1].'
    """
    marks = _Marks(sources, results, {(each.chunk_id, each.quote): each for each in known})
    text = _ALONE.sub(r" \1", _OTHER_MARK.sub(lambda match: _as_marks(match, sources), text))
    lines = [(line, _PIECE.sub(lambda match: marks.rewritten(match[0]), line)) for line in text.split("\n")]
    kept = [new for old, new in lines if new.strip() or not old.strip()]
    return Cited("\n".join(kept), tuple(marks.citations.values()), tuple(marks.problems), text, marks.originals)


def _as_marks(match: re.Match[str], sources: Mapping[int, Source]) -> str:
    """Return other forms of marks as `[1][2]`. Expand a range only if all its numbers are sources: books have ranges
    too.

    >>> [_OTHER_MARK.sub(lambda m: _as_marks(m, {}), each) for each in ("[1, 2]", "[^3]", "【4】", "[1-6]")]
    ['[1][2]', '[3]', '[4]', '[1-6]']
    """
    if match["first"] is None:
        return "".join(f"[{number}]" for number in re.findall(r"\d+", match["list"] or match["one"]))
    first, last = int(match["first"]), int(match["last"])
    numbers = range(first, min(last, first + _LONGEST_RANGE) + 1)
    is_range = first < last and all(number in sources for number in numbers)
    return "".join(f"[{number}]" for number in numbers) if is_range else match[0]


@dataclass(slots=True)
class _Marks:
    """The citations so far, by chunk and quotation."""

    sources: Mapping[int, Source]
    results: Mapping[int, Sequence[int]]
    citations: dict[tuple[str, str], Citation] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    originals: dict[str, str] = field(default_factory=dict)

    def rewritten(self, piece: str) -> str:
        """Return a sentence with its marks renumbered, and without marks that have no source."""
        marks, plain = dict.fromkeys(marks_of(piece)), MARK.sub("", piece)
        numbers = {n: self._numbers(n, plain) for n in marks if n in self.sources or n in self.results}
        told = MARK.sub(lambda mark: _renumbered(mark, numbers.get(int(mark[1]), ())), piece)
        self.originals[told] = piece
        self.problems += [Problem(told, f"citation [{n}] leads nowhere") for n in marks if n not in numbers]
        return told

    def _numbers(self, mark: int, plain: str) -> list[int]:
        """Return the numbers of the citations that a mark stands for."""
        own = self.results.get(mark, (mark,))
        return list(dict.fromkeys(self._number(self.sources[n], plain) for n in own))

    def _number(self, source: Source, plain: str) -> int:
        """Return the number of the citation that supports the sentence; add a new citation if there is none yet."""
        chunk, quote = source.chunk, source.quote or quote_for(plain, source.chunk)
        n = len(self.citations) + 1
        fresh = Citation.of(n, chunk, quote, source.cell)
        return self.citations.setdefault((chunk.id, quote), fresh).n


def _renumbered(mark: re.Match[str], numbers: Sequence[int]) -> str:
    space = mark[0][: mark[0].index("[")]
    return space + "".join(f"[{number}]" for number in numbers) if numbers else ""


def pieces(line: str) -> Iterator[str]:
    """Yield the sentences of a line, each with the marks behind it. The code at the beginning of a line is no sentence.

    >>> list(pieces("- It hits on 14. [1] It has 3 HD [2].")), list(pieces("- 25C. Golden Ale: 7.5% [1]"))
    (['- It hits on 14. [1]', 'It has 3 HD [2].'], ['- 25C. Golden Ale: 7.5% [1]'])
    """
    code = _CODE.match(line)
    start = code.end() if code is not None else 0
    for match in _PIECE.finditer(line, start):
        yield f"{line[:start].lstrip()}{match[0]}"
        start = 0


def whole_sentences(text: str) -> str:
    """Return a truncated text without the unfinished sentence at its end.

    >>> whole_sentences("It has 3 HD [1]. It needs")
    'It has 3 HD [1].'
    """
    *lines, last = text.rstrip().split("\n")
    kept = [piece for piece in pieces(last) if re.search(r"[.!?](?:\s*\[\d+\])*$", piece)]
    return "\n".join([*lines, " ".join(kept)]).strip()


def quote_for(sentence: str, chunk: Chunk) -> str:
    """Return the lines of a chunk that hold a sentence's numbers, or the line with most of its words: at most eight.

    >>> quote_for("It has AC 5 and 3 attacks.", Chunk("c", "AC: 5\\nMove: 12\\nAttacks: 3", "Orc"))
    'AC: 5 … Attacks: 3'
    """
    lines = [line.strip() for line in chunk.text.split("\n") if line.strip()] or [chunk.title]
    wanted, words = set(values_in(sentence)), frozenset(content_words(sentence))
    values = [wanted & _values_of(line) for line in lines]
    shared = [len(words & _words_of(line)) for line in lines]
    chosen: list[int] = []
    while len(chosen) < _MOST_LINES:
        best = max(range(len(lines)), key=lambda i: (len(wanted & values[i]), shared[i], -len(lines[i]), -i))
        if chosen and not wanted & values[best]:
            break
        chosen.append(best)
        wanted -= values[best]
    return _cut([lines[i] for i in sorted(chosen)], sentence)


@lru_cache(maxsize=4096)
def _words_of(line: str) -> frozenset[str]:
    """Return the content words of a line. They are cached, since the same lines come with every question."""
    return frozenset(content_words(line))


@lru_cache(maxsize=4096)
def _values_of(line: str) -> frozenset[str]:
    return frozenset(values_in(line))


def _cut(lines: Sequence[str], sentence: str) -> str:
    """Join lines to a quotation. Shorten a long one to the text around the first number that the sentence shares."""
    quote = " … ".join(lines)
    if len(quote) <= _LONGEST:
        return quote
    words = set(re.findall(r"\w+", sentence.lower()))
    start = next((m.start() for m in re.finditer(r"\w*\d\w*", quote) if m[0].lower() in words), 0)
    start = max(0, min(start - _LONGEST // 2, len(quote) - _LONGEST))
    return f"{'…' if start else ''}{quote[start : start + _LONGEST]}{'…' if start + _LONGEST < len(quote) else ''}"


def marks_of(text: str) -> Sequence[int]:
    """Return the numbers of all marks in a text."""
    return [int(number) for number in MARK.findall(text)]
