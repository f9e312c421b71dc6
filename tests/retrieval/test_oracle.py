"""Retrieval is exact: whatever the corpus, the rules, the query, the policy and the store, the oracle keeps the same.

Cosines are whole ten-thousandths by construction, and no two chunks are equally far from a query unless their vectors
are equal. So the oracle's comparisons are exact, thresholds are met to the digit, and no difference is excused.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, permutations
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.chroma.connect import HNSW, close_client, embedded_client
from retrieval.collections.chroma.store import ChromaStore
from retrieval.collections.local.build import build
from retrieval.collections.local.store import open_local
from retrieval.searching.requery import Strategy, depths
from retrieval.searching.retriever import Retriever
from retrieval.stores.metric import Space
from retrieval.stores.store import MemoryStore, Stamp, Store
from retrieval.types import Chunk, OwnTerms, Policy, QueryMust, RangeRule, Retrieved, Stop, SubQuery, Table
from tests.retrieval import oracle
from tests.retrieval.doubles import ids
from tests.retrieval.oracle import UNIT, Expected, ranking

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

COLLECTIONS = count()
AXES = 3
"""How many different query vectors there are; a sub-query's text chooses one."""
ROUNDS = 9
"""More than any corpus here needs."""

WORDS = ("bear", "owl", "cleric", "fighter", "monk", "sword", "wyvern")
NUMBERS = ("level 3", "level 7", "7th level", "ac 3", "armor class 6", "A.C. of -6", "armor class 10")
TITLES = ("The Fighter", "Fighters", "Bear, Black", "Owl", "Attack Matrix", "Monk")
TYPES = ("section", "row", "table")
TAGS = [tuple(some) for count in range(4) for some in permutations(("combat", "class", "monster"), count)]
TEXTS = [
    "",
    "bear",
    "BEAR ",
    "an owl",
    "a cleric of level 7 against armor class 6",
    "sword and fighter and bear",
    "Sword  and FIGHTER and bear",
    "monk monk monk owl",
    "roll to hit",
    "wyvern with a sword, ac 3",
]
TABLES = [
    (),
    (),
    (),
    (Table("I.A.", (("Level",), ("AC 6",)), (("1-3", "14"),)),),
    (Table("I.A.", ((), ()), (("4", "1"),)),),
]


def bodies(count: int) -> list[Chunk]:
    """Chunks of all kinds, still without an id and a rule."""
    pick = Random(0)
    some = [
        Chunk(
            "",
            pick.choice(TEXTS),
            pick.choice(TITLES),
            "book.md",
            chunk_type=pick.choice(TYPES),
            tags=pick.choice(TAGS),
            tables=pick.choice(TABLES),
        )
        for _ in range(count)
    ]
    return [replace(body, text=f"{body.text} {n}") if n % 2 else body for n, body in enumerate(some)]


BODIES = bodies(400)

TERM = st.sampled_from(WORDS + NUMBERS)
GROUP = st.lists(TERM, max_size=3).map(tuple)
BOUND = st.sampled_from([-6, 3, 5, 7, 10])
SPAN = st.tuples(BOUND, BOUND).map(sorted)
OPEN_SPAN = st.tuples(st.just(float("-inf")), BOUND) | st.tuples(BOUND, st.just(float("inf")))
RANGE = st.builds(
    lambda span, of: RangeRule(span[0], span[1], of),
    SPAN | OPEN_SPAN,
    st.sampled_from([(), ("level",), ("ac",), ("level", "ac")]),
)
RULE = st.builds(
    QueryMust,
    contain_one_of=st.lists(GROUP, max_size=2).map(tuple),
    contain_all_of=st.lists(TERM, max_size=1).map(tuple),
    contain=st.none() | TERM,
    contain_range=st.none() | RANGE,
    contain_own=st.none() | st.builds(OwnTerms, GROUP, GROUP),
)
EASY = st.builds(lambda *terms: QueryMust((terms,)), TERM, TERM, TERM) | st.builds(QueryMust, contain_range=RANGE)

TWENTIETHS = st.integers(0, 20).map(lambda n: n / 20)

QUERY = st.builds(
    SubQuery,
    id=st.just("q"),
    text=st.lists(TERM, min_size=1, max_size=4).map(" and ".join),
    entities=st.lists(st.sampled_from((*TITLES, "black bears", "no such thing", "the")), max_size=3).map(tuple),
    chunk_types=st.just(()) | st.lists(st.sampled_from((*TYPES, "never")), max_size=2).map(tuple),
    tags=st.just(()) | st.sampled_from(TAGS),
    min_score=st.sampled_from([0.0, 0.0, 0.1, 0.5]) | TWENTIETHS,
)
POLICY = st.builds(
    Policy,
    max_chunks=st.integers(1, 9),
    min_chunks=st.integers(0, 4),
    relative_threshold=st.sampled_from([0.0, 0.0, 0.1, 0.4, 0.9, 1.0]),
    absolute_min=st.sampled_from([0.0, 0.0, 0.3]) | TWENTIETHS,
    gap_threshold=st.sampled_from([0.0, 0.001, 0.05, 0.1, 0.3, 9.0]),
    gap_min_chunks=st.integers(0, 4),
    distance_offset=st.sampled_from([0.0, 0.01, 9.0]) | TWENTIETHS,
    max_rounds=st.sampled_from([1, 2, ROUNDS, ROUNDS]),
    high_confidence=st.sampled_from([0.0, 0.2, 0.5]),
    medium_confidence=st.sampled_from([0.5, 0.9]),
    min_length=st.sampled_from([0, 0, 5, 20]),
    min_keyword_overlap=st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0]),
    hybrid=st.sampled_from([False, False, True]),
    rrf_k=st.sampled_from([1, 60]),
    filters=st.sampled_from([True] * 9 + [False]),
)

Case = tuple[SubQuery, Policy]
CASE = st.tuples(QUERY, POLICY)
MANY_CASES = st.lists(CASE, min_size=50, max_size=50)


@dataclass(frozen=True)
class World:
    """Chunks with their unit vectors, shape (n, dimension), and the vectors that queries have, shape (AXES, dimension).

    It is its own embedder.
    """

    chunks: list[Chunk]
    vectors: NDArray[np.float32]
    queries: NDArray[np.float32]
    name: str = "world"

    @property
    def dimension(self) -> int | None:
        return len(self.queries[0])

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.queries[self.axis(text)] for text in texts])

    def axis(self, text: str) -> int:
        return zlib.crc32(text.encode()) % AXES

    def rankings(self) -> list[list[oracle.Ranked]]:
        """The oracle's ranking for each of the query vectors."""
        return [ranking(self.chunks, self.vectors.tolist(), query) for query in self.queries.tolist()]


@dataclass(frozen=True)
class Place:
    """Where a chunk is: at a cosine to one query vector in ten-thousandths, or exactly where the chunk before it is."""

    axis: int
    cosine: int
    twin: bool


# Often at whole twentieths, as the numbers of policies are, so that thresholds and gaps are met exactly.
COSINE = st.integers(-8, 19).map(lambda n: 500 * n) | st.integers(-4000, 9800)
PLACE = st.builds(Place, st.integers(0, AXES - 1), COSINE, st.sampled_from([False] * 4 + [True]))
NEAR = st.builds(Place, st.integers(0, AXES - 1), st.integers(9700, 9800), st.just(False))


@st.composite
def worlds(draw: st.DrawFn, size: int, dimension: int = 8) -> World:
    """Any chunks anywhere, and in some worlds a crowd of look-alikes, nearer than all others."""
    rules = [None, QueryMust(), *draw(st.lists(EASY | RULE, min_size=1, max_size=4))]
    number = st.integers(0, len(BODIES) - 1)
    here, crowded = draw(st.integers(0, size)), draw(st.just(0) | st.integers(0, size))
    others = draw(st.lists(st.tuples(number, PLACE), min_size=here, max_size=here))
    crowd = draw(st.lists(st.tuples(number, NEAR), min_size=crowded, max_size=crowded))
    chunks = [replace(BODIES[n], query_must=rules[n % len(rules)]) for n, _ in others]
    chunks += [replace(BODIES[n], query_must=rules[-1]) for n, _ in crowd]
    numbers = draw(st.sampled_from([range(len(chunks)), range(len(chunks))[::-1]]))  # ids as they were written, or not
    named = [replace(chunk, id=f"c{n:03}") for n, chunk in zip(numbers, chunks, strict=True)]
    return World(named, *placed([place for _, place in others + crowd], dimension))


BIG_WORLDS = worlds(80, 8) | worlds(80, 16) | worlds(80, 32)


def placed(places: Sequence[Place], dimension: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Vectors at these places, none as far from a query as another, and the vectors of the queries."""
    basis = rotation(dimension)
    taken: list[set[int]] = [set() for _ in range(AXES)]
    rows = np.zeros((len(places), dimension))
    for row, place in enumerate(places):
        if place.twin and row:
            rows[row] = rows[row - 1]
            continue
        wanted = [place.cosine if axis == place.axis else (row * 7919) % 1801 - 900 for axis in range(AXES)]
        cosines = np.array([free(cosine, used) for cosine, used in zip(wanted, taken, strict=True)]) / UNIT
        rest = np.random.default_rng(row).normal(size=dimension - AXES)
        rest *= np.sqrt(1 - (cosines**2).sum()) / np.linalg.norm(rest)
        rows[row] = np.concatenate([cosines, rest]) @ basis
    return rows.astype(np.float32), basis[:AXES].astype(np.float32)


def free(cosine: int, used: set[int]) -> int:
    """The next smaller number that is not in use yet; it is from now on."""
    while cosine in used:
        cosine -= 1
    used.add(cosine)
    return cosine


@cache
def rotation(dimension: int) -> NDArray[np.float64]:
    return np.asarray(np.linalg.qr(np.random.default_rng(dimension).normal(size=(dimension, dimension)))[0])


async def fill(store: Store, world: World) -> None:
    if world.chunks:
        await store.upsert(world.chunks, world.vectors, [Stamp(chunk.id) for chunk in world.chunks])


def agree(expected: Expected, actual: Retrieved, policy: Policy) -> None:
    """Nothing differs: hits, their order, distances and confidence, the numbers, and the rule of every drop."""
    assert [id_ for id_, _ in expected.hits] == ids(actual.hits)
    assert pytest.approx([distance for _, distance in expected.hits], abs=1e-5) == [h.distance for h in actual.hits]
    assert expected.confidence == [hit.confidence for hit in actual.hits]
    assert expected.cut == actual.cut
    assert pytest.approx(expected.best_score, abs=1e-5) == actual.best_score
    assert pytest.approx(expected.effective_threshold, abs=1e-5) == actual.effective_threshold
    seen = [*ids(actual.hits), *(drop.chunk_id for drop in actual.drops)]
    assert len(set(seen)) == len(seen) == actual.fetched
    unsure = {"duplicate", "max_chunks"} if policy.hybrid else set[str]()
    wrong = {
        drop.chunk_id: (drop.rule, expected.fates[drop.chunk_id])
        for drop in actual.drops
        if drop.rule != expected.fates[drop.chunk_id] and not {drop.rule, expected.fates[drop.chunk_id]} <= unsure
    }
    assert {} == wrong


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientAPI]:
    opened = embedded_client(tmp_path_factory.mktemp("plain"), create=True)
    assert opened is not None
    yield opened
    close_client(opened)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


async def compare(
    store: Store, world: World, cases: Sequence[tuple[SubQuery, Policy]], strategy: Strategy, catalog: bool
) -> None:
    """Ask everything at once. With a catalog the store's own filter comes and goes, so then the rounds must suffice."""
    known = Catalog.from_chunks(world.chunks) if catalog else None
    retriever, rankings = Retriever(store, world, strategy=strategy, catalog=known), world.rankings()
    asked = [(query, replace(policy, max_rounds=ROUNDS) if catalog else policy) for query, policy in cases]
    together = await asyncio.gather(*(retriever.retrieve(query, policy) for query, policy in asked))
    for (query, policy), actual in zip(asked, together, strict=True):
        everything, reach = rankings[world.axis(query.text)], depths(policy)[-1]
        expected = oracle.retrieve(everything, query, policy, reach, strategy == "directed")
        agree(expected, actual, policy)
        assert actual.stop in stops(everything, query, policy, reach, strategy == "directed")
        if policy.filters and not policy.hybrid and strategy != "directed":
            require_what_was_near(everything, query, expected, actual)


def stops(
    everything: Sequence[oracle.Ranked], query: SubQuery, policy: Policy, reach: int, directed: bool
) -> set[Stop]:
    """Why the search may have ended. That nothing is left is not always known when the rounds are over."""
    dense = replace(policy, hybrid=False)
    near = oracle.retrieve(everything, query, dense, reach, directed).survivors
    if len(near) == policy.max_chunks:
        return {"satisfied"}
    if len(near) < len(oracle.retrieve(everything, query, dense).survivors):
        return {"max_rounds"}
    return {"exhausted"} if policy.max_rounds == ROUNDS else {"exhausted", "max_rounds"}


def require_what_was_near(
    everything: Sequence[oracle.Ranked], query: SubQuery, expected: Expected, actual: Retrieved
) -> None:
    """Whatever is nearer than the farthest survivor is on record, unless the store's own filter keeps it back."""
    unpinned = [place for place, one in enumerate(everything) if one.id in {*expected.survivors} - {*expected.pins}]
    nearer = everything[: max(unpinned, default=0)]
    required = {
        one.id
        for one in nearer
        if (not query.chunk_types or one.chunk.chunk_type in query.chunk_types)
        and set(query.tags[:1]) <= set(one.chunk.tags)
    }
    assert set() == required - {*ids(actual.hits), *(drop.chunk_id for drop in actual.drops)}


STRATEGY: st.SearchStrategy[Strategy] = st.sampled_from(["widen", "exclude"])
SPACE: st.SearchStrategy[Space] = st.sampled_from(["cosine", "l2", "ip"])
UNSHRUNK = settings(max_examples=25, phases=(Phase.explicit, Phase.reuse, Phase.generate))
"""A store is built for every corpus, so shrinking one would take minutes."""


IN_MEMORY = given(worlds(20), st.lists(CASE, min_size=1, max_size=3), STRATEGY, SPACE, st.booleans())


async def in_memory(world: World, cases: list[Case], strategy: Strategy, space: Space, catalog: bool) -> None:
    store = MemoryStore(space=space)
    await fill(store, world)
    await compare(store, world, cases, strategy, catalog)


@IN_MEMORY
def test_the_store_in_memory(
    runner: asyncio.Runner, world: World, cases: list[Case], strategy: Strategy, space: Space, catalog: bool
) -> None:
    runner.run(in_memory(world, cases, strategy, space, catalog))


@pytest.mark.slow
@settings(max_examples=2000)
@IN_MEMORY
def test_the_store_in_memory_in_two_thousand_worlds(
    runner: asyncio.Runner, world: World, cases: list[Case], strategy: Strategy, space: Space, catalog: bool
) -> None:
    runner.run(in_memory(world, cases, strategy, space, catalog))


@pytest.mark.slow
@UNSHRUNK
@given(BIG_WORLDS, MANY_CASES, st.just("directed") | STRATEGY)
def test_a_kept_collection(
    runner: asyncio.Runner,
    tmp_path_factory: pytest.TempPathFactory,
    world: World,
    cases: list[Case],
    strategy: Strategy,
) -> None:
    async def run() -> None:
        folder = tmp_path_factory.mktemp("kept") / "rules"
        async with await open_local(folder, model=world.name, build=lambda f: asyncio.to_thread(build, f)) as store:
            await fill(store, world)
            await compare(store, world, cases, strategy, catalog=False)

    runner.run(run())


@pytest.mark.slow
@UNSHRUNK
@given(BIG_WORLDS, MANY_CASES, STRATEGY, SPACE, st.booleans())
def test_a_plain_collection_of_chroma(
    runner: asyncio.Runner,
    client: ClientAPI,
    world: World,
    cases: list[Case],
    strategy: Strategy,
    space: Space,
    catalog: bool,
) -> None:
    configuration: Any = {"hnsw": {**HNSW, "space": space}}
    name = f"rules-{next(COLLECTIONS)}"
    collection = client.create_collection(name, configuration=configuration, embedding_function=None)

    async def run() -> None:
        store = ChromaStore(client, collection, "a folder")
        await fill(store, world)
        await compare(store, world, cases, strategy, catalog)

    runner.run(run())
