"""The whole story of a question: plan, retrieve, reason, look again for what is missing, write, check.

Everything blocking runs elsewhere, one deadline covers the question, and what is known when it passes is the answer.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from agent import events
from agent.errors import SettingsError
from agent.planner import rules
from agent.planner.lexicon import Lexicon
from agent.questions import checked
from agent.reasoners import Reasoned, reason
from agent.runner import Runner
from agent.settings import Settings
from agent.synthesizer import synthesize
from agent.types import Answer, Event, Evidence, Need, Plan, StopReason, Unanswered
from agent.verify import marked, verify
from retrieval.catalog import Catalog
from retrieval.catalogs import open_catalog
from retrieval.coalesce import CachingEmbedder, CoalescingEmbedder
from retrieval.collections import open_collection
from retrieval.embed import Embedder
from retrieval.embed import Progress as Count
from retrieval.errors import RetrievalError
from retrieval.filters.query_must import Verdict, satisfies
from retrieval.fuse import fuse
from retrieval.models import close_embedder, embedder_for
from retrieval.rerank import CrossEncoderReranker, Reranker
from retrieval.retriever import Retriever
from retrieval.store import Store
from retrieval.types import Chunk, IngestReport, Policy, Retrieved, SubQuery
from retrieval.union import open_collections

FOLLOW_UPS = 2
Progress = Callable[[str, int, int], None]
"""Called with the stage's name, how much is done, and how much there is."""


@dataclass(slots=True)
class _Session:
    """One question on its way: what is known so far, so that a deadline loses nothing."""

    question: str
    run_id: str
    runner: Runner
    timings: dict[str, float] = field(default_factory=dict)
    plan: Plan | None = None
    reasoned: Reasoned | None = None
    tried: dict[str, list[str]] = field(default_factory=dict)
    stop: StopReason = "complete"

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + (time.perf_counter() - start) * 1000


class Agent:
    """Answers questions from one collection, or from several as one; `Agent.open` makes one.

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
    ) -> None:
        if settings.planner == "llm":
            raise SettingsError("planner 'llm' is not in this version yet; use --planner rules or auto")
        self._settings, self._store, self._lexicon = settings, store, lexicon
        self._policy = settings.policy()
        # Python runs one thread at a time: more of them that think would only make the event loop wait its turn longer.
        self._thinking = asyncio.Lock()
        sharing = CachingEmbedder(CoalescingEmbedder(embedder))
        self._retriever = Retriever(store, sharing, self._policy, catalog=catalog, reranker=reranker)

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings, on_progress: Count | None = None) -> AsyncIterator[Agent]:
        """Open the collection, or those, that `settings` name; `CollectionNotFound` lists those that exist.

        `on_progress` is called when a collection that others made has to be read through first.
        """
        base_url, api_key = settings.embedding_endpoint()
        embedder = embedder_for(settings.embedding_model, eager=True, base_url=base_url, api_key=api_key)
        place, names = settings.chroma_location(), settings.collections
        async with AsyncExitStack() as opened:
            opened.push_async_callback(close_embedder, embedder)
            store = await open_collections(place, names, embedder=embedder, on_progress=on_progress)
            opened.push_async_callback(store.close)
            catalog = await open_catalog(store, on_progress=on_progress)
            reranker = CrossEncoderReranker(settings.reranker) if settings.reranker else None
            yield cls(settings, store, embedder, Lexicon.from_catalog(catalog), catalog, reranker)

    async def ask(self, question: str) -> Answer:
        """Answer a question; `QuestionError` when it is empty or too long.

        Past the deadline the answer is in part, with `stop_reason` "deadline".
        """
        session = self._session(question)
        await self._stage(session, self._plan)
        await self._stage(session, self._gather)
        return await self._answer(session)

    async def stream(self, question: str) -> AsyncIterator[Event]:
        """Yield what happens while a question is answered; the last event, `answer.completed`, has the answer.

        The time that the consumer takes between events does not count against the deadline.
        """
        session = self._session(question)
        await self._stage(session, self._plan)
        if session.plan is not None:
            yield Event("plan.created", {"plan": session.plan})
        await self._stage(session, self._gather)
        for retrieved in session.runner.retrieved:
            yield Event("subquery.retrieved", {"retrieved": retrieved})
        yield Event("answer.completed", {"answer": await self._answer(session)})

    async def plan(self, question: str) -> Plan:
        """Split a question into sub-queries without retrieving anything."""
        session = self._session(question)
        await self._plan(session)
        return self._planned(session)

    async def search(self, question: str, policy: Policy | None = None) -> Evidence:
        """Plan and retrieve, without an answer. The passages are those that an answer would rest on.

        `policy` stands in for the settings' own, to compare two of them on one open collection.
        """
        session = self._session(question, policy)
        await self._stage(session, self._plan)
        await self._stage(session, self._gather)
        return self._evidence(session, await self._concluded(session))

    async def plain(self, question: str, limit: int = 15) -> Retrieved:
        """Retrieve the whole question at once with every filter off, as one-shot retrieval would."""
        whole = SubQuery("plain", checked(question, self._settings.max_question_chars))
        return await self._retriever.retrieve(whole, replace(self._policy, filters=False, max_chunks=limit))

    async def check(self, query: str, chunk_id: str) -> tuple[Chunk, Verdict]:
        """Judge a chunk's query_must on a query; `RetrievalError` when there is no such chunk."""
        found = await self._store.get([chunk_id])
        if not found:
            raise RetrievalError(f"no chunk {chunk_id!r} in this collection; `versus search` shows the ids of chunks")
        return found[0], satisfies(query, found[0].query_must)

    def chunks(self) -> AsyncIterator[Chunk]:
        """Every chunk of the collection once, in no particular order."""
        return self._store.scan()

    def _session(self, question: str, policy: Policy | None = None) -> _Session:
        runner = Runner(self._retriever, policy or self._policy, self._settings.concurrency)
        return _Session(checked(question, self._settings.max_question_chars), uuid.uuid4().hex, runner)

    async def _stage(self, session: _Session, stage: Callable[[_Session], Awaitable[None]]) -> None:
        """Run a stage in what is left of the deadline; when that passes, what is known so far is kept.

        Nothing is yielded in here, so neither the timeout nor the log's context can reach the consumer's own code.
        """
        left = self._settings.deadline - session.timings.get("total", 0.0) / 1000
        try:
            with events.bind(run_id=session.run_id, question_id=session.run_id), session.timed("total"):
                async with asyncio.timeout(left) as limit:
                    await stage(session)
        except TimeoutError:
            if not limit.expired():
                raise
            session.stop = "deadline"

    async def _plan(self, session: _Session) -> None:
        events.emit("question.received", {"question": session.question, "chars": len(session.question)})
        with session.timed("plan"):
            async with self._thinking:
                session.plan = await asyncio.to_thread(
                    rules.plan, session.question, self._lexicon, self._settings.effort
                )
        plan = session.plan
        texts = [sub_query.text for sub_query in plan.sub_queries]
        events.emit("plan.created", {"planner": plan.planner, "effort": plan.effort, "sub_queries": texts})

    def _planned(self, session: _Session) -> Plan:
        """The plan; when time ran out before there was one, that of an empty lexicon."""
        if session.plan is None:
            session.plan = rules.plan(session.question, Lexicon(), self._settings.effort)
        return session.plan

    async def _gather(self, session: _Session) -> None:
        """Run the plan, then look harder for each need that is still open, a bounded number of times."""
        with session.timed("retrieve"):
            await session.runner.run([self._narrowed(each) for each in self._planned(session).sub_queries])
        if any(retrieved.stop == "low_quality" for retrieved in session.runner.retrieved):
            return
        for number in range(1, FOLLOW_UPS + 1):
            reasoned = await self._reason(session, f"f{number}.", final=False)
            if not reasoned.needs:
                session.reasoned = reasoned
                return
            needs = [need for need in reasoned.needs if need.sub_query.text not in session.tried.get(need.need, ())]
            if not needs or self._settings.effort in ("minimal", "low"):
                return
            for need in needs:
                session.tried.setdefault(need.need, []).append(need.sub_query.text)
            with session.timed("retrieve"):
                await session.runner.run(
                    [self._narrowed(need.sub_query) for need in needs], _wider(session.runner.policy)
                )

    def _narrowed(self, sub_query: SubQuery) -> SubQuery:
        """The sub-query, confined to the chunk types, tags and relevance that the settings ask for."""
        settings = self._settings
        return replace(
            sub_query,
            chunk_types=sub_query.chunk_types or settings.chunk_types,
            tags=tuple(dict.fromkeys((*sub_query.tags, *settings.tags))),
            min_score=max(sub_query.min_score, settings.min_score),
        )

    async def _concluded(self, session: _Session) -> Reasoned:
        """The reasoner's last word on all that was gathered."""
        if session.reasoned is None:
            session.reasoned = await self._reason(session, "end.", final=True)
        return session.reasoned

    async def _reason(self, session: _Session, prefix: str, *, final: bool) -> Reasoned:
        intent = self._planned(session).intent
        with session.timed("reason"):
            async with self._thinking:
                return await asyncio.to_thread(reason, intent, session.runner.chunks(), prefix, final=final)

    async def _answer(self, session: _Session) -> Answer:
        with session.timed("total"):
            reasoned = await self._concluded(session)
            evidence = self._evidence(session, reasoned)
            with session.timed("synthesize"):
                missing = tuple(Unanswered(n.need, self._tried(session, n)) for n in reasoned.needs)
                draft = synthesize(reasoned.finding, reasoned.citations, missing, f"{self._settings.collection!r}")
                passages, question = evidence.passages, session.question
                problems = verify(draft.text, draft.findings, draft.citations, passages, question, draft.missing)
        stop = session.stop
        answer = Answer(
            session.question,
            marked(draft.text, problems),
            self._planned(session),
            evidence,
            reasoned.finding.verdict,
            "partial" if stop == "complete" and (missing or problems) else stop,
            session.run_id,
            draft.citations,
            draft.findings,
            missing,
            timings_ms=session.timings,
        )
        with events.bind(run_id=session.run_id, question_id=session.run_id):
            events.emit("answer.completed", _summary(answer))
        return answer

    def _tried(self, session: _Session, need: Need) -> tuple[str, ...]:
        """The sub-queries that looked for a fact: its own, where they ran, else the plan's first."""
        retrieved = [r for r in session.runner.retrieved if r.stop != "low_quality"]
        ran = [r.sub_query.text for r in retrieved if r.sub_query.text == need.sub_query.text]
        tried = dict.fromkeys([*ran, *session.tried.get(need.need, ())])
        return tuple(tried) or tuple(s.text for s in self._planned(session).sub_queries[:1])

    def _evidence(self, session: _Session, reasoned: Reasoned) -> Evidence:
        """Fuse what was retrieved; the chunks that were read from come first."""
        cited = list(dict.fromkeys(citation.chunk_id for citation in reasoned.citations))
        retrieved = tuple(session.runner.retrieved)
        preferred = {r.sub_query.id: _read_from(r, cited) for r in retrieved}
        policy = session.runner.policy
        found = bool(cited) and not reasoned.needs and policy.filters
        room = len(cited) + policy.context_chunks if found else policy.max_chunks
        limit = max(min(policy.max_chunks, room), len(cited))
        return Evidence(retrieved, fuse(retrieved, limit, preferred, policy.rrf_k))


def _summary(answer: Answer) -> dict[str, object]:
    return {
        "stop_reason": answer.stop_reason,
        "citations": len(answer.citations),
        "unanswered": [item.need for item in answer.unanswered],
        "timings_ms": {stage: round(ms, 1) for stage, ms in answer.timings_ms.items()},
    }


def _read_from(retrieved: Retrieved, cited: Sequence[str]) -> list[str]:
    found = {hit.chunk.id for hit in retrieved.hits}
    return [id_ for id_ in cited if id_ in found]


def _wider(policy: Policy) -> Policy:
    """The policy of a second look: more chunks, and no cut that could hide a fact."""
    if not policy.filters:
        return policy
    wide = max(30, policy.max_chunks)
    return replace(
        policy, max_chunks=wide, absolute_min=0.0, relative_threshold=0.0, gap_threshold=2.0, distance_offset=2.0
    )


async def ingest(paths: Sequence[Path], settings: Settings, on_progress: Progress | None = None) -> IngestReport:
    """Bring the collection up to date with these files and folders; unchanged chunks are not embedded again.

    Raises `SourceError` with file and line before anything is written, and `SettingsError` when the settings name
    several collections.
    """
    name = settings.only_collection()
    # The parsers are slow to import, and a question never needs them.
    from retrieval.ingest.index import index
    from retrieval.ingest.read import read_sources

    read = await asyncio.to_thread(read_sources, list(paths))
    base_url, api_key = settings.embedding_endpoint()
    embedder = embedder_for(settings.embedding_model, base_url=base_url, api_key=api_key)
    embedding, indexing = (partial(on_progress, stage) if on_progress else None for stage in ("embedding", "indexing"))
    place = settings.chroma_location()
    store = await open_collection(place, name, create=True, embedder=embedder, on_progress=indexing)
    try:
        done = await index(read.chunks, store, embedder, sources=read.sources, on_progress=embedding)
    finally:
        await store.close()
        await close_embedder(embedder)
    rule_count = sum(chunk.query_must is not None for chunk in read.chunks)
    report = IngestReport(
        len(read.sources),
        len(read.chunks),
        read.tables,
        rule_count,
        done.embedded,
        done.unchanged,
        done.removed,
        read.warnings,
    )
    events.emit("ingest.completed", asdict(report))
    return report
