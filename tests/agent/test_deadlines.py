"""The deadline holds whatever computes, and the event loop goes on; no question is too long for that."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from agent.ask import Agent
from agent.errors import LLMError
from agent.llm.protocol import LLMRequest, OnText, Reply
from agent.planning.rules import MOST_WORDS, ByRules
from agent.settings.settings import Settings
from agent.types import Answer
from agent.understanding.linking.background import ComputeQueue
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.catalogs.catalog import Catalog
from retrieval.ingest.index import index
from retrieval.ingest.read import read_sources
from retrieval.stores.store import MemoryStore
from retrieval.types import Table
from tests.agent.shelf import BOOK, agent_on
from tests.agent.test_crowds import BOOK as BEASTS
from tests.kit import parse_duel
from tests.retrieval.doubles import BagOfWords
from tests.stalls import stalls

DEADLINE = 0.5
MARGIN = 1.0
"""Seconds that an answer may come behind its deadline."""
QUESTION = "Who wins, a 4th level reaver with AC 3 or a bog ogre?"
HELD = threading.Event()
"""Holds up `Stuck` and `Bottomless` until it is set."""


class Stuck(Lexicon):
    """Names that are looked for without end."""

    def mentions(self, tokens: Sequence[str]) -> list[Mention]:
        HELD.wait(60)
        return []


class Bottomless(tuple[Table, ...]):
    """Tables that nobody reads to their end."""

    def __iter__(self) -> Iterator[Table]:
        HELD.wait(60)
        return super().__iter__()


async def with_stuck_names(folder: Path) -> Agent:
    settings = Settings(collection="small", planner="rules", deadline=DEADLINE)
    return Agent(settings, MemoryStore(), BagOfWords(), Stuck())


async def with_bottomless_tables(folder: Path) -> Agent:
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    read, store = read_sources([folder / "book.md"]), MemoryStore()
    chunks = [replace(chunk, tables=Bottomless(chunk.tables)) for chunk in read.chunks]
    HELD.set()
    await index(chunks, store, BagOfWords(), sources=read.sources)
    HELD.clear()
    catalog = Catalog.from_chunks(read.chunks)
    settings = Settings(collection="small", planner="rules", deadline=DEADLINE)
    return Agent(settings, store, BagOfWords(), Lexicon.from_catalog(catalog), catalog)


@pytest.fixture
def held() -> Iterator[None]:
    HELD.clear()
    yield
    HELD.set()


async def timed(asking: Awaitable[Answer]) -> tuple[Answer, float]:
    """An answer, and how many seconds it took."""
    begun = time.monotonic()
    return await asking, time.monotonic() - begun


async def latest(ending: asyncio.Event) -> float:
    """How many seconds the event loop was late at most, until the end."""
    worst = 0.0
    while not ending.is_set():
        begun = time.monotonic()
        await asyncio.sleep(0.01)
        worst = max(worst, time.monotonic() - begun)
    return worst


@pytest.mark.timeout(30)
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("make", [with_stuck_names, with_bottomless_tables])
async def test_work_that_never_ends_is_left_at_the_deadline(
    make: Callable[[Path], Awaitable[Agent]], tmp_path: Path
) -> None:
    agent, ending = await make(tmp_path), asyncio.Event()
    with stalls() as stalled:
        watching = asyncio.create_task(latest(ending))
        ended = await asyncio.gather(*(timed(agent.ask(f"{QUESTION[:-1]} ({n})?")) for n in range(5)))
        ending.set()
        late = await watching
    assert {"deadline"} == {answer.stop_reason for answer, _ in ended}
    assert all("before the deadline passed" in answer.text for answer, _ in ended)
    assert max(took for _, took in ended) < DEADLINE + MARGIN + stalled()
    assert late < 0.3 + stalled()


class Failing:
    """A model that says no at once: all of its work is left to the rules."""

    model = "failing"

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        raise LLMError("no")

    async def close(self) -> None:
        """Nothing."""


@pytest.mark.timeout(60)
async def test_three_hundred_at_once_with_a_failing_model_end_at_their_deadline(tmp_path: Path) -> None:
    settings = Settings(collection="small", planner="auto", deadline=DEADLINE)
    agent = await agent_on(tmp_path, Failing(), settings, BEASTS)
    asked = [f"Who wins, {n} imps or a {1 + n % 6}th level reaver with AC {n % 9}?" for n in range(2, 302)]
    with stalls() as stalled:
        ended = await asyncio.gather(*(timed(agent.ask(question)) for question in asked))
    assert max(took for _, took in ended) < DEADLINE + MARGIN + stalled()


async def test_who_is_left_behind_holds_up_nobody() -> None:
    thinking, gate = ComputeQueue(), threading.Event()
    with pytest.raises(TimeoutError):
        await thinking.do(lambda: gate.wait(60), until=asyncio.get_running_loop().time() + 0.01)
    assert 42 == await thinking.do(lambda: 42)
    gate.set()


async def test_what_work_raises_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await ComputeQueue().do(lambda: 1 // 0)


async def test_what_is_brief_is_not_begun_when_time_is_up() -> None:
    with pytest.raises(TimeoutError):
        await ComputeQueue().do(lambda: 42, until=0.0, brief=True)


LONG = [
    "9 ",
    "bog ogre\n",
    "level 3 reaver vs ",
    "1-",
    "7th ",
    ", a",
    "who wins a reaver with AC 3 or ",
    "two hundred ",
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", LONG)
async def test_a_question_beyond_what_is_read_is_searched_as_it_stands_and_says_so_first(
    unit: str, tmp_path: Path
) -> None:
    agent = await agent_on(tmp_path)
    with stalls() as stalled:
        answer, took = await timed(agent.ask((unit * 20_000)[:20_000]))
    assert answer.text.startswith(f"Not read: the question is longer than the {MOST_WORDS} words")
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert took < 5 + stalled()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", LONG)
def test_the_longest_question_that_is_read_is_read_at_once(unit: str) -> None:
    names = Lexicon({"reaver": "Reaver", "bog ogre": "Bog Ogre"}, described=frozenset({"bog ogre"}))
    question = unit * 1
    while not ByRules(question + unit, names).is_long:
        question += unit
    with stalls() as stalled:
        begun = time.monotonic()
        assert () == ByRules(question, names).plan.unread
    assert time.monotonic() - begun < 3 + stalled()


def _seconds(work: Callable[[], object]) -> float:
    """How long work takes, but for a collection of all the garbage of the tests before, which may fall into it."""
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["level 3 reaver vs ", "reaver or ", "a reaver 3, ", "AC 3, 4, ", "level 3 "])
def test_a_fight_is_read_in_time_that_grows_with_its_length(unit: str) -> None:
    names = Lexicon({"reaver": "Reaver"})
    seconds = []
    for count in (60, 240):
        seconds.append(min(_seconds(partial(parse_duel, unit * count, names)) for _ in range(3)))
    assert seconds[1] < 8 * seconds[0]
