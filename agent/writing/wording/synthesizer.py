"""Turn findings into a draft: the claim, its steps line by line with citations, and what was not found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agent.types import Citation, Finding, Step, Unanswered


@dataclass(frozen=True, slots=True)
class Draft:
    """An unverified answer: its text, the findings and citations that support it, numbered as they first appear.

    `missing` are the lines for what was not found or could not be looked up.
    """

    text: str
    findings: tuple[Finding, ...]
    citations: tuple[Citation, ...]
    missing: tuple[str, ...] = ()


NOTHING = Draft("", (), ())
"""What a model words an answer from if nothing was found but near passages: it reads these as it reads any others.

A small model that is shown *Not found* repeats it.
"""


def synthesize(finding: Finding, citations: Sequence[Citation], unanswered: Sequence[Unanswered], where: str) -> Draft:
    """Write the draft of one finding; `where` names the collection that was searched.

    Needs with a word that the collection does not have come first.
    """
    finding, used = _renumbered(finding, citations)
    hopeless = [item for item in unanswered if item.absent]
    first = tuple(missing_lines(hopeless, where))
    last = tuple(missing_lines([item for item in unanswered if not item.absent], where))
    missing = (*first, *last)
    lines = [*first, *_claim(finding), *_working(finding), *last]
    # Without steps a claim says that nothing was found; that is unknown if a search failed.
    known = finding.steps or all(item.error is None for item in unanswered)
    return Draft("\n".join(lines), (finding,) if finding.claim and known else (), used, missing)


def _renumbered(finding: Finding, citations: Sequence[Citation]) -> tuple[Finding, tuple[Citation, ...]]:
    """Keep the citations that a step uses, and number them from 1 in the order of the text; remove other marks."""
    finding = _without_marks(finding)
    in_text = sorted(finding.steps, key=lambda step: step.text != finding.claim)  # the claim comes first
    order = list(dict.fromkeys(n for step in in_text for n in step.cites))
    numbers = {old: new for new, old in enumerate(order, start=1)}
    by_number = {citation.n: citation for citation in citations}
    steps = tuple(replace(step, cites=tuple(dict.fromkeys(numbers[n] for n in step.cites))) for step in finding.steps)
    return replace(finding, steps=steps), tuple(replace(by_number[old], n=numbers[old]) for old in order)


def _without_marks(finding: Finding) -> Finding:
    """Return the finding without texts that look like a citation: a book has numbers in brackets of its own."""
    steps = tuple(replace(step, text=_unmarked(step.text)) for step in finding.steps)
    return replace(finding, claim=_unmarked(finding.claim), steps=steps)


def _claim(finding: Finding) -> Iterator[str]:
    """Yield the claim, with the citations of the step that has the same text."""
    if finding.steps:
        said = next((step for step in finding.steps if step.text == finding.claim), None)
        yield f"{finding.claim} {marks_of(said.cites)}".rstrip() if said else finding.claim


def _working(finding: Finding) -> Iterator[str]:
    for step in finding.steps:
        if step.text != finding.claim:
            yield line_of(step)


def line_of(step: Step) -> str:
    """Return the line of an answer for a step, with its citations."""
    return f"- {step.text} {marks_of(step.cites)}".rstrip()


def marks_of(cites: Iterable[int]) -> str:
    """Return citations as they stand in an answer, each once.

    >>> marks_of([1, 3, 1])
    '[1][3]'
    """
    return "".join(f"[{n}]" for n in dict.fromkeys(cites))


def missing_lines(unanswered: Sequence[Unanswered], where: str) -> Iterator[str]:
    """Yield a line for each error with the needs that were not looked up, and a line for each need that was not found.

    >>> list(missing_lines([Unanswered("wages", ("wages",)), Unanswered("hire", ("hire",), "no store")], "'book'"))
    ["Not looked up in 'book': hire (the search failed: no store).", "Not found in 'book': wages (looked for: wages)."]
    """
    for error in dict.fromkeys(item.error for item in unanswered if item.error is not None):
        needs = "; ".join(item.need for item in unanswered if item.error == error)
        yield _unmarked(f"Not looked up in {where}: {needs} (the search failed: {error}).")
    for item in unanswered:
        if item.error is None:
            tried = f" (looked for: {'; '.join(item.tried)})" if item.tried else ""
            yield _unmarked(f"Not found in {where}: {item.need}{_absent(item)}{tried}.")


def _unmarked(line: str) -> str:
    """Return the line without what looks like a citation: a question may have brackets of its own."""
    return re.sub(r"\[(\d+)\]", r"(\1)", line)


def _absent(item: Unanswered) -> str:
    """Return a note of the words that the collection does not have, if any.

    >>> _absent(Unanswered("abilities of a beholder", (), absent=("beholder",)))
    "; nothing there has the word 'beholder'"
    """
    words = " or ".join(map(repr, item.absent))
    return f"; nothing there has the word {words}" if words else ""
