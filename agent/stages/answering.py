"""Make the answer from the evidence: the draft by rules, the model's wording if there is one, and the check.

The draft is always made. A model words it, and it is the answer if the model fails, or if time or budget runs out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agent import events
from agent.errors import BudgetExceeded
from agent.planning.conversation import transcript
from agent.plugins.domains import at_home
from agent.reasoning.nearest_passages import shows_nothing
from agent.render.words import where
from agent.settings.settings import Settings
from agent.stages.event_fields import answer_fields
from agent.stages.gathering import Gathering
from agent.stages.library import library_of
from agent.stages.session import Session
from agent.stages.told_needs import NeedCoverage
from agent.types import Answer, Citation, Evidence, Need, Reasoned, StopReason, Unanswered
from agent.understanding.question.intent import Lookup
from agent.understanding.question.tagged import tagged
from agent.writing.checking import prose
from agent.writing.checking.cited import marks_of
from agent.writing.checking.verify import marked, verify
from agent.writing.wording.synthesizer import NOTHING, Draft, missing_lines, synthesize
from agent.writing.wording.writer import OTHERWISE, RULES, Writer, Written
from retrieval.searching.fuse import fuse, own_chunks
from retrieval.text.normal import content_words
from retrieval.types import Passage, Policy, Retrieved, SubQuery

_MOST_NAMED = 24
"""Most chunks whose tables match the names in a text."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Makes the answer of a session."""

    settings: Settings
    gathering: Gathering

    async def write(self, session: Session) -> None:
        """Let the model word the answer, if there is one that may be used, and something could be searched."""
        model = session.model
        if model is None:
            return
        reasoned = await self.gathering.findings_for_model(session)
        evidence = self.evidence(session, reasoned)
        is_open = self.gathering.planning.planned(session).is_open
        draft = NOTHING if is_open and shows_nothing(reasoned) else self._draft(session, reasoned)
        if evidence.is_unsearched:
            return
        with session.timed("synthesize"):
            try:
                spoken = transcript(session.after)
                planning = self.gathering.planning
                library = library_of(session.runner, planning.index, at_home(planning.lexicon))
                writer = Writer(model, session.asked, draft, evidence.passages, library, spoken)
                written = await writer.write(session.on_text)
                if written.draft is draft:  # the draft stands, and the rules may read the question better
                    session.notes += [written.note] if written.note else []
                    return
                shows_more = draft is NOTHING and bool(reasoned.citations) and not written.borne_out
                if written.gives_way and (shows_more or await self._is_answered_by_rules(session)):
                    session.notes.append(f"{RULES}: {written.gives_way}")
                    return
                if reasoned.citations and not prose.agrees(written.draft.text, reasoned.finding):
                    session.notes.append(f"{OTHERWISE}: {reasoned.finding.claim}")
                session.written = written
                session.evidence = replace(evidence, passages=_with_found(evidence, writer.passages, written))
                if self._is_answered_by_model(session):
                    session.reasoned, session.written = reasoned, _without_missing(written)
            except BudgetExceeded as error:
                session.over_budget(str(error))

    async def answer(self, session: Session) -> Answer:
        """Return the checked answer, from whatever the session has."""
        with session.timed("total"):
            if session.written is None:
                session.evidence = None  # so that the rules' quotes come first
                await self.gathering.read_by_rules(session)
            reasoned = await self.gathering.concluded(session)
            evidence = self.evidence(session, reasoned)
            with session.timed("synthesize"):
                written = session.written or self._by_rules(session, reasoned, evidence)
                written = _with_missing(written, missing_lines(self._missing(session, reasoned), self._where))
                written = _with_unread(written, self._unread(session))
        answer = self._answer(session, reasoned, evidence, written)
        if events.has_listener("answer.completed"):
            events.emit("answer.completed", answer_fields(answer))
        return answer

    def evidence(self, session: Session, reasoned: Reasoned) -> Evidence:
        """Return the fused retrieval results, cited chunks first."""
        if session.evidence is None:
            session.evidence = self._fused(session, reasoned)
        return session.evidence

    def _fused(self, session: Session, reasoned: Reasoned) -> Evidence:
        cited = list(dict.fromkeys(citation.chunk_id for citation in reasoned.citations))
        retrieved = tuple(session.runner.retrieved)
        preferred = {r.sub_query.id: _read_from(r, cited) for r in retrieved}
        policy = session.runner.policy
        is_found = bool(cited) and not reasoned.needs and policy.filters
        named = {id_ for one in retrieved for id_ in one.sub_query.chunk_ids if id_ in one.pinned}
        if named - set(cited) and policy.filters:
            room = len(named | set(cited)) + policy.context_chunks
        else:
            room = _room(cited, retrieved, policy) if is_found else policy.max_chunks
        limit = max(min(policy.max_chunks, room), len(cited))
        return Evidence(retrieved, fuse(retrieved, limit, preferred, policy.rrf_k))

    def _answer(self, session: Session, reasoned: Reasoned, evidence: Evidence, written: Written) -> Answer:
        missing = (*self._missing(session, reasoned), *self._not_found_by_model(session))
        plan = self.gathering.planning.planned(session)
        inferred = _inferred(written.draft.citations)
        unread = self._unread(session)
        is_said = self._states_finding(session, reasoned)
        whole = not (missing or written.problems or unread or inferred) and (is_said or not self._is_ranked(reasoned))
        notes = (*plan.notes, *session.notes, *self._not_computed(session, reasoned), written.note, *inferred)
        return Answer(
            session.question,
            written.draft.text,
            plan,
            evidence,
            reasoned.finding.verdict if is_said and not unread else None,
            _stop_reason(session.stop, evidence, whole),
            session.run_id,
            written.draft.citations,
            written.draft.findings,
            missing,
            session.usage,
            session.timings,
            _each_once(filter(None, notes)),
        )

    def _unread(self, session: Session) -> tuple[str, ...]:
        """Return what of the question was not read, and what neither a step of the model nor its answer mentions."""
        plan, written = self.gathering.planning.planned(session), session.written
        left = list(plan.unplanned)
        if left and written is not None:
            told = self._covered_needs(session, written)
            left = [each for each in left if not told.has_words_of(each)]
        no_step = f"{', '.join(left)}, which no step of the language model's plan has"
        return (*plan.unread, no_step) if left else plan.unread

    def _states_finding(self, session: Session, reasoned: Reasoned) -> bool:
        """True if the answer says what the rules found, which a model may omit or read otherwise."""
        written = session.written
        return written is None or prose.agrees(written.draft.text, reasoned.finding)

    @staticmethod
    def _is_ranked(reasoned: Reasoned) -> bool:
        """True if the rules found without a doubt who is ahead; a model that names another one is heard in part."""
        is_judged = reasoned.finding.values.get("better") is not None
        return is_judged and not reasoned.finding.is_doubted and not reasoned.needs

    @property
    def _where(self) -> str:
        return repr(self.settings.collection)

    def _draft(self, session: Session, reasoned: Reasoned) -> Draft:
        return synthesize(reasoned.finding, reasoned.citations, self._missing(session, reasoned), self._where)

    def _by_rules(self, session: Session, reasoned: Reasoned, evidence: Evidence) -> Written:
        draft = self._draft(session, reasoned)
        problems = verify(draft.text, draft.findings, draft.citations, evidence.passages, session.asked, draft.missing)
        return Written(Draft(marked(draft.text, problems), draft.findings, draft.citations, draft.missing), problems)

    def _missing(self, session: Session, reasoned: Reasoned) -> tuple[Unanswered, ...]:
        """Return the reasoner's needs, and the failed sub-queries that it did not name."""
        lacking = () if self._is_answered_by_model(session) else reasoned.needs
        if lacking and session.written is not None:
            told = self._covered_needs(session, session.written)
            lacking = tuple(need for need in lacking if not told.covers(need))
        needs = tuple(self._unanswered(session, need) for need in lacking)
        needs += tuple(self._unanswered(session, need) for need in self._unnamed_entities(session, reasoned))
        looked_for = {text for need in needs for text in need.tried}
        is_told = self._is_answered_by_model(session) and not (
            session.written is not None and session.written.not_found
        )
        every = _unsearched(session.runner.retrieved, of_values=not is_told)
        return (*needs, *(lost for lost in every if lost.tried[0] not in looked_for))

    def _unnamed_entities(self, session: Session, reasoned: Reasoned) -> list[Need]:
        """Return the compared entities that the model does not even name, if the rules cannot compare them."""
        plan, written = self.gathering.planning.planned(session), session.written
        if written is None or not reasoned.needs or not isinstance(plan.intent, Lookup):
            return []
        asked = tagged(session.asked)
        if asked.end is None and asked.operation != "compare":
            return []
        cited = set(marks_of(written.draft.text))
        titles = " ".join(each.title for each in written.draft.citations if each.n in cited)
        told = set(content_words(f"{written.draft.text} {titles}"))
        names = plan.intent.names if len(plan.intent.names) > 1 else ()
        return [Need(name, SubQuery("left out", name)) for name in names if not told.issuperset(content_words(name))]

    def _not_found_by_model(self, session: Session) -> tuple[Unanswered, ...]:
        """Return what the model says it did not find, without what the rules report as missing already."""
        if session.written is None:
            return ()
        told = session.written.draft.missing
        tried = tuple(dict.fromkeys(each.sub_query.text for each in session.runner.retrieved))
        return tuple(Unanswered(each, tried) for each in session.written.not_found if each not in told)

    def _unanswered(self, session: Session, need: Need) -> Unanswered:
        """Return a need as unanswered: searched for and not found, or not searched because searches failed.

        If no sub-query of its own searched for it, any failed search may have missed it.
        """
        retrieved = session.runner.retrieved
        texts = {need.sub_query.text, *session.tried.get(need.need, ())}
        own = [each for each in retrieved if each.sub_query.text in texts] or retrieved
        failed = Evidence(tuple(own)).failed
        looked_for = own is not retrieved and any(each.error is None for each in own)
        error = None if looked_for or not failed else _one_line(failed[0].error)
        return Unanswered(need.need, self._tried(session, need), error, _words_of(need, session.absent))

    def _is_answered_by_model(self, session: Session) -> bool:
        """True if the question is open, without cells, and a passage that the model cites supports what it says."""
        plan, written = self.gathering.planning.planned(session), session.written
        return plan.is_open and written is not None and bool(written.borne_out) and not written.is_uncited

    def _not_computed(self, session: Session, reasoned: Reasoned) -> list[str]:
        """Return notes on the reasoner's needs that the model's answer covers from a passage."""
        written = session.written
        if written is None or not reasoned.needs or self._is_answered_by_model(session):
            return []
        told = self._covered_needs(session, written)
        return [f"not computed, but told by a passage: {need.need}" for need in reasoned.needs if told.covers(need)]

    def _covered_needs(self, session: Session, written: Written) -> NeedCoverage:
        """Return the check of which needs the model's answer covers."""
        names_in = self.gathering.planning.names_in
        return NeedCoverage(written, session.asked, lambda need: names_in([need], ""), session.absent)

    async def _is_answered_by_rules(self, session: Session) -> bool:
        """True if the rules answer completely, with citations and without a doubt."""
        reasoned = await self.gathering.concluded(session)
        return bool(reasoned.citations) and not reasoned.needs and not reasoned.finding.is_doubted

    def _tried(self, session: Session, need: Need) -> tuple[str, ...]:
        """Return the sub-queries for a fact: its own if they ran, else the first that did."""
        ran = [r.sub_query.text for r in session.runner.retrieved if r.stop != "low_quality"]
        own = [text for text in ran if text == need.sub_query.text]
        return tuple(dict.fromkeys([*own, *session.tried.get(need.need, ())])) or tuple(ran[:1])


def _inferred(citations: Sequence[Citation]) -> list[str]:
    """Return notes on tables without lines, whose rows and columns were inferred and may be wrong."""
    places = dict.fromkeys(where(citation) for citation in citations if citation.is_inferred)
    return [f"check it there, for the table has no lines: {place}" for place in places]


def _with_found(evidence: Evidence, passages: Sequence[Passage], written: Written) -> tuple[Passage, ...]:
    """Return the passages of the evidence, and those that tools found and the answer cites."""
    cited = {citation.chunk_id for citation in written.draft.citations}
    more = passages[len(evidence.passages) :]
    return (*evidence.passages, *(passage for passage in more if passage.chunk.id in cited))


def _words_of(need: Need, words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that occur in a need."""
    own = set(content_words(f"{need.need} {need.sub_query.text}"))
    return tuple(word for word in words if word in own)


def _room(cited: Sequence[str], retrieved: Sequence[Retrieved], policy: Policy) -> int:
    """Return how many chunks an answer needs once every fact is found: those cited, and the own chunk of each entity.

    A single fact keeps some context around it for the reader. Facts that support each other do not need it.
    """
    needed = {*cited, *own_chunks(retrieved)}
    return max(len(needed), 1 + policy.context_chunks)


def _each_once(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct notes; failures with the same reason are one note.

    >>> _each_once(f"{what} by rules, not by the language model: no key" for what in ("planned", "worded"))
    ('planned and worded by rules, not by the language model: no key',)
    """
    found: dict[str, list[str]] = {}
    for note in dict.fromkeys(notes):
        what, by_rules, _ = note.partition(" by rules, not by ")
        found.setdefault(note.removeprefix(what) if by_rules else note, []).append(what if by_rules else "")
    return tuple(" and ".join(whats) + rest for rest, whats in found.items())


def _without_missing(written: Written) -> Written:
    """Return the answer without the needs that the rules left open and the model answered."""
    draft = written.draft
    lines = [line for line in draft.text.split("\n") if line not in draft.missing]
    return replace(written, draft=replace(draft, text="\n".join(lines), missing=()))


def _with_missing(written: Written, missing: Iterable[str]) -> Written:
    """Return the answer with a line for each missing fact, even if the model omitted it."""
    untold = [line for line in missing if line not in written.draft.text]
    if not untold:
        return written
    return replace(written, draft=replace(written.draft, text="\n".join([written.draft.text, *untold])))


def _stop_reason(stop: StopReason, evidence: Evidence, whole: bool) -> StopReason:
    """Return the stop reason of an answer; "failed" if nothing could be searched."""
    if evidence.is_unsearched:
        return evidence.stop_reason
    return "partial" if stop == "complete" and not whole else stop


def _with_unread(written: Written, unread: Sequence[str]) -> Written:
    """Return the answer, preceded by lines on what of the question could not be read."""
    if not unread:
        return written
    text = "\n".join([*(f"Not read: {line}." for line in unread), written.draft.text])
    return replace(written, draft=replace(written.draft, text=text))


def _unsearched(retrieved: Sequence[Retrieved], *, of_values: bool = True) -> Iterator[Unanswered]:
    """Yield the sub-queries without a search result as unanswered: each failed, or needs a value that was not found.

    A model that answers may have found such a value by itself.
    """
    for each in Evidence(tuple(retrieved)).failed:
        yield Unanswered(each.sub_query.text, (each.sub_query.text,), _one_line(each.error))
    for each in retrieved:
        if each.stop == "no_value" and of_values:
            need = each.sub_query.purpose or each.sub_query.text
            yield Unanswered(f"{need} ({_one_line(each.error)})", (each.sub_query.text,))


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _read_from(retrieved: Retrieved, cited: Sequence[str]) -> list[str]:
    found = {hit.chunk.id for hit in retrieved.hits}
    return [id_ for id_ in cited if id_ in found]
