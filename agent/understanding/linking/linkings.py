"""Link a question to the names of a collection: which spans are entities, and which numbers belong to which words.

A name that stands alone is the subject, or selects one of its values: the cells decide that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.linking.keys import counts_names, is_in_name, is_listed_number, keys_in
from agent.understanding.linking.lists import between_words, is_joined
from agent.understanding.linking.mentions import (
    MOST_ALTERNATIVES,
    SEVERAL,
    THINGS,
    NamedEntity,
    alternatives,
    clusters,
    is_topic_word,
    scattered,
    with_shared_kind,
)
from agent.understanding.linking.partial import Part, partial_names, short_for, stretches, unambiguous_parts, with_parts
from agent.understanding.linking.program import Linked, Subject
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, in_own_words
from agent.understanding.words.related import derives_measure, only_relates
from retrieval.tables.asked import Key
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention, key_of, name_keys
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number

MOST_PARTS = 3
_LEVEL = 2
"""Tokens of a level with its number."""
_VERB_REACH = 2
"""Words before a verb that may hold its auxiliary: *can it run*."""


class _Others(NamedTuple):
    """The names of a question: `things`, of which those that are not subjects may be meant too, and `holders`, which
    have values that numbers select.
    """

    things: Sequence[Mention]
    holders: Sequence[Mention]


def linkings(question: Tagged, index: Cells) -> Iterator[Linked]:
    """Yield the readings of a question: each run of names may be its subjects, the longest run first.

    A name at the end of a run may be what is asked of the others (*more hit points, an ogre or a troll*). If no whole
    name is there, a part of one may be: *a red dragon* means each name with these words. If the whole names are only
    measures, a part that only one name has comes before them.
    """
    mentions = question.names
    things = [each for each in mentions if _is_thing(each, index) and not _is_of_book(each, question, index)]
    others = _Others(things, [each for each in mentions if _may_have_keys(each, index)])
    axes = {number.place - 1 for number in question.numbers}
    free = [each for each in mentions if each.end - 1 not in axes]
    runs = clusters(free, index, question.owners)
    parts = None if others.holders else partial_names(question, mentions, index)
    yield from _of_one_name(question, parts or (), others, index)
    named = [each for each in free if not _is_measure_behind(each, free, index)]  # *an ogre or a troll hit points*
    for run in alternatives(question, clusters(named, index, question.owners)) if len(named) < len(free) else ():
        if SEVERAL <= len(run) <= MOST_ALTERNATIVES:
            yield _linked(question, run, others)
    yield from _of_runs(question, runs, others, index)
    if numbered := [each for each in others.holders if each not in free]:  # *miller 9*
        both = sorted({*free, *numbered}, key=lambda each: each.start)
        yield from _of_runs(question, clusters(both, index, question.owners), others, index)
    if (plain := _without_levels(question, index)) is not question:
        yield from linkings(plain, index)
    for mention in mentions if len(runs) < len(mentions) else ():
        yield _linked(question, [NamedEntity(mention.start, mention.end, mention)], others)
    for measure in _measures_in_names(question, index):
        yield _linked(question, [measure], others)
    yield from _of_parts(question, partial_names(question, mentions, index) if parts is None else parts, others, index)


def _of_parts(question: Tagged, parts: Sequence[Part], others: _Others, index: Cells) -> Iterator[Linked]:
    """Yield the question about the names that have some of its words, alone or beside its whole names."""
    for part in (*short_for(question.names, index), *parts[:MOST_PARTS]):
        yield _by_part(question, part, others, index)
    if question.compares and (several := unambiguous_parts(parts, index)):
        yield _by_parts(question, several, others, index)
    if (named_too := with_parts(question, parts)) is not None:
        for linked in linkings(named_too, index):
            yield replace(
                linked,
                name_assumptions=tuple(
                    dict.fromkeys((*_part_statements(linked, parts, index), *linked.name_assumptions))
                ),
            )


def _of_one_name(question: Tagged, parts: Sequence[Part], others: _Others, index: Cells) -> Iterator[Linked]:
    """Yield the question about a row or page whose name alone has some of its words."""
    for part in parts[:MOST_PARTS]:
        if len(part.keys) == 1 and index.known_names(part.keys, (Kind.ROW, Kind.TITLE)):
            yield _by_part(question, part, others, index)


def _part_statements(linked: Linked, parts: Sequence[Part], index: Cells) -> Iterator[str]:
    """Yield which name was taken for each part that only one name has, if that name is a subject."""
    own = {(subject.key,) for subject in linked.subjects}
    for part in parts:
        if part.keys in own:
            yield _part_statement(linked.question, part, index)


def _is_measure_behind(mention: Mention, names: Sequence[Mention], index: Cells) -> bool:
    """True for a measure directly behind a name, which may be asked of it rather than belong to it."""
    return any(each.end == mention.start for each in names) and bool(index.measures([mention.key]))


def _without_levels(question: Tagged, index: Cells) -> Tagged:
    """Return the question with the name behind a level for one that includes the level, if the collection knows it:
    *cleric* for *5th level cleric*. A name that is only a level is dropped.
    """
    names: list[Mention] = []
    for each in question.names:
        start = each.start + _LEVEL
        level, key = question.tokens[each.start : start], key_of(question.tokens[start : each.end])
        is_levelled = each.end >= start and level[0] in question.language.levels and is_number(level[1])
        if is_levelled and each.end > start and index.known_names([key]):
            names.append(Mention(start, each.end, key))
        elif not is_levelled or each.end > start:
            names.append(each)
    return question if names == [*question.names] else replace(question, names=tuple(names))


def _of_runs(question: Tagged, things: Sequence[NamedEntity], others: _Others, index: Cells) -> Iterator[Linked]:
    """Yield the question about each run of entities, and about the run without its first or last."""
    runs = [with_shared_kind(run, index) for run in alternatives(question, things) if len(run) <= MOST_ALTERNATIVES]
    for run in (*sorted(runs, key=len, reverse=True), *scattered(question, things, index)):
        yield _linked(question, run, others)
        if len(run) > 1:
            yield _linked(question, run[1:], others)
            yield _linked(question, run[:-1], others)


def _measures_in_names(question: Tagged, index: Cells) -> Iterator[NamedEntity]:
    """Yield the measures at the end of names of several words: *fee* in *Ferry fee*."""
    for mention in question.names:
        last = mention.end - 1
        if last > mention.start and index.measures([question.tokens[last]]):
            yield NamedEntity(last, mention.end, Mention(last, mention.end, question.tokens[last]))


def _by_part(question: Tagged, part: Part, others: _Others, index: Cells) -> Linked:
    """Return the question about each name that has the words of a part."""
    linked = _by_parts(question, [part], others, index)
    if len(linked.subjects) == 1:
        return linked
    called = in_own_words(question.tokens[part.start : part.end], question.question)
    return replace(linked, is_ambiguous=True, name_assumptions=(), subject_wording=called)


def _by_parts(question: Tagged, parts: Sequence[Part], others: _Others, index: Cells) -> Linked:
    """Return the question about the names that have the words of each part."""
    taken = {i for part in parts for i in range(part.start, part.end)}
    keys = tuple(key for _, key in keys_in(question, taken, 1, others.holders))
    subjects = tuple(Subject(_name_of(key, index), key, keys) for part in parts for key in part.keys)
    meant = tuple(_part_statement(question, part, index) for part in parts)
    linked = _with_words(question, taken, others, (parts[0].start, parts[-1].end))
    return replace(linked, subjects=subjects, name_assumptions=meant)


def _part_statement(question: Tagged, part: Part, index: Cells) -> str:
    """Return the statement of which name a part was taken for."""
    said = in_own_words(question.tokens[part.start : part.end], question.question)
    return f"{said} means {_name_of(part.keys[0], index)}"


def _name_of(key: str, index: Cells) -> str:
    """Return the collection's name for a key: the one that is no longer than the key, if there is one."""
    places = index.places([key])
    for place in places:
        if name_keys(place.name)[:1] == (key,):
            return place.name
    return places[0].name if places else key


def _linked(question: Tagged, run: Sequence[NamedEntity], others: _Others) -> Linked:
    taken = {i for thing in run for i in range(thing.start, thing.end)}
    keys = keys_in(question, taken, len(run), others.holders)
    dealt = _with_own_numbers(run, keys, question)
    subjects = tuple(_subject(thing, own, question, is_one=len(dealt) == len(run)) for thing, own in dealt)
    linked = _with_words(question, taken, others, (run[0].start, run[-1].end), len(run), keys)
    return replace(linked, subjects=subjects)


def _subject(thing: NamedEntity, keys: Sequence[Key], question: Tagged, *, is_one: bool = True) -> Subject:
    """Return a name with its numbers. If a name has several readings, the numbers become part of its text."""
    tokens = question.tokens
    text = in_own_words(tokens[thing.start : thing.end], question.question)
    if not is_one:
        text = f"{text} ({', '.join(' '.join((*key.words[:1], key.value)) for key in keys)})"
    beside = tuple(token for mention in thing.specifiers for token in tokens[mention.start : mention.end])
    return Subject(text, thing.name.key, tuple(keys), tuple(dict.fromkeys(beside)))


def _with_words(
    question: Tagged,
    taken: AbstractSet[int],
    others: _Others,
    bounds: tuple[int, int],
    count: int = 1,
    keys: Sequence[tuple[int, Key]] = (),
) -> Linked:
    """Return the question's words other than the subjects, which stand at the places `taken` within `bounds`. For one
    subject, its `keys` may be given.

    `others` are its other names. If the question counts its subjects and there are `count` of them, names in the
    context are not meant.
    """
    own = keys if keys and count == 1 else keys_in(question, taken, 1, others.holders)
    axes = {word for _, key in own for word in key.words}
    aside = question.context_places
    is_counted = any(counts_names(question, number, count) for number in question.numbers)
    if not is_counted and not aside.isdisjoint(taken):  # the subject is in the context: other names may be meant too
        persons = question.language.persons  # *my friend* is no name
        beside = [each for each in others.things if question.tokens[max(0, each.start - 1)] not in persons]
        aside = aside.difference(*(each.places for each in beside))
    own_words = sorted({*question.words(), *_numbers_in_names(question)})
    words = [(i, word) for i, word in own_words if i not in taken and i not in aside and word not in axes]
    beside = [each for each in others.things if each.start not in aside]
    rivals = set(_joined(question, bounds)).union(*(each.places for each in beside if len(each.places) > 1))
    named = rivals.union(*(each.places for each in beside))
    return Linked(
        question,
        (),
        tuple(dict.fromkeys(word for _, word in words)),
        _wording(question, [i for i, _ in words]),
        {word: meant for i, word in words if (meant := question.implied(i))},
        {word: question.related[i] for i, word in words if i in question.related},
        verbs=frozenset(
            word for i, word in words if _is_verb(question, i) or _is_verb_behind_subject(bounds, question, i)
        ),
        relational_words=frozenset(word for i, word in words if _only_relates(question, i)),
        others=frozenset(word for i, word in words if i in named),
        rivals=frozenset(word for i, word in words if i in rivals),
        stretches=tuple(_adjacent_words([i for i, _ in words], question)),
        amount=_amount(question, words, taken),
    )


def _numbers_in_names(question: Tagged) -> Iterator[tuple[int, str]]:
    """Yield the numbers that begin names, with their places: the *two* of *a two-bed room*."""
    yield from ((each.place, each.value) for each in question.numbers if is_in_name(each.place, question))


def _only_relates(question: Tagged, place: int) -> bool:
    """True for a verb or adverb, unless a measure here derives from it: a *multiplier* is what one *multiplies* by."""
    is_measured = derives_measure(question.tokens[place], question.related.get(place, ()))
    return not is_measured and only_relates(question.tokens, place, question.language)


def _adjacent_words(places: Sequence[int], question: Tagged) -> Iterator[tuple[str, ...]]:
    """Yield the words at adjacent places, or with only *of* between them: *GiB of RAM*."""
    tokens, asked = question.tokens, set(places)
    joined = {i for i, token in enumerate(tokens) if token in question.language.of_each and {i - 1, i + 1} <= asked}
    for stretch in stretches(sorted(asked | joined)):
        yield tuple(tokens[i] for i in stretch if i in asked)


def _is_verb(question: Tagged, place: int) -> bool:
    """True for a word behind an auxiliary: *how fast it can run*."""
    tokens, language = question.tokens, question.language
    before = [tokens[i] for i in range(max(0, place - _VERB_REACH), place)]
    while len(before) > 1 and before[-1] in language.function_words - language.auxiliaries:
        before.pop()
    return bool(before) and before[-1] in language.auxiliaries


def _is_verb_behind_subject(bounds: tuple[int, int], question: Tagged, place: int) -> bool:
    """True for the word directly behind the subject: *is a troll worth*. Before another word it is a verb only if a
    clause has begun and that word is no verb: not *baud* in *the X2 baud rate*, nor *plate* in *a chest plate weighs*.
    """
    if place != bounds[1]:
        return False
    language, before = question.language, frozenset(question.tokens[: bounds[0]])
    if place + 1 not in dict(question.words()) or place + 1 == question.end:
        return True
    if any(question.tokens[place + 1] in each.verbs for each in language.dimensions):
        return False
    if before & (language.support | language.auxiliaries | language.possible):
        return True
    return bool(before & language.kinds) and not before & language.copulas


def _amount(question: Tagged, words: Sequence[tuple[int, str]], taken: Collection[int]) -> str | None:
    """Return what *how many* or *how much* counts: the last word behind it, or empty; None for other questions.

    A *serving* that is asked for its *calories* has an amount of these and no other.
    """
    if question.operation not in (None, "count"):
        return None
    tokens, places = question.tokens, dict(words)
    asked = ((start, said) for said in question.language.amounts if (start := found(tokens, said)) is not None)
    start, said = next(asked, (None, ()))
    if start is None:
        return None
    counted, place = "", start + len(said)
    while place in places or place in taken:
        counted, place = places.get(place, counted), place + 1
    return counted


def _is_thing(mention: Mention, index: Cells) -> bool:
    """True for the name of a row, title, subject or role: if it is unmatched, the question is about something else."""
    return bool(index.places([mention.key], (Kind.ROW, Kind.TITLE, Kind.SUBJECT, Kind.ROLE)))


def _may_have_keys(mention: Mention, index: Cells) -> bool:
    """True for the name of an entity with values that is not a measure."""
    return bool(index.places([mention.key], THINGS)) and not index.measures([mention.key])


def _is_of_book(mention: Mention, question: Tagged, index: Cells) -> bool:
    """True for a single word that is the topic of the whole collection."""
    return mention.end - mention.start == 1 and is_topic_word(question.tokens[mention.start], index)


def _joined(question: Tagged, bounds: tuple[int, int]) -> Iterator[int]:
    """Yield the places before and behind the subjects that a conjunction, or the comma of an unfinished list, joins to
    them: they are further subjects. Behind a finished list, a comma begins something else.
    """
    tokens, (start, end) = question.tokens, bounds
    joining, between = question.language.joining, between_words(question.language)
    if start and tokens[start - 1] == COMMA and _asks(tokens, start - 1, question.language):
        start = 0  # *which is heavier, a mace or a flail*
    for step, place in ((-1, start - 1), (1, end)):
        joined = False
        is_over = step > 0 and joining.isdisjoint(tokens[end:])
        listed = not is_over and not joining.isdisjoint(tokens[start:end])
        while 0 <= place < len(tokens) and tokens[place] in between:
            joined = joined or tokens[place] in joining or (listed and tokens[place] == COMMA)
            place += step
        if joined and 0 <= place < len(tokens):
            yield place


def _asks(tokens: Sequence[str], comma: int, language: Language) -> bool:
    """True if the clause before a comma asks, so that no list continues behind it."""
    before = list(tokens[:comma])
    start = len(before) - before[::-1].index(COMMA) if COMMA in before else 0
    return not (language.kinds | language.before_adjectives | language.helpers).isdisjoint(before[start:])


def _wording(question: Tagged, places: Sequence[int]) -> str:
    """Return what is asked as a text of its own: *how heavy*, *challenge rating*."""
    said = [question.tokens[i] for i in dict.fromkeys(places)]
    before = question.tokens[places[0] - 1] if places and places[0] else ""
    asks_how = before in question.language.before_adjectives
    return " ".join(["how", *said] if asks_how else said)


def _is_list(numbers: Sequence[tuple[int, Key]], question: Tagged) -> bool:
    """True for numbers of one key with only a conjunction and function words between two of them."""
    for (place, key), (following, _) in pairwise(numbers):
        if is_joined({*question.tokens[place + 1 : following]} - {*key.words}, question.language):
            return True
    return any(is_listed_number(place, question) for place, _ in numbers)


def _with_own_numbers(
    run: Sequence[NamedEntity], keys: Sequence[tuple[int, Key]], question: Tagged
) -> list[tuple[NamedEntity, list[Key]]]:
    """Return each name with its own numbers, once for each of several numbers of one key.

    As many numbers as names are dealt out in order. A list (*at levels 3 and 5*) counts for each name, unless
    *respectively* says otherwise. In other cases all numbers count for all names.
    """
    axes: dict[tuple[str, ...], list[tuple[int, Key]]] = {}
    for place, key in keys:
        axes.setdefault(key.words[:1], []).append((place, key))
    dealt: list[tuple[NamedEntity, list[Key]]] = [(thing, []) for thing in run]
    in_order = not question.language.in_order.isdisjoint(question.tokens)
    for numbers in axes.values():
        own = [key for _, key in numbers]
        is_list = _is_list(numbers, question) and not in_order
        if len(own) == len(run) and not (is_list and len(own) > 1):
            each = dict(zip(run, own, strict=True))
            dealt = [(thing, [*before, each[thing]]) for thing, before in dealt]
        elif is_list:
            dealt = [(thing, [*before, key]) for thing, before in dealt for key in own]
        else:
            dealt = [(thing, [*before, *own]) for thing, before in dealt]
    return dealt
