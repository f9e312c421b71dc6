"""The context in a question: sentences that only tell something, asides, and the words that lead up to the asking.

*The party woke a dragon. How many hit points does it have?* asks in its second sentence; *could somebody find out how
fast …* begins to ask at *how*. Around that, names count as anywhere, and numbers where the collection measures by the
word beside them. Other words ask for nothing; whether one of them says which value is meant, as *flying* does of a
speed, is seen once the value is found.
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
class Around:
    """The places of the context: `aside` of what only tells something, `leading` of what leads up to the asking, and
    `apart`, among the former, of what is told of others than those who are asked about.
    """

    aside: frozenset[int] = frozenset()
    leading: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()


def around(
    question: str,
    tokens: Sequence[str],
    language: Language,
    named: Collection[int] = (),
    measures: Collection[str] = (),
) -> Around:
    """What stands around the asking; places `named` are of names, and `measures` are words of heads and labels.

    >>> from agent.languages.language import english
    >>> tokens = ("we", "bought", "a", "boat", ",", "how", "long", "is", "it", ",")
    >>> sorted(around("We bought a boat. How long is it?", tokens, english(), {3}).aside)
    [0, 1, 2, 3]
    """
    looked = _Looked(tokens, language, frozenset(named), measures)
    stretches = _sentences(question, len(tokens))
    asking = looked.asking(stretches, are_marked(question))
    told = [stretch for stretch in stretches if asking and stretch not in asking]
    if not any(map(looked.is_about_anything, asking)):
        return Around()
    told = [stretch for stretch in told if looked.is_beside(stretch) or looked.is_unneeded(stretch, asking)]
    leading = {i for stretch in asking for i in looked.leading(stretch)}
    personal = {i for stretch in asking for i in looked.personal(stretch)}
    aside = {i for stretch in told for i in stretch} | personal | set(looked.brackets(question))
    apart = frozenset(chain.from_iterable(looked.of_others(told, asking)))
    return Around(frozenset(aside), frozenset(leading - aside), apart)


def _sentences(question: str, size: int) -> list[range]:
    """The places of each sentence, the comma that ends it left out."""
    stretches, start = [], 0
    for sentence in sentences(question):
        stretches.append(range(start, start + len(sentence)))
        start += len(sentence) + 1
    return stretches if start == size else []


@dataclass(frozen=True, slots=True)
class _Looked:
    """The tokens of a question, and what is known of them."""

    tokens: Sequence[str]
    language: Language
    named: frozenset[int]
    measures: Collection[str]

    def asking(self, stretches: Sequence[range], are_marked: Sequence[bool]) -> list[range]:
        """The sentences that ask; where none has a word of asking, those that name somebody and a measure.

        Beside one with a question mark only such a one does, or one that says of what it asks.
        """
        some = list(filter(self._asks, stretches))
        marked = [stretch for stretch, is_marked in zip(stretches, are_marked, strict=False) if is_marked]
        marked = list(filter(self._says_anything, marked))
        if any(map(self.is_about_anything, marked)):
            besides = [each for each in some if self._asks_besides(each, marked)]
            some = [each for each in stretches if each in marked or each in besides]
        return some or [stretch for stretch in stretches if self.named & set(stretch) and self._measures(stretch)]

    def _says_anything(self, stretch: range) -> bool:
        """False for *you know what?*, which has only words that ask, and for no end."""
        idle = (self.language.idle | self.language.asking | {COMMA}) - self.language.ends.keys()
        return any(i in self.named or self.tokens[i] not in idle for i in stretch)

    def _asks_besides(self, stretch: range, marked: Sequence[range]) -> bool:
        """True for a sentence without a mark that asks of what is known here, beside some that have it: for no more
        than a comparative, *slower than I thought*, or what somebody likes, *what I like best*, none does.
        """
        said = tuple(self.tokens[i] for i in stretch)
        if not (self.named & set(stretch) or self._measures(stretch)):
            return False
        if self.language.asking_phrases.stand_in(said) or any(map(self._asks_at_place, stretch)):
            return True
        is_compared = any(map(self._is_held_against, stretch)) and not any(map(self._things, marked))
        is_ranked = any(self.language.degree_of(token) == "superlative" for token in said)
        return is_compared or (is_ranked and not self.is_alone(marked))

    def _asks_at_place(self, place: int) -> bool:
        """True for a *which* or *how* but that of *what I like*, *what a day* and *the Reed, which was new*."""
        language, (before, token, behind) = self.language, (COMMA, *self.tokens)[place : place + 3]
        relates = behind in language.persons | language.indefinite or (
            place > 0 and before == COMMA and behind in language.copulas
        )
        return token in language.kinds | language.before_adjectives and not relates

    def _is_held_against(self, place: int) -> bool:
        """True for the *than* of *longer than the Reed*."""
        return self.tokens[place] in self.language.comparing and self._name_behind(place)

    def _name_behind(self, place: int) -> bool:
        """True where a name stands behind a place, or behind an article there."""
        return not self.named.isdisjoint({place + 1, place + 1 + (self.tokens[place + 1] in self.language.articles)})

    def is_alone(self, stretches: Sequence[range]) -> bool:
        """True for what asks by names, limits or an end of its own, and goes back to nothing that is told."""
        return all(map(self._is_alone, stretches))

    def of_others(self, told: Sequence[range], asking: Sequence[range]) -> list[range]:
        """Of what is told that which names others than those that are asked about; where a kind is asked about, but
        one, for of several each may be one of those.
        """
        own = frozenset(map(self.tokens.__getitem__, chain.from_iterable(map(self._things, asking))))
        things = [*map(self._things, told)]
        runs = sum(i - 1 not in some for some in things for i in some)
        if not self.is_alone(asking) or not (own or runs == 1):
            return []
        return [
            stretch
            for stretch, some in zip(told, things, strict=True)
            if some and own.isdisjoint(self.tokens[i] for i in some) and self._tells(stretch)
        ]

    def _tells(self, stretch: range) -> bool:
        """False for no more than names, as an item of a list is."""
        return any(i not in self.named and self.tokens[i] not in self.language.small | {COMMA} for i in stretch)

    def _things(self, stretch: range) -> set[int]:
        """The places of names, but those of measures and kinds."""
        return {i for i in self.named & set(stretch) if self.tokens[i] not in self.measures}

    def _is_alone(self, stretch: range) -> bool:
        named = sorted(self._things(stretch))
        degrees = {self.language.degree_of(self.tokens[i]) for i in stretch}
        first = named[0] if named else stretch.stop
        if any(self.tokens[i] in self.language.pronouns for i in stretch if i < first):
            return False
        if degrees & {"comparative", "superlative"} == {"comparative"} and not any(map(self._is_held_against, stretch)):
            return any(j > i + 1 for i, j in pairwise(named))
        return bool(named) or "superlative" in degrees or any(is_number(self.tokens[i]) for i in stretch)

    def _asks(self, stretch: range) -> bool:
        """True for a sentence that has a word or phrase of asking in it, or a comparative."""
        said = tuple(self.tokens[i] for i in stretch)
        if self.language.asking_phrases.stand_in(said):
            return True
        asking = self.language.kinds | self.language.before_adjectives
        return any(
            token in asking or self.language.degree_of(token) in ("comparative", "superlative") for token in said
        )

    def is_about_anything(self, stretch: range) -> bool:
        """True where a name, a measure or an adjective is said; *what becomes of them* goes back to what is told."""
        scaled = any(self.tokens[i] in self.language.adjectives for i in stretch)
        return scaled or bool(self.named & set(stretch)) or bool(self._measures(stretch))

    def is_beside(self, stretch: range) -> bool:
        """True for what tells of nothing that is measured: who cares for *the depth of the keel* asks for that."""
        return not any(self._is_quantity(self.tokens[i]) for i in self._measures(stretch))

    def is_unneeded(self, stretch: range, asking: Sequence[range]) -> bool:
        """True for what limits nothing beside a question that stands alone and says what it measures by; who *only*
        cares for a quantity asks for it.
        """
        if not self.is_beside(stretch) and any(self.tokens[i] in self.language.others for i in stretch):
            return False
        scaled = (self.tokens[i] in self.language.adjectives for each in asking for i in each)
        is_measured = any(scaled) or any(map(self._measures, asking))
        return is_measured and self.is_alone(asking) and not any(is_number(self.tokens[i]) for i in stretch)

    def _is_quantity(self, token: str) -> bool:
        """True for a measure that the language knows, or one of several words that the normal form knows."""
        return token in self.language.quantities or " " in token

    def _measures(self, stretch: range) -> list[int]:
        """The places of words that the collection measures by."""
        free = (i for i in stretch if self.tokens[i] not in self.language.asking)
        return [i for i in free if self.tokens[i] in self.measures and not _is_beside_number(self.tokens, i)]

    def leading(self, stretch: range) -> range:
        """The places before the word that asks within a sentence, where no name and no measure is among them: *do you
        know which …*.
        """
        before = range(stretch.start, self._asks_at(stretch))
        if self._is_order(before) or not (self.named & set(before) or self._measures(before)):
            return before  # no *state* is one in *state the depth*
        return range(0)

    def _is_order(self, before: range) -> bool:
        """True for no more than a verb before an article, and a particle or who it is done for: *look up the*."""
        language, said = self.language, self.tokens[before.start : before.stop]
        particles = language.opposed.keys() - language.telling("places")
        is_before = bool(said) and self.tokens[before.stop] in language.articles
        return is_before and may_be_verb(said[0], language) and {*said[1:]} <= language.persons | particles

    def _asks_at(self, stretch: range) -> int:
        """The place of the first word that asks; where there is none, that of what is ordered."""
        language, tokens = self.language, self.tokens
        asking = language.kinds | language.before_adjectives | language.whether
        place = next((i for i in stretch if tokens[i] in asking), None)
        if place is None:
            return self._claimed_at(stretch) or self._ordered_at(stretch)
        joins = next((i for i in stretch if i > place and tokens[i] in language.copulas), place)
        return place if language.persons.isdisjoint(tokens[place:joins]) else joins  # *what I need is the …*

    def _claimed_at(self, stretch: range) -> int:
        """The place behind the *that* of *my brother claims that …*; 0 where nobody whom the asker knows says so."""
        said = next((i for i in stretch if self.tokens[i] in self.language.again), stretch.start)
        is_told = not self.language.persons.isdisjoint(self.tokens[stretch.start : said])
        return said + 1 if is_told else 0

    def _ordered_at(self, stretch: range) -> int:
        """The place behind a verb that gives an order: it stands before an article, *find the*, with nothing between
        but who it is done for and how, *look up the*, *remind me of the*; else the beginning.
        """
        language, tokens = self.language, self.tokens
        verb = next((i for i in stretch if tokens[i] not in language.asking), stretch.start)
        place = next((i for i in stretch if i > verb and tokens[i] in language.articles), stretch.start)
        between, ways = tokens[verb + 1 : place], language.persons | language.opposed.keys()
        is_order = {*between[:1]} <= ways or tokens[verb].endswith(_CONTINUED)
        return place if is_order and {*between} <= ways | language.small else stretch.start

    def personal(self, stretch: range) -> Iterator[int]:
        """The places of the clauses in which the asker speaks of himself, before one that asks, *if I were rich, …*, or
        of the asking, *…, if you don't mind*.

        A clause with a number is none: it may limit what is asked.
        """
        clauses = _clauses(self.tokens, stretch)
        asking = list(filter(self._asks, clauses))
        for clause in clauses if asking else ():
            said = {self.tokens[i] for i in clause}
            is_open = clause not in asking and not any(map(is_number, said))
            is_before = clause.start < asking[0].start and self.is_beside(clause)
            is_personal = bool(said & self.language.persons) and (is_before or self._only_speaks(said))
            if is_open and is_personal:
                yield from clause

    def _only_speaks(self, said: set[str]) -> bool:
        """True for words that only say how it is asked: *if you don't mind*."""
        language = self.language
        told = said - language.idle - language.asking - language.negations - language.telling("conditions")
        return bool(told) and told <= language.speaking

    def brackets(self, question: str) -> Iterator[int]:
        """The places in brackets that hold no name, no number, no measure and no negation: *(finally!)*."""
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
    """The parts of a sentence between its commas."""
    clauses, start = [], stretch.start
    for i in (*(i for i in stretch if tokens[i] == COMMA), stretch.stop):
        if i > start:
            clauses.append(range(start, i))
        start = i + 1
    return clauses


def _is_beside_number(tokens: Sequence[str], place: int) -> bool:
    """True for the *level* of *level 10*."""
    return any(map(is_number, tokens[max(0, place - 1) : place + 2]))
