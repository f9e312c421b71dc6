"""The claims of a sentence by its structure: its numbers, and which names go with which of them.

A sentence that names two rows and has two values gives each row one of them. The order shows which: the name before the
value (*plate costs 400 gp and splint 80 gp*), behind it (*88% to climb and 40% to hide*), all names before all values
(*plate and splint cost 400 gp and 80 gp*), or one subject for all. A claim holds if the source supports the whole
sentence in one of these orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise

from agent.languages.language import english
from agent.languages.operations import Operation
from agent.understanding.words.measures import scales
from agent.writing.texts.columns import is_code
from agent.writing.texts.numbers import (
    OF_ANOTHER,
    Number,
    counted,
    is_dice,
    is_rolled,
    may_be_year,
    numbers_of_plain,
    readings,
    starts,
)
from agent.writing.texts.plain import in_singular, plain
from agent.writing.texts.units import unit_named
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, is_number, normal, number

_DIE = re.compile(r"\bd(?:\d|%)", re.IGNORECASE)
"""A die in the header of a column of labels: its labels are results of rolls."""
_PARTED = re.compile(";")
_CLAUSED = re.compile(r"(?:[;(]|,(?!\d))(?=\s|\w)|\b(?:and|but|while|whereas|or(?= an?\b))\b")
_BETWEEN_NAMES = frozenset({"a", "an", "and", "but", "or", "that", "the", "of"})


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence in plain form: its tokens, each number in all its readings, and where its parts (divided by
    semicolons) and their clauses begin.
    """

    tokens: tuple[str, ...]
    numbers: tuple[tuple[Number, ...], ...]
    parts: tuple[int, ...] = (0,)
    clauses: tuple[int, ...] = (0,)

    @property
    def words(self) -> frozenset[str]:
        """The set of its tokens."""
        return frozenset(self.tokens)

    @property
    def told(self) -> tuple[Number, ...]:
        """Its numbers, each in its first reading."""
        return tuple(own[0] for own in self.numbers)

    @property
    def places(self) -> frozenset[int]:
        """The places of its numbers."""
        return frozenset(each.place for each in self.told)

    def clause_at(self, place: int) -> range:
        """Return the places of the clause that a place is in."""
        return part_at(place, self.clauses, len(self.tokens))

    def words_around(self, place: int) -> frozenset[str]:
        """Return the tokens of the clause that a place is in."""
        clause = self.clause_at(place)
        return frozenset(self.tokens[clause.start : clause.stop])


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of a name: the place of its last token, and the entities that it may mean.

    `key` is the place of the number that selects the entity, if a number does; `is_whole` is True for a name in full.
    """

    place: int
    meant: frozenset[int]
    key: int | None = None
    is_whole: bool = True


def part_at(place: int, begins: Iterable[int], end: int) -> range:
    """Return the places of the part that a place is in, by the places where parts begin and the last one ends.

    >>> part_at(4, (0, 3, 7), 9), part_at(8, (0, 3, 7), 9)
    (range(3, 7), range(7, 9))
    """
    start, stop = 0, end
    for each in sorted(begins, reverse=True):
        if each <= place:
            start = each
            break
        stop = each
    return range(start, stop)


def meant_by(mentions: Iterable[Mention]) -> frozenset[int]:
    """Return all entities that some mentions may mean."""
    return frozenset[int]().union(*(each.meant for each in mentions))


def in_full(mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions of names in full."""
    return [each for each in mentions if each.is_whole]


@lru_cache(maxsize=512)
def parse_sentence(text: str, names: frozenset[str] = frozenset()) -> ParsedSentence:
    """Read a plain text. If only `names` stand between a number and one with a measure, both get this measure.

    So does a number behind the small word that led to a measure before: the 9 of *3 at level 5 and 7 at 9*.

    >>> read = parse_sentence("the owl has ac 5, the orc only 6", frozenset({"orc"}))
    >>> [each.measure for each in read.numbers[1]]
    ['', 'armor class']
    """
    tokens, found, last = tuple(normal(text)), [], None
    led: dict[str, str] = {}
    for own in (tuple(each) for each in readings(text) if not each[0].implied):
        first = own[0]
        before = tokens[first.place - 1] if first.place else ""
        if first.measure and before == first.measure and first.place > 1:
            led[tokens[first.place - 2]] = first.measure
        if not first.measure and not first.unit and not is_dice(first.value):
            between = frozenset(tokens[last.place + 1 : first.place]) if last is not None else frozenset[str]()
            is_parted = between <= names | _BETWEEN_NAMES | english().others
            if last is not None and not names.isdisjoint(between) and is_parted:
                own += (replace(first, measure=last.measure),)
            elif before in led and before in STOP_WORDS - _BETWEEN_NAMES:
                own += (replace(first, measure=led[before]),)
        last = own[-1] if own[-1].measure else None
        found.append(own)
    return ParsedSentence(tokens, tuple(found), tuple(starts(_PARTED, text)), tuple(starts(_CLAUSED, text)))


def mention_assignments(mentions: Sequence[Mention], places: Sequence[int]) -> Iterator[tuple[Mention, ...]]:
    """Yield the ways to assign each value, by its place, to a mention; each mention has a value if there are enough.

    >>> plate, splint = Mention(0, frozenset({1})), Mention(5, frozenset({2}))
    >>> [[each.place for each in way] for way in mention_assignments([plate, splint], [3, 8])]
    [[0, 5], [0, 5]]
    """
    if not mentions:
        return
    least = min(len({each.meant for each in mentions}), len(places))
    for way in _ways(sorted(mentions, key=lambda each: each.place), places):
        if len({each.meant for each in way}) >= least:
            yield way


def _ways(ordered: Sequence[Mention], places: Sequence[int]) -> Iterator[tuple[Mention, ...]]:
    """Yield all ways to assign values, also those that leave a mention without a value."""
    yield tuple(_last([e for e in ordered if e.place < place]) or ordered[0] for place in places)
    if places and max(places) < ordered[-1].place:
        yield tuple(next(e for e in ordered if e.place > place) for place in places)
    yield tuple(ordered[0] for _ in places)
    if places and len(places) % len(ordered) == 0:
        each_has = len(places) // len(ordered)
        yield tuple(ordered[i // each_has] for i in range(len(places)))
        if each_has > 1:
            yield tuple(ordered[i % len(ordered)] for i in range(len(places)))


def mentions_in_turn(mentions: Sequence[Mention], places: Sequence[int]) -> Iterator[Mention]:
    """Yield the mention of each value in turn, anew behind each group of mentions.

    In *the elk outweighs the fox, 9 to 4, but the fox has more legs, 6 to 4* only one is named again; the other has the
    second value.
    """
    ordered = sorted(mentions, key=lambda each: each.place)
    turn: list[Mention] = []
    taken = start = 0
    for place in places:
        named_here = list(dict.fromkeys(each for each in ordered if start <= each.place < place))
        if named_here:
            others = [each for each in turn or ordered if each.meant not in {one.meant for one in named_here}]
            turn, taken = [*named_here, *others], 0
        turn = turn or list(ordered)
        yield turn[taken % len(turn)]
        taken, start = taken + 1, place


def _last(mentions: Sequence[Mention]) -> Mention | None:
    return mentions[-1] if mentions else None


def label_mentions_by_clause(labels: Iterable[tuple[int, str, str]], sentence: ParsedSentence) -> list[Mention]:
    """Return the mentions of labels in each clause with numbers separately: one may be in full, another in part."""
    given, ends = list(labels), [*sorted({*sentence.clauses} - {0}), len(sentence.tokens)]
    found: list[Mention] = []
    for start, end in pairwise([0, *ends]):
        numbers = tuple(one for one in sentence.numbers if start <= one[0].place < end)
        tokens = tuple(token if start <= i < end else "" for i, token in enumerate(sentence.tokens))
        found += label_mentions(given, replace(sentence, tokens=tokens, numbers=numbers)) if numbers else []
    return found


def label_mentions(labels: Iterable[tuple[int, str, str]], sentence: ParsedSentence) -> list[Mention]:
    """Return the mentions of labels in a sentence. Each label comes with its index, its column header, and its text.

    Labels named in full, or by a number in their range, win over labels of which the sentence has only some words.
    """
    full: list[tuple[Mention, frozenset[str]]] = []
    partly: dict[int, list[tuple[int, int]]] = {}
    for meant, head, label in labels:
        keys = _keys(head, label, sentence)
        full += [(Mention(key, frozenset({meant}), key), frozenset()) for key in keys]
        words, whole = words_of(label), frozenset(normal(plain(label)))
        codes = [] if keys else list(_codes(label, sentence))
        full += [(Mention(place, frozenset({meant})), whole) for place in codes]
        places = [i for i, token in enumerate(sentence.tokens) if token in words]
        shared = words & sentence.words
        if is_code(label) and len(normal(plain(label))) > 1:
            continue
        if words and shared == words and not (keys or codes):
            full += [(Mention(place, frozenset({meant})), words) for place in windows(sentence.tokens, words)]
        elif shared and not keys:
            partly.setdefault(len(shared), []).append((places[-1], meant))
    if full:
        return _merged_by_place(_undominated(full))
    best = partly.get(max(partly, default=0), [])
    if not best:
        return []
    return [Mention(max(place for place, _ in best), frozenset(meant for _, meant in best), is_whole=False)]


def words_of(label: str) -> frozenset[str]:
    """Return the distinctive words of a label; none if it is a number or a range."""
    words = frozenset(word for word in normal(in_singular(label)) if word not in STOP_WORDS and not is_number(word))
    is_range = read_label(label).span is not None and not any(map(is_identifier, words))
    return frozenset() if is_range else words


def is_identifier(word: str) -> bool:
    """True for *sc1* and *m5.xlarge*, whose digits are no number; not for *d20*."""
    is_die = word[:1] == "d" and word[1:].isdecimal()
    return word[:1].isalpha() and any(map(str.isdecimal, word)) and not is_die


def _keys(head: str, label: str, sentence: ParsedSentence) -> list[int]:
    """Return the places of numbers that select a numeric or range label: they have its measure, unit or name."""
    span = read_label(label).span
    if span is None or words_of(label):
        return []
    if _DIE.search(head):
        return [each.place for each in _rolled(sentence) if number(each.value) in span]
    own = numbers_of_plain(plain(f"{head} {label}"))
    measures = {each.measure.removesuffix(OF_ANOTHER) for each in own} - {""}
    units = {each.unit for each in own} - {""}
    named_by = frozenset(map(unit_named, set(read_label(label).name) - STOP_WORDS))
    if not measures and not named_by <= sentence.words | units:
        return []
    measures = measures or (set() if named_by else set(scales()))
    things = words_of(plain(head)) if not read_label(label).name else frozenset()
    found = set()
    for each in chain.from_iterable(sentence.numbers):
        is_key = each.measure.removesuffix(OF_ANOTHER) in measures or (each.unit in units and not each.measure)
        is_key = is_key or (len(named_by) == 1 and _stands_by(named_by, label, sentence.tokens, each.place))
        is_key |= may_be_year(each.value) and normal(label) == (each.value,)
        is_key |= not each.measure and not things.isdisjoint({counted(sentence.tokens, each.place), *each.adjoining})
        if is_key and not is_dice(each.value) and number(each.value) in span:
            found.add(each.place)
    return sorted(found)


def _rolled(sentence: ParsedSentence) -> Iterator[Number]:
    """Yield the numbers of a sentence that are results of rolls."""
    for each in sentence.told:
        if is_rolled(sentence.tokens, each.place) and not is_dice(each.value):
            yield each


def _stands_by(name: frozenset[str], label: str, tokens: Sequence[str], place: int) -> bool:
    """True if a number has the name of a label on the same side as the label does: *5 barges*, but *Barge 5*."""
    own = normal(plain(label))
    first = next((i for i, token in enumerate(own) if is_number(token)), 0)
    before, behind = tokens[max(0, place - 1) : place], tokens[place + 1 : place + 2]
    return not name.isdisjoint(behind if name.isdisjoint(map(unit_named, own[:first])) else before)


def _codes(label: str, sentence: ParsedSentence) -> Iterator[int]:
    """Yield the places where a sentence has a label of words and numbers verbatim: *H.265 codec*."""
    name = normal(plain(label))
    if any(map(is_number, name)) and not all(map(is_number, name)):
        yield from (start + len(name) - 1 for start in places_of(name, sentence.tokens))


def places_of(name: Sequence[str], tokens: Sequence[str]) -> Iterator[int]:
    """Yield the places where a name begins verbatim in some tokens.

    >>> list(places_of(("big", "owl"), ("a", "big", "owl")))
    [1]
    """
    size = len(name)
    return (i for i in range(len(tokens) - size + 1) if size and tuple(tokens[i : i + size]) == tuple(name))


def is_in(name: Sequence[str], tokens: Sequence[str]) -> bool:
    """True if some tokens have a name verbatim."""
    return next(places_of(name, tokens), None) is not None


def has_operation(tokens: Sequence[str], *operations: Operation) -> bool:
    """True if some tokens have a phrase for one of some operations: *together*, for a total.

    >>> has_operation(("they", "have", "9", "together"), "total"), has_operation(("it", "has", "9"), "total")
    (True, False)
    """
    return any(is_in(phrase, tokens) for operation, phrase in english().operations if operation in operations)


def windows(tokens: Sequence[str], words: frozenset[str]) -> list[int]:
    """Return the places where all words of a name end together; if they are spread, that of the last of them."""
    size, found = len(words) + 1, []
    for end in range(len(tokens)):
        if tokens[end] in words and words <= set(tokens[max(0, end - size + 1) : end + 1]):
            found.append(end)
    return found or [max(i for i, token in enumerate(tokens) if token in words)]


def _undominated(full: Sequence[tuple[Mention, frozenset[str]]]) -> list[Mention]:
    """Return the mentions without those that are only part of a longer name: *plate* in *half plate*."""
    kept: list[Mention] = []
    for mention, words in full:
        longer = (other for other, more in full if words < more and abs(other.place - mention.place) <= len(more))
        if not words or next(longer, None) is None:
            kept.append(mention)
    return kept


def _merged_by_place(mentions: Sequence[Mention]) -> list[Mention]:
    """Merge the mentions at one place: several rows may have one name."""
    at: dict[tuple[int, int | None], frozenset[int]] = {}
    for each in mentions:
        at[each.place, each.key] = at.get((each.place, each.key), frozenset()) | each.meant
    return [Mention(place, meant, key) for (place, key), meant in sorted(at.items(), key=lambda item: item[0][0])]
