"""The rules by which a number in a sentence of a model has support.

- A number stands in a chunk that the sentence cites: in its prose, beside the same words if beside any; or in the cell
  of a table whose row and column the sentence names (`agent.writing.cells.table_claims`). If the sentence names several
  cited chunks, each number stands in the chunk of its subject (`agent.writing.texts.claims`).
- Or it stands in a finding. A finding's number for one side counts for clauses about that side and about none.
- Or it stands in the question, and is of the same measure there (the 7 of *7th level*) or beside the same word.
- Or it follows from numbers of the sentence that have a source: a sum, a difference, an average of dice, a count.
- A measure's number is not another's: where the source gives a level, the sentence's level is that one. A number in a
  row label or column header, such as armor class 6, is no result of a roll. Titles say what their numbers measure.
- Units agree where both have one. A number with fewer decimals may be rounded, and dice told as the range they roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache

from agent.languages.language import english, language_of, languages
from agent.types import Finding
from agent.writing.against.bounded import bounded_otherwise
from agent.writing.against.counted import counting_others
from agent.writing.against.directions import reversed_comparisons
from agent.writing.against.extremes import no_extremes
from agent.writing.against.rivals import outranked_places
from agent.writing.against.strangers import unknown_entities
from agent.writing.cells.ties import ties_of_sentence
from agent.writing.checking.held import places_supported_by_chunk
from agent.writing.checking.told import FindingNumbers
from agent.writing.derived.bands import by_bands
from agent.writing.derived.conversions import is_converted
from agent.writing.derived.counting import counted_in_lists, counts_of, is_count
from agent.writing.derived.derived import follows
from agent.writing.derived.differences import (
    Series,
    compared_with,
    is_difference_of,
    series_by_unit,
    series_of,
    series_of_like_tables,
    stated_additions,
    stated_differences,
    values_of_pair,
)
from agent.writing.derived.lasting import durations_between_dates
from agent.writing.derived.rates import by_rates, is_share_of_each, is_time_at_rate, is_total_of_each
from agent.writing.texts.claims import (
    Mention,
    ParsedSentence,
    has_operation,
    is_in,
    mention_assignments,
    mentions_in_turn,
    parse_sentence,
)
from agent.writing.texts.facts import tokens_of
from agent.writing.texts.numbers import Number, numbers_of_plain
from agent.writing.texts.offered import SourceNumbers
from agent.writing.texts.plain import plain
from agent.writing.texts.reworded import in_source_words
from agent.writing.texts.sources_named import chunks_named, numbers_of_titles, pieces_joined, without_names
from agent.writing.texts.subjects import unqualified
from agent.writing.texts.things import with_things
from agent.writing.texts.units import PERCENT, TIMES
from retrieval.text.normal import STOP_WORDS, normal
from retrieval.types import Chunk

_FEW = 4
"""Tokens that may stand together by chance."""
_MOST_NUMBERS = 100
"""No sentence has more; a text with more is not checked number by number."""
_WORD = re.compile(r"[^\W\d_]+")
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d+),(\d{1,2})(?![\d,])")
"""How many languages write 12.5; in others it may be two numbers."""
_COMPARING = frozenset({"than", "time", "that", "difference"})
"""Words that compare a number with another: *4 more than the lich*, *3 times that of the reed*."""
_ALL = ("the", "these", "those", "all")
"""Words before a number that counts what is there."""


class Support:
    """The support for the sentences of one answer."""

    def __init__(self, findings: Sequence[Finding], chunks: Mapping[int, Chunk], question: str) -> None:
        self._findings, self._chunks, self._question = findings, chunks, plain(question)

    @cached_property
    def _told(self) -> list[FindingNumbers]:
        return [FindingNumbers(finding) for finding in self._findings]

    def lacking(self, sentence: str, marks: Iterable[int], before: str = "") -> list[str]:
        """Return the numbers of a sentence (without its marks) that have no support, and its first unknown entity.

        A sentence that begins with a pronoun has the subject of the sentence `before` it.
        """
        led = plain(before) if begins_with_pronoun(sentence) else ""
        ways = dict.fromkeys((sentence, _DECIMAL_COMMA.sub(r"\1.\2", sentence)))
        return min((self._lacking(each, marks, led) for each in ways), key=len)

    def _lacking(self, sentence: str, marks: Iterable[int], before: str) -> list[str]:
        text = plain(_with_digits(sentence))
        cited = pieces_joined(tuple(with_things(self._chunks[n]) for n in dict.fromkeys(marks) if n in self._chunks))
        read = parse_sentence(text, frozenset(word for chunk in cited for word in normal(chunk.title)))
        if not read.numbers:
            return []  # all further checks compare numbers with sources
        if len(read.numbers) > _MOST_NUMBERS:
            return [f"one of {len(read.numbers)} numbers"]
        if len(read.tokens) > _FEW and any(is_in(read.tokens, tokens_of(chunk)) for chunk in cited):
            return []
        read = in_source_words(cited, without_names(read, cited))
        far = stated_differences(read)
        question, asked = parse_sentence(self._question), _question_numbers(self._question)
        ties = ties_of_sentence(read, question, parse_sentence(before), cited)
        places = _supported_places(read, parse_sentence(before) if before else question, cited)
        places -= counting_others(read, cited) | (far - stated_additions(read, cited))
        in_bands, in_others = by_bands(read, cited)
        sure = in_bands | counted_in_lists(read, cited) | numbers_of_titles(read, cited)
        against = (ties.broken - sure).union(in_others, bounded_otherwise(read, cited))
        against = against.union(*(unqualified(each, read, question) | no_extremes(each, read) for each in cited))
        against |= reversed_comparisons(read)
        places |= by_rates(read, cited) | durations_between_dates(read, cited) | ties.tied | sure
        places -= against
        broken = [each for each in read.numbers if each[0].place in against]
        unheld: list[Sequence[Number]] = [
            each for each in read.numbers if each in broken or not (each[0].place in places or asked.hold(each))
        ]
        for told in self._told if unheld else ():
            unheld = told.lacking(unheld, text)
        broken = [each for each in broken if each in unheld]
        others = [each for each in unheld if each not in broken]
        lacking = [*broken, *(_underived(others, read, cited, far) if others else ())]
        is_led = bool(before) or begins_with_pronoun(sentence)
        alien = () if is_led or not read.numbers else unknown_entities(read, sentence, question, cited)
        return list(dict.fromkeys([*(each[0].value for each in lacking), *(read.tokens[place] for place in alien)]))

    def names_others(self, text: str, marks: Iterable[int]) -> bool:
        """True if part of a sentence names the entity of a chunk cited elsewhere, and none of those cited here."""
        chunks = list(self._chunks.values())
        here = {i for i, n in enumerate(self._chunks) if n in set(marks)}
        named_there = chunks_named(parse_sentence(plain(text)), chunks)
        return bool(named_there) and not any(each.meant & here for each in named_there)


def begins_with_pronoun(sentence: str) -> bool:
    """True if a sentence begins with a pronoun for the subject of the one before it: *Its range is 9.*"""
    return not english().pronouns.isdisjoint(normal(sentence)[:1])


def _with_digits(sentence: str) -> str:
    """Return the sentence with the number words of its language as digits; English ones are read anyway.

    >>> _with_digits("Es kostet zwei Münzen und hat sechs Zacken")
    'Es kostet 2 Münzen und hat 6 Zacken'
    """
    words = language_of(normal(sentence), languages()).numbers
    if not words:
        return sentence
    return _WORD.sub(lambda match: words.get(next(iter(normal(match[0])), ""), match[0]), sentence)


@lru_cache(maxsize=256)
def _question_numbers(question: str) -> SourceNumbers:
    return SourceNumbers(numbers_of_plain(question), keys=True)


def _supported_places(sentence: ParsedSentence, question: ParsedSentence, cited: Sequence[Chunk]) -> Set[int]:
    """Return the places of the numbers that the cited chunks hold, each in the chunk of its subject."""
    by_chunk = [places_supported_by_chunk(chunk, sentence, question) for chunk in cited]
    every = frozenset().union(*by_chunk)
    mentions = chunks_named(sentence, cited)
    if len({each.meant for each in mentions}) < 2:
        return frozenset().union(*(by_chunk[i] for i in _eligible_chunks(mentions, cited)))
    of_named = [by_chunk[i] for each in mentions for i in each.meant]
    telling = frozenset().union(*of_named) - frozenset.intersection(*of_named)
    ordered = sorted(every if len(every) % len(mentions) == 0 else telling)
    best: Set[int] = frozenset()
    for way in (*mention_assignments(mentions, ordered), tuple(mentions_in_turn(mentions, ordered))):
        owned = [(place, each) for place, each in zip(ordered, way, strict=True) if place in telling]
        best = max(best, {place for place, each in owned if any(place in by_chunk[i] for i in each.meant)}, key=len)
    return (every - telling) | best


def _eligible_chunks(mentions: Sequence[Mention], cited: Sequence[Chunk]) -> Set[int]:
    """Return the indices of the chunks that a sentence may be about: none of the same kind as a chunk it names."""
    here = frozenset[int]().union(*(each.meant for each in mentions))
    return {i for i, chunk in enumerate(cited) if i in here or not any(_are_alike(chunk, cited[j]) for j in here)}


def _are_alike(one: Chunk, other: Chunk) -> bool:
    """True if two entities share most of their labels, as those of one kind do, or have titles that differ in a word:
    *Barn Owl* and *Snowy Owl*.
    """
    labels, others = _labels(one), _labels(other)
    titles = list(zip(normal(one.title), normal(other.title), strict=False))
    is_same = [word == its for word, its in titles if word not in STOP_WORDS]
    return 2 * len(labels & others) > len(labels | others) or (any(is_same) and is_same.count(False) == 1)


def _labels(chunk: Chunk) -> Set[str]:
    """Return the labels of a chunk's records, and the column headers of its tables."""
    records = {row[0] for table in chunk.tables if table.is_record for row in table.rows}
    return records.union(" ".join(head) for table in chunk.tables if not table.is_record for head in table.columns)


def _underived(
    unheld: Sequence[Sequence[Number]], sentence: ParsedSentence, cited: Sequence[Chunk], far: Set[int]
) -> Iterator[Sequence[Number]]:
    """Yield the numbers without a source that neither follow from others of the sentence nor count things. The numbers
    at the places `far` state a difference.
    """
    lacking = {each[0].place for each in unheld if not is_count(each[0], sentence, cited)}
    held = [each[0] for each in sentence.numbers if each[0].place not in lacking]
    unheld = [each for each in unheld if each[0].place in lacking]
    series = list(series_of(sentence, cited, chunks_named(sentence, cited), held))
    compared = [] if sentence.words.isdisjoint(_COMPARING) else list(compared_with(held, series))
    operands, counts = [*compared, *held, *compared], counts_of(sentence, cited)
    displaced = _displaced(sentence, cited) | (_values_of_compared(unheld, series) if compared else frozenset())
    for each in unheld:
        if each[0].place in far:
            is_derived = is_difference_of(each[0], operands, [*series, *series_by_unit(held)])
        else:
            is_displaced = _is_displaced(each[0], displaced, counts)
            own = operands if operands or each[0].unit != TIMES else list(values_of_pair(series))
            is_derived = _is_by_rate(each[0], own, counts, sentence)
            is_derived = is_derived or (not is_displaced and _follows(each[0], own, counts, sentence))
            is_derived = is_derived or is_difference_of(each[0], (), series_of_like_tables(sentence, cited))
            is_derived = is_derived or is_converted(each[0], held, sentence)
        if not is_derived:
            yield each


def _displaced(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of numbers that the sources give to another entity; none if the sentence computes."""
    is_computed = has_operation(sentence.tokens, "total", "difference")
    if is_computed or not sentence.words.isdisjoint(_COMPARING):
        return frozenset()
    return frozenset().union(*(outranked_places(chunk, sentence) for chunk in cited))


def _values_of_compared(unheld: Sequence[Sequence[Number]], series: Sequence[Series]) -> frozenset[int]:
    """Return the places of numbers that a compared entity has in the sources: that others derive them is chance."""
    values = {number.value for things in series if len(things) > 1 for each in things for number in each}
    return frozenset(each[0].place for each in unheld if each[0].value in values and not each[0].unit)


def _is_displaced(wanted: Number, displaced: Set[int], counts: Set[int]) -> bool:
    """True if a number stands in a source, but of another entity: that others add up to it too is chance."""
    is_count = wanted.value.isdecimal() and int(wanted.value) in counts
    return wanted.place in displaced and wanted.unit not in (TIMES, PERCENT) and not is_count


def _follows(wanted: Number, held: Sequence[Number], counts: Set[int], sentence: ParsedSentence) -> bool:
    """True if a number follows from the supported ones: *of the two* is a count, and *40% of* is a share."""
    is_count = wanted.place == 0 or sentence.tokens[wanted.place - 1] in _ALL
    is_share = sentence.tokens[wanted.place + 2 : wanted.place + 3] == ("of",)
    return follows(wanted, held, counts if is_count else (), is_share)


def _is_by_rate(wanted: Number, held: Sequence[Number], counts: Set[int], sentence: ParsedSentence) -> bool:
    """True if a number is the result of a rate, or a rate: *24 hours at 36 an hour*, *5 sp a day*."""
    is_rate = is_time_at_rate(wanted, held, sentence) or is_share_of_each(wanted, held, sentence)
    return is_rate or is_total_of_each(wanted, held, counts, sentence)
