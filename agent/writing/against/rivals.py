"""Find numbers taken from a neighbour: another cell or line of the source fits the words of the sentence better.

Each number of a source has words beside it: for a cell, those of its row label and column header; for a line, its own.
The sentence *the 16G Kingston reads 230* has the words of one cell and the number of another, which shares fewer of
them. A number is wrong if a rival number, which the sentence does not state, has all the sentence's words beside the
number, and more of them. A number is also wrong if the source uses the sentence's unit, *TiB*, only behind other
numbers, and *GiB* behind this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from agent.languages.language import english
from agent.understanding.words.measures import measures as known_measures
from agent.writing.against.misplaced import misplaced
from agent.writing.cells.reading import may_abbreviate
from agent.writing.texts.claims import ParsedSentence, is_in
from agent.writing.texts.facts import TEXT, Fact, Pair, facts_of, pairs_of, unit_of, words_beside
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
    names = frozenset(name for fact in facts for name in fact.names if name)
    rows = frozenset(name for name in names if is_in(name, sentence.tokens))
    if not rows and question is not None:
        rows = frozenset(name for name in names if is_in(name, question.tokens))
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings))))
    told = [one[0] for one in sentence.numbers]
    found = {
        one[0].place
        for one in sentence.numbers
        if _is_outranked(one[0], _in_rows(facts, one[0], rows), sentence, about, told)
    }
    return frozenset(found) | misplaced(chunk, sentence) | places_of_other_subjects(chunk, sentence)


def _is_outranked(
    wanted: Number, facts: Sequence[Fact], sentence: ParsedSentence, about: frozenset[str], told: Sequence[Number]
) -> bool:
    having = [fact for fact in facts if fact.has(wanted.value)]
    unit = unit_of(sentence.tokens, wanted)
    measure = wanted.measure.removesuffix(OF_ANOTHER)
    having = [fact for fact in having if measure in fact.words] or having
    of_unit = [fact for fact in having if unit and (wanted.value, unit) in fact.pairs]
    own = of_unit or having
    if (wanted.value == _ONE and not wanted.unit) or not own:
        return False
    before = pairs_of(sentence.tokens, (each for each in told if each.place < wanted.place))
    is_measured = bool(having) and measure in having[0].words
    rivals = [fact for fact in facts if not is_measured or measure in fact.words]
    rivals = [fact for fact in rivals if not all(_is_stated(pair, before) for pair in fact.pairs)]
    known = frozenset().union(*(fact.words for fact in facts))
    claim = replace(_claim(sentence, wanted, unit, about, known), before=before)
    if of_unit and of_unit[0].of > TEXT:
        claim = replace(claim, words=claim.words - {unit}, telling=claim.telling - {unit})
    return all(
        _has_another_unit(claim, fact, facts, sentence)
        or _is_outranked_by(rivals, fact, claim)
        or _is_outranked_by_clause(fact, claim, before)
        or _is_crossed(fact, claim, pairs_of(sentence.tokens, told))
        for fact in own
    )


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
    having = [each for each in own.clauses if each.has(claim.value)]
    having = [each for each in having if claim.measure in each.words] or having
    if claim.denies or not having:
        return False
    units = {behind for each in having for value, behind in each.pairs if value == claim.value}
    is_measured = any(claim.measure in mine.words for mine in having)
    rivals = []
    for each in own.clauses:
        alike = [pair for pair in each.pairs if pair[1] in units or (pair[1] not in known_units() and pair[0] != _ONE)]
        if is_measured and claim.measure not in each.words:
            continue
        if (
            alike
            and not each.is_bare
            and not each.has(claim.value)
            and not all(_is_stated(pair, told) for pair in alike)
        ):
            rivals.append(each)
    return all(any(_has_more(each, mine, claim.telling, claim.behind) for each in rivals) for mine in having)


def _is_crossed(own: Fact, claim: _Claim, told: frozenset[Pair]) -> bool:
    """True if a sentence joins the values of two clauses: a value of one *at 64 kbps* of another."""
    others = [pair for pair in told if pair[0] != claim.value]
    units = {claim.unit, *(unit for _, unit in others)}
    if len(others) != 1 or len(units) != 2 or not units <= known_units():
        return False
    other = others[0]
    having = [each for each in own.clauses if each.has(claim.value)]
    is_elsewhere = any(other in each.pairs and not each.has(claim.value) for each in own.clauses)
    return is_elsewhere and all(
        other not in each.pairs and any(unit == other[1] for _, unit in each.pairs) for each in having
    )


def _has_more(rival: Fact, own: Fact, words: frozenset[str], behind: frozenset[str]) -> bool:
    """True if a rival clause, with those it continues, has all the words that `own` has, and others besides.

    Words `behind` a number belong to it; `own` may have the others from the clauses it continues.
    """
    return own.words & words <= rival.beside and not words & rival.words <= own.words | (own.beside - behind)


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
    has_unit = claim.unit in known_units() and any(unit == claim.unit for _, unit in rival.pairs)
    return not own and has_unit and not its <= known_measures()


def _is_comparable(claim: _Claim, own: Fact, rival: Fact) -> bool:
    """True if a rival has a comparable number: also dice, or of the same unit; in lines, any number may do."""
    if is_dice(claim.value):
        return any(is_dice(value) for value, _ in rival.pairs)
    has_unit = (claim.value, claim.unit) in own.pairs and claim.unit in claim.measured | known_units()
    is_free = claim.unit not in known_units() if own.of <= TEXT else not has_unit
    if is_free or any(unit == claim.unit for _, unit in rival.pairs):
        return True
    return own.of <= TEXT and any(_are_of_one_kind(unit, claim.unit) for _, unit in rival.pairs)


@cache
def _are_of_one_kind(unit: str, other: str) -> bool:
    """True if two units are of one dimension: *minute* and *hour*."""
    return any({unit, other} <= each.units for each in english().dimensions)


def _has_another_unit(claim: _Claim, own: Fact, facts: Iterable[Fact], sentence: ParsedSentence) -> bool:
    """True if the source has the word behind a number only behind other numbers; or both are units, and neither may be
    short for the other: a known unit, or *cups* in *cups of water*.

    A counted word is no unit: the 100 of *100 claims* is none of the *claim storage* of 100 GiB.
    """
    unit, units = claim.unit, {each for number, each in own.pairs if number == claim.value}
    if not unit or unit in units or "" in units or not units.isdisjoint(claim.behind - known_units()):
        return False
    if units <= known_units() and any(unit in fact.words and "" in {each for _, each in fact.pairs} for fact in facts):
        return unit not in known_units()
    counts_others = any(unit == behind for value, behind in own.pairs if value != claim.value)
    if unit in own.words:
        return counts_others and unit not in known_units()
    is_unit = unit in known_units() or (unit, "of") in pairwise(sentence.tokens)
    if is_unit and not any(may_abbreviate(unit, each) or each in sentence.words - known_units() for each in units):
        return True
    of_unit = [fact for fact in facts if any(unit == behind for _, behind in fact.pairs)]
    least = 0 if unit in known_units() else len(claim.words & own.beside)
    return any(len(claim.words & fact.beside) >= least for fact in of_unit)


def _words_of(sentence: ParsedSentence, wanted: Number, has_unit: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that a number of a sentence may be about: those before it in its part, and those behind it to
    the end of its clause, unless another number follows there. The second set has only the latter.
    """
    start = max(each for each in sentence.parts if each <= wanted.place)
    own = _range_around(sentence.tokens, wanted.place)
    behind = (one[0].place + 1 for one in sentence.numbers if one[0].place + 1 < len(sentence.tokens))
    units = {place for place in behind if sentence.tokens[place] in known_units()}
    units |= {own.stop} if has_unit else set()
    end = min((each for each in sentence.clauses if each > wanted.place), default=len(sentence.tokens))
    if any(own.stop <= one[0].place < end for one in sentence.numbers):
        end = own.stop
    others = {*own, *units}
    words = words_beside(sentence.tokens[start:end], {place - start for place in others})
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
