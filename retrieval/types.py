"""The nouns of retrieval, and every default number once.

Frozen, slotted dataclasses: a value that reached you can't change under you. Nothing here does I/O.
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
"""What the setting of a filter may be."""


@dataclass(frozen=True, slots=True)
class RangeRule:
    """Some number in [minimum, maximum] must be in the query; with `of`, one that belongs to such a term."""

    minimum: float
    maximum: float
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """Where the query has one of the `others`, which mean look-alikes of the chunk, it must have one of its `own`.

    A query that has none of either leaves open which of the look-alikes is meant, and keeps them all.
    """

    own: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryMust:
    """What a query has to contain for a chunk to be eligible (seed document 1).

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
    """One retrievable piece of a source, with all that is known about it.

    `chunk_type` is `section` (prose), `table` (reference table), `row` (one row of a near-duplicate family)
    or `record` (a stat block with its prose). `tables` is the structured form of what the text shows.
    `line` is where it starts in its source, from 1, and `page` the page on which it begins; `page_labels` has what is
    printed on pages instead of their number, and `boxes` where its prose stands on them. `own_category` is the category
    that its author gave it; use `category`.
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
    """The pages that begin inside of its prose: how many characters before the end of the text, and their numbers."""

    @property
    def category(self) -> str:
        """What it belongs to: its own category, else the outermost heading above it, else `""`."""
        return self.own_category or next(iter(self.headings), "")

    def page_of(self, table: int, row: int) -> int | None:
        """The page on which a row of one of its tables stands."""
        pages = self.tables[table].row_pages
        return pages[row] if pages else self.page

    def page_at(self, words: str) -> int | None:
        """The page on which these words of its text stand; that on which it begins where they are none of it.

        >>> Chunk("c1", "Oaks are tall. Elms are not.", "Trees", page=4, turns=((13, 5),)).page_at("Elms")
        5
        """
        at = self.text.find(words)
        left = len(self.text) - at
        return next((page for behind, page in reversed(self.turns) if at >= 0 and behind >= left), self.page)

    def label_of(self, page: int | None) -> str:
        """What is printed on one of its pages, where that is not the page's number.

        >>> Chunk("c1", "text", "Preface", page=4, page_labels=((4, "iv"),)).label_of(4)
        'iv'
        """
        return dict(self.page_labels).get(page or 0, "")

    def box_of(self, table: int | None, page: int | None) -> Box | None:
        """Where one of its tables, or without one all of it, stands on a page."""
        own = () if table is None else self.tables[table].boxes
        return box_on(own or self.boxes or tuple(each for one in self.tables for each in one.boxes), page)

    def is_inferred(self, table: int | None = None) -> bool:
        """Whether the structure of one of its tables, or of any, is inferred."""
        tables = self.tables if table is None else self.tables[table : table + 1]
        return any(each.is_inferred for each in tables)

    def address_of(self, table: int, row: int, column: int) -> str:
        """What a spreadsheet calls a cell; empty where the source is none."""
        place = self.tables[table].place
        return place.address(row, column) if place else ""

    @property
    def address(self) -> str:
        """What a spreadsheet calls the cells of its tables; empty where the source is none."""
        return ", ".join(dict.fromkeys(table.place.whole for table in self.tables if table.place))


@dataclass(frozen=True, slots=True)
class SubQuery:
    """One focused query. `query_must` is judged on `text`, so it names one class, one level, one armor class.

    `entities` are names whose own chunk (the one with exactly that title) must be found even when the vector
    ranking buries it, and `chunk_ids` chunks that are known to hold what is asked. `chunk_types` (any of),
    `tags` (all of) and `min_score` (a relevance) narrow the candidates, and so does `collection`, where several are
    read as one. `is_wide` is one that is looked for with the wider limits of a second look.
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate chunk with its distance (smaller is nearer) and relevance (0..1, larger is better).

    `confidence` is given to the hits that are kept in the end (seed document 2, "Confidence Scores").
    """

    chunk: Chunk
    distance: float
    relevance: float
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """A candidate that was removed, by which rule and why. Always recorded; flags only decide about printing."""

    chunk_id: str
    title: str
    rule: str
    reason: str
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap between the distances of two neighbours: how many hits lie before it, and why it cuts or does not."""

    after: int
    near: float
    far: float
    cuts: bool
    reason: str

    @property
    def size(self) -> float:
        """How much farther the next hit is."""
        return self.far - self.near


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What one sub-query brought, the thresholds that applied, and every drop.

    One that was not searched has `error` set: its search failed, its time was up (`stop` is "deadline"), or a value
    that it depends on was not found ("no_value").
    `pinned` are the ids of chunks that it asked for by name. `best_score` is the best relevance of all that passed the
    screens, these included; the thresholds and the `gaps` are those of the others, which alone can be cut.
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
        """Whether nothing can be said of what is there, because the search failed or was not made in time.

        >>> Retrieved(SubQuery("q1", "orc"), stop="error", error="no such store").is_failed
        True
        """
        return self.error is not None and self.stop != "no_value"

    @property
    def dropped(self) -> Mapping[str, int]:
        """How many candidates each rule removed, e.g. `{"query_must": 14, "gap": 3}`."""
        counts: dict[str, int] = {}
        for drop in self.drops:
            counts[drop.rule] = counts.get(drop.rule, 0) + 1
        return counts


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk after fusion: its best relevance, its fused score, and which sub-queries found it."""

    chunk: Chunk
    relevance: float
    score: float
    found_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The numbers by which the cuts judge chunks of one type, in place of the policy's own; None is the policy's.

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
    """Every number that steers retrieval. Presets follow the configuration guide of seed document 4.

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
    """Up to this distance, with no gap before it, a hit is trusted highly (seed document 2)."""
    medium_confidence: float = 0.4
    min_length: int = 0
    """Shorter chunks, in characters, are dropped; 0 is off (seed document 4, "Content-Length-Based Filtering")."""
    min_keyword_overlap: float = 0.0
    """The part of the sub-query's content words that a chunk must share; 0 is off (seed document 4)."""
    low_quality_limit: int = 0
    """Stop after so many sub-queries in a row that lost more than they kept; 0 is off (seed document 4)."""
    hybrid: bool = False
    """Fuse BM25 with the dense ranking inside a sub-query. Thresholds judge cosine relevance all the same."""
    context_chunks: int = 4
    """How many chunks stay beside one that was read, once every fact is found; the more were read, the fewer others."""
    rrf_k: int = 60
    filters: bool = True
    """False (`--no-filter`) turns every screen and cut off: the plain top `max_chunks`, for comparison."""
    profiles: tuple[Profile, ...] = ()
    """What the cuts go by for chunks of certain types, at most one for each."""
    named_filters: tuple[tuple[str, FilterValue], ...] = ()
    """Filters of other distributions, each with the value of its setting (`retrieval.filters.named`)."""

    def of_chunk_type(self, chunk_type: str) -> Policy:
        """Return the policy by which the cuts judge chunks of a type.

        >>> Policy(profiles=(Profile("table", absolute_min=0.2),)).of_chunk_type("table").absolute_min
        0.2
        """
        profile = next((each for each in self.profiles if each.chunk_type == chunk_type), None)
        return replace(self, profiles=(), **_numbers(profile))

    def everywhere(self, numbers: Mapping[str, float]) -> Policy:
        """Return the policy with these numbers for chunks of every type: no profile has others.

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
        """`strict`, `balanced` or `lenient`; a `ValueError` names the three for anything else."""
        presets: dict[str, dict[str, Any]] = {
            "strict": {"absolute_min": 0.5, "relative_threshold": 0.6},
            "balanced": {},
            "lenient": {"absolute_min": 0.2, "relative_threshold": 0.3, "min_chunks": 2},
        }
        if name not in presets:
            raise ValueError(f"unknown preset {name!r}.{did_you_mean(name, presets)} Presets are: {', '.join(presets)}")
        return replace(cls(), **presets[name])


def _numbers(profile: Profile | None) -> dict[str, Any]:
    """The numbers that a profile sets."""
    if profile is None:
        return {}
    return {name: value for name, value in asdict(profile).items() if name != "chunk_type" and value is not None}


@dataclass(frozen=True, slots=True)
class Skipped:
    """Files of folders that were not read: their kind, why, how many there are, and the first of them."""

    kind: str
    reason: str
    count: int
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """A file of a folder that can't be read, and why; what was read of it earlier stays in the collection."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingestion did. `embedded` counts the chunks whose vectors were computed, `updated` those written with a
    vector that was known: every chunk is one of these, or `unchanged`. Of the `files` that were read, `files_unchanged`
    gave the chunks that were there already, no more and no less.
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
