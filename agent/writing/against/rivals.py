"""Find numbers taken from a neighbour: another cell or line of the source fits the words of the sentence better.

Each number of a source has words beside it: for a cell, those of its row label and column header; for a line, its own.
The sentence *the 16G Kingston reads 230* has the words of one cell and the number of another, which shares fewer of
them. A number is wrong if a rival number, which the sentence does not state, has all the sentence's words beside the
number, and more of them. A number is also wrong if the source uses the sentence's unit, *TiB*, only behind other
numbers, and *GiB* behind this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise

from agent.languages.language import english
from agent.understanding.words.measures import measures as known_measures
from agent.writing.against.misplaced import misplaced
from agent.writing.cells.reading import may_abbreviate
from agent.writing.texts.claims import ParsedSentence, is_in, part_at
from agent.writing.texts.facts import TEXT, Fact, Pair, facts_of, having, pairs_of, unit_of, words_beside
from agent.writing.texts.numbers import OF_ANOTHER, Number, is_dice
from agent.writing.texts.reworded import as_known_words
from agent.writing.texts.subjects import places_of_other_subjects
from agent.writing.texts.units import known_units
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_BOTH = 2
_ONE = "1"
"""Has little weight: *one target*."""


def outranked_places(chunk: Chunk, sentence: ParsedSentence, question: ParsedSentence | None = None) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has, but gives to another entity or measure.

    If a sentence names no row of a table, the rows that the question names count.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> ways = Chunk("1", "The ferry takes 20 minutes.\\nThe bridge takes 5 minutes.", "Ways")
    >>> read = parse_sentence("the ferry takes 5 minutes")
    >>> [read.tokens[place] for place in outranked_places(ways, read)]
    ['5']
    """
    facts = facts_of(chunk)
    rows = _rows_named(facts, sentence)
    if not rows and question is not None:
        rows = _rows_named(facts, question)
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings))))
    found = set()
    for number in sentence.told:
        if _is_outranked(number, _in_rows(facts, number, rows), sentence, about):
            found.add(number.place)
    return frozenset(found) | misplaced(chunk, sentence) | places_of_other_subjects(chunk, sentence)


def _rows_named(facts: Iterable[Fact], sentence: ParsedSentence) -> frozenset[tuple[str, ...]]:
    """Return the names of rows that a sentence has."""
    names = chain.from_iterable(fact.names for fact in facts)
    return frozenset(name for name in names if is_in(name, sentence.tokens))


def _is_outranked(wanted: Number, facts: Sequence[Fact], sentence: ParsedSentence, about: frozenset[str]) -> bool:
    unit = unit_of(sentence.tokens, wanted)
    measure = wanted.measure.removesuffix(OF_ANOTHER)
    holding = having(facts, wanted.value)
    measured = _with_word(measure, holding)
    holding = measured or holding
    of_unit = [fact for fact in holding if unit and (wanted.value, unit) in fact.pairs]
    own = of_unit or holding
    if (wanted.value == _ONE and not wanted.unit) or not own:
        return False
    before = pairs_of(sentence.tokens, (each for each in sentence.told if each.place < wanted.place))
    rivals = _unstated(_with_word(measure, facts) if measured else facts, before)
    known = frozenset().union(*(fact.words for fact in facts))
    claim = replace(_claim(sentence, wanted, unit, about, known), before=before)
    if of_unit and of_unit[0].of > TEXT:
        claim = replace(claim, words=claim.words - {unit}, telling=claim.telling - {unit})
    return all(
        _has_another_unit(claim, fact, facts, sentence)
        or _is_outranked_by(rivals, fact, claim)
        or _is_outranked_by_clause(fact, claim, before)
        or _is_crossed(fact, claim, pairs_of(sentence.tokens, sentence.told))
        for fact in own
    )


def _with_word(word: str, facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if word in fact.words]


def _unstated(facts: Iterable[Fact], told: frozenset[Pair]) -> list[Fact]:
    """Return the facts with a number that is not told."""
    return [fact for fact in facts if not _are_stated(fact.pairs, told)]


def _in_rows(facts: Sequence[Fact], wanted: Number, rows: frozenset[tuple[str, ...]]) -> Sequence[Fact]:
    """Return the facts without cells of rows that are not named, if a cell of the named rows has the number."""
    others = {name for name in rows if wanted.value not in name}
    within = [fact for fact in facts if fact.of <= TEXT or not others.isdisjoint(fact.names)]
    return within if any(fact.of > TEXT and fact.has(wanted.value) for fact in within) else facts


@dataclass(frozen=True, slots=True)
class _Claim:
    """A number's claim: its value, its unit, and the words of the sentence that may be about it.

    `telling` are the distinctive ones: words of the title are so only `behind` the number. `measured` holds its unit if
    it has one, `measure` is what it measures, and `before` are the numbers before it.
    """

    value: str
    unit: str
    words: frozenset[str]
    telling: frozenset[str]
    denies: bool
    behind: frozenset[str]
    measured: frozenset[str] = frozenset()
    measure: str = ""
    before: frozenset[Pair] = frozenset()


def _claim(sentence: ParsedSentence, wanted: Number, unit: str, about: frozenset[str], known: frozenset[str]) -> _Claim:
    words, behind = _words_of(sentence, wanted, unit in known_units())
    without = frozenset({wanted.measure.removesuffix(OF_ANOTHER)})
    words, telling = (as_known_words(each - without, known) for each in (words, (words - about) | behind))
    denies = not sentence.words.isdisjoint(english().negations)
    measured = frozenset(filter(None, [wanted.unit]))
    behind, measure = as_known_words(behind, known), wanted.measure.removesuffix(OF_ANOTHER)
    return _Claim(wanted.value, unit, words, telling, denies, behind, measured, measure)


def _is_outranked_by_clause(own: Fact, claim: _Claim, told: frozenset[Pair]) -> bool:
    """True if another clause of the fact than the number's has more of the words, and a comparable number."""
    holding = having(own.clauses, claim.value)
    measured = _with_word(claim.measure, holding)
    holding = measured or holding
    if claim.denies or not holding:
        return False
    units = frozenset[str]().union(*(each.behind_value(claim.value) for each in holding))
    rivals = []
    for each in _with_word(claim.measure, own.clauses) if measured else own.clauses:
        is_told = each.is_bare or each.has(claim.value) or _are_stated(_comparable_pairs(each, units), told)
        if not is_told:
            rivals.append(each)
    return all(any(_has_more(each, mine, claim.telling, claim.behind) for each in rivals) for mine in holding)


def _comparable_pairs(fact: Fact, units: Set[str]) -> list[Pair]:
    """Return the numbers of a fact in some units, and those without a unit except a *one*."""
    return [
        (value, unit) for value, unit in fact.pairs if unit in units or not (unit in known_units() or value == _ONE)
    ]


def _is_crossed(own: Fact, claim: _Claim, told: frozenset[Pair]) -> bool:
    """True if a sentence joins the values of two clauses: a value of one *at 64 kbps* of another."""
    others = [pair for pair in told if pair[0] != claim.value]
    if len(others) != 1:
        return False
    other, unit = others[0], others[0][1]
    if unit == claim.unit or not {unit, claim.unit} <= known_units():
        return False
    is_elsewhere = any(other in each.pairs and not each.has(claim.value) for each in own.clauses)
    holding = having(own.clauses, claim.value)
    return is_elsewhere and all(other not in each.pairs and unit in each.behind for each in holding)


def _has_more(rival: Fact, own: Fact, words: frozenset[str], behind: frozenset[str]) -> bool:
    """True if a rival clause, with those it continues, has all the words that `own` has, and others besides.

    Words `behind` a number belong to it; `own` may have the others from the clauses it continues.
    """
    return own.words & words <= rival.beside and not words & rival.words <= own.words | (own.beside - behind)


def _are_stated(pairs: Iterable[Pair], told: frozenset[Pair]) -> bool:
    return all(_is_stated(pair, told) for pair in pairs)


def _is_stated(pair: Pair, told: frozenset[Pair]) -> bool:
    value, unit = pair
    return any(value == each and (unit == behind or not {unit, behind} <= known_units()) for each, behind in told)


def _is_outranked_by(rivals: Iterable[Fact], own: Fact, claim: _Claim) -> bool:
    """True if a rival has more of the words; in running text, where words meet by chance, it needs more than half."""
    words = claim.telling if own.of <= TEXT else claim.words
    shared = words & own.beside
    if own.of <= TEXT and claim.denies:
        return False
    for rival in rivals:
        counted = words if TEXT in (own.of, rival.of) else frozenset[str]()
        is_rival = rival.of == own.of or max(rival.of, own.of) <= TEXT
        is_rival = is_rival and _is_comparable(claim, own, rival)
        each = words & rival.words
        is_better = shared < each and (len(each) > len(counted) // 2 or _is_only(rival, claim, shared, each))
        if is_rival and is_better:
            return True
    return False


def _is_only(rival: Fact, claim: _Claim, own: frozenset[str], its: frozenset[str]) -> bool:
    """True if a number has none of the words, and the rival has its unit and words that are not all measures."""
    has_unit = claim.unit in known_units() and claim.unit in rival.behind
    return not own and has_unit and not its <= known_measures()


def _is_comparable(claim: _Claim, own: Fact, rival: Fact) -> bool:
    """True if a rival has a comparable number: also dice, or of the same unit; in lines, any number may do."""
    if is_dice(claim.value):
        return any(is_dice(value) for value, _ in rival.pairs)
    has_unit = (claim.value, claim.unit) in own.pairs and claim.unit in claim.measured | known_units()
    is_free = claim.unit not in known_units() if own.of <= TEXT else not has_unit
    if is_free or claim.unit in rival.behind:
        return True
    return own.of <= TEXT and any(_are_of_one_kind(unit, claim.unit) for unit in rival.behind)


@cache
def _are_of_one_kind(unit: str, other: str) -> bool:
    """True if two units are of one dimension: *minute* and *hour*."""
    return any({unit, other} <= each.units for each in english().dimensions)


def _has_another_unit(claim: _Claim, own: Fact, facts: Iterable[Fact], sentence: ParsedSentence) -> bool:
    """True if the source has the word behind a number only behind other numbers; or both are units, and neither may be
    short for the other: a known unit, or *cups* in *cups of water*.

    A counted word is no unit: the 100 of *100 claims* is none of the *claim storage* of 100 GiB.
    """
    unit, units = claim.unit, own.behind_value(claim.value)
    if not unit or unit in units or "" in units or not units.isdisjoint(claim.behind - known_units()):
        return False
    if units <= known_units() and any("" in fact.behind for fact in _with_word(unit, facts)):
        return unit not in known_units()
    counts_others = any(unit == behind for value, behind in own.pairs if value != claim.value)
    if unit in own.words:
        return counts_others and unit not in known_units()
    is_unit = unit in known_units() or (unit, "of") in pairwise(sentence.tokens)
    if is_unit and not any(may_abbreviate(unit, each) or each in sentence.words - known_units() for each in units):
        return True
    least = 0 if unit in known_units() else len(claim.words & own.beside)
    return any(unit in fact.behind and len(claim.words & fact.beside) >= least for fact in facts)


def _words_of(sentence: ParsedSentence, wanted: Number, has_unit: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that a number of a sentence may be about: those before it in its part, and those behind it to
    the end of its clause, unless another number follows there. The second set has only the latter.
    """
    start = part_at(wanted.place, sentence.parts, len(sentence.tokens)).start
    end = sentence.clause_at(wanted.place).stop
    own = _range_around(sentence.tokens, wanted.place)
    if not sentence.places.isdisjoint(range(own.stop, end)):
        end = own.stop
    skipped = {place - start for place in own}
    for place in sentence.places:
        if "".join(sentence.tokens[place + 1 : place + 2]) in known_units():
            skipped.add(place + 1 - start)
    if has_unit:
        skipped.add(own.stop - start)
    words = words_beside(sentence.tokens[start:end], skipped)
    return words, words & frozenset(sentence.tokens[own.stop : end])


def _range_around(tokens: Sequence[str], place: int) -> range:
    """Return the places of a number and of the range or date that it is part of."""
    month = next((i for i in (place - 1, place + 1) if "".join(tokens[i : i + 1]) in english().months), 0)
    if month:
        return range(month - 1, month + 2)
    for first in (place, place - 2):
        ends = tokens[max(0, first) : first + 3]
        is_range = len(ends) > _BOTH and ends[1] == "to" and is_number(ends[0]) and is_number(ends[-1])
        is_keyed = "".join(tokens[max(0, first - 1) : first]) in known_measures()
        if is_range and not (is_keyed and "".join(tokens[first + 3 : first + 4]) in known_units()):
            return range(first, first + 3)
    return range(place, place + 1)
