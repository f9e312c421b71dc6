"""Nothing leaves unchecked: every citation resolves, and every number of a sentence has one source that holds it.

A sentence that repeats a step, a claim or a quotation must have exactly its numbers, and cite no more than the step
does, nothing twice. The numbers of any other sentence must all stand together in one of them, or in the question. So a
changed digit is caught, even if the changed number exists elsewhere in the evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from agent.types import Citation, Finding
from retrieval.types import Passage

_MARK = re.compile(r"\[(\d+)\]")
_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?(?:/\d+)?|(?<=[a-zA-Z×+/-])\d+(?:\.\d+)?|\d+(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a sentence of the draft; `lacking` are its numbers that have no support."""

    sentence: str
    reason: str
    lacking: tuple[str, ...] = ()


def verify(
    text: str,
    findings: Sequence[Finding],
    citations: Sequence[Citation],
    passages: Iterable[Passage],
    question: str,
    missing: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """Return everything in `text` that has no support; empty if all is well.

    A citation resolves if its number is in `citations` and its chunk among `passages`. The lines in `missing` say what
    was not found, and need no support.
    """
    told, support = frozenset(missing), Support(findings, citations, passages, question)
    lines = (line for line in text.split("\n") if line not in told)
    return tuple(problem for line in lines for problem in support.problems(line))


class Support:
    """The support for the sentences of one draft."""

    def __init__(
        self,
        findings: Sequence[Finding],
        citations: Sequence[Citation],
        passages: Iterable[Passage],
        question: str,
    ) -> None:
        chunks = {passage.chunk.id for passage in passages}
        self._known = {citation.n for citation in citations if citation.chunk_id in chunks}
        self._held = [numbers_of(text) for text in _supports(findings, citations, question)]
        self._repeatable = Repeatable(findings, citations, question)

    def problems(self, sentence: str) -> Iterator[Problem]:
        """Yield the problems of one sentence."""
        marks = [int(n) for n in _MARK.findall(sentence)]
        yield from (Problem(sentence, f"citation [{n}] leads nowhere") for n in marks if n not in self._known)
        plain = _MARK.sub("", sentence)
        wanted, repeats = numbers_of(plain), self._repeatable.repeats(plain, marks)
        held = any(wanted <= numbers for numbers in self._held) if repeats is None else repeats
        if (wanted or (repeats is not None and marks)) and not held:
            yield Problem(sentence, f"no source holds {', '.join(sorted(wanted))} together, so cited")


class Repeatable:
    """The lines that a sentence may repeat, by their words: their numbers in order, and their citations (None: any)."""

    def __init__(self, findings: Sequence[Finding], citations: Sequence[Citation], question: str) -> None:
        self._given = findings, citations, question

    @cached_property
    def _by_words(self) -> Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], frozenset[int] | None]]]:
        found: dict[tuple[str, ...], list[tuple[tuple[str, ...], frozenset[int] | None]]] = {}
        steps = {(step.text, frozenset(step.cites)) for finding in self._given[0] for step in finding.steps}
        texts = {text for text, _ in steps}
        supports = ((text, None) for text in _supports(*self._given) if text not in texts)
        for text, cites in chain(steps, supports):
            found.setdefault(_words(text), []).append((_sequence(text), cites))
        return found

    def repeats(self, sentence: str, marks: Sequence[int]) -> bool | None:
        """True if a sentence without its marks has the numbers and citations of a line it repeats; None: it repeats
        none.
        """
        own = self._by_words.get(_words(sentence))
        if own is None:
            return None
        return any(_sequence(sentence) == numbers and _cites_only(marks, cites) for numbers, cites in own)


def _cites_only(marks: Sequence[int], cites: frozenset[int] | None) -> bool:
    return cites is None or (len(set(marks)) == len(marks) and cites.issuperset(marks))


def _supports(findings: Sequence[Finding], citations: Sequence[Citation], question: str) -> Iterable[str]:
    for finding in findings:
        yield finding.claim
        yield from (step.text for step in finding.steps)
    yield from (citation.quote for citation in citations)
    yield question


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W\d_]+", text.lower()))


def numbers_of(text: str) -> Counter[str]:
    """Return the numbers of a text, each as often as it occurs, without thousands separators.

    >>> sorted(numbers_of("2d6+1 and 10,000 or 37.9%"))
    ['1', '10000', '2', '37.9', '6']
    """
    return Counter(_sequence(text))


@lru_cache(maxsize=1024)
def _sequence(text: str) -> tuple[str, ...]:
    """Return the numbers of a text in their order; cached, since each text is compared in several ways."""
    found = (match[0] for match in _NUMBER.finditer(text))
    return tuple(each.replace(",", "").replace("+", "").replace("−", "-").rstrip(".") for each in found)


def marked(text: str, problems: Sequence[Problem], mark: str = "(unverified)") -> str:
    """Return the text with a mark behind each unsupported sentence."""
    for sentence in dict.fromkeys(problem.sentence for problem in problems):
        if sentence:
            whole = rf"(?<!\S){re.escape(sentence)}(?!\S| \(un)"
            text = re.sub(whole, lambda match: f"{match[0]} {mark}", text)
    return text
