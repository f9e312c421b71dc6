"""What was found for each part of a question, as one finding: each with its own working and its own citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.languages.operations import End
from agent.plugins.domains import installed
from agent.types import Citation, Finding, Need, Reasoned, Step

_EQUAL = 1e-9


def together(parts: Sequence[Reasoned]) -> Reasoned:
    """Return the findings of the parts as one; a place that several cite has one number, a step of several stands once.

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
    claim = " ".join(each.claim for each in findings)
    return Reasoned(Finding("parts", claim, tuple(steps), values), tuple(cited.values()), tuple(needs.values()))


def in_order(parts: Sequence[Reasoned], order: End) -> Reasoned:
    """The findings of a domain as one, those that it can hold against each other from the first to the last."""
    told = together(parts)
    ranks = [(rank, part) for part in parts for domain in installed() if (rank := domain.rank(part.finding))]
    if len(ranks) < len(parts):
        return told
    ranks.sort(key=lambda each: each[0][1], reverse=order != "low")
    listing = ", ".join(f"{name} {chance:.1%}" for (name, chance), _ in ranks)
    best, next_ = ranks[0][0], ranks[1][0] if len(ranks) > 1 else ("", -1.0)
    verdict = best[0] if abs(best[1] - next_[1]) > _EQUAL else None
    claim = f"Ranked: {listing}. {told.finding.claim}"
    values = {**told.finding.values, "ranked": [{"name": name, "value": value} for (name, value), _ in ranks]}
    return replace(told, finding=replace(told.finding, claim=claim, values=values, verdict=verdict))
