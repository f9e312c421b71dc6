"""What was found for each part of a question, as one finding: each with its own working and its own citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.types import Citation, Finding, Need, Reasoned


def together(parts: Sequence[Reasoned]) -> Reasoned:
    """Return the findings of the parts as one; a place that several cite has one number.

    >>> together([Reasoned(Finding("a", "One."), (), ()), Reasoned(Finding("b", "Two."), (), ())]).finding.claim
    'One. Two.'
    """
    cited: dict[tuple[str, str], Citation] = {}
    steps = []
    needs: dict[str, Need] = {}
    for part in parts:
        numbers = {}
        for citation in part.citations:
            first = cited.setdefault((citation.chunk_id, citation.quote), replace(citation, n=len(cited) + 1))
            numbers[citation.n] = first.n
        for step in part.finding.steps:
            steps.append(replace(step, cites=tuple(numbers[n] for n in step.cites)))
        for need in part.needs:
            needs.setdefault(need.sub_query.text, need)
    findings = [part.finding for part in parts if part.finding.claim and not (part.needs and not part.citations)]
    values = {"parts": [{"claim": each.claim, **each.values} for each in findings]}
    claim = " ".join(each.claim for each in findings)
    return Reasoned(Finding("parts", claim, tuple(steps), values), tuple(cited.values()), tuple(needs.values()))
