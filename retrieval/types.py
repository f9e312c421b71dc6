"""The types of retrieval, with every default number.

They are frozen, slotted dataclasses: a value can't change after it is passed on. Nothing here does I/O.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from retrieval.tabular import Box, Boxes, box_on
from retrieval.tabular import Table as Table
from retrieval.text.suggestion import did_you_mean

Cut = Literal["none", "gap", "distance"]
Stop = Literal["satisfied", "exhausted", "max_rounds", "low_quality", "no_value", "deadline", "error"]
Confidence = Literal["high", "medium", "low"]
FilterValue = float | str
"""The type of a filter's setting."""


@dataclass(frozen=True, slots=True)
class RangeRule:
    """Some number in [minimum, maximum] must be in the query; with `of`, one that belongs to such a term."""

    minimum: float
    maximum: float
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """If the query has one of the `others`, which identify look-alikes of the chunk, it must have one of its `own`.

    A query with none of either leaves the look-alike open and keeps them all.
    """

    own: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryMust:
    """What a query must contain for a chunk to be eligible (seed document 1).

    All present operators must hold. An empty group in `contain_one_of` never holds; an empty rule always does.
    The JSON form is read and written by `retrieval.filters.rule`.
    """

    contain_one_of: tuple[tuple[str, ...], ...] = ()
    contain_all_of: tuple[str, ...] = ()
    contain: str | None = None
    contain_range: RangeRule | None = None
    contain_own: OwnTerms | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One retrievable piece of a source, with its metadata.

    `chunk_type` is `section` (prose), `table` (reference table), `row` (one row of a near-duplicate family) or `record`
    (a stat block with its prose). `tables` is the structured form of the text's tables. `line` is its first line in the
    source, from 1, and `page` its first page; `page_labels` has printed page labels that differ from the number, and
    `boxes` the places of its prose on pages. `own_category` is the category set by its author; use `category`.
    """

    id: str
    text: str
    title: str
    source: str = ""
    headings: tuple[str, ...] = ()
    page: int | None = None
    line: int | None = None
    chunk_type: str = "section"
    tags: tuple[str, ...] = ()
    query_must: QueryMust | None = None
    tables: tuple[Table, ...] = ()
    own_category: str = ""
    page_labels: tuple[tuple[int, str], ...] = ()
    boxes: Boxes = ()
    turns: tuple[tuple[int, int], ...] = ()
    """The pages that begin inside its prose: the characters from there to the end of the text, and the page number."""

    @property
    def category(self) -> str:
        """Its own category, else its outermost heading, else `""`."""
        return self.own_category or next(iter(self.headings), "")

    def page_of(self, table: int, row: int) -> int | None:
        """Return the page of a row of one of its tables."""
        pages = self.tables[table].row_pages
        return pages[row] if pages else self.page

    def page_at(self, words: str) -> int | None:
        """Return the page of these words of its text; its first page if the text does not have them.

        >>> Chunk("c1", "Oaks are tall. Elms are not.", "Trees", page=4, turns=((13, 5),)).page_at("Elms")
        5
        """
        at = self.text.find(words)
        left = len(self.text) - at
        return next((page for behind, page in reversed(self.turns) if at >= 0 and behind >= left), self.page)

    def label_of(self, page: int | None) -> str:
        """Return the printed label of one of its pages, if it differs from the number; else empty.

        >>> Chunk("c1", "text", "Preface", page=4, page_labels=((4, "iv"),)).label_of(4)
        'iv'
        """
        return dict(self.page_labels).get(page or 0, "")

    def box_of(self, table: int | None, page: int | None) -> Box | None:
        """Return the box on a page of one of its tables or, without `table`, of the whole chunk."""
        own = () if table is None else self.tables[table].boxes
        return box_on(own or self.boxes or tuple(each for one in self.tables for each in one.boxes), page)

    def is_inferred(self, table: int | None = None) -> bool:
        """True if the structure of one of its tables, or of any, is inferred."""
        tables = self.tables if table is None else self.tables[table : table + 1]
        return any(each.is_inferred for each in tables)

    def address_of(self, table: int, row: int, column: int) -> str:
        """Return the spreadsheet address of a cell; empty if the source is not a spreadsheet."""
        place = self.tables[table].place
        return place.address(row, column) if place else ""

    @property
    def address(self) -> str:
        """The spreadsheet addresses of its tables; empty if the source is not a spreadsheet."""
        return ", ".join(dict.fromkeys(table.place.whole for table in self.tables if table.place))


@dataclass(frozen=True, slots=True)
class SubQuery:
    """One focused query. `query_must` is checked against `text`, so it names one class, one level, one armor class.

    `entities` are names whose own chunk (with exactly that title) must be found even if the vector ranking buries it.
    `chunk_ids` are chunks known to hold the answer. `chunk_types` (any of), `tags` (all of), `min_score` (a relevance)
    and, if several collections are read as one, `collection` narrow the candidates. `is_wide` marks a second look with
    wider limits, `is_uncut` a last one without any cut by relevance.
    """

    id: str
    text: str
    purpose: str = ""
    depends_on: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    chunk_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    min_score: float = 0.0
    collection: str = ""
    chunk_ids: tuple[str, ...] = ()
    is_wide: bool = False
    is_uncut: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate chunk with its distance (smaller is nearer) and relevance (0..1, larger is better).

    `confidence` is set on the hits that remain at the end (seed document 2, "Confidence Scores").
    """

    chunk: Chunk
    distance: float
    relevance: float
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """A removed candidate, with the rule and the reason. Always recorded; flags only control printing."""

    chunk_id: str
    title: str
    rule: str
    reason: str
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap between neighboring distances: how many hits precede it, and why it cuts or does not."""

    after: int
    near: float
    far: float
    cuts: bool
    reason: str

    @property
    def size(self) -> float:
        """The distance from the last hit before it to the next one."""
        return self.far - self.near


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The result of one sub-query, the thresholds that applied, and every drop.

    A sub-query that was not searched has `error` set: its search failed, its time was up (`stop` is "deadline"), or a
    value that it depends on was not found ("no_value"). `pinned` are the ids of chunks that it asked for by name.
    `best_score` is the best relevance of everything that passed the screens, pinned chunks included; the thresholds and
    the `gaps` are those of the others, which alone can be cut.
    """

    sub_query: SubQuery
    hits: tuple[Hit, ...] = ()
    drops: tuple[Drop, ...] = ()
    rounds: int = 0
    fetched: int = 0
    stop: Stop = "exhausted"
    error: str | None = None
    ms: float = 0.0
    best_score: float = 0.0
    dynamic_threshold: float = 0.0
    absolute_min: float = 0.0
    effective_threshold: float = 0.0
    cut: Cut = "none"
    pinned: frozenset[str] = frozenset()
    gaps: tuple[Gap, ...] = ()

    @property
    def is_failed(self) -> bool:
        """True if the search failed or was not made in time, so that its contents are unknown.

        >>> Retrieved(SubQuery("q1", "orc"), stop="error", error="no such store").is_failed
        True
        """
        return self.error is not None and self.stop != "no_value"

    @property
    def dropped(self) -> Mapping[str, int]:
        """The number of candidates removed by each rule, e.g. `{"query_must": 14, "gap": 3}`."""
        counts: dict[str, int] = {}
        for drop in self.drops:
            counts[drop.rule] = counts.get(drop.rule, 0) + 1
        return counts


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk after fusion: its best relevance, its fused score, and the sub-queries that found it."""

    chunk: Chunk
    relevance: float
    score: float
    found_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The cuts' numbers for chunks of one type, overriding the policy's; None keeps the policy's.

    Source: seed document 4, "Per-Product-Type Thresholds".
    """

    chunk_type: str
    relative_threshold: float | None = None
    absolute_min: float | None = None
    gap_threshold: float | None = None
    gap_min_chunks: int | None = None
    distance_offset: float | None = None
    min_keyword_overlap: float | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """Every number that controls retrieval. Presets follow the configuration guide of seed document 4.

    >>> Policy.preset("strict").absolute_min
    0.5
    """

    max_chunks: int = 12
    min_chunks: int = 1
    relative_threshold: float = 0.4
    absolute_min: float = 0.3
    gap_threshold: float = 0.1
    gap_min_chunks: int = 2
    distance_offset: float = 0.4
    max_rounds: int = 6
    high_confidence: float = 0.2
    """Up to this distance, with no gap before it, a hit has high confidence (seed document 2)."""
    medium_confidence: float = 0.4
    min_length: int = 0
    """Shorter chunks, in characters, are dropped; 0 is off (seed document 4, "Content-Length-Based Filtering")."""
    min_keyword_overlap: float = 0.0
    """The share of the sub-query's content words that a chunk must have; 0 is off (seed document 4)."""
    low_quality_limit: int = 0
    """Stop after so many consecutive sub-queries that lost more than they kept; 0 is off (seed document 4)."""
    hybrid: bool = False
    """Fuse BM25 with the dense ranking inside a sub-query. Thresholds still apply to cosine relevance."""
    context_chunks: int = 4
    """How many further chunks stay beside those that were read, once every fact is found; fewer if more were read."""
    rrf_k: int = 60
    filters: bool = True
    """False (`--no-filter`) turns all screens and cuts off: the plain top `max_chunks`, for comparison."""
    profiles: tuple[Profile, ...] = ()
    """The cuts' numbers for chunks of certain types, at most one profile for each."""
    named_filters: tuple[tuple[str, FilterValue], ...] = ()
    """Filters of other distributions, each with its setting (`retrieval.filters.named`)."""

    def of_chunk_type(self, chunk_type: str) -> Policy:
        """Return the policy with the cuts' numbers for chunks of a type.

        >>> Policy(profiles=(Profile("table", absolute_min=0.2),)).of_chunk_type("table").absolute_min
        0.2
        """
        profile = next((each for each in self.profiles if each.chunk_type == chunk_type), None)
        return replace(self, profiles=(), **_numbers(profile))

    def everywhere(self, numbers: Mapping[str, float]) -> Policy:
        """Return the policy with these numbers for chunks of every type, overriding all profiles.

        >>> policy = Policy(profiles=(Profile("table", gap_threshold=0.2, absolute_min=0.1),))
        >>> [_numbers(profile) for profile in policy.everywhere({"gap_threshold": 2.0}).profiles]
        [{'absolute_min': 0.1}]
        """
        unset: dict[str, Any] = dict.fromkeys({field.name for field in fields(Profile)} & set(numbers))
        profiles = tuple(replace(profile, **unset) for profile in self.profiles)
        changes: dict[str, Any] = {**numbers, "profiles": profiles}
        return replace(self, **changes)

    @classmethod
    def preset(cls, name: str) -> Policy:
        """Return `strict`, `balanced` or `lenient`; any other name is a `ValueError` that lists the three."""
        presets: dict[str, dict[str, Any]] = {
            "strict": {"absolute_min": 0.5, "relative_threshold": 0.6},
            "balanced": {},
            "lenient": {"absolute_min": 0.2, "relative_threshold": 0.3, "min_chunks": 2},
        }
        if name not in presets:
            raise ValueError(f"unknown preset {name!r}.{did_you_mean(name, presets)} Presets are: {', '.join(presets)}")
        return replace(cls(), **presets[name])


def _numbers(profile: Profile | None) -> dict[str, Any]:
    """Return the numbers that a profile sets."""
    if profile is None:
        return {}
    return {name: value for name, value in asdict(profile).items() if name != "chunk_type" and value is not None}


@dataclass(frozen=True, slots=True)
class Skipped:
    """Files of folders that were not read: their kind, the reason, the count, and the first names."""

    kind: str
    reason: str
    count: int
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """A file of a folder that can't be read, with the reason; its earlier chunks stay in the collection."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The result of an ingestion. `embedded` counts the chunks whose vectors were computed, `updated` those written
    with a known vector: every chunk is one of these, or `unchanged`. `files_unchanged` of the `files` read gave exactly
    the chunks that were stored already.
    """

    files: int = 0
    chunks: int = 0
    tables: int = 0
    rules: int = 0
    embedded: int = 0
    unchanged: int = 0
    removed: int = 0
    warnings: tuple[str, ...] = field(default=())
    updated: int = 0
    skipped: tuple[Skipped, ...] = ()
    failed: tuple[Failed, ...] = ()
    files_unchanged: int = 0
