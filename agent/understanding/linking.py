"""Link a question to the names of a collection: which spans name something, which numbers stand beside what.

The longest name wins, whatever its kind. Names side by side (*an orc, a troll or an ogre*) are alternatives; a name
that stands alone is the subject, or says which of its values is meant: the cells decide that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.clauses import COMMA, in_own_words
from agent.understanding.program import Linked, Subject
from agent.understanding.tagged import Number, Tagged
from retrieval.tables.bind import Key
from retrieval.tables.index import Cells
from retrieval.tables.names import SHORT, Mention, name_keys, short_spans_of, spans_of
from retrieval.tables.writing import Kind

_MARK = re.compile(r"[,;:!?()—]|\s[-–]\s|\.\s")
MOST_ALTERNATIVES = 24
"""Names side by side that are compared; a longer list is no question."""
MOST_ALIKE = 6
"""Names that a part of one may mean; of more it is a kind."""
MOST_PARTS = 3
_SEVERAL = 2
_VERB_REACH = 2
"""Words before a verb in which its auxiliary stands: *can it run*."""
_LONG_ENOUGH = 4
"""Letters of a single word that may be part of a name."""


def mentions_of(tokens: Sequence[str], index: Cells) -> list[Mention]:
    """The names of the collection in a text, the longest first where they overlap, from left to right."""
    spans = spans_of(tuple(tokens)) | short_spans_of(tuple(tokens))
    known = index.known(list(spans))
    found = sorted(
        (Mention(start, end, key) for key in known for start, end in spans[key]),
        key=lambda mention: (-_length(tokens, mention), mention.end - mention.start, mention.start, _is_short(mention)),
    )
    taken: set[int] = set()
    kept = []
    for mention in found:
        places = set(range(mention.start, mention.end))
        if not places & taken and (COMMA not in tokens[mention.start : mention.end] or _has_comma(mention, index)):
            kept.append(mention)
            taken |= places
    return sorted(kept, key=lambda mention: mention.start)


def _is_short(mention: Mention) -> tuple[bool, str]:
    """What puts a whole name before a short form of another, and all in one order."""
    return mention.key.startswith(SHORT), mention.key


def _length(tokens: Sequence[str], mention: Mention) -> int:
    """The tokens of a name, commas left out."""
    return sum(token != COMMA for token in tokens[mention.start : mention.end])


def _has_comma(mention: Mention, index: Cells) -> bool:
    """True for a name that the collection writes with a comma or the like: *Wolf, Winter*, *Yohan: The Wanderer*."""
    return any(_MARK.search(place.name) for place in index.places([mention.key]))


def alternatives(question: Tagged, things: Sequence[Named]) -> list[list[Named]]:
    """The names in runs: those of one run stand side by side, with nothing but a list between them."""
    runs: list[list[Named]] = []
    for thing in things:
        before = runs[-1][-1] if runs else None
        between = set(question.tokens[before.end : thing.start]) if before else set()
        if between and between <= _between(question.language) and between & _joining(question.language):
            runs[-1].append(thing)
        else:
            runs.append([thing])
    return runs


def _joining(language: Language) -> frozenset[str]:
    """What makes the names around it alternatives."""
    return language.joining | {COMMA}


def _between(language: Language) -> frozenset[str]:
    """What may stand between two alternatives."""
    return _joining(language) | language.beside | language.articles


def keys_in(question: Tagged, taken: Collection[int], named: int = 1) -> list[tuple[int, Key]]:
    """The numbers of a question with the words beside them, and where they stand; those in names are none, and those
    that only count the things that are `named`.
    """
    tokens, found = question.tokens, []
    for each in question.numbers:
        i = each.place
        if i not in taken and not _counts_names(question, each, named):
            near = [tokens[j] for j in (i - 1, i + 1) if 0 <= j < len(tokens) and j not in taken]
            found.append((i, Key(tuple(word for word in near if word.replace(" ", "").isalpha()), each.value)))
    return found


def _counts_names(question: Tagged, number: Number, named: int) -> bool:
    """True for a number that says how many are named: *one* before a name, the *three* of *of these three*; not for one
    within a name, as in *Top-1*.
    """
    if any(mention.start <= number.place < mention.end for mention in question.names):
        return False
    if number.value == "1":
        return any(mention.start == number.place + 1 for mention in question.names)
    around = question.tokens[number.place - 1 : number.place] + question.tokens[number.place + 1 : number.place + 2]
    return named > 1 and number.value == str(named) and question.language.small.issuperset({*around} - {COMMA})


@dataclass(frozen=True, slots=True)
class Named:
    """A thing that a question names: tokens [start, end), the name that is its own, and those that say which of it.

    `kind` is what the name is to the collection, the most telling 0.
    """

    start: int
    end: int
    name: Mention
    beside: tuple[Mention, ...] = ()
    kind: int = 0


def linkings(question: Tagged, index: Cells) -> Iterator[Linked]:
    """The ways in which a question can be meant: each run of names may be what is asked about, the longest run first.

    A name at the end of a run may be what is asked of the others (*more hit points, an ogre or a troll*). Where no
    name stands whole, a part of one may be said: *a red dragon* is each that has these words.
    """
    mentions = question.names
    things = clusters(mentions, index, question.owners)
    others = [mention for mention in mentions if _is_thing(mention, index)]
    runs = [run for run in alternatives(question, things) if len(run) <= MOST_ALTERNATIVES]
    for run in (*sorted(runs, key=len, reverse=True), *_scattered(question, things, index)):
        yield _linked(question, run, others)
        if len(run) > 1:
            yield _linked(question, run[1:], others)
            yield _linked(question, run[:-1], others)
    for mention in mentions if len(things) < len(mentions) else ():
        yield _linked(question, [Named(mention.start, mention.end, mention)], others)
    parts = partial_names(question, mentions, index)
    for part in (*_short_for(mentions, index), *parts[:MOST_PARTS]):
        yield _by_part(question, part, others, index)
    if question.compares and (several := one_each(parts, index)):
        yield _by_parts(question, several, others, index)


_TELLING = (Kind.ROW, Kind.TITLE, Kind.SUBJECT, Kind.CAPTION, Kind.HEADING)
"""What a name of a thing may be, that which says most first."""


def clusters(mentions: Sequence[Mention], index: Cells, owners: Collection[int] = ()) -> list[Named]:
    """The names that stand side by side as one thing, by the most telling of them: *Mask R-CNN R101-FPN*.

    What is only a measure stands alone, *ogre hit points*, and what somebody owns: the last of his words is one of the
    places `owners`.
    """
    found: list[list[tuple[int, int, Mention]]] = []
    for mention in mentions:
        places = index.places([mention.key], _TELLING)
        kind = min((_TELLING.index(place.kind) for place in places), default=len(_TELLING))
        near = found[-1][-1] if found and found[-1][-1][1] else None
        is_owned = mention.start - 1 in owners
        if places and near and near[2].end == mention.start and not is_owned:
            found[-1].append((kind, len(places), mention))
        else:
            found.append([(kind, len(places), mention)])
    return [_named(each) for each in found]


def _named(parts: Sequence[tuple[int, int, Mention]]) -> Named:
    in_order = sorted(parts, key=lambda part: part[:2])
    kind, _, name = in_order[0]
    start, end = parts[0][2].start, parts[-1][2].end
    return Named(start, end, name, tuple(mention for *_, mention in in_order[1:]), kind)


def _scattered(question: Tagged, things: Sequence[Named], index: Cells) -> Iterator[list[Named]]:
    """Things of one sort that a comparison names here and there: *has a troll more of it than an ogre has*.

    What is a measure too may be what is asked of the others: *is a troll's strength higher than an ogre's*.
    """
    if not question.compares:
        return
    measures = index.measures([thing.name.key for thing in things])
    for kind in range(len(_TELLING)):
        some = [thing for thing in things if thing.kind == kind]
        others = [thing for thing in some if thing.name.key not in measures]
        for run in (some, others) if len(others) < len(some) else (some,):
            if _SEVERAL <= len(run) <= MOST_ALTERNATIVES:
                yield run


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a question that some names have: tokens [start, end), and the keys of the names."""

    start: int
    end: int
    keys: tuple[str, ...]


def _short_for(mentions: Sequence[Mention], index: Cells) -> Iterator[Part]:
    """The short forms that several names have: the *HX20* of *HX20-A* and *HX20-B*."""
    for mention in mentions:
        names = {place.name for place in index.places([mention.key])} if mention.key.startswith(SHORT) else set()
        if 1 < len(names) <= MOST_ALIKE:
            yield Part(mention.start, mention.end, tuple(key for name in sorted(names) for key in name_keys(name)[:1]))


def partial_names(question: Tagged, mentions: Sequence[Mention], index: Cells) -> list[Part]:
    """The stretches of words that are part of a few names, the longest first; those that are a whole name are none."""
    found = []
    for stretch in _stretches([i for i, _ in question.words()]):
        for size in range(len(stretch), 0, -1):
            parts = [_part(stretch[at : at + size], question, index) for at in range(len(stretch) - size + 1)]
            good = [part for part in parts if part and not _cuts(part, mentions)]
            if good:
                found += good
                break
    return sorted(found, key=lambda part: (part.start - part.end, len(part.keys)))


def _part(places: Sequence[int], question: Tagged, index: Cells) -> Part | None:
    words = [question.tokens[i] for i in places]
    if len(words) == 1 and (len(words[0]) < _LONG_ENOUGH or index.measures(words)):
        return None
    keys = index.holders(list(dict.fromkeys(words)))
    return Part(places[0], places[-1] + 1, tuple(keys)) if 0 < len(keys) <= MOST_ALIKE else None


def one_each(parts: Sequence[Part], index: Cells) -> list[Part]:
    """The parts in their order, each with the one name that it means: the only one that has it, or the only one of the
    table in which all of them have one; nothing where that is not told, or where two mean the same.
    """
    in_order = sorted(parts, key=lambda part: part.start)[:MOST_ALTERNATIVES]
    if any(len(part.keys) > 1 for part in in_order):
        in_order = _of_one_table(in_order, index)
    named = {part.keys for part in in_order}
    return in_order if len(named) == len(in_order) >= _SEVERAL else []


def _of_one_table(parts: Sequence[Part], index: Cells) -> list[Part]:
    """The parts, each with its name in the only table that has one of each."""
    tables = [_tables(part, index) for part in parts]
    shared = set.intersection(*map(set, tables)) if tables else set()
    if len(shared) != 1 or any(len(own[grid]) > 1 for own in tables for grid in shared):
        return []
    (grid,) = shared
    return [replace(part, keys=tuple(own[grid])) for part, own in zip(parts, tables, strict=True)]


def _tables(part: Part, index: Cells) -> dict[int, set[str]]:
    """The tables with the names in their rows that a part may mean."""
    found: dict[int, set[str]] = {}
    for place in index.places(part.keys, (Kind.ROW,)):
        if place.grid is not None:
            found.setdefault(place.grid, set()).add(place.key)
    return found


def _cuts(part: Part, mentions: Sequence[Mention]) -> bool:
    """True for words that are all within a whole name, or that begin or end inside of one."""
    return any(
        mention.start < part.end and part.start < mention.end and not _holds(part, mention) for mention in mentions
    )


def _holds(part: Part, mention: Mention) -> bool:
    """True where a whole name stands within longer words."""
    return (
        part.start <= mention.start and mention.end <= part.end and part.end - part.start > mention.end - mention.start
    )


def _stretches(places: Sequence[int]) -> list[list[int]]:
    """Places in runs without a gap."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _by_part(question: Tagged, part: Part, others: Sequence[Mention], index: Cells) -> Linked:
    """The question as asked about each name that has the words."""
    linked = _by_parts(question, [part], others, index)
    alike = len(linked.subjects) > 1
    return replace(linked, alike=alike, meant=() if alike else linked.meant)


def _by_parts(question: Tagged, parts: Sequence[Part], others: Sequence[Mention], index: Cells) -> Linked:
    """The question as asked about the names that have the words of each part."""
    taken = {i for part in parts for i in range(part.start, part.end)}
    keys = tuple(key for _, key in keys_in(question, taken))
    names = {place.key: place.name for part in parts for place in reversed(index.places(part.keys))}
    subjects = tuple(Subject(names.get(key, key), key, keys) for part in parts for key in part.keys)
    said = [in_own_words(question.tokens[part.start : part.end], question.question) for part in parts]
    meant = tuple(
        f"{text} means {names.get(part.keys[0], part.keys[0])}" for text, part in zip(said, parts, strict=True)
    )
    linked = _with_words(question, taken, others, (parts[0].start, parts[-1].end))
    return replace(linked, subjects=subjects, meant=meant)


def _linked(question: Tagged, run: Sequence[Named], others: Sequence[Mention]) -> Linked:
    taken = {i for thing in run for i in range(thing.start, thing.end)}
    keys = keys_in(question, taken, len(run))
    pairs = zip(run, _dealt(run, keys), strict=True)
    subjects = tuple(_subject(thing, own, question) for thing, own in pairs)
    linked = _with_words(question, taken, others, (run[0].start, run[-1].end))
    return replace(linked, subjects=subjects)


def _subject(thing: Named, keys: Sequence[Key], question: Tagged) -> Subject:
    tokens = question.tokens
    text = in_own_words(tokens[thing.start : thing.end], question.question)
    beside = tuple(token for mention in thing.beside for token in tokens[mention.start : mention.end])
    return Subject(text, thing.name.key, tuple(keys), tuple(dict.fromkeys(beside)))


def _with_words(question: Tagged, taken: Collection[int], others: Sequence[Mention], bounds: tuple[int, int]) -> Linked:
    """What a question says besides the subjects, which `taken` are the places of and which stand within `bounds`.

    `others` are the things that it names.
    """
    axes = {word for _, key in keys_in(question, taken) for word in key.words}
    words = [(i, word) for i, word in question.words() if i not in taken and word not in axes]
    tokens = question.tokens
    rivals = {i for each in others if each.end - each.start > 1 for i in range(each.start, each.end)}
    rivals |= set(_joined(question, bounds))
    named = {i for each in others for i in range(each.start, each.end)} | rivals
    return Linked(
        question,
        (),
        tuple(dict.fromkeys(word for _, word in words)),
        _wording(question, [i for i, _ in words]),
        {word: meant for i, word in words if (meant := question.implied(i))},
        verbs=frozenset(word for i, word in words if i == bounds[1] or _is_verb(question, i)),
        others=frozenset(word for i, word in words if i in named),
        rivals=frozenset(word for i, word in words if i in rivals),
        stretches=tuple(tuple(tokens[i] for i in stretch) for stretch in _stretches([i for i, _ in words])),
        amount=_amount(question, words, taken),
    )


def _is_verb(question: Tagged, place: int) -> bool:
    """True for a word behind an auxiliary: *how fast it can run*."""
    tokens, language = question.tokens, question.language
    before = [tokens[i] for i in range(max(0, place - _VERB_REACH), place)]
    while len(before) > 1 and before[-1] in language.small - language.auxiliaries:
        before.pop()
    return bool(before) and before[-1] in language.auxiliaries


def _amount(question: Tagged, words: Sequence[tuple[int, str]], taken: Collection[int]) -> str | None:
    """What *how many* or *how much* counts: the last word behind it, empty where none is; None for other questions.

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
    """True for the name of a row or a title: where nothing tells it, it is another thing that was asked about."""
    return bool(index.places([mention.key], (Kind.ROW, Kind.TITLE, Kind.SUBJECT)))


def _joined(question: Tagged, bounds: tuple[int, int]) -> Iterator[int]:
    """The places before and behind the subjects that *and* or *or* joins to them, or the comma of a list that goes on:
    others that are asked about.
    """
    tokens, (start, end) = question.tokens, bounds
    joining, between = question.language.joining, _between(question.language)
    for step, place in ((-1, start - 1), (1, end)):
        joined = False
        listed = any(token in joining for token in tokens[start:end])
        while 0 <= place < len(tokens) and tokens[place] in between:
            joined = joined or tokens[place] in joining or (listed and tokens[place] == COMMA)
            place += step
        if joined and 0 <= place < len(tokens):
            yield place


def _wording(question: Tagged, places: Sequence[int]) -> str:
    """What is asked, as a text of its own: *how heavy*, *challenge rating*."""
    said = [question.tokens[i] for i in dict.fromkeys(places)]
    before = question.tokens[places[0] - 1] if places and places[0] else ""
    asks_how = before in question.language.before_adjectives
    return " ".join(["how", *said] if asks_how else said)


def _dealt(run: Sequence[Named], keys: Sequence[tuple[int, Key]]) -> list[list[Key]]:
    """Each name's own numbers: as many as there are names are dealt out in their order, else all count for all."""
    axes: dict[tuple[str, ...], list[Key]] = {}
    for _, key in keys:
        axes.setdefault(key.words[:1], []).append(key)
    dealt: list[list[Key]] = [[] for _ in run]
    for numbers in axes.values():
        for n, own in enumerate(dealt):
            own += [numbers[n]] if len(numbers) == len(run) else numbers
    return dealt
