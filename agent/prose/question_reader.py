"""The kind of answer that a question asks prose for, and the places of the words that a sentence has to match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Literal, cast

from agent.languages.language import Language
from agent.languages.phrases import Phrase, found
from agent.languages.scales import Dimension
from agent.prose.words import stem
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from agent.understanding.words.related import is_past_verb, synonyms_of
from retrieval.text.normal import STOP_WORDS, is_number

Kind = Literal[
    "amount", "frequency", "time", "place", "person", "reason", "manner", "outcome", "overview", "whether", "value"
]
_KINDS = ("amount", "frequency", "time", "place", "person", "reason", "manner", "outcome", "overview")


@dataclass(frozen=True)
class QuestionReader:
    """A question, read for the kind of answer that its words ask for. If it `ranks` things, the kind is an amount."""

    question: Tagged
    ranks: bool = False

    @property
    def tokens(self) -> Sequence[str]:
        return self.question.tokens

    @property
    def language(self) -> Language:
        return self.question.language

    @property
    def kind(self) -> Kind:
        """The kind that the longest phrase asks for; *how* with an adjective asks for an amount."""
        kind, _, _ = self._phrase
        if self.ranks:
            return "amount"
        if kind != "value":
            return kind
        if self._how is not None:
            return "manner" if self.graded is None else "amount"
        return "whether" if self.tokens and self.tokens[0] in self.language.helpers else "value"

    @cached_property
    def _phrase(self) -> tuple[Kind, int, Phrase]:
        """The longest phrase that asks for a kind of answer, and its place."""
        best: tuple[Kind, int, Phrase] = ("value", 0, ())
        for kind in _KINDS:
            for said in self._phrases_of(kind):
                place = found(self.tokens, said)
                if place is not None and len(said) > len(best[2]) and self._opens(place, said):
                    best = cast(Kind, kind), place, said
        return best

    def _phrases_of(self, kind: str) -> tuple[Phrase, ...]:
        said = self.language.answers.get(kind, ())
        return (*said, *self.language.amounts) if kind == "amount" else said

    def _opens(self, place: int, said: Phrase) -> bool:
        """True for a phrase of several words, and for a word at the beginning of a clause."""
        before = self.tokens[place - 1] if place else COMMA
        return len(said) > 1 or before in (COMMA, "and") or (place == 1 and before in STOP_WORDS)

    @cached_property
    def _how(self) -> int | None:
        """The place of *how*."""
        how = self.language.before_adjectives
        return next((i for i, token in enumerate(self.tokens) if token in how), None)

    @cached_property
    def graded(self) -> str | None:
        """The adjective behind *how*."""
        if self._how is None or self._phrase[0] != "value":
            return None
        behind = "".join(self.tokens[self._how + 1 : self._how + 2])
        return behind if behind and behind not in self.language.helpers | self.language.function_words else None

    @cached_property
    def content(self) -> list[int]:
        """The places of the words that a sentence has to match."""
        idle = (self.language.idle | {COMMA}) - {self.graded}  # *how high* is matched by *high*
        _, start, said = self._phrase
        taken = set(range(start, start + len(said)))
        if self.graded in self.language.adjectives and self._how is not None:
            taken.add(self._how + 1)  # its unit covers a known adjective, but not *humble*
        if self.ranks:
            taken |= self._ends
        taken |= {i for i, token in enumerate(self.tokens) if (token,) in self._relations or self._is_sort(i)}
        return [i for i, token in enumerate(self.tokens) if token not in idle and i not in taken]

    def _is_sort(self, place: int) -> bool:
        """True for *kind* in *what kind of cells*: it only asks which."""
        before, behind = self.tokens[place - 1 : place], self.tokens[place + 1 : place + 2]
        is_asked = bool(before) and before[0] in self.language.kinds and bool(behind)
        said = {self.tokens[place]} | synonyms_of(self.tokens[place], self.language)
        return is_asked and behind[0] in self.language.partitive and not said.isdisjoint(self.language.sorts)

    @cached_property
    def _ends(self) -> set[int]:
        """The places of the words that say which end is asked for, or what to compute."""
        end = set() if self.question.end is None else {self.question.end}
        return end | self.question.scales.keys() | self.question.asking

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions of the number that is asked for: of an adjective, a verb of *how much*, or a noun of
        *what*.
        """
        adjective = self.language.adjectives.get(self.graded or "")
        if self.ranks:
            return self._dimensions(self._ranked)
        if self.kind == "value":
            named = {*self._asked_nouns, *self._framing}
        elif self.kind != "amount" or self.counted:
            named = set[str]()
        elif adjective is not None:
            named = set(adjective.scale.high[:1])
        else:
            named = {self.tokens[i] for i in self.content}
        return self._dimensions(named)

    @property
    def _ranked(self) -> set[str]:
        """The words for what is ranked: the measures of an adjective, else the word behind *more*, and the verbs."""
        if self.question.scales:
            scale = next(iter(self.question.scales.values())).scale
            return {*scale.high[:1], *scale.low[:1]}
        if self.question.end is None:
            return {self.tokens[i] for i in self.content}
        end = self.question.end
        verbs = frozenset().union(*(each.verbs for each in self.language.dimensions))
        return {*self.tokens[end + 1 : end + 2], *verbs.intersection(self.tokens)}

    def _dimensions(self, named: Collection[str]) -> tuple[Dimension, ...]:
        """Return the dimensions that have one of some words as a measure or a verb."""
        known = self.language.dimensions
        return tuple(each for each in known if not (each.measures | each.verbs).isdisjoint(named))

    @cached_property
    def counted(self) -> str:
        """The stem of what is counted: the last word of *how many …* before a verb or a link."""
        kind, start, said = self._phrase
        if kind != "amount" or ("count", said) not in self.language.operations:
            return ""
        place = start + len(said)
        while self.tokens[place] in self.language.partitive | self.language.articles:  # *how many of the landings*
            place += 1
        nouns = takewhile(lambda token: (token,) not in self._relations, self._nouns(place))
        return stem("".join(list(nouns)[-1:]))

    @cached_property
    def _relations(self) -> frozenset[Phrase]:
        """Words that relate the words around them: *before*, *in*, *off*."""
        told_by = self.language.statement_phrases
        ways = (told_by.get(way, ()) for way in ("occasions", "conditions", "places", "repeated"))
        return frozenset(self.language.light).union(*ways)

    def _nouns(self, start: int) -> list[str]:
        """Return the words from a place on, up to a comma, stop word or number."""
        nouns: list[str] = []
        for token in self.tokens[start:]:
            if token == COMMA or token in STOP_WORDS or is_number(token):
                break
            nouns.append(token)
        return nouns

    @cached_property
    def _asking(self) -> int | None:
        """The place of *what* or *which*."""
        return next((i for i, token in enumerate(self.tokens) if token in self.language.kinds), None)

    @property
    def noun(self) -> str:
        """The stem of the noun that the answer is an instance of: *which tool …*, *what language is …*."""
        nouns = [] if self._asking is None else self._nouns(self._asking + 1)
        is_sure = len(nouns) == 1 or (bool(nouns) and self.tokens[self._asking or 0] == "which")
        return stem(nouns[0]) if is_sure else ""

    @property
    def is_linked(self) -> bool:
        """True for *what is the default port*: the answer follows the words and *is*. In *what is rubbed out* it does
        not.
        """
        behind = self.tokens[1:2] if self._asking == 0 else ()
        is_passive = any(is_past_verb(word, self.language) for word in self.tokens[2:3])
        return bool(behind) and behind[0] in self.language.links and not is_passive

    @property
    def verb(self) -> str:
        """The stem of the last word, or of the one behind *what is*."""
        is_linked = self._asking == 0 and self.tokens[1:2] != () and self.tokens[1] in self.language.links
        last = next((token for token in reversed(self.tokens) if token != COMMA), "")
        return stem(self.tokens[2] if is_linked and self.tokens[3:] else last)

    @property
    def is_conditional(self) -> bool:
        """True for a question with a condition."""
        said = self.language.statement_phrases.get("conditions", ())
        return any(found(self.tokens, each) is not None for each in said)

    @property
    def is_past(self) -> bool:
        """True for a question about the past, which has a date as its answer."""
        return not self.language.past.isdisjoint(self.tokens)

    @property
    def particles(self) -> list[str]:
        """The particles that have an opposite, unless the question has both: *out in the rain*."""
        opposed = self.language.opposite_particles
        return [token for token in self.tokens if token in opposed and opposed[token].isdisjoint(self.tokens)]

    @property
    def _asked_nouns(self) -> list[str]:
        """The words that *what* asks for: *what share of …*, *what is the battery capacity of …*."""
        if self._asking is None or self.tokens[self._asking] != "what":
            return []
        start = self._asking + 1
        while start < len(self.tokens) and self.tokens[start] in STOP_WORDS:
            start += 1
        return self._nouns(start)

    @property
    def _framing(self) -> list[str]:
        """The first word if it is the measure of all that follows: *cost of …*, *price to …*."""
        if not self.content:
            return []
        first = self.content[0]
        is_of_all = self.tokens[first + 1] in self.language.function_words and self._asking is None
        return [self.tokens[first]] if is_of_all else []

    def head(self, verbs: Collection[str], named: Collection[str] = ()) -> str:
        """Return the stem of the thing that is measured: the last word of the first run of content words, or of those
        behind the ranking word. Words of the `named` others do not count.
        """
        places = [i for i in self.content if stem(self.tokens[i]) not in named]
        if self.ranks and self.question.end is not None and self.question.end + 1 in places:
            places = [i for i in places if i > self.question.end]
        run: list[int] = []
        for i in places:
            is_verb = stem(self.tokens[i]) in verbs
            if run and (is_verb or i > run[-1] + 1):
                break
            if not is_verb:
                run.append(i)
        return stem(self.tokens[run[-1]]) if run else ""
