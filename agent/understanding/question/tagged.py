"""A question, tagged once: its tokens, its numbers with their limits, and the operation that it asks for.

Every stage that binds a question works on this; none parses the text again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from agent.languages.language import Language, english, language_of, languages
from agent.languages.operations import End, Operation
from agent.languages.phrases import phrase_places
from agent.languages.scales import Adjective
from agent.understanding.question.context import QuestionContext, context_in
from agent.understanding.question.ends import graded, range_end_in, with_ends_of_counts
from agent.understanding.question.numbers import Axes, Number, numbers_in
from agent.understanding.question.operation import difference_measure_in, lead_question_in, operation_in
from agent.understanding.words.clauses import COMMA, tokens_of
from agent.understanding.words.closing import with_closing_superlatives
from agent.understanding.words.related import is_adjective, may_be_noun, may_be_verb, measures_of_verb, related_measures
from retrieval.tables.match import any_matches
from retrieval.tables.names import Mention
from retrieval.text.normal import is_number, phrase

_POSSESSIVE = re.compile(r"(\w[\w.-]*)['’]s\b")
_UNIT_REACH = 2
"""Tokens before an adjective that may hold its number: *16 year old*."""
LONGEST_READ = 1_000
"""Most characters of a question that are analysed. A longer text is no question and would take too long."""
Tag = Callable[[str], "Tagged"]
"""Tags a text with the names of a collection."""


@dataclass(frozen=True)
class Tagged:
    """A question as tokens, with the role of each token by its place.

    Places: `asking` are the words that ask or name the operation, `operation_places` those of them that name it,
    `context_places` the context that asks nothing, `owners` the possessives (*the troll's*), and `end` the word that
    asks for an end of a scale. If `best`, that is the end of a whole kind.

    Values: `names` are the names of the collection, `numbers` those outside of names, `scales` the adjectives of degree
    by place, and `related` the measures that a thesaurus has for words that are no measures here, by place. `soft` are
    words that ask and are also measures of this collection: they count only if a label has them. `side` is the end of
    ranges that the question selects: *the lowest upper limit*.
    """

    question: str
    tokens: tuple[str, ...]
    numbers: tuple[Number, ...] = ()
    asking: frozenset[int] = frozenset()
    scales: Mapping[int, Adjective] = field(default_factory=dict)
    operation: Operation | None = None
    end: int | None = None
    best: bool = False
    negated: bool = False
    prose: bool = False
    soft: frozenset[str] = frozenset()
    names: tuple[Mention, ...] = ()
    language: Language = field(default_factory=english)
    owners: frozenset[int] = frozenset()
    context_places: frozenset[int] = frozenset()
    operation_places: frozenset[int] = frozenset()
    related: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    side: End | None = None

    @property
    def compares(self) -> bool:
        """True if the question compares values, or computes something from several."""
        return self.end is not None or self.operation not in (None, "count")

    def as_words(self) -> Tagged:
        """Return the question with the operation as a plain word: one value has no sum, but may itself be a *total*.

        >>> [word for _, word in tagged("What is the total load?").as_words().words()]
        ['total', 'load']
        """
        return replace(self, operation=None, asking=self.asking - self.operation_places, operation_places=frozenset())

    @property
    def degree(self) -> str:
        """The word that asks for an end; empty if there is none."""
        return "" if self.end is None else self.tokens[self.end]

    @property
    def adjective(self) -> Adjective | None:
        """The adjective that asks for an end; None if another word does, or none."""
        return None if self.end is None else self.scales.get(self.end)

    @property
    def has_plain_end(self) -> bool:
        """True if the word for an end is not compared: *high* in *a high consumption* may be a value."""
        return self.language.degree_of(self.degree) == "positive"

    def without_end(self) -> Tagged:
        """Return the question with the word for an end as a plain word."""
        return self if self.end is None else replace(self, end=None, soft=self.soft | {self.tokens[self.end]})

    def words(self) -> tuple[tuple[int, str], ...]:
        """Return the words that may name an entity or a measure, with their places."""
        return self._words

    @cached_property
    def _words(self) -> tuple[tuple[int, str], ...]:
        return tuple(each for each in enumerate(self.tokens) if self._names(*each))

    def _names(self, i: int, token: str) -> bool:
        if i in self.asking or token == COMMA or is_number(token):
            return False
        is_asking = token in self.language.asking or token in self.language.worth
        return i in self.scales or not is_asking or token in self.soft or self._is_of_name(i, token)

    def _is_of_name(self, i: int, token: str) -> bool:
        """True for a word for an end that is part of a name: *greater* in *Greater Poison*."""
        names = (each for each in self.names if each.end - each.start > 1)
        return token in self.language.ends and any(each.start <= i < each.end for each in names)

    def places(self, words: Collection[str], start: int = 0) -> list[int]:
        """Return the places, from a start on, of some words."""
        return [i for i in range(start, len(self.tokens)) if self.tokens[i] in words]

    def place(self, words: Collection[str], start: int = 0) -> int:
        """Return the first place of some words, from a start on; the end of the question if there is none."""
        return next(iter(self.places(words, start)), len(self.tokens))

    def implied(self, place: int) -> tuple[str, ...]:
        """Return the measures that the adjective at a place grades, or the other names of the measure there."""
        if place in self.scales:
            return self.scales[place].scale.measures
        return self.language.same_measures.get(self.tokens[place], ())

    def implied_of_kind(self, place: int) -> tuple[str, ...]:
        """Return the measures that a word may mean among the members of a kind; an adjective counts after a number with
        a unit.

        *16 year old* is an *age* among the members of a kind. For a named subject it may only select a column.
        """
        adjective = self.language.adjectives.get(self.tokens[place])
        if adjective is not None and any(place - _UNIT_REACH <= number.place < place for number in self.numbers):
            return adjective.scale.measures
        return (*self.implied(place), *self.related.get(place, ()))

    def end_for(self, label: Collection[str]) -> End | None:
        """Return the end of the scale that is asked for, if the values have a certain label; None if it is unknown.

        For "better" and "worse", only who knows the measure can tell whether the end is high or low.

        >>> [tagged("Which is faster?").end_for(label) for label in (("speed",), ("cook", "time"))]
        ['high', 'low']
        """
        if self.end is None or (self.negated and not self._denies_another):
            return None
        token, before = self.tokens[self.end], self.tokens[self.end - 1] if self.end else ""
        if token in self.language.worth:
            return "better" if self.language.worth[token].high else "worse"
        if self.end in self.scales:
            adjective = self.scales[self.end]
            is_named = any_matches(label, adjective.scale.high)
            turned = any_matches(label, adjective.scale.low) and not is_named  # an *age* in *years* is no year
            is_high = is_named or adjective.scale.usual == "high"
            if adjective.scale.low and not turned and not is_high:
                return None  # high for a speed, low for a time, unknown for others
            less = before in self.language.ends and not self.language.ends[before].high
            return "high" if adjective.up ^ turned ^ less else "low"
        return "high" if self.language.ends[token].high else "low"

    @property
    def _denies_another(self) -> bool:
        """True for a superlative that the negation is not about: *the longest boat that is not blue*."""
        places = [i for i in self.places(self.language.negations) if self.end is not None and i < self.end]
        between = self.tokens[places[-1] + 1 : self.end] if places else ()
        return self.best and (not places or not self.language.articles.issuperset(between))


def tagged(
    question: str,
    names: Sequence[Mention] = (),
    measures: Collection[str] = (),
    known: Mapping[str, Language] | None = None,
    *,
    heeding_all: bool = False,
) -> Tagged:
    """Tag a question. `names` are the names of the collection in it, `measures` the words of the collection's column
    headers and row labels. A part of a name of several words (*Faster R-CNN*) is not a comparative. The language is the
    one, of `known` or of all, that has most of its words.

    >>> alloys = tagged("Which alloys have a density over 8 g?")
    >>> [(number.value, number.limit is not None) for number in alloys.numbers], [word for _, word in alloys.words()]
    ([('8', True)], ['alloy', 'density', 'g'])
    >>> tagged("What is the difference in price?").operation
    'difference'
    """
    if known:
        return _tagged(question, tuple(names), frozenset(measures), known, heeding_all)
    return _remembered(question, tuple(names), frozenset(measures), heeding_all)


@lru_cache(maxsize=512)
def _remembered(question: str, names: tuple[Mention, ...], measures: frozenset[str], heeding_all: bool) -> Tagged:
    """Return the tagged question in one of the installed languages, cached because each stage tags the same one."""
    return _tagged(question, names, measures, languages(), heeding_all)


def _tagged(
    question: str,
    mentions: tuple[Mention, ...],
    measures: frozenset[str],
    known: Mapping[str, Language],
    heeding_all: bool,
) -> Tagged:
    language = language_of(tokens_of(question), known)
    plain = [language.numbers.get(token, token) for token in tokens_of(question)]
    tokens = with_closing_superlatives(with_ends_of_counts(_with_ones(plain, language), language), question, language)
    names = [each for each in mentions if not _is_verb(each, tokens, language)]
    named = set[int]().union(*(each.places for each in names))
    outer = QuestionContext() if heeding_all else context_in(question, tokens, language, named, measures)
    outside = outer.lead_in_places | (outer.statement_places - named) | outer.other_subject_places
    names = [each for each in names if each.start not in outer.other_subject_places]
    numbers, limiting = numbers_in(tokens, language, [each.places for each in names])
    axes = Axes(question, tokens, language, measures)
    idle = tuple(
        each
        for each in numbers
        if each.place in outer.other_subject_places
        or axes.is_idle(each, outer.statement_places | outer.lead_in_places, named)
    )
    numbers = tuple(each for each in numbers if each not in idle)
    long = set[int]().union(*(each.places for each in names if len(each.places) > 1))
    operation, doing = operation_in(tokens, language, long)
    idle_limits = _idle_limits(tokens, language) - limiting
    free = frozenset(range(len(tokens))) - limiting - long - outside
    side = range_end_in(tokens, language, free, measures, named)
    free -= side.places | idle_limits
    scales = graded(tokens, [i for i in free if _is_scale(tokens, i, language, names)], named, language)
    end = next((i for i in sorted(free) if _is_end(tokens, i, scales, language)), None)
    prose = operation in (None, "count") and language.prose_phrases.occur_in(
        _without_lead_in(tokens, outer.lead_in_places)
    )
    of_all = {i for said in language.of_all for i in phrase_places(tokens, said)}
    best = side.is_asked or any(_is_superlative(tokens, i, language) for i in free)
    best = best or (end is not None and bool(of_all))
    negated = any(tokens[i] in language.negations for i in free)
    if gap := lead_question_in(tokens, language, end, measures):
        operation, doing = "difference", doing | gap
    doing |= (
        difference_measure_in(tokens, doing, free - named, measures) if operation == "difference" and end else set()
    )
    related = related_measures(question, tokens, free - named, language, measures)
    asked = language.asking.intersection(tokens) - language.function_words
    soft = (
        _soft(asked, measures - _commanding(tokens, language))
        | (held_alone(tokens, language) & asked)
        | {word for i in related if measures_of_verb(word := tokens[i], language)} & asked
    )
    asking = frozenset(
        limiting | doing | outside | of_all | idle_limits | side.places | _place_verbs(tokens, language, free, measures)
    )
    owners = frozenset(i for i, token in enumerate(tokens) if token in _possessives(question))
    return Tagged(
        question, tokens, numbers, asking, scales, operation, end, best, negated, prose, soft, tuple(names), language,
        owners, outer.statement_places, frozenset(doing), related, side.end,
    )  # fmt: skip


def held_alone(tokens: Sequence[str], language: Language) -> frozenset[str]:
    """Return the words that stand alone behind *have* and *with*: the *reach* of *which spears have reach*."""
    having = (language.helpers - language.copulas) | language.holding | language.beside
    plain = [token for token in tokens if token not in language.articles]
    triples = zip(plain, plain[1:], plain[2:], strict=False)
    return frozenset(word for before, word, behind in triples if before in having and behind == COMMA)


def _without_lead_in(tokens: Sequence[str], leading: Collection[int]) -> tuple[str, ...]:
    """Return the tokens without the lead-in: *explain how long it is* asks for a length, not for prose."""
    return tuple(token for i, token in enumerate(tokens) if i not in leading)


def _with_ones(tokens: Sequence[str], language: Language) -> list[str]:
    """Return the tokens with 1 for the article of a compared unit: *less than an hour*."""
    out = list(tokens)
    for i, (before, token, after) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False), 1):
        is_held = before in language.comparing and token in language.articles
        if is_held and any(after in each.units for each in language.dimensions):
            out[i] = "1"
    return out


def _place_verbs(
    tokens: Sequence[str], language: Language, free: Collection[int], measures: Collection[str]
) -> set[int]:
    """Return the places of verbs that only say where something is: *found in it*, but not *found in 1904*."""
    verbs, places = _verbs_of_place(language), language.statement_words("places")
    own = (i for i in free if tokens[i] in verbs and tokens[i] not in measures)
    return {i for i in own if tokens[i + 1] in places and not is_number(tokens[i + 2])}


@lru_cache(maxsize=16)
def _verbs_of_place(language: Language) -> frozenset[str]:
    """Return the verbs that may only say where something is."""
    light = {said[0] for said in language.light if len(said) == 1}
    verbs = {word for word in light if may_be_verb(word, language) and not is_adjective(word, language)}
    return language.standing | verbs


@lru_cache(maxsize=64)
def _possessives(question: str) -> frozenset[str]:
    """Return the words of a question that have a possessive ending."""
    return frozenset(token for match in _POSSESSIVE.finditer(question) for token in phrase(match[1])[-1:])


def without_context(question: Tagged) -> Tagged:
    """Return the question without its context, unless the question refers back to it or it has several names.

    Any of several names in the context may be one that is asked about.
    """
    back = question.language.pronouns
    asking = (token for i, token in enumerate(question.tokens) if i not in question.context_places)
    told = [each for each in question.names if each.start in question.context_places]
    if len(told) > 1 or not back.isdisjoint(asking):
        return question
    names = tuple(each for each in question.names if each not in told)
    return replace(question, names=names, asking=question.asking | question.context_places)


def _idle_limits(tokens: Sequence[str], language: Language) -> set[int]:
    """Return the places of limiting words without a number: *how much may it be at most*."""
    places, pairs = language.statement_phrases.get("places", ()), enumerate(pairwise(tokens))
    bounds = [i for i, (one, other) in pairs if (one,) in places and language.degree_of(other) == "superlative"]
    return {place for i in bounds for place in (i, i + 1)}


def _commanding(tokens: Sequence[str], language: Language) -> frozenset[str]:
    """Return the word that begins a request for what is named behind it: the *show* of *show the animals*."""
    begins = tokens[:1] if len(tokens) > 1 and tokens[1] in language.articles | language.every else ()
    return frozenset(word for word in begins if word in language.listing and tokens.count(word) == 1)


def _soft(asking: Collection[str], measures: frozenset[str]) -> frozenset[str]:
    """Return the words that ask and are also measures here."""
    return measures.intersection(asking)


def _is_scale(tokens: Sequence[str], i: int, language: Language, names: Sequence[Mention]) -> bool:
    """True for a comparative or superlative, and for an adjective after *how*, *more* or *most*. *How heavy a load*
    asks for the noun, *how heavy a warhammer is* for the weight of what is named.
    """
    adjective = language.adjectives.get(tokens[i])
    if adjective is None or tokens[i] in language.ends:
        return False
    before, after = tokens[i - 1] if i else "", tokens[i + 1] if i + 1 < len(tokens) else ""
    asked = before in language.before_adjectives
    if asked and after in language.indefinite:
        ends = {mention.end for mention in names if mention.start in (i + 1, i + 2)}
        asked = any(tokens[end] in language.copulas for end in ends if end < len(tokens))
    return adjective.degree != "positive" or asked or before in language.ends


def _is_end(tokens: Sequence[str], i: int, scales: Mapping[int, Adjective], language: Language) -> bool:
    """True for a word that asks for an end, unlike *how high*; in *more expensive* the adjective is that word."""
    token, before = tokens[i], tokens[i - 1] if i else ""
    if token in language.ends:
        asks_value = before in language.before_adjectives and language.degree_of(token) == "positive"
        return i + 1 not in scales and not asks_value
    return token in language.worth or (i in scales and (scales[i].degree != "positive" or before in language.ends))


def _is_superlative(tokens: Sequence[str], i: int, language: Language) -> bool:
    """True for a superlative, which asks for the best of all: *Which alloy is the lightest?*"""
    return language.degree_of(tokens[i]) == "superlative"


def _is_verb(name: Mention, tokens: Sequence[str], language: Language) -> bool:
    """True for a single word after *I* or *we*: *I run a troll*."""
    return name.end - name.start == 1 and tokens[name.start - 1 : name.start] in [(each,) for each in language.speakers]


def asking_words(question: str) -> frozenset[str]:
    """Return the words that no collection needs to have: those that ask, also for an end of a scale, words for anybody,
    and words that cannot be nouns, such as *tight* or *kept*.

    >>> sorted({"boat", "heaviest", "kept", "people"} & asking_words("Which boat kept by people is the heaviest?"))
    ['heaviest', 'kept', 'people']
    """
    found = tagged(question)
    language, tokens = found.language, frozenset(found.tokens)
    end = () if found.end is None else (found.tokens[found.end],)
    degrees = (token for before, token in pairwise(found.tokens) if before in language.before_adjectives)
    others = (token for token in tokens if not may_be_noun(token, language))
    return (language.asking | language.anybody).intersection(tokens).union(end, degrees, others)
