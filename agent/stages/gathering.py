"""Run a plan's sub-queries, each after those whose values it uses, then search again for what is missing.

The needs of a reasoner, or what a model names as missing if nothing is computed, become follow-up sub-queries: a
bounded number of rounds, and no sub-query twice.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agent import events
from agent.errors import BudgetExceeded, LLMError
from agent.planning.rules import ByRules
from agent.prose.nearest import Nearness, nearness
from agent.reasoning import is_brief, reason, sentences_of
from agent.reasoning.execution.execute import execute
from agent.reasoning.execution.parts import in_order, together
from agent.settings.settings import Settings
from agent.stages.event_fields import extension_fields
from agent.stages.gaps import gaps
from agent.stages.nearest import last_look, unanswered_question, with_passages
from agent.stages.planning import Planning
from agent.stages.runner import Runner
from agent.stages.session import Session
from agent.types import Finding, Need, Plan, Reading, Reasoned
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.references import filled, names_in
from agent.understanding.question.tagged import LONGEST_READ, asking_words
from retrieval.errors import StoreError
from retrieval.tables.reading import CellQuery, read_cell
from retrieval.types import Chunk, Retrieved, SubQuery

FOLLOW_UPS = 2
_ONE_LOOK = ("minimal", "low")
"""The efforts without a second look."""
_WHOLE = re.compile(r"\s*([-+]?\d+(?:,\d{3})*)(?![\d.,/+–-]*\d)(?!\s*(?:to|or|[-–])\s*\d)")
"""The whole number that a cell begins with: *1,500 gp*, *5 (4 with shield)*; not *3.5*, *1/2*, *10-40* or *4+1*."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """Gathers the evidence of one question at a time, by the settings."""

    settings: Settings
    planning: Planning

    async def gather(self, session: Session) -> None:
        """Run the plan, search again for open needs, and check whether the collection has the words of the question."""
        await self._search(session)
        is_whole = session.reasoned is not None and not session.reasoned.needs
        if not session.answers or is_whole or _is_for_model(self.planning.planned(session)):
            return
        if session.stop == "deadline" or not await self._is_answered(session):
            with session.timed("retrieve"):
                session.absent = await self._absent(session)
            if self.settings.effort not in _ONE_LOOK:
                await self._show_nearest(session)

    async def _show_nearest(self, session: Session) -> None:
        """Look for the nearest passages if nothing else is found."""
        reasoned = await self.concluded(session)
        question = unanswered_question(session, self.planning, reasoned)
        if question is not None:
            await self._look_again(session, FOLLOW_UPS + 1, [last_look(session, reasoned)])
            session.reasoned = await with_passages(session, self.planning, question, reasoned)

    async def _is_answered(self, session: Session) -> bool:
        """True for a domain's question that the domain answers after the last look, else by cells.

        Cells are bound only if the domain lacks something: that costs more than its answer.
        """
        plan = self.planning.planned(session)
        if not self.planning.has_cells(plan):
            return False
        return not (await self.concluded(session)).needs or await self._is_answered_by_cells(session, plan)

    async def _is_answered_by_cells(self, session: Session, plan: Plan) -> bool:
        """Use the cells' answer to a question; return False if they do not answer it completely."""
        by_cells = await self.planning.by_cells(plan)
        if by_cells is None:
            return False
        with session.timed("retrieve"):
            await self._run(session, by_cells)
        told = await self._reason_about(session, by_cells, "c.", final=True)
        is_whole = bool(told.citations) and not told.needs
        if is_whole:
            session.plan, session.reasoned, session.evidence = by_cells, told, None
        return is_whole

    async def _absent(self, session: Session) -> tuple[str, ...]:
        """Return the words of the question that the collection does not have; none, with a note, if that is unknown."""
        try:
            absent = await session.runner.retriever.absent_words(session.asked)
        except StoreError as error:
            session.notes.append(f"whether the collection has the words of the question is not known: {error}")
            return ()
        only_asking = asking_words(session.asked) if len(session.asked) <= LONGEST_READ else frozenset()
        return tuple(word for word in absent if word not in only_asking)

    async def _search(self, session: Session) -> None:
        """Run the plan, then search again for each open need, a bounded number of times."""
        plan = self.planning.planned(session)
        with session.timed("retrieve"):
            await self._run(session, plan)
            await session.runner.run([self._narrowed(each) for each in await self.planning.leads(session)])
            plan = await self._with_found_names(session, plan)
        if _is_passages_only(session, plan):
            return  # a second look finds more of the same passages
        if self.settings.effort in _ONE_LOOK or _is_hopeless(session.runner.retrieved):
            return
        for number in range(1, FOLLOW_UPS + 1):
            reasoned = None if _is_for_model(plan) else await self.reason(session, f"f{number}.", final=False)
            sought = (reasoned.looked_for if reasoned else ()) or await self._gaps(session, f"g{number}.")
            looked = {each.sub_query.text for each in session.runner.retrieved if each.sub_query.is_wide}
            new = [need for need in sought if need.sub_query.text not in looked]
            if not sought or (not new and not _may_be_nearest(plan)):
                session.reasoned = reasoned
            if not new:
                return
            await self._look_again(session, number, new)

    def give_up(self, session: Session) -> None:
        """If the deadline has passed, record what was not searched."""
        if session.stop == "deadline":
            session.runner.give_up(self.planning.planned(session).sub_queries)

    async def retrieve(self, runner: Runner, rounds: Sequence[Sequence[SubQuery]]) -> None:
        """Run the sub-queries of a known plan, then those of its further rounds, with wider limits."""
        for number, sub_queries in enumerate(rounds):
            await runner.run([self._narrowed(each, again=number > 0) for each in sub_queries])

    async def reason(self, session: Session, prefix: str, *, final: bool) -> Reasoned:
        """Run the reasoner on all chunks so far; past the deadline plug-ins are not waited for.

        Work that exceeds the deadline is abandoned, and the answer says so.
        """
        return await self._reason_of(session, self.planning.planned(session), prefix, final=final)

    async def _reason_of(self, session: Session, plan: Plan, prefix: str, *, final: bool) -> Reasoned:
        """Reason about a question, or about each of its parts."""
        if not plan.parts:
            return await self._reason_about(session, plan, prefix, final=final)
        found = []
        for number, part in enumerate(plan.parts, start=1):
            found.append(await self._reason_of(session, part, f"{prefix}{number}.", final=final))
        if plan.order is None:
            return together(found)
        return in_order(found, [part.question for part in plan.parts], plan.order)

    async def _reason_about(self, session: Session, plan: Plan, prefix: str, *, final: bool) -> Reasoned:
        """Reason about a question or one part of it: by its cells, else by a domain or by sentences.

        A sentence may settle what a cell leaves in doubt. If only passages are wanted, it is among them.
        """
        chunks, intent, bound = session.runner.chunks(), plan.intent, plan.bound
        executed = None
        if bound is not None:
            with session.timed("reason"):
                executed = execute(bound, chunks, prefix)
            is_in_doubt = executed is not None and bool(executed.needs) and final
            if executed is not None and not (is_in_doubt and session.answers):
                return executed
        in_time = session.stop != "deadline"
        with session.timed("reason"):
            try:
                near = await self._nearness(session, intent, chunks, is_open=True) if in_time and final else None
                work = partial(reason, intent, chunks, prefix, plugins=in_time, nearness=near)
                told = await self.planning.think(session, work, brief=is_brief(intent, chunks))
                if in_time and not final and not told.needs:
                    near = await self._nearness(session, intent, chunks)
                    if near is not None and near.similarity:
                        told = await self.planning.think(session, partial(work, nearness=near))
            except TimeoutError:
                return executed or _out_of_time(session.question)
        return executed if executed is not None and told.needs else told

    async def _nearness(
        self, session: Session, intent: Intent, chunks: Sequence[Chunk], *, is_open: bool = False
    ) -> Nearness | None:
        """Return the similarity of candidate sentences to a look-up; None without an embedding model.

        Embedding takes time, so it waits until there is an answer, or no further search.
        """
        embedder = self.planning.embedder
        if embedder is None or not isinstance(intent, Lookup):
            return None
        work = partial(sentences_of, intent, chunks, is_open=is_open)
        wordings = await self.planning.think(session, work, brief=is_brief(intent, chunks))
        async with asyncio.timeout_at(session.ends_at):
            return await nearness(intent.question, wordings, embedder)

    async def concluded(self, session: Session) -> Reasoned:
        """Return the reasoner's final result."""
        if session.reasoned is None:
            session.reasoned = await self.reason(session, "end.", final=True)
        return session.reasoned

    async def findings_for_model(self, session: Session) -> Reasoned:
        """Return the findings that a model is given: none for a question that it split as open, for it reads the
        passages.

        Nothing is reasoned either if only the passages of one search are wanted: they stay as found.
        """
        plan = self.planning.planned(session)
        if _is_passages_only(session, plan) or (plan.is_open and _is_for_model(plan)):
            return Reasoned(Finding("search", ""), (), ())
        return await self.concluded(session)

    async def read_by_rules(self, session: Session) -> None:
        """Use the rules' reading of a question that a model called open, if it is answered completely."""
        plan, by_rules, chunks = self.planning.planned(session), session.by_rules, session.runner.chunks()
        if not _is_for_model(plan) or by_rules is None:
            return
        try:
            found = await self.planning.think(session, partial(_read_by_rules, by_rules, chunks))
        except TimeoutError:
            return
        if not found.needs and found.citations:
            session.plan = replace(plan, intent=by_rules.plan.intent)
            session.reasoned, session.evidence = found, None

    async def _with_found_names(self, session: Session, plan: Plan) -> Plan:
        """Bind and run the steps that depend on names in prose, once these were searched."""
        if not plan.steps:
            return plan
        found: dict[str, Sequence[str]] = {}
        for step in plan.steps:
            if step.is_prose_search:
                found[step.id] = await self._names_in_prose(session, step.text)
        whole = session.planned(await self.planning.go_on(plan, found))
        new = tuple(each for each in whole.sub_queries if each not in plan.sub_queries)
        await self._run(session, replace(whole, sub_queries=new))
        return whole

    async def _names_in_prose(self, session: Session, text: str) -> Sequence[str]:
        """Return the names in the sentences that answer a search step, without those in the step itself."""
        told = await self._reason_about(session, Plan(text, (), Lookup(text)), "n.", final=True)
        return () if told.needs else self.planning.names_in([each.quote for each in told.citations], text)

    async def _run(self, session: Session, plan: Plan) -> None:
        values: dict[str, str] = {}
        for wave in waves(plan.sub_queries):
            ready = []
            for sub_query in wave:
                lost = [name for name in names_in(sub_query.text) if name in plan.readings and name not in values]
                if lost:
                    sought = {name: f"the {each.attribute} of {each.subject}" for name, each in plan.readings.items()}
                    told = replace(sub_query, text=filled(sub_query.text, {**sought, **values}))
                    session.runner.lose(told, lost[0], sought[lost[0]])
                else:
                    ready.append(self._narrowed(_with_values(sub_query, values)))
            await session.runner.run(ready)
            values |= await self._values(session, plan, {sub_query.id for sub_query in wave})

    async def _values(self, session: Session, plan: Plan, ids: set[str]) -> dict[str, str]:
        """Return the values that the readings of these sub-queries found."""
        wanted = {id_: reading for id_, reading in plan.readings.items() if id_ in ids}
        if not wanted:
            return {}
        chunks = session.runner.chunks()
        found = await self.planning.think(session, lambda: _read_all(wanted, chunks))
        for id_, reading in wanted.items():
            if found[id_] is None and reading.type == "text":
                own = _of_sub_query(session.runner.retrieved, id_)
                found[id_] = await self.planning.think(session, partial(self.planning.stated_name_for, reading, own))
        return {id_: value for id_, value in found.items() if value is not None}

    async def _gaps(self, session: Session, prefix: str) -> tuple[Need, ...]:
        """Return what the model names as missing; only with `--effort medium`, because each request costs a call."""
        if self.settings.effort != "medium" or (model := session.model) is None:
            return ()
        tried = [retrieved.sub_query.text for retrieved in session.runner.retrieved]
        try:
            with session.timed("plan"):
                return await gaps(model, session.asked, session.runner.chunks(), tried, prefix)
        except BudgetExceeded as error:
            session.over_budget(str(error))
        except LLMError as error:
            session.notes.append(f"the language model could not say what is missing: {error}")
        return ()

    async def _look_again(self, session: Session, number: int, needs: Sequence[Need]) -> None:
        events.emit("plan.extended", extension_fields(number, needs))
        session.emit_event("plan.extended", {"needs": tuple(needs)})
        for need in needs:
            session.tried.setdefault(need.need, []).append(need.sub_query.text)
        with session.timed("retrieve"):
            await session.runner.run([self._narrowed(need.sub_query, again=True) for need in needs])

    def _narrowed(self, sub_query: SubQuery, *, again: bool = False) -> SubQuery:
        """Return the sub-query limited to the chunk types, tags and relevance of the settings. It is wide for a second
        look, unless the effort allows none.
        """
        settings = self.settings
        is_wide = again or (sub_query.is_wide and settings.effort not in _ONE_LOOK)
        if is_wide != sub_query.is_wide:
            sub_query = replace(sub_query, is_wide=is_wide)
        if not (settings.chunk_types or settings.tags or settings.min_score > sub_query.min_score):
            return sub_query
        types = sub_query.chunk_types
        if settings.chunk_types:
            types = tuple(kind for kind in types if kind in settings.chunk_types) or settings.chunk_types
        return replace(
            sub_query,
            chunk_types=types,
            tags=tuple(dict.fromkeys((*sub_query.tags, *settings.tags))),
            min_score=max(sub_query.min_score, settings.min_score),
        )


def _may_be_nearest(plan: Plan) -> bool:
    """True if the final result may be the nearest passages or sentences; a domain answers only by itself."""
    return plan.bound is not None or bool(plan.parts) or isinstance(plan.intent, Lookup)


def _read_by_rules(by_rules: ByRules, chunks: Sequence[Chunk]) -> Reasoned:
    return reason(by_rules.plan.intent, chunks, "end.", plugins=False)


def _out_of_time(question: str) -> Reasoned:
    """Return the result when there was no time to read what was found."""
    need = Need("the answer before the deadline passed", SubQuery("end.1", question))
    return Reasoned(Finding("deadline", ""), (), (need,))


def _is_hopeless(retrieved: Sequence[Retrieved]) -> bool:
    return any(each.stop == "low_quality" for each in retrieved)


def waves(sub_queries: Sequence[SubQuery]) -> Iterator[list[SubQuery]]:
    """Group the sub-queries that can run at once, each group after all its dependencies.

    >>> plan = [SubQuery("q1", "a"), SubQuery("q2", "b {q1}", depends_on=("q1",)), SubQuery("q3", "c")]
    >>> [[sub_query.id for sub_query in wave] for wave in waves(plan)]
    [['q1', 'q3'], ['q2']]
    """
    ids, done, waiting = {sub_query.id for sub_query in sub_queries}, set[str](), list(sub_queries)
    while waiting:
        wave = [each for each in waiting if done >= set(each.depends_on) & ids] or waiting
        yield wave
        done |= {each.id for each in wave}
        waiting = [each for each in waiting if each.id not in done]


def _is_passages_only(session: Session, plan: Plan) -> bool:
    """True if only passages are wanted, no cell answers, and the question is open or a single sub-query."""
    if session.answers or plan.bound is not None:
        return False
    return plan.is_open or len(plan.sub_queries) == 1


def _is_for_model(plan: Plan) -> bool:
    """True for an open question that a model split: the model, not a reasoner over cells, decides what is missing."""
    return plan.planner == "llm" and isinstance(plan.intent, Lookup) and plan.is_open and not plan.intent.names


def _with_values(sub_query: SubQuery, values: Mapping[str, str]) -> SubQuery:
    names = names_in(sub_query.text)
    if not names:
        return sub_query
    return replace(sub_query, text=filled(sub_query.text, {name: values.get(name, f"{{{name}}}") for name in names}))


def _of_sub_query(retrieved: Sequence[Retrieved], id_: str) -> list[str]:
    """Return the texts that one sub-query found, nearest first."""
    return [hit.chunk.text for each in retrieved if each.sub_query.id == id_ for hit in each.hits]


def _read_all(wanted: Mapping[str, Reading], chunks: Sequence[Chunk]) -> dict[str, str | None]:
    return {id_: _read(reading, chunks) for id_, reading in wanted.items()}


def _read(reading: Reading, chunks: Sequence[Chunk]) -> str | None:
    """Return the value of a cell, converted to the type of the reading."""
    cell = read_cell(CellQuery(reading.subject, (), (reading.attribute,)), chunks)
    if cell is None or reading.type == "text":
        return None if cell is None else cell.text
    number = _WHOLE.match(cell.text)
    return number[1].replace(",", "") if number else None
