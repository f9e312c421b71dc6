"""What a question asks of prose: the kind of answer, and the words that a sentence has to match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Literal, cast

from agent.languages.language import Language
from agent.languages.phrases import Phrase, found
from agent.languages.scales import Dimension
from agent.prose.words import codes, stem, stems
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from agent.understanding.words.proper import proper_names
from agent.understanding.words.related import antonyms_of, is_superlative, synonyms_and_forms_of, synonyms_of
from retrieval.text.english import ORDINALS
from retrieval.text.normal import STOP_WORDS, is_number

Kind = Literal[
    "amount", "frequency", "time", "place", "person", "reason", "manner", "outcome", "overview", "whether", "value"
]
_KINDS = ("amount", "frequency", "time", "place", "person", "reason", "manner", "outcome", "overview")
_NTH = re.compile(r"\d+(?:st|nd|rd|th)")
_SHORTEST = 3
_JOINED = re.compile(r"[^\W\d]*[-_./]|[^\W\d]+")
_MARKS = "?.,;:!()"
_CUT = 4
"""Least number of letters of a short form, and of the rest that it leaves out."""


@dataclass(frozen=True, slots=True)
class ProseQuestion:
    """The kind of answer, and the stems that a sentence has to match.

    For an amount, `dimensions` are its possible dimensions, `counted` is the stem of what *how many* counts, `measured`
    are the stems that a number covers by its unit, and `head` is the stem of the thing that is measured; `is_graded`
    means that an adjective names the measure. `noun` is the stem of the noun of *which …*. `is_linked` means *what is
    …*, `is_past` the past tense. `light` are the stems of words that merely ask and may be worded otherwise.
    `is_negated` means that the question is negated. `particles` are those that have an opposite. `codes` have to match
    exactly: *6A* is not *6*. So do `counts`, the numbers with the word behind them (*2 days* are not *2 weeks*), and
    the words of `proper` names have to stand side by side. `word_synonyms` are the stems of synonyms of each word
    outside the subject, `word_antonyms` those of its antonyms.
    """

    kind: Kind
    words: frozenset[str]
    subject: str = ""
    dimensions: tuple[Dimension, ...] = ()
    measured: frozenset[str] = frozenset()
    head: str = ""
    counted: str = ""
    noun: str = ""
    is_linked: bool = False
    is_past: bool = False
    is_graded: bool = False
    light: frozenset[str] = frozenset()
    is_negated: bool = False
    particles: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    counts: frozenset[tuple[str, str]] = frozenset()
    proper: tuple[tuple[str, ...], ...] = ()
    word_synonyms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    word_antonyms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tokens: frozenset[str] = frozenset()
    """All its words but the function words, also those that a sentence need not have."""

    @property
    def is_definition(self) -> bool:
        """True if the question asks nothing of the subject but what it is."""
        return bool(self.subject) and self.words <= stems(self.subject)


def prose_question(question: Tagged, subject: str = "", others: Collection[str] = ()) -> ProseQuestion:
    """Return what is asked of a subject, without the words of the other subjects.

    >>> from agent.understanding.question.tagged import tagged
    >>> asked = prose_question(tagged("How long does the lamp of the Tarn last?"))
    >>> asked.kind, sorted(asked.words), sorted(asked.measured)
    ('amount', ['lamp', 'last', 'tarn'], ['last'])
    """
    reading = _QuestionReader(question, bool(others) and is_ranking(question))
    kind, dimensions = reading.kind, reading.dimensions
    left_out = {word for name in others for word in stems(name)}
    words = frozenset(stem(question.tokens[i]) for i in reading.content) - left_out
    if others:
        words |= stems(subject)
    if dimensions and kind == "value":
        kind = "amount"
    light = words & frozenset(map(stem, question.language.asking)) - {stem(reading.graded or "")}
    verbs = frozenset(stem(word) for each in dimensions for word in each.verbs | each.measures)
    return ProseQuestion(
        kind, words, subject, dimensions, words & verbs, reading.head(verbs, left_out), reading.counted,
        reading.noun, reading.is_linked, reading.is_past, reading.graded is not None, light,
        not question.language.negations.isdisjoint(question.tokens),
        frozenset(reading.particles), codes(question.question), frozenset(_counts(question)),
        proper_names(question.question), *_related(question, words - stems(subject) - light),
        frozenset(question.tokens[:-1]) - STOP_WORDS,
    )  # fmt: skip


def _related(
    question: Tagged, words: Collection[str]
) -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return the synonyms and the antonyms that a thesaurus has for some stems of a question."""
    tokens = {stem(token): token for token in question.tokens}
    known = {word: tokens[word] for word in words if word in tokens}
    same, contrary = (
        {word: frozenset(map(stem, find(token, question.language))) - {word} for word, token in known.items()}
        for find in (synonyms_and_forms_of, antonyms_of)
    )
    same = {word: means - STOP_WORDS for word, means in same.items()}  # *in*, as an adjective, is *born*
    for said, means in question.language.adverbs.items():  # *earliest* stands for the *first* of the question
        if stem(means) in same:
            same[stem(means)] |= {stem(said)}
    return same, contrary


def _counts(question: Tagged) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a question with the words behind them. The number of *Reed-9* counts nothing."""
    joined = {part for word in question.question.split() for part in _JOINED.split(word.strip(_MARKS))[1:]}
    for number in question.numbers:
        if number.value in _ordinals(question.question):
            yield question.tokens[number.place - 1], number.value  # *second glow* is *glow 2* in normal form
            continue
        behind = question.tokens[number.place + 1]
        if behind.isalpha() and behind not in question.language.function_words and number.value not in joined:
            yield number.value, behind


def _ordinals(text: str) -> set[str]:
    """Return the numbers that a text has as ordinals."""
    words = re.findall(r"\w+", text.casefold())
    return {str(ORDINALS[word]) for word in words if word in ORDINALS} | {n[:-2] for n in words if _NTH.fullmatch(n)}


def is_ranking(question: Tagged) -> bool:
    """True if the question compares values, or computes something from several.

    >>> from agent.understanding.question.tagged import tagged
    >>> is_ranking(tagged("Which lamp burns longer?")), is_ranking(tagged("How high is the lamp?"))
    (True, False)
    >>> is_ranking(tagged("Which lamp is the faintest?"))
    True
    """
    language = question.language
    if question.operation not in (None, "count", "compare"):
        return True
    if language.degree_of(question.degree) in ("comparative", "superlative"):
        return True
    return bool(superlatives_in(question))


def superlatives_in(question: Tagged) -> list[str]:
    """Return the superlatives of a question, whether or not they rank anything."""
    return [token for token in question.tokens if is_superlative(token, question.language)]


def in_vocabulary(asked: ProseQuestion, vocabulary: Collection[str]) -> ProseQuestion:
    """Replace a word that a text does not have by its short or long form in the text.

    >>> sorted(in_vocabulary(ProseQuestion("value", frozenset({"maximum", "port"})), {"max", "port", "portabl"}).words)
    ['max', 'port']
    """
    other: dict[str, str] = {}
    for word in asked.words.difference(vocabulary):
        begun = [each for each in vocabulary if each[:1] == word[:1]]  # all forms of a word share it
        forms = [each for each in begun if _is_short_for(each, word) or _is_short_for(word, each)]
        if len(forms) == 1:
            other[word] = forms[0]
    if not other:
        return asked
    words = frozenset(other.get(word, word) for word in asked.words)
    measured = frozenset(other.get(word, word) for word in asked.measured)
    head, counted = other.get(asked.head, asked.head), other.get(asked.counted, asked.counted)
    same = {other.get(word, word): said for word, said in asked.word_synonyms.items()}
    return replace(asked, words=words, measured=measured, head=head, counted=counted, word_synonyms=same)


def _is_short_for(short: str, word: str) -> bool:
    is_cut = len(short) >= _SHORTEST and len(word) - len(short) >= _CUT
    return is_cut and word.startswith(short) and word.isalpha()


@dataclass(frozen=True)
class _QuestionReader:
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
        """True for *what is the default port*: the answer follows the words and *is*."""
        behind = self.tokens[1:2] if self._asking == 0 else ()
        return bool(behind) and behind[0] in self.language.links

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
