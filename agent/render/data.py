"""The JSON objects of the design page: only this module maps Python types to their names.

Each `…_data` function returns plain dictionaries and lists; `to_json` turns any of them into one line of JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from agent.escape import encodable, json_safe
from agent.render.shapes import (
    AnswerData,
    CheckData,
    ChunkData,
    CitationData,
    DecisionsData,
    DropData,
    EvidenceData,
    FindingData,
    GapData,
    HitData,
    IntentData,
    NeedData,
    PassageData,
    PlanData,
    PlannedData,
    RetrievedData,
    RetrievedNumbers,
    SearchData,
    StepData,
    SubQueryData,
    UnansweredData,
    UsageData,
)
from agent.types import Answer, Citation, Evidence, Finding, Need, Plan, Step, Unanswered, Usage
from retrieval.readers.documents.document import line_in
from retrieval.types import Chunk, Drop, Gap, Hit, IngestReport, Passage, QueryMust, Retrieved, SubQuery

Data = dict[str, Any]

_RULES = ("query_must", "duplicate", "threshold", "gap", "max_chunks")
_STAGES = ("plan", "retrieve", "reason", "synthesize", "total")


def to_json(value: Answer | Mapping[str, Any], debug: bool = False) -> str:
    r"""Return one line of JSON, with everything escaped that could disturb a terminal or a line reader.

    An `Answer` has the shape of the design page; `debug` adds each sub-query's `drops`, its `pinned` chunk ids, which
    the question names directly, and the `gaps` that were examined, each with the reason why it cuts or does not.

    >>> to_json({"text": "caf\xe9\u2028", "score": float("nan")})
    '{"text":"café\\u2028","score":null}'
    """
    data = answer_data(value, debug) if isinstance(value, Answer) else value
    return json_safe(_encoded(data).decode())


def as_object(value: Mapping[str, Any]) -> Data:
    """Return the object as a reader of `to_json` gets it, for code that writes JSON itself.

    >>> as_object({"share": float("inf"), "cites": (1, 2)})
    {'share': None, 'cites': [1, 2]}
    """
    found: Data = orjson.loads(_encoded(value))
    return found


def answer_data(answer: Answer, debug: bool = False) -> AnswerData:
    """Return an answer as the object of the design page."""
    return {
        "question": answer.question,
        "text": answer.text,
        "verdict": answer.verdict,
        "stop_reason": answer.stop_reason,
        "run_id": answer.run_id,
        "citations": [citation_data(citation) for citation in answer.citations],
        "findings": [finding_data(finding) for finding in answer.findings],
        "unanswered": [_unanswered(unanswered) for unanswered in answer.unanswered],
        "plan": plan_in_answer(answer.plan, answer.evidence),
        **_evidence_data(answer.evidence, debug),
        "usage": usage_data(answer.usage),
        "timings_ms": {stage: round(answer.timings_ms.get(stage, 0.0), 3) for stage in _STAGES},
        "notes": list(answer.notes),
    }


def usage_data(usage: Usage) -> UsageData:
    """Return the usage of language models.

    >>> usage_data(Usage(1, 20))
    {'llm_calls': 1, 'prompt_tokens': 20, 'completion_tokens': 0, 'cost_usd': 0.0}
    """
    return {
        "llm_calls": usage.llm_calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": usage.cost_usd,
    }


def plan_data(plan: Plan, debug: bool = False) -> PlannedData:
    """Return a plan alone: the question, and the `plan` object of an answer; `debug` adds the parsed `intent`."""
    intent: IntentData = {}
    if debug:
        intent = {"intent": {"kind": type(plan.intent).__name__.lower(), **asdict(plan.intent)}}
    return {"question": plan.question, **plan_in_answer(plan), **intent}


def evidence_data(question: str, evidence: Evidence, debug: bool = False) -> SearchData:
    """Return the result of a search; `plan` is the same as in an answer, or null if the evidence has none."""
    plan = None if evidence.plan is None else plan_in_answer(evidence.plan, evidence)
    return {"question": question, "stop_reason": evidence.stop_reason, "plan": plan, **_evidence_data(evidence, debug)}


def check_data(query: str, chunk: Chunk, holds: bool, missing: Sequence[str]) -> CheckData:
    """Return whether a chunk's rule holds for a query, and what the query lacks."""
    return {
        "query": query,
        "chunk_id": chunk.id,
        "title": chunk.title,
        "query_must": rule_data(chunk.query_must),
        "holds": holds,
        "missing": list(missing),
    }


def report_data(report: IngestReport, collection: str) -> Data:
    """Return the result of an ingestion."""
    names = (
        "files", "files_unchanged", "chunks", "tables", "rules", "embedded", "updated", "unchanged", "removed",
    )  # fmt: skip
    counts = {name: getattr(report, name) for name in names}
    skipped, failed = ([asdict(each) for each in some] for some in (report.skipped, report.failed))
    return {
        "collection": collection, **counts, "warnings": list(report.warnings), "skipped": skipped, "failed": failed,
    }  # fmt: skip


def chunk_data(chunk: Chunk) -> ChunkData:
    """Return a chunk as in the evidence."""
    return {
        "chunk_id": chunk.id,
        "title": chunk.title,
        "source": chunk.source,
        "page": chunk.page,
        "page_label": chunk.label_of(chunk.page) or None,
        "category": chunk.category,
        "text": chunk.text,
    }


def rule_data(rule: QueryMust | None) -> Data:
    """Return a rule in its JSON form, with only the operators it has.

    >>> rule_data(QueryMust(contain="orc"))
    {'contain': 'orc'}
    """
    if rule is None:
        return {}
    data: Data = {}
    if rule.contain_one_of:
        data["contain_one_of"] = [list(group) for group in rule.contain_one_of]
    if rule.contain_all_of:
        data["contain_all_of"] = list(rule.contain_all_of)
    if rule.contain is not None:
        data["contain"] = rule.contain
    if rule.contain_range is not None:
        limits = {"min": rule.contain_range.minimum, "max": rule.contain_range.maximum}
        data["contain_range"] = limits | ({"of": list(rule.contain_range.of)} if rule.contain_range.of else {})
    if rule.contain_own is not None:
        data["contain_own"] = {"own": list(rule.contain_own.own), "others": list(rule.contain_own.others)}
    return data


def retrieved_numbers(retrieved: Retrieved) -> RetrievedNumbers:
    """Return the numbers of one sub-query's retrieval, as in the JSON and in the event `subquery.retrieved`.

    >>> retrieved_numbers(Retrieved(SubQuery("q1", "orc"), rounds=2))["rounds"]
    2
    """
    return {
        "rounds": retrieved.rounds,
        "fetched": retrieved.fetched,
        "kept": len(retrieved.hits),
        "stop": retrieved.stop,
        "error": retrieved.error,
        "ms": round(retrieved.ms, 3),
        "best_score": retrieved.best_score,
        "dynamic_threshold": retrieved.dynamic_threshold,
        "absolute_min": retrieved.absolute_min,
        "effective_threshold": retrieved.effective_threshold,
        "cut": retrieved.cut,
        "dropped": {**dict.fromkeys(_RULES, 0), **retrieved.dropped},
    }


def _evidence_data(evidence: Evidence, debug: bool) -> EvidenceData:
    return {
        "retrieved": [retrieved_data(retrieved, debug) for retrieved in evidence.retrieved],
        "evidence": [_passage(passage) for passage in evidence.passages],
    }


def plan_in_answer(plan: Plan, evidence: Evidence | None = None) -> PlanData:
    """Return the plan; with the evidence, including the sub-queries of follow-up waves."""
    planned = {sub_query.id for sub_query in plan.sub_queries}
    ran = [retrieved.sub_query for retrieved in evidence.retrieved] if evidence is not None else []
    sub_queries = [*plan.sub_queries, *(sub_query for sub_query in ran if sub_query.id not in planned)]
    return {"planner": plan.planner, "effort": plan.effort, "sub_queries": list(map(_sub_query, sub_queries))}


def need_data(need: Need) -> NeedData:
    """Return a missing fact with the sub-query that searches for it again."""
    return {"need": need.need, "sub_query": _sub_query(need.sub_query)}


def _sub_query(sub_query: SubQuery) -> SubQueryData:
    return {
        "id": sub_query.id,
        "text": sub_query.text,
        "purpose": sub_query.purpose,
        "depends_on": list(sub_query.depends_on),
    }


def retrieved_data(retrieved: Retrieved, debug: bool = False) -> RetrievedData:
    """Return the result of one sub-query, as in `retrieved` of an answer."""
    hits = [_hit(hit) for hit in retrieved.hits]
    decisions = _decisions(retrieved) if debug else DecisionsData()
    return {"sub_query": retrieved.sub_query.id, **retrieved_numbers(retrieved), "hits": hits, **decisions}


def _decisions(retrieved: Retrieved) -> DecisionsData:
    return {
        "drops": [_drop(drop) for drop in retrieved.drops],
        "pinned": sorted(retrieved.pinned),
        "gaps": [_gap(gap) for gap in retrieved.gaps],
    }


def _gap(gap: Gap) -> GapData:
    return {
        "after": gap.after,
        "near": gap.near,
        "far": gap.far,
        "cuts": gap.cuts,
        "reason": gap.reason,
        "size": gap.size,
    }


def _hit(hit: Hit) -> HitData:
    return {
        "chunk_id": hit.chunk.id,
        "title": hit.chunk.title,
        "page": hit.chunk.page,
        "page_label": hit.chunk.label_of(hit.chunk.page) or None,
        "category": hit.chunk.category,
        "distance": hit.distance,
        "relevance": hit.relevance,
        "confidence": hit.confidence,
    }


def _drop(drop: Drop) -> DropData:
    return {
        "chunk_id": drop.chunk_id,
        "title": drop.title,
        "relevance": drop.relevance,
        "rule": drop.rule,
        "reason": drop.reason,
    }


def _passage(passage: Passage) -> PassageData:
    return {
        **chunk_data(passage.chunk),
        "relevance": passage.relevance,
        "score": passage.score,
        "found_by": list(passage.found_by),
    }


def citation_data(citation: Citation) -> CitationData:
    """Return a citation of an answer."""
    cell = citation.cell
    return {
        "n": citation.n,
        "chunk_id": citation.chunk_id,
        "title": citation.title,
        "source": citation.source,
        "page": citation.page,
        "page_label": citation.page_label or None,
        "box": citation.box,
        "line": line_in(citation.source, citation.line),
        "quote": citation.quote,
        "address": citation.address or None,
        "inferred": citation.is_inferred,
        "cell": None if cell is None else {"table": cell.table, "row": cell.row, "column": cell.column},
    }


def finding_data(finding: Finding) -> FindingData:
    """Return a finding with its steps and values."""
    steps = [_step(step) for step in finding.steps]
    return {"reasoner": finding.reasoner, "claim": finding.claim, "steps": steps, "values": finding.values}


def _step(step: Step) -> StepData:
    return {"text": step.text, "value": step.value, "cites": list(step.cites)}


def _unanswered(unanswered: Unanswered) -> UnansweredData:
    return {
        "need": unanswered.need,
        "tried": list(unanswered.tried),
        "error": unanswered.error,
        "absent": list(unanswered.absent),
    }


def _encoded(value: Any) -> bytes:
    """Encode as JSON; the value is copied only if the encoder refuses it, since copying takes ten times as long."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return orjson.dumps(_encodable(value))


def _encodable(value: Any) -> Any:
    """Return a copy that the encoder accepts: no lone surrogates in strings, dictionaries for mappings."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {encodable(str(key)): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value
