"""What a question asks of prose: the kind of answer, and the words that a sentence has to match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from agent.languages.scales import Dimension
from agent.prose.question_reader import Kind, QuestionReader
from agent.prose.words import codes, stem, stems
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import proper_names
from agent.understanding.words.related import (
    antonyms_of,
    is_superlative,
    synonyms_and_forms_of,
)
from retrieval.text.english import ORDINALS
from retrieval.text.normal import STOP_WORDS

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
    verb: str = ""
    """The stem of its last word, or of the one behind *what is*, which may be its verb."""
    is_conditional: bool = False
    """Whether it asks under a condition: *what happens if …*."""

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
    reading = QuestionReader(question, bool(others) and is_ranking(question))
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
        frozenset(question.tokens[:-1]) - STOP_WORDS, reading.verb, reading.is_conditional,
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
