"""Things side by side, of each of which a sentence of its own says the one amount that is asked for.

*Which has the larger tank, the Reed or the Tern* is told by *the Reed has a 20 l oil tank* and by what stands under
*Tern*, though no sentence has every word of the question. The amount stands right beside what is asked for, and the
sentence is about none of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from agent.languages.operations import End
from agent.prose.answer import Quote
from agent.prose.kinds import Amount, amounts
from agent.prose.units import Unit, names_of, units_of
from agent.prose.words import stems
from agent.reasoning.comparing import judged
from agent.reasoning.notebook import Notebook
from agent.reasoning.quantities import quantities_of
from agent.reasoning.structure.sides import sides
from agent.types import Finding, Reasoned, Step
from agent.understanding.clauses import COMMA, in_own_words, tokens_of
from agent.understanding.related import only_relates
from agent.understanding.tagged import Tagged
from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.types import Chunk

_BEHIND, _BEFORE = 4, 3
"""Tokens from a number to the noun that it is of: *20 l oil tank*, *a tank of about 20 l*."""


@dataclass(frozen=True, slots=True)
class Said:
    """An amount of one of the things, the words that say of which sort it is (*oil*, of a *20 l oil tank*), the
    sentence, and the stems of all that tells whose it is.
    """

    amount: Amount
    sort: frozenset[str]
    quote: Quote
    stems: frozenset[str]


def compared_as_said(question: Tagged, notebook: Notebook, reasoner: str) -> Reasoned | None:
    """The finding about things side by side; None where not each of them has just one amount of what is asked."""
    asking = Asking(question)
    told: dict[str, Said] = {}
    for words in asking.names:
        found = _one_of(asking.said_of(words, notebook.chunks))
        if found is None:
            return None
        told[in_own_words(words, question.question)] = found
    if not told or asking.leaves(list(told.values())) or len({said.sort for said in told.values()}) > 1:
        return None
    texts = {name: said.amount.written for name, said in told.items()}
    quantities, end = quantities_of(list(texts.values())), asking.end_of(next(iter(told.values())).amount.unit)
    if quantities is None or end is None or len({each.unit for each in quantities}) > 1:
        return None
    better, claim = judged(list(told), quantities, ", ".join(map(" ".join, texts.items())), end)
    steps, values = list[Step](), list[dict[str, str]]()
    for name, said in told.items():
        quote = said.quote
        steps.append(Step(f"{name}: {quote.text}", None, (notebook.cite(quote.chunk, quote.text),)))
        values.append({"name": name, "value": said.amount.written})
    data: dict[str, object] = {"attribute": " ".join(asking.noun), "values": values, "better": better}
    return notebook.reasoned(Finding(reasoner, claim, tuple(steps), data, better))


def _one_of(found: Iterable[Said]) -> Said | None:
    """The first of those that say the same; None where there are none, or they differ."""
    first: Said | None = None
    for said in found:
        if first is not None and (str(said.amount), said.sort) != (str(first.amount), first.sort):
            return None
        first = first or said
    return first


@dataclass(frozen=True)
class Asking:
    """What is asked of things side by side: which has more of what a noun says."""

    question: Tagged

    @cached_property
    def places(self) -> list[range]:
        """Where the things stand, without the verb behind the last."""
        found = sides(self.question) if self.noun else []
        return [*found[:-1], self._without_verb(found[-1])] if found else []

    def _without_verb(self, places: range) -> range:
        tokens, language = self.question.tokens, self.question.language
        while len(places) > 1 and (tokens[places[-1]] in language.idle or only_relates(tokens, places[-1], language)):
            places = places[:-1]
        return places

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """Their words."""
        found = [tuple(self.question.tokens[i] for i in each) for each in self.places]
        return [] if any(all(map(is_number, name)) for name in found) else found

    @cached_property
    def noun(self) -> tuple[str, ...]:
        """What there is more of: the words right behind the one that asks for an end."""
        question = self.question
        start = end = len(question.tokens) if question.end is None else question.end + 1
        small = question.language.small | question.language.asking
        while end < len(question.tokens) and question.tokens[end] != COMMA and question.tokens[end] not in small:
            end += 1
        return question.tokens[start:end]

    def end_of(self, unit: str) -> End | None:
        """The end that is asked for of amounts of a unit; none where an adjective speaks of something else."""
        question, measures = self.question, self.question.language.measures_of(unit)
        adjective = None if question.end is None else question.scales.get(question.end)
        if adjective and not adjective.scale.alone and measures.isdisjoint(adjective.scale.measures):
            return None
        end = question.end_for((*self.noun, *measures))
        return end if end in ("low", "high") else None

    def said_of(self, name: Sequence[str], chunks: Sequence[Chunk]) -> Iterator[Said]:
        """The amounts of what is asked in the sentences that are about one of the things."""
        others = [each for each in self.names if each != name]
        pronouns = self.question.language.telling("pronouns")
        for chunk in chunks:
            path = names_of(chunk)
            for unit in units_of(chunk, pronouns):
                if not unit.head and _is_about(name, others, unit, path):
                    tells = stems(" ".join((unit.whole, *path)))
                    quote = Quote(unit.text if _has(tokens_of(unit.text), name) else unit.whole, chunk)
                    yield from (Said(each, sort, quote, tells) for each, sort in self._amounts(unit.text))

    def _amounts(self, text: str) -> Iterator[tuple[Amount, frozenset[str]]]:
        """The amounts that stand right beside what is asked for, all of which is in the sentence, and of which sort."""
        tokens = tokens_of(text)
        if not stems(" ".join(self.noun)) <= stems(text):
            return
        heads = [i for i, token in enumerate(tokens) if stems(token) & stems(self.noun[-1])]
        for amount in amounts(text):
            for place, head in product(range(len(tokens)), heads):
                is_here = (tokens[place],) == phrase(amount.number) and is_number(tokens[place])
                if is_here and not amount.is_end and _is_beside(tokens, place, head):
                    yield amount, frozenset(_sort(tokens, place, head)).difference(self.noun, phrase(amount.unit))

    def leaves(self, found: Sequence[Said]) -> bool:
        """True where a word of the question is told of none of the things, or a number or a name not of all."""
        question, language = self.question, self.question.language
        if not language.telling("repeated").isdisjoint(question.tokens):
            return True  # *per desk*
        named = {i for each in sides(question) for i in each}
        stems_of = [said.stems for said in found]
        told_of_all, told = frozenset.intersection(*stems_of), frozenset().union(*stems_of)
        for i, word in question.words():
            if i in named or word in self.noun or i == question.end or word in language.idle:
                continue
            own = in_own_words((word,), question.question)
            said = told_of_all if own[:1].isupper() else told
            if not stems(word) <= said and not only_relates(question.tokens, i, language):
                return True
        for number in question.numbers:
            is_count = number.value == str(len(self.names))
            if number.place not in named and not is_count and number.value not in told_of_all:
                return True
        return False


def _is_about(name: Sequence[str], others: Sequence[Sequence[str]], unit: Unit, path: Sequence[str]) -> bool:
    """True for a sentence with this name in it, or under it, that has none of the others in it."""
    said = tokens_of(unit.whole)
    if any(_has(said, each) for each in others):
        return False
    above = list[str]()
    for part in path:
        above += tokens_of(part)
    return _has(said, name) or (_has(above, name) and not any(_has(above, each) for each in others))


def _has(tokens: Sequence[str], name: Sequence[str]) -> bool:
    """True where the words of a name stand side by side; no longer name has it."""
    return any(tuple(tokens[i : i + len(name)]) == tuple(name) for i in range(len(tokens) - len(name) + 1))


def _is_beside(tokens: Sequence[str], number: int, head: int) -> bool:
    """True for a noun close behind a number with its unit, or before it, with no comma or other number between them."""
    between = tokens[number + 1 : head] if head > number else tokens[head + 1 : number]
    if any(token == COMMA or is_number(token) for token in between):
        return False
    if 0 < head - number <= _BEHIND:
        return STOP_WORDS.isdisjoint(between)
    return 0 < number - head <= _BEFORE


def _sort(tokens: Sequence[str], number: int, head: int) -> Iterator[str]:
    """The words before a noun, back to its number or the first that is small."""
    place = head - 1
    while place >= 0 and place != number and tokens[place] != COMMA and tokens[place] not in STOP_WORDS:
        yield tokens[place]
        place -= 1
