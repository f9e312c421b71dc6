"""Questions that set one member apart from its kind: *except the Reed*, *longer than the Reed*, *the same port as the
Reed*.

The question is asked for the whole kind without the member, which is then removed from the result. Members beyond it
are found by their values, as for a superlative. If they are to have the same value, that of the member is read first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent.languages.language import Language
from agent.languages.operations import Operation
from agent.languages.phrases import found
from agent.languages.scales import extreme, superlative_of
from agent.reasoning.kinds.asked import kind_asked
from agent.reasoning.values.quantities import quantities_of
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.conditions import free_numbers
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention, name_keys
from retrieval.text.normal import STOP_WORDS


class Apart(NamedTuple):
    """The question about the whole kind, the keys of the members set apart, and the question for the own value of one,
    if needed.
    """

    text: str
    keys: tuple[str, ...]
    own: str = ""

    def is_called(self, name: str) -> bool:
        """True for a name of a member set apart."""
        return not set(self.keys).isdisjoint(name_keys(name))

    def others(self, readings: Sequence[Reading]) -> tuple[Reading, ...]:
        """Return the readings of the other members."""
        return tuple(reading for reading in readings if not self.is_called(reading.name))


class Exclusion(NamedTuple):
    """What a question excludes: members by their names, if they are names, and the question with a negation instead."""

    apart: Apart | None
    denied: str

    def bound(self, bind: Callable[[str], LabelRequests[Bound | None]]) -> LabelRequests[Bound | None]:
        """Return the binding without the members that are named, if it has them; else that of the negation: *a hull
        other than red* names no boat, whatever else is called red.
        """
        whole = None if self.apart is None else (yield from bind(self.apart.text))
        kept = None if self.apart is None else without(self.apart, whole)
        if kept is not None and whole is not None and len(kept.readings) < len(whole.readings):
            return kept
        denied = (yield from bind(self.denied)) if self.denied else None
        return denied or kept


def name_at(question: Tagged, place: int) -> Mention | None:
    """Return the name that begins at a place, or behind an article there.

    >>> from agent.understanding.question.tagged import tagged
    >>> name_at(tagged("Is it longer than the Reed?", [Mention(5, 6, "reed")]), 4)
    Mention(start=5, end=6, key='reed')
    """
    first = place + any(token in question.language.articles for token in question.tokens[place : place + 1])
    return next((each for each in question.names if each.start == first), None)


def _names_from(question: Tagged, place: int) -> list[Mention]:
    """Return the name at a place and those that are joined to it: *the Tern, the Reed and the Rush*. Behind a comma
    alone something else begins.
    """
    tokens, joining = question.tokens, question.language.joining
    names, is_joined = list[Mention](), False
    while (name := name_at(question, place)) is not None:
        names.append(name)
        place = name.end
        while place < len(tokens) - 1 and (tokens[place] == COMMA or tokens[place] in joining):
            is_joined = is_joined or tokens[place] in joining
            place += 1
    return names if is_joined else names[:1]


def exclusion_in(question: Tagged) -> Exclusion | None:
    """Return what a question excludes; None if nothing.

    >>> from agent.understanding.question.tagged import tagged
    >>> exclusion_in(tagged("the longest boat except the Tern", [Mention(5, 6, "tern")]))
    Exclusion(apart=Apart(text='the longest boat', keys=('tern',), own=''), denied='the longest boat never the tern')
    >>> exclusion_in(tagged("a hull other than red"))
    Exclusion(apart=None, denied='a hull never red')
    """
    tokens, language = question.tokens, question.language
    for said in language.excepting:
        start = found(tokens, said)
        if start is None:
            continue
        behind = start + len(said)
        no = no_word(language)
        after = behind + (tokens[behind] in language.articles)
        is_again = tokens[after] in language.pronouns or tokens[after] in tokens[:start]
        if is_again and tokens[after + 1 : after + 2] and tokens[after + 1] in language.statement_words("places"):
            behind = after + 1  # *except those in Hull*, *except the boats in Hull*
            denied = " ".join((*tokens[:start], no_word(language), *tokens[behind:-1]))
            return Exclusion(None, denied) if start else None
        is_clause = tokens[behind] in STOP_WORDS and tokens[behind] not in language.articles  # *except those that …*
        denied = " ".join((*tokens[:start], no, *tokens[behind:-1])) if start and not is_clause else ""
        names = _names_from(question, behind)
        whole = (*tokens[:start], *tokens[names[-1].end : -1]) if names else ()
        apart = Apart(" ".join(whole), tuple(name.key for name in names)) if names else None
        return Exclusion(apart, denied)
    return None


def no_word(language: Language) -> str:
    """Return the word that denies what follows."""
    return min(language.negations.difference(language.lacking, *language.excepting))


def without(apart: Apart, bound: Bound | None) -> Bound | None:
    """Return the binding without the excluded members; None if it isn't about a kind, or if a superlative or a sum did
    not include them.
    """
    if bound is None or bound.other_values:
        return None
    kept = apart.others(bound.readings)
    if not bound.is_of_kind and (bound.operation != "total" or len(kept) == len(bound.readings)):
        return None
    is_one = bound.operation == "best" and len(kept) < len(bound.readings)
    return replace(bound, readings=kept) if kept and (is_one or bound.operation != "best") else None


def beyond(question: Tagged) -> Apart | None:
    """Return the superlative question for a comparison of a kind with one member; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> beyond(tagged("Which boats are longer than the Reed?", [Mention(6, 7, "reed")]))
    Apart(text='which boat are longest', keys=('reed',), own='')
    """
    tokens, language, end = question.tokens, question.language, question.end
    asks = question.operation in (None, "count") and not question.negated and not free_numbers(question)
    start = end or 0
    if start and tokens[start - 1] in language.ends and language.degree_of(question.degree) == "positive":
        start -= 1  # *more expensive*
    if end is None or not asks or language.degree_of(tokens[start]) != "comparative":
        return None
    place = question.place(language.comparing, end)
    name, most = name_at(question, place + 1), _superlative(question)
    if tokens[place + 1 : place + 2] != () and tokens[place + 1] in tokens[:end]:
        name = name_at(question, place + 2) or name  # *than boat Reed*
    if name is None or not most or tokens[0] in language.helpers:
        return None
    if not set(tokens[name.end : -1]) <= set(tokens[:end]):  # *than the Reed boat*
        return None
    kinds = language.kinds | {said[0] for said in language.amounts}
    if kinds.isdisjoint(tokens[:end]):
        return None
    return Apart(" ".join((*tokens[:start], most, *tokens[end + 1 : place])), (name.key,))


def _superlative(question: Tagged) -> str:
    """Return the superlative of the question's comparative."""
    language, word = question.language, question.degree
    before = question.tokens[question.end - 1] if question.end else ""
    if before in language.ends and language.degree_of(word) == "positive":
        return f"{extreme(language.ends, high=language.ends[before].high)} {word}"
    return superlative_of(word, language.adjectives, language.ends)


def those_beyond(apart: Apart, best: Bound | None, question: Tagged) -> Bound | None:
    """Return the members with a higher or lower value than the named one; None if it is no member or has no value."""
    if best is None or best.operation != "best" or best.is_open or best.other_values:
        return None
    quantities = quantities_of([reading.best.text for reading in best.readings], best.measure)
    if quantities is None or best.end not in ("low", "high"):
        return None
    pairs = list(zip(best.readings, quantities, strict=True))
    own = [held for reading, held in pairs if apart.is_called(reading.name)]
    if len(own) != 1:
        return None
    kept, rest = list[Reading](), list[Reading]()
    for reading, each in pairs:
        is_more = each.less(own[0]) if best.is_low else own[0].less(each)
        (kept if is_more else rest).append(reading)
    bound = replace(best, readings=tuple(kept), end=None, without_value=(*best.without_value, *rest))
    return _listed(bound, question) if kept else None


def same_as(question: Tagged, index: Cells) -> Apart | None:
    """Return the parts of a question for members with the same value as a named one; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("Port",)), (("Reed", "York"), ("Tern", "Hull")))
    >>> asked = tagged("Which boats have the same port as the Reed?", [Mention(8, 9, "reed")])
    >>> same_as(asked, CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))]))
    Apart(text='which boat with port', keys=('reed',), own='port of reed')
    """
    tokens, language = question.tokens, question.language
    start, like = question.place(language.same), language.like
    if start == len(tokens):  # *share a port with the Reed*
        start, like = question.place(language.sharing), language.beside | language.partitive
    place = question.place(like, start)
    name = name_at(question, place + 1)
    measure = tuple(token for token in tokens[start + 1 : place] if token not in language.articles)
    kind = kind_asked(question, index)
    asking = language.kinds | language.listing
    if name is None or not measure or not kind or asking.isdisjoint(tokens[:start]):
        return None
    own = " ".join((*measure, max(language.partitive), *tokens[name.start : name.end]))
    return Apart(" ".join((max(language.kinds), *kind, max(language.beside), *measure)), (name.key,), own)


def with_value(asked: Apart, own: Bound | None) -> str:
    """Return the question about the whole kind with the value of the named member; empty if it has none or several."""
    if own is None or own.operation != "read" or own.unmatched_question_words or len(own.readings) != 1:
        return ""
    found = own.readings[0].found
    return f"{asked.text} {found[0].text}" if len(found) == 1 else ""


def all_but(asked: Apart, bound: Bound | None, question: Tagged) -> Bound | None:
    """Return the members with the value, without the named one; None if that is no member."""
    if bound is None or bound.operation not in ("list", "count") or bound.is_open:
        return None
    kept = asked.others(bound.readings)
    return _listed(replace(bound, readings=kept), question) if len(kept) + 1 == len(bound.readings) else None


def _listed(bound: Bound, question: Tagged) -> Bound:
    """Return the remaining members as the question asks for them: a list or a count."""
    operation: Operation = "count" if question.operation == "count" else "list"
    return replace(bound, linked=replace(bound.linked, question=question), operation=operation)
