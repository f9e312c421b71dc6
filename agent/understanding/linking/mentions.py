"""Find the names of a collection in a question, and which of them belong together.

The longest name wins, whatever its kind. Adjacent names are one entity, *Mask R-CNN R101-FPN*; names in a list (*an
orc, a troll or an ogre*) are alternatives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from agent.languages.phrases import found
from agent.understanding.linking.lists import is_joined, is_listed, joining_words
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import ARTICLES, COMMA
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.names import SHORT, Mention, key_of, short_spans_of, spans_of
from retrieval.tables.remembered import cached_by_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import STOP_WORDS, is_number, phrase

_MARK = re.compile(r"[,;:!?()—]|\s[-–]\s|\.\s")
MOST_ALTERNATIVES = 24
"""Most names in a list that are compared; a longer list is no question."""
SEVERAL = 2
NAMES_OF_TABLES = (Kind.TITLE, Kind.CAPTION, Kind.HEADING)


def mentions_of(tokens: Sequence[str], index: Cells) -> list[Mention]:
    """Return the names of the collection in a text, from left to right; the longest wins where they overlap."""
    return list(_mentions(index, tuple(tokens)))


@cached_by_collection(512)
def _mentions(index: Cells, tokens: tuple[str, ...]) -> Sequence[Mention]:
    """Find the names; cached, because each stage and each wording of a question asks for them."""
    spans = {**spans_of(tokens), **short_spans_of(tokens)}
    known = index.known_names(list(spans))
    by_length = sorted(
        (Mention(start, end, key) for key in known for start, end in spans[key]),
        key=lambda mention: (-_length(tokens, mention), mention.end - mention.start, mention.start, _is_short(mention)),
    )
    taken: set[int] = set()
    kept = []
    for mention in by_length:
        places = set(mention.places)
        if not places & taken and _is_one_name(tokens[mention.start : mention.end], mention, index):
            kept.append(mention)
            taken |= places
    kept = [_with_number(each, tokens, index) for each in sorted(kept, key=lambda mention: mention.start)]
    ends = [0, *(each.end for each in kept)]
    return [_with_word_before(each, tokens, end, index) for end, each in zip(ends, kept, strict=False)]


def _with_number(mention: Mention, tokens: Sequence[str], index: Cells) -> Mention:
    """Extend a name by the number behind it, in brackets or not, if only one longer name has both, with at most a unit
    in addition: *Dover (48)* for *Dover 48 MHz*.
    """
    at = mention.end + (COMMA in tokens[mention.end : mention.end + 1])
    is_last = at + 1 >= len(tokens) or tokens[at + 1] == COMMA
    if at >= len(tokens) or not is_number(tokens[at]) or not is_last:
        return mention
    own = {*mention.key.split(), tokens[at]}
    named = {key: {*key.split()} for key in index.names_with_words(tokens[mention.start : mention.end])}
    longer = [key for key, words in named.items() if own <= words and len(words) <= len(own) + 1]
    return Mention(mention.start, at + 1, longer[0]) if len(longer) == 1 else mention


def _with_word_before(mention: Mention, tokens: Sequence[str], end: int, index: Cells) -> Mention:
    """Extend a name by the word before it if only one table is called so: *Greater Spells*, for *All Greater Spells
    (Tier 3)*. `end` is the end of the name before it.
    """
    start = mention.start - 1
    words = tuple(tokens[max(start, 0) : mention.end])
    if start < end or not words[0].isalpha() or words[0] in STOP_WORDS or COMMA in words:
        return mention
    places = index.places(index.names_with_words(words), NAMES_OF_TABLES)
    called = {key_of(name) for name in (phrase(place.name) for place in places) if found(name, words) is not None}
    return Mention(start, mention.end, called.pop()) if len(called) == 1 else mention


def _is_short(mention: Mention) -> tuple[bool, str]:
    """Return the sort key that puts a whole name before a short form of another."""
    return mention.key.startswith(SHORT), mention.key


def _length(tokens: Sequence[str], mention: Mention) -> int:
    """Return the number of tokens in a name, without commas."""
    return sum(token != COMMA for token in tokens[mention.start : mention.end])


def _is_one_name(tokens: Sequence[str], mention: Mention, index: Cells) -> bool:
    """True for a name without a comma, and for one that the collection writes with a comma or the like: *Wolf, Winter*,
    *Yohan: The Wanderer*. An article behind the comma starts another name: *the large boat, the small boat*. A number
    before a word counts it: *two towers* are no *Tower 2*.
    """
    if is_number(tokens[0]) and not any(map(is_number, tokens[1:])):
        told = (phrase(place.name) for place in index.places([mention.key]))
        return any(is_number(name[0]) or not any(map(is_number, name)) for name in told if name)
    if COMMA not in tokens:
        return True
    names = [place.name for place in index.places([mention.key]) if _MARK.search(place.name)]
    article = tokens[tokens.index(COMMA) + 1]
    return any(article not in ARTICLES or article in name.lower().split() for name in names)


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that a question names: tokens [start, end), its name, and the adjacent names that specify it.

    `kind` is what the name is in the collection; 0 is the most specific.
    """

    start: int
    end: int
    name: Mention
    specifiers: tuple[Mention, ...] = ()
    kind: int = 0


THINGS = (Kind.ROW, Kind.TITLE, Kind.SUBJECT, Kind.CAPTION, Kind.HEADING, Kind.ROLE)
"""The kinds of names that an entity may have, most specific first."""


def clusters(mentions: Sequence[Mention], index: Cells, owners: Collection[int] = ()) -> list[NamedEntity]:
    """Group adjacent names into entities, each headed by its most specific name: *Mask R-CNN R101-FPN*.

    A mere measure stands alone, *ogre hit points*, and so does a name after a possessive at the places `owners`.
    """
    found: list[list[_Ranked]] = []
    for mention in mentions:
        places = index.places([mention.key], THINGS)
        kind = min(map(_specificity, places), default=len(THINGS))
        near = found[-1][-1] if found and found[-1][-1].places else None
        is_owned = mention.start - 1 in owners
        if places and near and near.mention.end == mention.start and not is_owned:
            found[-1].append(_Ranked(kind, places, mention))
        else:
            found.append([_Ranked(kind, places, mention)])
    return [_named(each, index) for each in found]


def _specificity(place: Place) -> int:
    """Return how specific a name is at a place, 0 the most; a further name of a row is least specific."""
    is_besides = place.kind is Kind.ROW and place.depth > 0
    return THINGS.index(Kind.ROLE if is_besides else place.kind)


class _Ranked(NamedTuple):
    """A name with its most specific kind and its places."""

    kind: int
    places: list[Place]
    mention: Mention


def _named(parts: Sequence[_Ranked], index: Cells) -> NamedEntity:
    """Combine adjacent names into one entity, headed by the one whose tables are called by the others, else by the most
    specific: *Elbe harbour* is the *Elbe* in a table of harbours.
    """
    told = {part.mention: _table_name_share(part, parts, index) for part in parts if len(parts) > 1}
    in_order = sorted(parts, key=lambda part: (-told.get(part.mention, 0), part.kind, len(part.places)))
    start, end = parts[0].mention.start, parts[-1].mention.end
    beside = tuple(part.mention for part in in_order[1:])
    return NamedEntity(start, end, in_order[0].mention, beside, in_order[0].kind)


def _table_name_share(part: _Ranked, parts: Sequence[_Ranked], index: Cells) -> float:
    """Return the largest share of the other names' words in what one table of a name is called."""
    words = _words_of([other.mention for other in parts if other is not part])
    return _table_name_count(part.places, words, index) / max(1, len(words))


def _table_name_count(places: Sequence[Place], words: Sequence[str], index: Cells) -> int:
    """Return how many of some words one table among the places is called by, at most."""
    grids = grids_of(places)
    called = Counter(grid for word in words for grid in index.of_kind(word).intersection(grids))
    return max(called.values(), default=0)


def _words_of(mentions: Sequence[Mention]) -> list[str]:
    words = (word for mention in mentions for word in mention.key.split())
    return [word for word in dict.fromkeys(words) if word not in STOP_WORDS]


def alternatives(question: Tagged, things: Sequence[NamedEntity]) -> list[list[NamedEntity]]:
    """Group the names into runs: in a run, only list words and the numbers of each name stand between them."""
    runs: list[list[NamedEntity]] = []
    for thing in things:
        before = runs[-1][-1] if runs else None
        between = _without_keys(question, before.end, thing.start) if before else set()
        is_beside = is_listed(between, question.language) or is_joined(between, question.language)
        is_beside = is_beside or (before is not None and _is_way(question, before, between))
        if (
            before
            and is_beside
            and (before.start in question.context_places) == (thing.start in question.context_places)
        ):
            runs[-1].append(thing)
        else:
            runs.append([thing])
    return runs


def _is_way(question: Tagged, first: NamedEntity, between: Collection[str]) -> bool:
    """True for what stands between the two names of *from a kiln to a loom*."""
    language = question.language
    before = next((token for token in reversed(question.tokens[: first.start]) if token not in language.articles), "")
    ends = language.opposite_particles.get(before, frozenset()) & language.beside
    return bool(ends.intersection(between)) and (ends | language.articles).issuperset(between)


def _without_keys(question: Tagged, start: int, end: int) -> set[str]:
    """Return the tokens between two names, without numbers and the word before each: *of 9th grade, or*."""
    small = question.language.function_words | joining_words(question.language)
    numbers = {number.place for number in question.numbers if start <= number.place < end and number.limit is None}
    axes = {place - 1 for place in numbers if place > start and question.tokens[place - 1] not in small}
    return {question.tokens[i] for i in range(start, end) if i not in numbers | axes}


def with_shared_kind(run: Sequence[NamedEntity], index: Cells) -> list[NamedEntity]:
    """Return a run in which each name has the kind that is mentioned once at an end: *the Elbe and Weser harbours*."""
    ends = [thing for thing in (run[0], run[-1]) if thing.specifiers]
    if len(run) < SEVERAL or len(ends) != 1:
        return list(run)
    (end,) = ends
    words = _words_of(end.specifiers)
    return [
        thing if thing.specifiers or not _is_called(thing, words, index) else replace(thing, specifiers=end.specifiers)
        for thing in run
    ]


def _is_called(thing: NamedEntity, words: Sequence[str], index: Cells) -> bool:
    """True for a name alone that has a table called by all the words."""
    return not thing.specifiers and _table_name_count(index.places([thing.name.key]), words, index) == len(words)


def scattered(question: Tagged, things: Sequence[NamedEntity], index: Cells) -> Iterator[list[NamedEntity]]:
    """Yield the entities of one kind that a comparison names apart: *has a troll more of it than an ogre has*.

    A name that is also a measure may be what is asked of the others: *is a troll's strength higher than an ogre's*. Two
    measures may also be compared for one name: *do guests pay more for a room than members*.
    """
    if not question.compares:
        return
    measures = index.measures([thing.name.key for thing in things])
    for kind, place in enumerate(THINGS):
        some = [thing for thing in things if thing.kind == kind or index.places([thing.name.key], (place,))]
        others = [thing for thing in some if thing.name.key not in measures]
        for run in (some, others) if len(others) < len(some) else (some,):
            if SEVERAL <= len(run) <= MOST_ALTERNATIVES:
                yield run
    heads = [thing for thing in things if thing.name.key in measures]
    if len(heads) == SEVERAL:
        yield heads


_NAMES = 20
"""Least number of names with a word that makes it the topic of the collection, not a name of one of them."""


def is_topic_word(word: str, index: Cells) -> bool:
    """True for a word that very many names share.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk
    >>> index = CellIndex.build([Chunk(f"c{n}", "", f"{chr(97 + n) * 3} buoy") for n in range(25)])
    >>> is_topic_word("buoy", index), is_topic_word("aaa", index)
    (True, False)
    """
    return len(index.names_with_words([word])) >= _NAMES
