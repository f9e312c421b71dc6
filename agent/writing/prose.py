"""Free prose is checked sentence by sentence: each number is in what the sentence cites, or in a finding.

A sentence of a model may draw on several sources, so it is held against all that it cites together, with the numbers of
the question; one that cites nothing, against one finding, quotation or the question, as `agent.verify` does. And no
sentence may give the victory to another than the one who was computed to win.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.types import Citation, Finding
from agent.verify import Problem, Support, numbers_of
from agent.writing.cited import MARK, marks_of, pieces
from retrieval.types import Passage

_WINS = re.compile(r"\b(wins?|winner|winning|victor|victorious|prevails?|defeats?|beats?|favou?red)\b", re.IGNORECASE)


def check(
    text: str,
    findings: Sequence[Finding],
    citations: Sequence[Citation],
    passages: Iterable[Passage],
    question: str,
) -> tuple[Problem, ...]:
    """Return what in a model's text has no support, sentence by sentence; empty when all is well."""
    support = Support(findings, citations, passages, question)
    quotes = {citation.n: numbers_of(citation.quote) for citation in citations}
    asked = numbers_of(question)
    found: list[Problem] = []
    for sentence in (piece for line in text.split("\n") for piece in pieces(line)):
        problems = list(support.problems(sentence))
        if problems and not _held(sentence, quotes, asked, findings):
            found += [Problem(sentence, problem.reason) for problem in problems]
        found += [Problem(sentence, reason) for reason in _contradictions(sentence, findings)]
    return tuple(found)


def marked(text: str, problems: Iterable[Problem]) -> str:
    """The text with each sentence that has no support marked as such."""
    for sentence in dict.fromkeys(problem.sentence for problem in problems):
        if sentence:
            text = text.replace(sentence, f"{sentence} (unverified)")
    return text


def _held(sentence: str, quotes: Mapping[int, Counter[str]], asked: Counter[str], findings: Sequence[Finding]) -> bool:
    marks = marks_of(sentence)
    if not marks or any(mark not in quotes for mark in marks):
        return False
    wanted = numbers_of(MARK.sub("", sentence)).keys() - asked.keys()
    held = {number for mark in marks for number in quotes[mark]}
    steps = [frozenset(numbers_of(step.text)) for finding in findings for step in finding.steps if step.text]
    return wanted <= held or any(wanted <= held | numbers for numbers in steps)


def _contradictions(sentence: str, findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        names = [str(each.get("name")) for each in finding.values.get("combatants") or ()]
        told = sentence.lower()
        others = [name for name in names if name != finding.verdict and name.lower() in told]
        if finding.verdict and others and finding.verdict.lower() not in told and _WINS.search(sentence):
            yield f"it was computed that the {finding.verdict} is more likely to win"
