"""The state of a model's tools: numbered sources, and numbered results with the sources that went into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from agent.plugins.domain import Computed
from agent.types import Citation, Finding, Step
from agent.writing.checking.cited import Source
from agent.writing.texts.numbers import values_in
from agent.writing.wording.library import Library
from retrieval.tables.names import without_part
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Result:
    """A computed finding, the values that later computations may use, and the numbers of its sources."""

    finding: Finding
    values: frozenset[str]
    sources: tuple[int, ...]


@dataclass(slots=True)
class Ledger:
    """One question's evidence, and with a `library` the collection behind it.

    `sources` grow by cells and passages, `chunks` by search results; `results` are numbered in the same sequence.
    `supports` returns the texts whose numbers a computation may use; it is called when something is computed. `shown`
    are the ids of the passages that the model has seen.
    """

    chunks: list[Chunk]
    sources: dict[int, Source]
    supports: Callable[[], Iterable[str]]
    library: Library | None = None
    results: dict[int, Result] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    _found: set[str] = field(default_factory=set)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The computed findings, which may support a text."""
        return tuple(result.finding for result in self.results.values())

    def findings_citing(self, citations: Sequence[Citation]) -> Iterator[Finding]:
        """Yield the computed findings, each citing those of the citations that are its sources."""
        for result in self.results.values():
            own = [self.sources[number] for number in result.sources]
            cites = tuple(each.n for each in citations if any(_is_of(each, source) for source in own))
            steps = tuple(replace(step, cites=cites) for step in result.finding.steps)
            yield replace(result.finding, steps=steps)

    def take(self, chunks: Iterable[Chunk]) -> None:
        """Add these chunks, if they are new."""
        held = {chunk.id for chunk in self.chunks}
        self.chunks += [chunk for chunk in chunks if chunk.id not in held]

    def number(self, source: Source) -> int:
        """Return the number of a source; a known source keeps its number."""
        number = next((n for n, each in self.sources.items() if each == source), self._next())
        self.sources[number] = source
        return number

    def record_shown(self, text: str) -> str:
        """Return a text for the model, and allow computations with its numbers."""
        self._found |= set(values_in(text))
        return text

    @property
    def known(self) -> Set[str]:
        """The values that the model was shown."""
        return self._found.union(*map(values_in, self.supports()))

    def record(self, computed: Computed, sources: Iterable[int]) -> str:
        """Record a result. Later computations may use its own numbers, but not the free ones that went into it."""
        finding = Finding("tool", computed.text, (Step(computed.text, computed.value),))
        values, own = frozenset(values_in(computed.result)), tuple(dict.fromkeys(sources))
        number = self._next()  # behind its sources, which may be new
        self.results[number] = Result(finding, values, own)
        self._found |= values
        return f"[{number}] {computed.text}"

    def _next(self) -> int:
        return 1 + max((*self.sources, *self.results), default=0)


def shortened(text: str, most: int) -> str:
    """Return the text, cut to `most` characters, with a note of how many are left out.

    >>> shortened("abcdef", 6), shortened("abcdef", 4)
    ('abcdef', 'abcd … (2 more characters are not shown)')
    """
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters are not shown)"


def title_of(chunk: Chunk) -> str:
    """Return the title of a chunk with the heading above it, since many chunks may be the *Key data* of something.

    >>> title_of(Chunk("c", "", "Key data (2)", headings=("Ferries", "Reed", "Key data")))
    'Key data (2), of Reed'
    """
    above = _above(chunk)
    return f"{chunk.title}, of {above}" if above else chunk.title


def passage_text(chunk: Chunk, most: int) -> str:
    """Return a chunk's title and its text, cut to `most` characters, without a first line that only repeats the title.

    >>> passage_text(Chunk("c", "Reed > Key data\\nBeds: 5", "Key data", headings=("Reed", "Key data")), 100)
    'Key data, of Reed\\nBeds: 5'
    """
    first, _, rest = chunk.text.partition("\n")
    is_told = bool(rest) and {_above(chunk), chunk.title}.issuperset(first.split(" > "))
    return f"{title_of(chunk)}\n{shortened(rest if is_told else chunk.text, most)}"


def _above(chunk: Chunk) -> str:
    """Return the nearest heading over a chunk that is not its own."""
    own = without_part(chunk.title)
    return next((heading for heading in reversed(chunk.headings) if heading != own), "")


def _is_of(citation: Citation, source: Source) -> bool:
    return citation.chunk_id == source.chunk.id and source.quote in (None, citation.quote)
