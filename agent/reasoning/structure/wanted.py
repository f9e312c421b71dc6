"""What a question wants of a kind, before any member is looked at: words with their places, names of labels, numbers.

A name that the collection writes as one word is one word here (*entry point*, an *entryPoint*), and one by whose
initials a label goes names that label (*tech level*, *TL*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from agent.reasoning.structure.asked import asked_for, behind_family, counted_in, is_unknown, loose_words, without_verb
from agent.reasoning.structure.conditions import had_in, negation_in, numbers_of
from agent.reasoning.structure.member import Label
from agent.reasoning.structure.members import is_kind
from agent.reasoning.structure.signs import sign_before
from agent.reasoning.structure.standing import tables_named
from agent.understanding.numbers import Number
from agent.understanding.of_book import is_of_book
from agent.understanding.related import only_relates
from agent.understanding.tagged import Tagged
from agent.understanding.verbs import verbs_behind
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention
from retrieval.tables.writing import Kind
from retrieval.text.english import ORDINALS
from retrieval.text.normal import number, phrase

_RANK = re.compile(
    rf"\b({'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))[ -](?:most|least|best|worst|[a-z]+est)\b", re.IGNORECASE
)
"""*The second most expensive*, *the 3rd cheapest*."""


@dataclass(frozen=True)
class Wanted:
    """What is wanted of the members of a kind.

    `asked` are the words for what is asked for, `loose` those of them that no member has to be called by, `verbs` those
    that nothing in the collection is called by. `said` are the words that the members have to tell, with their places,
    and `named` the places of those by which labels are named. `numbers` choose or limit values; `rank` says which from
    the end is wanted, and `top` how many from there. `rows` are the words that are names of rows or columns,
    `callable` those for what is asked for that may be what the asker calls them, `of_book` those of them for what
    the whole collection is about, `behind` those behind the first that are no kind here, `where` those that say
    where something stands, and `nothing` those that the collection knows for no name, measure or kind.
    """

    question: Tagged
    asked: tuple[str, ...]
    loose: tuple[str, ...]
    verbs: frozenset[str]
    said: tuple[tuple[int, str], ...]
    named: dict[Label, frozenset[int]]
    numbers: tuple[Number, ...]
    negation: int | None = None
    rank: int = 1
    top: int = 1
    rows: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    callable: frozenset[str] = frozenset()
    of_book: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()
    where: frozenset[str] = frozenset()
    nothing: frozenset[str] = frozenset()

    @property
    def is_counted(self) -> bool:
        """True where a number of members is asked for."""
        return self.question.operation == "count"

    @cached_property
    def had(self) -> frozenset[str]:
        """The words for what those who are asked for have."""
        return had_in(self.question)

    @property
    def is_of_speaker(self) -> bool:
        """True where it is counted of what somebody does who asks or is asked: *how many crowns do I need*."""
        return self.is_counted and not self.question.language.speakers.isdisjoint(self.question.tokens)

    @property
    def family(self) -> tuple[str, ...]:
        """The words for what is asked for behind an identifier that tells who is meant."""
        return behind_family(self.asked)

    @property
    def sort(self) -> str:
        """The last word for what is asked for."""
        return self.asked[-1] if self.asked else ""


def wanted(question: Tagged, index: Cells) -> Wanted | None:
    """What is wanted; None for what asks for no kind, or where what is denied or ranked is not clear."""
    negation = negation_in(question) if question.negated else None
    ranking = _ranking(question)
    if (question.negated and negation is None) or (question.best and question.end is None):
        return None
    rank = rank_asked(question.question)
    if rank > 1 and ranking is None:
        return None
    words, counted = asked_for(question, index)
    asked, verbs = without_verb(question, words, index)
    several = _several(question) if ranking is None else None
    taken = {n.place for n in (ranking, several) if n is not None}
    numbers = tuple(n for n in numbers_of(question) if n.place not in taken)
    limited = question.best or any(n.limit for n in numbers) or question.operation == "count"
    if not (limited or asked):
        return None
    limited = limited or bool(question.numbers)
    is_named = question.operation == "count" and not question.numbers  # then its word is what members are called
    loose = loose_words(asked, index) if (limited or len(asked) == 1) and not is_named else ()
    loose = (*loose, *behind_family(asked))
    unsaid = counted_in(question, index) | {negation, counted}
    said = tuple((i, word) for i, word in _said(question) if word not in verbs and i not in unsaid)
    within = tables_named(question, index)
    of_tables = {word for each in within for word in question.tokens[each.start : each.end]}
    verbs -= {question.tokens[table.end] for table in within}  # *how many boats does the price list hold*
    callable_ = frozenset(word for word in asked if _may_be_called(word, question, index, is_within=bool(within)))
    top = int(number(several.value)) if several is not None else 1
    return Wanted(
        question, asked, loose, verbs, said, _named(question, index), numbers, negation, rank, top,
        _rows(question, index), _joining(question, asked, index) | _verbs(question, words[len(asked) :]), callable_,
        frozenset(word for word in asked if is_of_book(word, index) and word not in of_tables),
        frozenset(word for word in asked[1:] if not is_kind(word, index)), _where(question),
        _known_for_nothing(said, question, index),
    )  # fmt: skip


def _known_for_nothing(said: Sequence[tuple[int, str]], question: Tagged, index: Cells) -> frozenset[str]:
    """The words that are no name, no measure and no kind here."""
    named = {place for each in question.names for place in _places(each)}
    free = (word for place, word in said if place not in named and word not in index.measured)
    return frozenset(word for word in free if not is_kind(word, index))


def _where(question: Tagged) -> frozenset[str]:
    """The words for where something is to stand: the *data* of *in the ferry data*, not that of *how much data*."""
    tokens, language = question.tokens, question.language
    before = {said for each in language.told_by.get("places", ()) for said in each} | language.partitive
    found = set()
    for place in (i for i, token in enumerate(tokens) if token in language.holders):
        start = place - 1
        while start >= 0 and tokens[start] not in before and tokens[start] not in language.helpers | language.copulas:
            start -= 1
        if start >= 0 and tokens[start] in before:
            found.add(tokens[place])
    return frozenset(found)


def _may_be_called(word: str, question: Tagged, index: Cells, *, is_within: bool) -> bool:
    """True for what the asker may call things by: a word that the collection does not have; of the things of a table
    that is named one that is no kind here.
    """
    return is_unknown(word, question, index) or (is_within and not is_kind(word, index))


def _joining(question: Tagged, asked: Sequence[str], index: Cells) -> frozenset[str]:
    """The words that join a name to a number with its unit, *takes in 14 days*, *is hired at 10 crowns*: no measure
    here, and not what somebody has or something is with.
    """
    language, tokens = question.language, question.tokens
    named = {i for each in question.names for i in range(each.start, each.end)}
    named |= {i for i, token in enumerate(tokens) if token in asked}
    found = set()
    for n in question.numbers:
        place = n.place - 1
        while place > 0 and tokens[place] in language.small - language.copulas:
            place -= 1
        is_behind = place - 1 in named or tokens[place - 1] in language.copulas
        has_unit = tokens[n.place + 1].isalpha() and tokens[n.place + 1] not in language.small
        has_unit = has_unit or bool(sign_before(n.value, question.question))
        is_verb = place not in named and tokens[place].isalpha() and tokens[place] not in index.measured
        if place > 0 and is_behind and has_unit and is_verb and tokens[place] not in language.small | language.asking:
            found.add(tokens[place])
    return frozenset(found) | _relating(question)


def _verbs(question: Tagged, behind: Sequence[str]) -> frozenset[str]:
    """The words that are verbs by where they stand: behind *can* and *you*, and behind what is asked for, with what
    only goes with verbs.
    """
    light = {word for word in behind if (word,) in question.language.light}
    return frozenset({*(question.tokens[place] for place in verbs_behind(question)), *behind[:1], *light})


def _relating(question: Tagged) -> frozenset[str]:
    """The words that only relate things to what stands behind a preposition: *are built on*, *sails with the most*."""
    language, tokens = question.language, question.tokens
    before = language.beside | language.ranking | {word for said in language.told_by.get("places", ()) for word in said}
    found = set()
    for i, (one, other) in enumerate(pairwise(tokens)):
        if other in before and only_relates(tokens, i, language):
            found.add(one)
    return frozenset(found)


def rank_asked(question: str) -> int:
    """Which from the end of the scale is asked for: 1 is the best, the last or whatever the question says.

    >>> rank_asked("the second most expensive weapon"), rank_asked("the 3rd cheapest"), rank_asked("the cheapest")
    (2, 3, 1)
    """
    match = _RANK.search(question)
    return int(number(phrase(match[1])[0])) if match else 1


def _ranking(question: Tagged) -> Number | None:
    """The number behind the degree that says which from the end is asked for: *the second longest*."""
    rank, end = rank_asked(question.question), question.end
    if rank == 1 or end is None:
        return None
    return next((n for n in question.numbers if n.place == end + 1 and number(n.value) == rank), None)


def _several(question: Tagged) -> Number | None:
    """The number that says how many from the end are asked for: *the three most expensive*, *which two have most*."""
    end, tokens, language = question.end, question.tokens, question.language
    if end is None or not question.best:
        return None
    first = end - 1 if end and tokens[end - 1] in language.ends else end
    asking = next((i for i, token in enumerate(tokens) if token in language.kinds), len(tokens))
    for n in question.numbers:
        if n.place in (first - 1, asking + 1) and n.limit is None and n.value.isdigit() and number(n.value) > 1:
            return n
    return None


def _said(question: Tagged) -> Iterator[tuple[int, str]]:
    """The words of a question with their places; a name that is written as one word is one."""
    joined = {place: mention for mention in question.names if _is_joined(mention) for place in _places(mention)}
    for i, word in question.words():
        mention = joined.get(i)
        if mention is None:
            yield i, word
        elif i == mention.start:
            yield i, mention.key


def _is_joined(mention: Mention) -> bool:
    """True for several words that the collection writes as one."""
    return mention.end - mention.start > 1 and mention.key.isalpha()


def _places(mention: Mention) -> range:
    return range(mention.start, mention.end)


def _named(question: Tagged, index: Cells) -> dict[Label, frozenset[int]]:
    """The labels that the names in a question are, by the places of their words."""
    found: dict[Label, frozenset[int]] = {}
    for mention in question.names:
        places = frozenset(_places(mention))
        labels = {phrase(place.name) for place in index.places([mention.key], (Kind.COLUMN, Kind.LABEL))}
        if len(places) > 1:
            labels.add(("".join(word[0] for word in question.tokens[mention.start : mention.end]),))
        found |= {label: places | found.get(label, frozenset()) for label in labels}
    return found


def _rows(question: Tagged, index: Cells) -> frozenset[str]:
    """The words of a question that are names of rows, or of columns: *effective* armor class is another measure."""
    named = (mention for mention in question.names if index.places([mention.key], (Kind.ROW, Kind.COLUMN)))
    return frozenset(word for mention in named for word in question.tokens[mention.start : mention.end])
