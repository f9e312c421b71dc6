"""The context in a question: sentences that only state something, asides, and the lead-in to the question itself.

In *The party woke a dragon. How many hit points does it have?* the second sentence asks. *Could somebody find out how
fast …* begins to ask at *how*. In the context, names count as anywhere, and numbers count if the collection has the
word beside them as a measure. Other words ask for nothing. Whether one of them selects a value, as *flying* does for a
speed, is decided when the value is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.words.clauses import COMMA, are_marked, sentences, tokens_of
from agent.understanding.words.related import may_be_verb
from retrieval.text.normal import is_number

_CONTINUED = "ing"
_BRACKET = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """The places of the context: `statement_places` of what only states something, `lead_in_places` of the lead-in,
    and `other_subject_places`, a part of the first, of statements about others than the subjects of the question.
    """

    statement_places: frozenset[int] = frozenset()
    lead_in_places: frozenset[int] = frozenset()
    other_subject_places: frozenset[int] = frozenset()


def context_in(
    question: str,
    tokens: Sequence[str],
    language: Language,
    named: Collection[int] = (),
    measures: Collection[str] = (),
) -> QuestionContext:
    """Return the context of a question. The places `named` are names, and `measures` are words of headers and labels.

    >>> from agent.languages.language import english
    >>> tokens = ("we", "bought", "a", "boat", ",", "how", "long", "is", "it", ",")
    >>> sorted(context_in("We bought a boat. How long is it?", tokens, english(), {3}).statement_places)
    [0, 1, 2, 3]
    """
    looked = _ContextReader(tokens, language, frozenset(named), measures)
    stretches = _sentences(question, len(tokens))
    asking = looked.asking(stretches, are_marked(question))
    told = [stretch for stretch in stretches if asking and stretch not in asking]
    if not any(map(looked.is_about_anything, asking)):
        return QuestionContext()
    told = [stretch for stretch in told if looked.has_no_quantity(stretch) or looked.is_unneeded(stretch, asking)]
    leading = {i for stretch in asking for i in looked.leading(stretch)}
    personal = {i for stretch in asking for i in looked.personal(stretch)}
    aside = {i for stretch in told for i in stretch} | personal | set(looked.brackets(question))
    apart = frozenset(chain.from_iterable(looked.statements_about_others(told, asking)))
    return QuestionContext(frozenset(aside), frozenset(leading - aside), apart)


def _sentences(question: str, size: int) -> list[range]:
    """Return the places of each sentence, without the comma that ends it."""
    stretches, start = [], 0
    for sentence in sentences(question):
        stretches.append(range(start, start + len(sentence)))
        start += len(sentence) + 1
    return stretches if start == size else []


@dataclass(frozen=True, slots=True)
class _ContextReader:
    """The tokens of a question, with its names and the collection's measures."""

    tokens: Sequence[str]
    language: Language
    named: frozenset[int]
    measures: Collection[str]

    def asking(self, stretches: Sequence[range], are_marked: Sequence[bool]) -> list[range]:
        """Return the sentences that ask; if none has a question word, those with a name and a measure.

        Beside a sentence with a question mark, another one asks only if `_asks_without_mark` is true for it.
        """
        some = list(filter(self._asks, stretches))
        marked = [stretch for stretch, is_marked in zip(stretches, are_marked, strict=False) if is_marked]
        marked = list(filter(self._says_anything, marked))
        if any(map(self.is_about_anything, marked)):
            besides = [each for each in some if self._asks_without_mark(each, marked)]
            some = [each for each in stretches if each in marked or each in besides]
        return some or [stretch for stretch in stretches if self.named & set(stretch) and self._measures(stretch)]

    def _says_anything(self, stretch: range) -> bool:
        """False for *you know what?*, which has only question words and asks for no end."""
        idle = (self.language.idle | self.language.asking | {COMMA}) - self.language.ends.keys()
        return any(i in self.named or self.tokens[i] not in idle for i in stretch)

    def _asks_without_mark(self, stretch: range, marked: Sequence[range]) -> bool:
        """True for a sentence without a question mark that asks about something known, beside marked sentences. A mere
        comparative, *slower than I thought*, does not ask, nor does a statement of taste, *what I like best*.
        """
        said = tuple(self.tokens[i] for i in stretch)
        if not (self.named & set(stretch) or self._measures(stretch)):
            return False
        if self.language.asking_phrases.occur_in(said) or any(map(self._asks_at_place, stretch)):
            return True
        is_compared = any(map(self._is_comparison_word, stretch)) and not any(map(self._things, marked))
        is_ranked = any(self.language.degree_of(token) == "superlative" for token in said)
        return is_compared or (is_ranked and not self.stands_alone(marked))

    def _asks_at_place(self, place: int) -> bool:
        """True for *which* or *how*, but not in *what I like*, *what a day* and *the Reed, which was new*."""
        language, (before, token, behind) = self.language, (COMMA, *self.tokens)[place : place + 3]
        relates = behind in language.persons | language.indefinite or (
            place > 0 and before == COMMA and behind in language.copulas
        )
        return token in language.kinds | language.before_adjectives and not relates

    def _is_comparison_word(self, place: int) -> bool:
        """True for *than* in *longer than the Reed*."""
        return self.tokens[place] in self.language.comparing and self._name_behind(place)

    def _name_behind(self, place: int) -> bool:
        """True if a name follows a place, or follows an article there."""
        return not self.named.isdisjoint({place + 1, place + 1 + (self.tokens[place + 1] in self.language.articles)})

    def stands_alone(self, stretches: Sequence[range]) -> bool:
        """True if each sentence asks by names, limits or an end of its own, without reference to the context."""
        return all(map(self._is_alone, stretches))

    def statements_about_others(self, told: Sequence[range], asking: Sequence[range]) -> list[range]:
        """Return the statements that name others than the subjects of the question. If a kind is asked about, only a
        single other name counts, because each of several may be a member of it.
        """
        own = frozenset(map(self.tokens.__getitem__, chain.from_iterable(map(self._things, asking))))
        things = [*map(self._things, told)]
        runs = sum(i - 1 not in some for some in things for i in some)
        if not self.stands_alone(asking) or not (own or runs == 1):
            return []
        return [
            stretch
            for stretch, some in zip(told, things, strict=True)
            if some and own.isdisjoint(self.tokens[i] for i in some) and self._is_more_than_names(stretch)
        ]

    def _is_more_than_names(self, stretch: range) -> bool:
        """False for names alone, such as a list item."""
        return any(
            i not in self.named and self.tokens[i] not in self.language.function_words | {COMMA} for i in stretch
        )

    def _things(self, stretch: range) -> set[int]:
        """Return the places of names that are not measures."""
        return {i for i in self.named & set(stretch) if self.tokens[i] not in self.measures}

    def _is_alone(self, stretch: range) -> bool:
        named = sorted(self._things(stretch))
        degrees = {self.language.degree_of(self.tokens[i]) for i in stretch}
        first = named[0] if named else stretch.stop
        if any(self.tokens[i] in self.language.pronouns for i in stretch if i < first):
            return False
        if degrees & {"comparative", "superlative"} == {"comparative"} and not any(
            map(self._is_comparison_word, stretch)
        ):
            return any(j > i + 1 for i, j in pairwise(named))
        return bool(named) or "superlative" in degrees or any(is_number(self.tokens[i]) for i in stretch)

    def _asks(self, stretch: range) -> bool:
        """True for a sentence with a question word or phrase, a comparative or a superlative."""
        said = tuple(self.tokens[i] for i in stretch)
        if self.language.asking_phrases.occur_in(said):
            return True
        asking = self.language.kinds | self.language.before_adjectives
        return any(
            token in asking or self.language.degree_of(token) in ("comparative", "superlative") for token in said
        )

    def is_about_anything(self, stretch: range) -> bool:
        """True for a sentence with a name, a measure or an adjective; *what becomes of them* refers to the context."""
        scaled = any(self.tokens[i] in self.language.adjectives for i in stretch)
        return scaled or bool(self.named & set(stretch)) or bool(self._measures(stretch))

    def has_no_quantity(self, stretch: range) -> bool:
        """True for a sentence without a quantity: whoever cares for *the depth of the keel* asks for it."""
        return not any(self._is_quantity(self.tokens[i]) for i in self._measures(stretch))

    def is_unneeded(self, stretch: range, asking: Sequence[range]) -> bool:
        """True for a sentence without a number, beside a question that stands alone and has a measure. *Only* with a
        quantity asks for that quantity.
        """
        if not self.has_no_quantity(stretch) and any(self.tokens[i] in self.language.others for i in stretch):
            return False
        scaled = (self.tokens[i] in self.language.adjectives for each in asking for i in each)
        is_measured = any(scaled) or any(map(self._measures, asking))
        return is_measured and self.stands_alone(asking) and not any(is_number(self.tokens[i]) for i in stretch)

    def _is_quantity(self, token: str) -> bool:
        """True for a measure that the language knows, or a term of several words that the normal form joins."""
        return token in self.language.quantities or " " in token

    def _measures(self, stretch: range) -> list[int]:
        """Return the places of words that are measures of the collection."""
        free = (i for i in stretch if self.tokens[i] not in self.language.asking)
        return [i for i in free if self.tokens[i] in self.measures and not _is_beside_number(self.tokens, i)]

    def leading(self, stretch: range) -> range:
        """Return the places before the question word of a sentence, if they have no name and no measure: *do you know
        which …*.
        """
        before = range(stretch.start, self._question_start(stretch))
        if self._is_order(before) or not (self.named & set(before) or self._measures(before)):
            return before  # in *state the depth*, *state* is no measure
        return range(0)

    def _is_order(self, before: range) -> bool:
        """True for only a verb before an article, perhaps with a particle or an indirect object: *look up the*."""
        language, said = self.language, self.tokens[before.start : before.stop]
        particles = language.opposite_particles.keys() - language.statement_words("places")
        is_before = bool(said) and self.tokens[before.stop] in language.articles
        return is_before and may_be_verb(said[0], language) and {*said[1:]} <= language.persons | particles

    def _question_start(self, stretch: range) -> int:
        """Return the place of the first question word; without one, the place behind a claim or an imperative."""
        language, tokens = self.language, self.tokens
        asking = language.kinds | language.before_adjectives | language.whether
        place = next((i for i in stretch if tokens[i] in asking), None)
        if place is None:
            return self._claim_start(stretch) or self._imperative_object(stretch)
        joins = next((i for i in stretch if i > place and tokens[i] in language.copulas), place)
        return place if language.persons.isdisjoint(tokens[place:joins]) else joins  # *what I need is the …*

    def _claim_start(self, stretch: range) -> int:
        """Return the place behind *that* in *my brother claims that …*; 0 if no person claims it."""
        said = next((i for i in stretch if self.tokens[i] in self.language.again), stretch.start)
        is_told = not self.language.persons.isdisjoint(self.tokens[stretch.start : said])
        return said + 1 if is_told else 0

    def _imperative_object(self, stretch: range) -> int:
        """Return the place behind an imperative: a verb before an article, *find the*, with only particles or an
        indirect object between, *look up the*, *remind me of the*. Return the start of the sentence if there is none.
        """
        language, tokens = self.language, self.tokens
        persons, times, places = (language.answers.get(kind, ()) for kind in ("person", "time", "place"))
        if tokens[stretch.start : stretch.start + 1] in {said[:1] for said in (*persons, *times, *places)}:
            return stretch.start  # *who built the*
        verb = next((i for i in stretch if tokens[i] not in language.asking), stretch.start)
        place = next((i for i in stretch if i > verb and tokens[i] in language.articles), stretch.start)
        between, ways = tokens[verb + 1 : place], language.persons | language.opposite_particles.keys()
        is_order = {*between[:1]} <= ways or tokens[verb].endswith(_CONTINUED)
        return place if is_order and {*between} <= ways | language.function_words else stretch.start

    def personal(self, stretch: range) -> Iterator[int]:
        """Yield the places of clauses about the asker before the clause that asks, *if I were rich, …*, or about the
        asking itself, *…, if you don't mind*.

        A clause with a number is not personal: it may be a limit.
        """
        clauses = _clauses(self.tokens, stretch)
        asking = list(filter(self._asks, clauses))
        for clause in clauses if asking else ():
            said = {self.tokens[i] for i in clause}
            is_open = clause not in asking and not any(map(is_number, said))
            is_before = clause.start < asking[0].start and self.has_no_quantity(clause)
            is_personal = bool(said & self.language.persons) and (is_before or self._only_speaks(said))
            if is_open and is_personal:
                yield from clause

    def _only_speaks(self, said: set[str]) -> bool:
        """True for words that only comment on the asking: *if you don't mind*."""
        language = self.language
        told = said - language.idle - language.asking - language.negations - language.statement_words("conditions")
        return bool(told) and told <= language.speaking

    def brackets(self, question: str) -> Iterator[int]:
        """Yield the places in brackets without a name, number, measure or negation: *(finally!)*."""
        for match in _BRACKET.finditer(question):
            said = (COMMA, *tokens_of(match[1]))
            start = found(tuple(self.tokens), said)
            if start is None or len(said) < len((COMMA, COMMA)) + 1:
                continue
            places = range(start + 1, start + len(said) - 1)
            has_number = any(is_number(self.tokens[i]) for i in places)
            denies = any(self.tokens[i] in self.language.negations for i in places)
            if not (has_number or denies) and not self.named & set(places) and not self._measures(places):
                yield from places


def _clauses(tokens: Sequence[str], stretch: range) -> list[range]:
    """Return the parts of a sentence between its commas."""
    clauses, start = [], stretch.start
    for i in (*(i for i in stretch if tokens[i] == COMMA), stretch.stop):
        if i > start:
            clauses.append(range(start, i))
        start = i + 1
    return clauses


def _is_beside_number(tokens: Sequence[str], place: int) -> bool:
    """True for *level* in *level 10*."""
    return any(map(is_number, tokens[max(0, place - 1) : place + 2]))
