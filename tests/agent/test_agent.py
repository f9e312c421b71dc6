"""The agent in somebody's event loop: failures as data, deadlines, cancellation, and nothing shared."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from structlog.contextvars import get_contextvars

from agent.ask import Agent
from agent.errors import QuestionError, SettingsError
from agent.settings.settings import Settings
from agent.understanding.words.lexicon import Lexicon
from retrieval.errors import RetrievalError, StoreError
from retrieval.stores.metadata import Where
from retrieval.stores.store import MemoryStore, Vectors
from retrieval.types import Chunk
from tests.agent import shelf
from tests.agent.shelf import ATTACK_TABLES, LOWER_ROLL
from tests.retrieval.doubles import BagOfWords

QUESTION = LOWER_ROLL

HEXERS_ROLL = "level 5 hexer roll needed to hit opponent armor class 3"


class Faulty(MemoryStore):
    """A store that fails for a query whose vector is near `bad`, and waits for `gate` before it answers."""

    bad: Vectors | None = None
    gate: asyncio.Event | None = None
    waiting = 0
    two_wait: asyncio.Event | None = None

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        if self.bad is not None and float(np.dot(self.bad, vector)) > 0.999:
            raise StoreError("the shelf of 7 fell over;\nput it up again")
        if self.gate is not None:
            self.waiting += 1
            if self.waiting == 2 and self.two_wait is not None:
                self.two_wait.set()
            try:
                await self.gate.wait()
            finally:
                self.waiting -= 1
        return await super().query(vector, n_results, where, exclude)


async def agent_on(
    store: MemoryStore, tmp_path: Path, settings: Settings | None = None, book: str = ATTACK_TABLES
) -> Agent:
    return await shelf.agent_on(tmp_path, settings=settings or Settings(collection="small"), book=book, store=store)


async def test_a_comparison_is_answered_from_a_store_in_memory(tmp_path: Path) -> None:
    answer = await (await agent_on(MemoryStore(), tmp_path)).ask(QUESTION)
    assert ("complete", "reaver") == (answer.stop_reason, answer.verdict)
    assert 2 == len(answer.citations)


async def test_one_failed_sub_query_is_data_and_the_rest_is_answered(tmp_path: Path) -> None:
    store = Faulty()
    agent = await agent_on(store, tmp_path)
    (hexer,) = await BagOfWords().embed([HEXERS_ROLL])
    store.bad = hexer
    answer = await agent.ask(QUESTION)
    failed = [retrieved for retrieved in answer.evidence.retrieved if retrieved.error]
    assert "partial" == answer.stop_reason
    assert {"error"} == {retrieved.stop for retrieved in failed}
    assert "the shelf of 7 fell over;\nput it up again" == failed[0].error
    assert any("hexer" in item.need for item in answer.unanswered)


async def test_past_the_deadline_the_answer_is_in_part(tmp_path: Path) -> None:
    store = Faulty()
    agent = await agent_on(store, tmp_path, Settings(collection="small", deadline=0.2))
    store.gate = asyncio.Event()
    answer = await agent.ask(QUESTION)
    assert "deadline" == answer.stop_reason
    assert answer.unanswered
    assert 0 == store.waiting


class SlowToLoad(BagOfWords):
    """A model that takes several turns of the event loop to load."""

    loaded = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        for _ in range(0 if self.loaded else 50):
            await asyncio.sleep(0)
        self.loaded = True
        return await super().embed(texts)


async def test_loading_the_model_never_counts_against_a_question(tmp_path: Path) -> None:
    embedder = SlowToLoad()
    agent = Agent(Settings(collection="small", deadline=1e-6), MemoryStore(), embedder, Lexicon())
    answers = [await agent.ask(QUESTION), await agent.ask(QUESTION)]
    assert ["deadline", "deadline"] == [answer.stop_reason for answer in answers]
    assert (True, [[]]) == (embedder.loaded, embedder.calls)


async def test_a_search_past_the_deadline_brings_what_there_is(tmp_path: Path) -> None:
    store = Faulty()
    agent = await agent_on(store, tmp_path, Settings(collection="small", deadline=0.2))
    store.gate = asyncio.Event()
    assert () == (await agent.search(QUESTION)).passages


async def test_cancelling_leaves_no_task_behind(tmp_path: Path) -> None:
    store = Faulty()
    agent = await agent_on(store, tmp_path)
    store.gate, store.two_wait = asyncio.Event(), asyncio.Event()
    before = asyncio.all_tasks()
    asking = asyncio.create_task(agent.ask(QUESTION))
    await store.two_wait.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert before == asyncio.all_tasks()
    assert 0 == store.waiting


async def test_why_a_search_failed_is_told_on_one_line_and_needs_no_support(tmp_path: Path) -> None:
    store = Faulty()
    agent = await agent_on(store, tmp_path)
    (store.bad,) = await BagOfWords().embed([HEXERS_ROLL])
    answer = await agent.ask(QUESTION)
    assert "(the search failed: the shelf of 7 fell over; put it up again)." in answer.text
    assert "(unverified)" not in answer.text


async def test_a_stream_tells_what_happens_and_ends_with_the_answer(tmp_path: Path) -> None:
    agent = await agent_on(MemoryStore(), tmp_path)
    names = [event.name async for event in agent.stream(QUESTION)]
    assert ["plan.created", "subquery.retrieved", "subquery.retrieved", "answer.completed"] == names


async def test_a_stream_tells_of_a_sub_query_while_another_is_still_searched(tmp_path: Path) -> None:
    store = Faulty()
    agent = await agent_on(store, tmp_path)
    (store.bad,) = await BagOfWords().embed([HEXERS_ROLL])
    store.gate = asyncio.Event()
    told = []
    async for event in agent.stream(QUESTION):
        if event.name == "subquery.retrieved":
            told.append((event.data["retrieved"].sub_query.text.split()[2], store.gate.is_set()))
            store.gate.set()
    assert [("hexer", False), ("reaver", True)] == told[:2]


async def test_a_slow_consumer_is_neither_timed_out_nor_put_in_the_log_s_context(tmp_path: Path) -> None:
    agent = await agent_on(MemoryStore(), tmp_path, Settings(collection="small", deadline=0.5))
    stops = []
    async for event in agent.stream(QUESTION):
        assert {} == get_contextvars()
        if event.name == "plan.created":
            with suppress(TimeoutError):  # the consumer's own work, longer than the deadline
                await asyncio.wait_for(asyncio.Event().wait(), 0.7)
        if event.name == "answer.completed":
            stops.append(event.data["answer"].stop_reason)
    assert ["complete"] == stops


async def test_two_agents_share_nothing(tmp_path: Path) -> None:
    full, empty = MemoryStore("full"), MemoryStore("empty")
    one = await agent_on(full, tmp_path)
    other = Agent(Settings(collection="empty"), empty, BagOfWords(), Lexicon())
    first, second = await asyncio.gather(one.ask(QUESTION), other.ask(QUESTION))
    assert "complete" == first.stop_reason
    assert "partial" == second.stop_reason
    assert () == second.evidence.passages
    assert first.run_id != second.run_id


async def test_many_questions_at_once_are_all_answered(tmp_path: Path) -> None:
    agent = await agent_on(MemoryStore(), tmp_path)
    answers = await asyncio.gather(*(agent.ask(QUESTION) for _ in range(25)))
    assert {"reaver"} == {answer.verdict for answer in answers}
    assert 25 == len({answer.run_id for answer in answers})


@pytest.mark.parametrize("question", ["", " \n ", "x" * 20_001, None, 5, b"Who wins?"], ids=repr)
async def test_a_question_that_can_not_be_used_is_refused(question: Any, tmp_path: Path) -> None:
    agent = await agent_on(MemoryStore(), tmp_path)
    with pytest.raises(QuestionError):
        await agent.ask(question)


async def test_check_judges_a_chunk_s_rule(tmp_path: Path) -> None:
    agent = await agent_on(MemoryStore(), tmp_path)
    chunk, verdict = await agent.check("a reaver of 5th level", "book/reaver-attack-table---level-4-6")
    assert verdict
    assert "Reaver Attack Table - Level 4-6" == chunk.title
    assert not (await agent.check("a reaver of 9th level", chunk.id))[1]
    with pytest.raises(RetrievalError, match="no chunk 'nowhere'"):
        await agent.check("x", "nowhere")


def test_a_planner_that_is_not_there_is_refused_not_replaced() -> None:
    with pytest.raises(SettingsError, match="llm"):
        Agent(Settings(planner="llm"), MemoryStore(), BagOfWords(), Lexicon())
