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

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.clauses import COMMA, sentences, tokens_of
from agent.understanding.related import may_be_verb
from retrieval.text.normal import is_number

_CONTINUED = "ing"
_BRACKET = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Around:
    """The places of the context: `aside` of what only tells something, `leading` of what leads up to the asking."""

    aside: frozenset[int] = frozenset()
    leading: frozenset[int] = frozenset()


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
    asking = looked.asking(stretches)
    told = [stretch for stretch in stretches if asking and stretch not in asking]
    if not any(looked.is_about_anything(stretch) for stretch in asking):
        return Around()
    told = [stretch for stretch in told if looked.is_beside(stretch)]
    leading = {i for stretch in asking for i in looked.leading(stretch)}
    personal = {i for stretch in asking for i in looked.personal(stretch)}
    aside = {i for stretch in told for i in stretch} | personal | set(looked.brackets(question))
    return Around(frozenset(aside), frozenset(leading - aside))


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

    def asking(self, stretches: Sequence[range]) -> list[range]:
        """The sentences that ask; where none has a word of asking, those that name somebody and a measure."""
        some = [stretch for stretch in stretches if self._asks(stretch)]
        return some or [stretch for stretch in stretches if self.named & set(stretch) and self._measures(stretch)]

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
        """The places of the clauses in which the asker speaks of himself, beside one that asks: *if I were rich, …*.

        A clause with a number is none: it may limit what is asked.
        """
        clauses = _clauses(self.tokens, stretch)
        asking = [clause for clause in clauses if self._asks(clause)]
        for clause in clauses if asking else ():
            said = {self.tokens[i] for i in clause}
            is_open = clause not in asking and not any(map(is_number, said))
            is_before = clause.start < asking[0].start and self.is_beside(clause)
            if is_open and is_before and said & self.language.persons:
                yield from clause

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
    return any(is_number(token) for token in tokens[max(0, place - 1) : place + 2])
