"""Join the findings for the parts of a question into one, each with its own steps and citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.languages.operations import End
from agent.plugins.domain import Rank
from agent.plugins.domains import installed
from agent.types import Citation, Finding, Need, Reasoned, Step
from retrieval.types import SubQuery

_EQUAL = 1e-9


def together(parts: Sequence[Reasoned]) -> Reasoned:
    """Return the findings of the parts as one. A place that several cite has one number; a repeated claim or step
    occurs once.

    >>> together([Reasoned(Finding("a", "One."), (), ()), Reasoned(Finding("b", "Two."), (), ())]).finding.claim
    'One. Two.'
    """
    if len(parts) == 1:
        return parts[0]
    cited: dict[tuple[str, str], Citation] = {}
    steps: dict[Step, None] = {}
    needs: dict[str, Need] = {}
    for part in parts:
        numbers = {}
        for citation in part.citations:
            first = cited.setdefault((citation.chunk_id, citation.quote), replace(citation, n=len(cited) + 1))
            numbers[citation.n] = first.n
        for step in part.finding.steps:
            steps.setdefault(replace(step, cites=tuple(numbers[n] for n in step.cites)))
        for need in part.needs:
            needs.setdefault(need.sub_query.text, need)
    findings = [part.finding for part in parts if part.finding.claim and not (part.needs and not part.citations)]
    values = {"parts": [{"claim": each.claim, **each.values} for each in findings]}
    claim = " ".join(dict.fromkeys(each.claim for each in findings))
    is_doubted = all(each.is_doubted for each in findings)
    finding = Finding("parts", claim, tuple(steps), values, is_doubted=is_doubted)
    return Reasoned(finding, tuple(cited.values()), tuple(needs.values()))


def in_order(parts: Sequence[Reasoned], texts: Sequence[str], order: End) -> Reasoned:
    """Return the findings as one, ranked by their domain or by their computed number. `texts` are the subjects of the
    findings. If one can't be ranked, the findings keep their order, with a need for the ranking.
    """
    told = together(parts)
    ranks = [
        rank for part, text in zip(parts, texts, strict=True) if (rank := _rank_of(part.finding, text)) is not None
    ]
    if len(ranks) < len(parts):
        need = Need("the order of these", SubQuery("order", " or ".join(texts)))
        return replace(told, needs=told.needs or (need,))
    ranks.sort(key=lambda rank: rank.value, reverse=order != "low")
    listing = ", ".join(f"{rank.name} {rank.told}" for rank in ranks)
    is_tied = len(ranks) > 1 and abs(ranks[0].value - ranks[1].value) <= _EQUAL
    values = {**told.finding.values, "ranked": [{"name": rank.name, "value": rank.value} for rank in ranks]}
    claim, verdict = f"Ranked: {listing}. {told.finding.claim}", None if is_tied else ranks[0].name
    return replace(told, finding=replace(told.finding, claim=claim, values=values, verdict=verdict))


def _rank_of(finding: Finding, text: str) -> Rank | None:
    """Return the rank of a finding: by its domain, or by its one computed number."""
    ranks = (domain.rank(finding) for domain in installed())
    rank = next((rank for rank in ranks if rank is not None), None)
    result = finding.values.get("difference")
    if rank is None and result is not None and finding.verdict is not None:
        return Rank(text, result, finding.verdict)
    return rank
