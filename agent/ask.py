"""The whole story of a question: plan, retrieve, reason, look again for what is missing, write, check.

Everything blocking runs elsewhere, one deadline covers the question, and what is known when it passes is the answer.
"""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, replace

from agent import events
from agent.batch.errors import Halted
from agent.batch.results import BatchResult, Questions, answered
from agent.errors import AgentError, SettingsError
from agent.llm.factory import opened_llm, prices_of
from agent.llm.logged import LoggedLLM
from agent.llm.metered import MeteredLLM
from agent.llm.protocol import LLM
from agent.planning.catalog_context import Offers
from agent.planning.conversation import recent
from agent.questions import checked
from agent.reasoning.binding.binder import Binder
from agent.settings.settings import Settings
from agent.stages.answering import Answering
from agent.stages.event_fields import failure_fields, search_fields
from agent.stages.gathering import Gathering
from agent.stages.known_filters import require_filter_values, require_known_filters
from agent.stages.planning import Planning
from agent.stages.runner import Runner
from agent.stages.session import Session
from agent.stages.streaming import Channel, streamed
from agent.stages.worker import Worker
from agent.types import Answer, Event, Evidence, Plan, Turn
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.catalogs.opening import open_catalog
from retrieval.collections.cells import open_cells
from retrieval.collections.multi_store import open_collections
from retrieval.embedding.batching import CachingEmbedder, CoalescingEmbedder
from retrieval.embedding.known import KnowingEmbedder
from retrieval.embedding.models import close_embedder, embedder_for
from retrieval.embedding.protocol import Embedder, Readiness
from retrieval.embedding.protocol import Progress as Count
from retrieval.errors import ChunkNotFound
from retrieval.filters.rule import Verdict, satisfies
from retrieval.searching.rerank import CrossEncoderReranker, Reranker
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import KnowsNames, Store
from retrieval.tables.index import Cells
from retrieval.types import Chunk, Policy, Retrieved, SubQuery

log = logging.getLogger(__name__)


class Agent:
    """Answers questions from one collection, or from several as one; `Agent.open` makes one.

    It may be asked many questions at once, in one event loop; in a second loop it refuses, with an `AgentError`.

    >>> async with Agent.open(Settings(collection="rules")) as agent:  # doctest: +SKIP
    ...     answer = await agent.ask("Who wins: a 4th level fighter or an owlbear?")
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        embedder: Embedder,
        lexicon: Lexicon,
        catalog: Catalog | None = None,
        reranker: Reranker | None = None,
        llm: LLM | None = None,
        cells: Cells | None = None,
    ) -> None:
        self._store, self._model = store, llm
        self._prices = prices_of(settings)
        knowing = KnowingEmbedder(embedder, store.name_vectors) if isinstance(store, KnowsNames) else embedder
        sharing = CachingEmbedder(CoalescingEmbedder(knowing))
        binder = None if cells is None else Binder(cells, sharing, thinking=Worker())
        offers = Offers(catalog or Catalog(), settings.collections, cells)
        self._planning = Planning(settings, lexicon, offers, binder, Worker())
        self._readiness = Readiness(embedder)
        self._retriever = Retriever(store, sharing, settings.policy(), catalog=catalog, reranker=reranker)
        self._adopt(settings)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings, on_progress: Count | None = None) -> AsyncIterator[Agent]:
        """Open the collection, or those, that `settings` name; `CollectionNotFound` lists those that exist.

        A chunk type or tag that no chunk has is a `SettingsError`. A reranker that can't be loaded is an
        `EmbeddingError` here, not one for each sub-query.
        `on_progress` is called when a collection that others made has to be read through first.
        """
        for refused in settings.not_taken:
            events.emit("settings.not_taken", asdict(refused))
        require_filter_values(settings)
        base_url, api_key = settings.embedding_endpoint()
        embedder = embedder_for(settings.embedding_model, eager=True, base_url=base_url, api_key=api_key)
        place, names = settings.chroma_location(), settings.collections
        async with AsyncExitStack() as opened:
            opened.push_async_callback(close_embedder, embedder)
            if (llm := await opened_llm(settings)) is not None:
                opened.push_async_callback(llm.close)
            store = await open_collections(place, names, embedder=embedder, on_progress=on_progress)
            opened.push_async_callback(store.close)
            catalog = await open_catalog(store, on_progress=on_progress)
            require_known_filters(settings, catalog)
            _note_unused_profiles(settings, catalog)
            reranker = CrossEncoderReranker(settings.reranker) if settings.reranker else None
            if reranker is not None:
                await reranker.load()
            cells = await open_cells(store)
            if cells is not None:
                opened.callback(cells.close)
            agent = cls(settings, store, embedder, Lexicon.from_catalog(catalog), catalog, reranker, llm, cells)
            try:
                yield agent
            finally:
                agent._closed = True

    async def ask(self, question: str, after: Sequence[Turn] = ()) -> Answer:
        """Answer a question; `QuestionError` when it is empty or too long.

        Past the deadline the answer is in part, with `stop_reason` "deadline"; when the budget for language models is
        spent, with "budget". The first question waits for the embedding model, before its deadline begins. `after` are
        the turns of the conversation, the latest last, that it may go on from: `answer.turn` of each answer.
        """
        return await self._answered(self._session(question, after=after))

    def stream(
        self, question: str, after: Sequence[Turn] = (), *, with_text: bool = True
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens while a question is answered; the last event, `answer.completed`, has the `answer`.

        `plan.created` has the `plan`; `subquery.retrieved` comes as each sub-query ends, with what it `retrieved` or
        why it failed; `plan.extended` has the `needs` that are looked for again. `answer.delta` has a piece of the
        `text` as the model writes it, not yet checked; None takes back all before it. Without them, `with_text` False,
        the model is asked for its whole answer at once, which costs less of the processor's time.
        The time that the consumer takes between events does not count against the deadline.
        """
        session = self._session(question, after=after)

        def answered(channel: Channel) -> Awaitable[Answer]:
            session.listen(channel, channel.on_text if with_text else None)
            return self._answered(session)

        return streamed(answered)

    async def plan(self, question: str, after: Sequence[Turn] = ()) -> Plan:
        """Split a question into sub-queries without retrieving anything."""
        session = self._session(question, after=after)
        with session.bound():
            await self._in_time(session, self._planning.plan)
            events.emit("search.completed", search_fields(0, session.timings))
        return self._planning.planned(session)

    async def search(self, question: str, policy: Policy | None = None) -> Evidence:
        """Plan and retrieve, without an answer. The passages are those that an answer would rest on; of what no cell
        answers, nothing is read: they stand as they were found.

        `policy` stands in for the settings' own, to compare two of them on one open collection.
        """
        session = self._session(question, policy)
        session.answers = False
        with session.bound():
            await self._gathered(session)
            evidence = self._answering.evidence(session, await self._gathering.findings_for_model(session))
            events.emit("search.completed", search_fields(len(evidence.passages), session.timings))
        return replace(evidence, plan=self._planning.planned(session))

    async def retrieve(self, rounds: Sequence[Sequence[SubQuery]]) -> tuple[Retrieved, ...]:
        """Retrieve the sub-queries of a plan that is known, and of its further rounds, and nothing else."""
        self._require_own_loop()
        runner = Runner(self._retriever, self._policy, self._settings.concurrency)
        await self._gathering.retrieve(runner, rounds)
        return tuple(runner.retrieved)

    async def plain(self, question: str, limit: int = 15) -> Retrieved:
        """Retrieve the whole question at once with every filter off, as one-shot retrieval would."""
        self._require_own_loop()
        whole = SubQuery("plain", checked(question, self._settings.max_question_chars))
        return await self._retriever.retrieve(whole, replace(self._policy, filters=False, max_chunks=limit))

    async def check(self, query: str, chunk_id: str) -> tuple[Chunk, Verdict]:
        """Judge a chunk's query_must on a query; `ChunkNotFound` when there is no such chunk."""
        chunk = await self.chunk(chunk_id)
        return chunk, satisfies(query, chunk.query_must)

    def batch(self, questions: Questions, *, concurrency: int = 16) -> AsyncIterator[BatchResult]:
        """Yield the result of each question as it finishes, at most `concurrency` of them under way.

        Questions may come from any iterable, asynchronous or not, as texts or with an `id` and a `question`, be those
        attributes or, as in a file of questions, keys; a slow
        consumer holds up the intake. What is wrong with one is its result's `error`; a model that refuses its key or
        has no quota left ends the batch with `LLMRefused`.
        """
        return answered(self, questions, concurrency)

    def with_llm(self, wrap: Callable[[LLM], LLM]) -> Agent:
        """This agent with its language model, where it has one, wrapped; all else is shared."""
        twin = copy.copy(self)
        twin._model = None if self._model is None else wrap(self._model)
        twin._adopt(self._settings)
        return twin

    def with_settings(self, change: Callable[[Settings], Settings]) -> Agent:
        """This agent with other settings for its questions; the collection, what was opened for it and the models stay.

        `SettingsError` when they ask for a language model that it does not have.
        """
        twin = copy.copy(self)
        twin._adopt(change(self._settings))
        return twin

    async def chunk(self, chunk_id: str) -> Chunk:
        """One chunk by its id; `ChunkNotFound` when there is none."""
        self._require_own_loop()
        found = await self._store.get([chunk_id])
        if not found:
            raise ChunkNotFound(chunk_id)
        return found[0]

    def chunks(self) -> AsyncIterator[Chunk]:
        """Every chunk of the collection once, in no particular order; in a local one, all of one revision."""
        return self._store.scan()

    def _adopt(self, settings: Settings) -> None:
        """Answer questions by these settings from here on."""
        if settings.planner == "llm" and self._model is None:
            raise SettingsError("planner 'llm' needs a language model, and this agent has none; use --planner rules")
        self._settings, self._policy = settings, settings.policy()
        self._llm = None if settings.planner == "rules" else self._model
        self._planning = replace(self._planning, settings=settings)
        self._gathering = Gathering(settings, self._planning)
        self._answering = Answering(settings, self._gathering)

    async def _answered(self, session: Session) -> Answer:
        """The table of contents."""
        with session.bound():
            try:
                await self._gathered(session, self._answering.write)
                answer = await self._answering.answer(session)
            except (Exception, asyncio.CancelledError, Halted) as error:
                events.emit("question.failed", failure_fields(error))
                raise
        session.emit_event("answer.completed", {"answer": answer})
        return answer

    def _session(self, question: str, policy: Policy | None = None, after: Sequence[Turn] = ()) -> Session:
        self._require_own_loop()
        runner = Runner(self._retriever, policy or self._policy, self._settings.concurrency)
        text = checked(question, self._settings.max_question_chars)
        return Session(text, events.current_run_id(), runner, after=recent(after))

    def _require_own_loop(self) -> None:
        """What many questions share, they wait for in one event loop: that of the first; and until it is closed."""
        if self._closed:
            raise AgentError("this agent is closed; ask within the block of Agent.open")
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if loop is not self._loop:
            raise AgentError("this agent was used in another event loop; open one in each loop, with Agent.open")

    def _metered(self) -> MeteredLLM | None:
        """The language model with the budget and the deadline of one question."""
        if self._llm is None:
            return None
        settings = self._settings
        told = LoggedLLM(self._llm, asyncio.get_running_loop().time() + settings.deadline)
        return MeteredLLM(
            told,
            max_calls=settings.max_llm_calls,
            max_tokens=settings.max_tokens,
            max_cost=settings.max_cost,
            prices=self._prices,
        )

    async def _gathered(self, session: Session, *further: Callable[[Session], Awaitable[None]]) -> None:
        """Plan, gather and what is further to be done, once the embedding model is loaded."""
        await self._readiness.wait()
        await self._in_time(session, self._planning.plan, self._gathering.gather, *further)
        self._gathering.give_up(session)

    async def _in_time(self, session: Session, *stages: Callable[[Session], Awaitable[None]]) -> None:
        """Run the stages before the deadline; when that passes, what is known so far is kept."""
        session.llm = self._metered()
        session.ends_at = asyncio.get_running_loop().time() + self._settings.deadline
        try:
            with session.timed("total"):
                async with asyncio.timeout_at(session.ends_at) as limit:
                    for stage in stages:
                        await stage(session)
        except TimeoutError:
            if not limit.expired():
                raise
            session.stop = "deadline"
            await self._planning.settle(session)


def _note_unused_profiles(settings: Settings, catalog: Catalog) -> None:
    """Say which profiles are for chunks that are not there: a misspelt type, or another collection's."""
    known = ", ".join(sorted(catalog.chunk_types))
    for chunk_type in sorted(set(settings.profiles) - set(catalog.chunk_types)) if known else ():
        facts = {"chunk_type": chunk_type, "chunk_types": known}
        what = "the profile %r has no effect: the collection has chunks of the types %s"
        log.warning(what, chunk_type, known, extra={"event": "profile.unused", "facts": facts})
