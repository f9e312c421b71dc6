"""The subjects of a source's clauses: a number of one entity is no number of another that a sentence names.

The subject of a clause is its beginning, *the hooded lantern* or *Claw*; a clause that begins with a pronoun or
continues another keeps the subject before it. So *hooded lanterns shine 80 feet far* is wrong if the source gives 80
feet to *bullseye lanterns*, and another length to the hooded ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from agent.languages.language import english
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import Pair, is_content_word, pairs_of, sentences_of, text_of, unit_of
from agent.writing.texts.numbers import Number, is_dice, numbers_of_plain
from agent.writing.texts.plain import plain
from agent.writing.texts.reworded import is_akin
from agent.writing.texts.units import is_unit, known_units
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_LISTED = re.compile(r"^\s*[-*•]\s+")
_LABELLED = re.compile(r"\s*(?:[-*•]\s+)?[^:.;|]{2,40}:\s+(.*\d.*)")
_PARTS = re.compile(r"[;)]|\((?=[^()]*\d)|,(?!\d)|\b(?:and|but|while|whereas)\b")
_ARTICLES = (("a",), ("an",), ("the",))
_LONGEST = 3
_ONE = "1"
"""Has little weight: *one target*."""

Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Clause:
    """Part of a line: its subject, its words with those of the subject, and its numbers with the words behind them.

    If `is_bare`, it is a number alone under a label. If `is_more`, it begins with its number and names a case behind
    it, like the second of *9 m; 18 m flying*.
    """

    line: str
    subject: Name
    words: frozenset[str]
    pairs: frozenset[Pair]
    is_bare: bool = False
    is_more: bool = False

    def has(self, value: str, unit: str) -> bool:
        return any(value == each and (not unit or not behind or unit == behind) for each, behind in self.pairs)

    def has_another(self, value: str, unit: str) -> bool:
        """True if it has another number with the same unit behind it."""
        alike = (each for each, behind in self.pairs if unit == behind and is_dice(each) == is_dice(value))
        return any(value != each for each in alike)


def places_of_other_subjects(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers that a chunk gives to other entities than the one that a sentence names.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> pets = Chunk("1", "Brown owls sleep for 9 hours. Old cats sleep for 15 hours.", "Pets")
    >>> [sorted(places_of_other_subjects(pets, parse_sentence(f"the brown owl rests {n} hours"))) for n in (15, 9)]
    [[4], []]
    """
    clauses = _clauses_of(chunk)
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings))))
    found = set()
    for number in (each for each in sentence.told if each.value != _ONE):
        unit = unit_of(sentence.tokens, number)
        own = [each for each in clauses if each.has(number.value, unit)]
        others = [each for each in clauses if each not in own and each.has_another(number.value, unit)]
        if own and any(_has_named_subject(each, own, number, unit, sentence, about) for each in others):
            found.add(number.place)
    return frozenset(found)


def unqualified(chunk: Chunk, sentence: ParsedSentence, question: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers that a chunk gives only for a case, beside another number for the general case.

    Neither sentence nor question names the case: the 18 of *9 m; 18 m flying*.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> owl = Chunk("1", "Owl\\nMove: 9 m; 18 m flying", "Owl")
    >>> said = [parse_sentence(f"an owl {does} 18 m") for does in ("move", "fly", "walk 9 and then")]
    >>> [sorted(unqualified(owl, each, parse_sentence(""))) for each in said]
    [[3], [], []]
    """
    clauses, told = _clauses_of(chunk), sentence.tokens + question.tokens
    found = set()
    for number in sentence.told:
        own = [each for each in clauses if each.has(number.value, unit_of(sentence.tokens, number))]
        is_case = bool(own) and all(each.is_more and not _named(each.subject, told) for each in own)
        usual = [each for each in clauses if is_case and each.line == own[0].line and each.is_bare]
        if usual and not any(each.has(value, "") for each in usual for value in sentence.tokens):
            found.add(number.place)
    return frozenset(found)


def numbers_of_subjects(chunk: Chunk, sentence: ParsedSentence) -> Iterator[tuple[Name, frozenset[Pair]]]:
    """Yield the subjects of a chunk's clauses that a sentence names, each with its numbers."""
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings))))
    for each in _clauses_of(chunk):
        named = _named(each.subject, sentence.tokens)
        if named and not about.issuperset(named):
            yield named, each.pairs


def _has_named_subject(
    other: _Clause, own: Sequence[_Clause], number: Number, unit: str, sentence: ParsedSentence, about: frozenset[str]
) -> bool:
    """True if a clause has the subject that a sentence names, and the clauses with its number have other subjects."""
    said = _clause(sentence, number.place)
    named = _named(other.subject, said)
    if about.issuperset(named) or _is_told(other, named, number, unit, sentence):
        return False
    return all(_is_apart(each, other, named, said) for each in own)


def _is_told(other: _Clause, named: Name, number: Number, unit: str, sentence: ParsedSentence) -> bool:
    """True if all numbers of a clause with this unit come earlier in the sentence, beside the clause's subject."""
    before = [each for each in sentence.told if each.place < number.place]
    told = {each.value for each in before if _named(named, _clause(sentence, each.place)) == named}
    return all(value in told for value, behind in other.pairs if behind == unit)


def _is_apart(own: _Clause, other: _Clause, named: Name, said: Sequence[str]) -> bool:
    """True if a clause has another subject than the named one, and shares no more words with the sentence."""
    if other.is_more and own.line == other.line:
        return not own.words.issuperset(named)
    if not own.subject:
        return own.is_bare and own.line == other.line
    is_named = len(_named(own.subject, said)) >= len(named) or own.words.issuperset(named)
    return not is_named and other.words.issuperset(own.words.intersection(said))


def _clause(sentence: ParsedSentence, place: int) -> Sequence[str]:
    """Return the tokens of the clause that a place is in, and of the clauses before it without a number."""
    before = max((each for each in sentence.places if each < place), default=-1)
    own = sentence.clause_at(place)
    start = min((each for each in sentence.clauses if before < each <= own.start), default=own.start)
    return sentence.tokens[start : own.stop]


def _named(subject: Name, tokens: Sequence[str]) -> Name:
    """Return the longest beginning of a subject that stands in some tokens, word by word."""
    best = 0
    for i in range(len(tokens)):
        pairs = zip(subject, tokens[i:], strict=False)
        size = next((n for n, (one, other) in enumerate(pairs) if not is_akin(one, other)), None)
        best = max(best, min(len(subject), len(tokens) - i) if size is None else size)
    return subject[:best]


@lru_cache(maxsize=512)
def _clauses_of(chunk: Chunk) -> tuple[_Clause, ...]:
    """Return the clauses of a chunk that have numbers."""
    return tuple(each for line in text_of(chunk).split("\n") if " | " not in line for each in _of_line(line))


def _of_line(line: str) -> Iterator[_Clause]:
    labelled = _LABELLED.fullmatch(line)
    if labelled is not None:
        yield from _of_items(line, labelled[1])
        return
    subject: Name = ()
    is_item = _LISTED.match(line) is not None
    for sentence in sentences_of(_LISTED.sub("", line)):
        for i, part in enumerate(_PARTS.split(sentence)):
            tokens = normal(plain(part))
            if (not i and english().pronouns.isdisjoint(tokens[:1])) or tokens[:1] in _ARTICLES:
                subject = _lead(tokens) or (_behind(tokens) if is_item and tokens else ())
            behind = _behind(tokens) if i and tokens else ()
            yield from _clauses_of_part(line, behind or subject, part, is_more=bool(behind))


def _of_items(line: str, value: str) -> Iterator[_Clause]:
    """Yield the list items under a label. Their subject is their beginning, or behind the number: *9 m flying*."""
    parts = _PARTS.split(value)
    for part in parts if len(parts) > 1 else ():
        tokens = normal(plain(part))
        behind = _behind(tokens) if tokens else ()
        yield from _clauses_of_part(
            line, behind or _lead(tokens), part, is_bare=not any(map(_is_word, tokens)), is_more=bool(behind)
        )
    if len(parts) == 1:
        yield from _clauses_of_part(line, (), value)


def _clauses_of_part(
    line: str, subject: Name, part: str, *, is_bare: bool = False, is_more: bool = False
) -> Iterator[_Clause]:
    tokens = normal(plain(part))
    pairs = pairs_of(tokens, numbers_of_plain(plain(part)))
    if pairs:
        yield _Clause(line, subject, frozenset(filter(_is_word, tokens)).union(subject), pairs, is_bare, is_more)


def _behind(tokens: Sequence[str]) -> Name:
    """Return the words of a part that begins with its number: the *flying* of *18 m flying*."""
    words = tuple(filter(_is_word, tokens)) if is_number(tokens[0]) and tokens[0] != _ONE else ()
    return words[:_LONGEST]


def _is_word(token: str) -> bool:
    return _is_content_token(token) and not is_unit(token) and token not in known_units()


def _is_content_token(token: str) -> bool:
    return is_content_word(token) and not any(map(str.isdecimal, token))


def _lead(tokens: Sequence[str]) -> Name:
    """Return the words that a clause begins with, behind an article; none if it begins with another small word."""
    own = tokens[1:] if tokens[:1] in _ARTICLES else tokens
    return tuple(takewhile(_is_content_token, own))[:_LONGEST]
