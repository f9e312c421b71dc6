"""Repair an answer sentence by sentence: quote each wrong sentence as the model wrote it, with advice.

Right sentences are not asked for again. If the model rewrites the whole answer anyway, its reply is the new answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.types import Finding
from agent.writing.checking.cited import MARK, Cited, marks_of
from agent.writing.checking.support import Support
from agent.writing.checking.verify import Problem
from retrieval.types import Chunk

ASK = """\
These sentences of your answer can't stand. Write each of them anew, on a line of its own that begins with its number; a
line of the list keeps its dash behind that. You may cite another source, say it as its source does, or leave it out:
then write "-" alone behind the number. Write nothing else; the rest of your answer stays as it is."""
_LINE = re.compile(r"\s*(\d{1,3})[.):]\s*(.*?)\s*$")
_ADVICE = re.compile(r"\s*->")
"""Begins a line of advice, which a small model repeats."""
_BULLET = re.compile(r"[-*•]\s+")
_MOST = 20
_LEFT_OUT = ("-", "–", "—", "")


@dataclass(frozen=True, slots=True)
class Advisor:
    """Knows the source of every number that the model was shown, and so which one supports a sentence."""

    findings: Sequence[Finding]
    chunks: Mapping[int, Chunk]
    question: str

    def complaints(self, made: Cited, problems: Sequence[Problem]) -> Iterator[tuple[str, str]]:
        """Yield the sentences with problems, with the model's own marks, each with advice."""
        support = Support(self.findings, self.chunks, self.question)
        of: dict[str, list[Problem]] = {}
        for each in problems:
            if each.sentence:
                of.setdefault(each.sentence, []).append(each)
        for sentence, found in list(of.items())[:_MOST]:
            original = made.originals.get(sentence, sentence)
            advice = dict.fromkeys(self._advice(original, each, support) for each in found)
            yield original, "; ".join(advice)

    def _advice(self, sentence: str, problem: Problem, support: Support) -> str:
        if not problem.lacking:
            return problem.reason
        marks, plain = marks_of(sentence), MARK.sub("", sentence)
        said = _named(problem.lacking)
        for number in self.chunks:
            if number not in marks and not support.lacking(plain, [number]):
                return f"cite [{number}], which has {said}"
        cited = "".join(f"[{number}]" for number in marks)
        if not cited:
            return f"{said} is in no finding, and the sentence cites nothing"
        return f"{cited} does not tell {said} of what the sentence tells it of"


def _named(lacking: Sequence[str]) -> str:
    """Return what a sentence lacks as the model is told it.

    >>> _named(["7", "12"]), _named(["lich"])
    ('the numbers 7, 12', 'lich')
    """
    if not all(any(map(str.isdecimal, each)) for each in lacking):
        return ", ".join(lacking)
    return f"the number{'s' if len(lacking) > 1 else ''} {', '.join(lacking)}"


def request(complaints: Sequence[tuple[str, str]]) -> str:
    """Return the numbered sentences, for the model to rewrite.

    >>> request([("It is 7 [4].", "cite [5], which has the number 7")])
    '1. It is 7 [4].\\n   -> cite [5], which has the number 7'
    """
    return "\n".join(f"{n}. {sentence}\n   -> {advice}" for n, (sentence, advice) in enumerate(complaints, start=1))


def with_replaced_sentences(text: str, sentences: Sequence[str], reply: str) -> str:
    """Return the text with each sentence replaced by the reply's version; the reply itself if it is no list of them.

    Advice that the reply repeats is passed over.

    >>> wrong = ["It is 7 [4].", "So be it [9]."]
    >>> with_replaced_sentences("Orcs are tall. It is 7 [4]. So be it [9].", wrong, "1. It is 8 [5].\\n2. -")
    'Orcs are tall. It is 8 [5].'
    """
    lines = [_LINE.match(line) for line in reply.splitlines() if line.strip() and not _ADVICE.match(line)]
    found = {int(match[1]): match[2] for match in lines if match is not None}
    if None in lines or not found or not found.keys() <= set(range(1, len(sentences) + 1)):
        return reply
    for number, new in found.items():
        sentence = sentences[number - 1]
        bullet = _BULLET.match(sentence)
        start = bullet[0] if bullet is not None and _BULLET.match(new) is None else ""
        text = text.replace(sentence, "" if new in _LEFT_OUT else start + new)
    kept = [re.sub(r"[ \t]{2,}", " ", line).rstrip() for line in text.splitlines()]
    return "\n".join(line for line in kept if line.strip(" -*•"))
