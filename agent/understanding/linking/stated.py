"""Turn a step of a plan into the `Tagged` and `Linked` that the rules make of a question.

The author of a step has marked its names, measures, conditions and ends. Only the phrases themselves are parsed, and
the same code binds and executes steps and questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.languages.language import Language
from agent.languages.operations import End, Operation
from agent.understanding.linking.keys import keys_in
from agent.understanding.linking.linkings import linkings
from agent.understanding.linking.mentions import mentions_of
from agent.understanding.linking.program import Linked, Subject
from agent.understanding.question.numbers import Number
from agent.understanding.question.plan_step import Condition, NamedSubject, PlanStep
from agent.understanding.question.tagged import Tagged, tagged
from agent.understanding.words.clauses import tokens_of
from retrieval.tables.asked import Key
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention
from retrieval.text.label_ranges import read_label

ENDS: dict[str, End] = {"highest": "high", "lowest": "low", "best": "better", "worst": "worse"}
"""The operations that ask for an end of a scale, and which."""
_LIMITS = {"below": "<", "at most": "≤", "above": ">", "at least": "≥"}


@dataclass(frozen=True, slots=True)
class StepLinker:
    """Writes steps with the names of one collection, in one language."""

    index: Cells
    language: Language

    def subjects(self, named: NamedSubject) -> Iterator[tuple[Subject, ...]]:
        """Yield the readings of a name, best first; each has one subject, or several if any of them may be meant."""
        keys, words = self._selectors(named)
        for linked in linkings(self.tagged(named.name), self.index):
            yield tuple(
                replace(each, keys=(*each.keys, *keys), words=(*each.words, *linked.words, *words))
                for each in linked.subjects
            )

    def of_named(self, measure: str, subjects: Sequence[Subject], operation: str) -> Linked:
        """Return the question of a step about named subjects."""
        phrase = self.tagged(measure).as_words().without_end()
        words = tuple(dict.fromkeys(word for _, word in phrase.words()))
        keys = tuple(key for _, key in keys_in(phrase, frozenset()))
        implied = {word: meant for i, word in phrase.words() if (meant := phrase.implied(i))}
        question = replace(phrase, operation="compare" if operation == "compare" else None)
        if len(subjects) > 1 and operation in ENDS:
            question = self._ended(question, ENDS[operation])
        own = tuple(replace(each, keys=(*each.keys, *keys)) for each in subjects)
        related = {word: phrase.related[i] for i, word in phrase.words() if i in phrase.related}
        return Linked(question, own, words, " ".join(words), implied, related, stretches=(words,))

    def of_kind(self, step: PlanStep, measure: str) -> Tagged:
        """Return the question of a step about all members of a kind, under the conditions of the step."""
        written = _Written(self.language, [sorted(self.language.listing)[0]])
        written.add(self.tagged(step.kind))
        for condition in step.where:
            self._add_condition(written, condition)
        end = None
        if step.operation in ENDS:
            end = self._add_end(written, ENDS[step.operation], step.top)
        if measure:
            written.add(self.tagged(measure).as_words().without_end())
        operation: Operation | None = "count" if step.operation == "count" else None
        question = " ".join((step.kind, *(f"{each.measure} {each.value}" for each in step.where), measure))
        return Tagged(
            question, tuple(written.tokens), tuple(written.numbers), frozenset(), {}, operation, end, end is not None,
            written.negated, names=tuple(written.names), language=self.language, soft=frozenset(written.soft),
        )  # fmt: skip

    def limits(self, condition: Condition) -> list[Number]:
        """Return the numbers of a condition as limits."""
        written = _Written(self.language, [])
        self._add_value(written, condition)
        return written.numbers

    def tagged(self, phrase: str) -> Tagged:
        """Tag one phrase of a step by itself."""
        tokens = tuple(tokens_of(phrase))
        names = mentions_of(tokens, self.index)
        known = {self.language.name: self.language}
        return tagged(phrase, names, self.index.measure_words, known, heeding_all=True)

    def _selectors(self, named: NamedSubject) -> tuple[tuple[Key, ...], tuple[str, ...]]:
        """Return the numbers and the words that select among the values of a subject."""
        keys: list[Key] = []
        words: list[str] = []
        for name, value in named.keys:
            phrase = self.tagged(f"{name} {value}")
            numbers = [key for _, key in keys_in(phrase, frozenset())]
            keys += numbers
            words += [] if numbers else [word for _, word in phrase.words()]
        return tuple(keys), tuple(words)

    def _ended(self, question: Tagged, end: End) -> Tagged:
        """Return the question with a word for an end of the scale appended."""
        return replace(question, tokens=(*question.tokens, self._degree(end)), end=len(question.tokens), best=True)

    def _degree(self, end: End) -> str:
        """Return the superlative of the language for an end."""
        words = self.language.worth if end in ("better", "worse") else self.language.ends
        is_high = end in ("high", "better")
        return next(word for word, each in words.items() if each.high == is_high and each.degree == "superlative")

    def _add_end(self, written: _Written, end: End, top: int) -> int:
        """Write the number of results and the end of the scale; return the place of its word."""
        if top > 1:
            written.numbers.append(Number(len(written.tokens), str(top)))
            written.tokens.append(str(top))
        written.tokens.append(self._degree(end))
        return len(written.tokens) - 1

    def _add_condition(self, written: _Written, condition: Condition) -> None:
        written.add(self.tagged(condition.measure).as_words().without_end(), closed=False)
        if condition.relation == "is not":
            written.tokens.append(sorted(self.language.negations - self.language.lacking)[0])
            written.negated = True
        self._add_value(written, condition)

    def _add_value(self, written: _Written, condition: Condition) -> None:
        written.add(self.tagged(condition.value).as_words().without_end(), _LIMITS.get(condition.relation, ""))


@dataclass(slots=True)
class _Written:
    """Phrases in sequence, as the tokens of one question."""

    language: Language
    tokens: list[str]
    numbers: list[Number] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    soft: set[str] = field(default_factory=set)
    negated: bool = False

    def add(self, phrase: Tagged, limit: str = "", *, closed: bool = True) -> None:
        """Append a phrase, with its numbers as limits if a limit is given."""
        start = len(self.tokens)
        for each in phrase.numbers:
            span = read_label(f"{limit}{each.value}").span if limit else each.limit
            self.numbers.append(Number(start + each.place, each.value, span))
        self.names += [replace(each, start=start + each.start, end=start + each.end) for each in phrase.names]
        self.soft |= phrase.soft
        self.tokens += phrase.tokens if closed else phrase.tokens[:-1]
