"""Find numbers that the source gives to another name, measure or rate than the sentence does.

A number of *m5* and *m6* is not one of *t2*, a *radius* is no *range*, and a rate *a minute* is not one *a second*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from agent.languages.language import english
from agent.writing.against.copied import miscopied
from agent.writing.against.directions import contrary_changes, denied_by_source, reversed_comparisons
from agent.writing.against.slots import mislabelled
from agent.writing.against.wholes import recombined_dates_and_ranges
from agent.writing.texts.claims import ParsedSentence, is_identifier
from agent.writing.texts.facts import Fact, facts_of, labels_of, sentences_of, text_of, tokens_of
from agent.writing.texts.numbers import Number
from agent.writing.texts.plain import plain
from agent.writing.texts.units import known_units, unit_named
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk


def misplaced(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has, but under another name or in another order.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> sizes = Chunk("1", "A k5 has 7 ports and a k6 has 9.", "Sizes")
    >>> read = parse_sentence("the k6 has 7 ports")
    >>> [read.tokens[place] for place in misplaced(sizes, read)]
    ['7']
    """
    facts = facts_of(chunk)
    codes = _codes(sentence.words) - frozenset(normal(" ".join((chunk.title, *chunk.headings))))
    here = frozenset(tokens_of(chunk))
    rows = {} if chunk.tables else _rows(text_of(chunk))
    found = {*reversed_comparisons(sentence), *contrary_changes(chunk, sentence)}
    found |= (
        mislabelled(chunk, sentence)
        | recombined_dates_and_ranges(chunk, sentence)
        | denied_by_source(chunk, sentence)
        | miscopied(chunk, sentence)
    )
    for number in sentence.told:
        own = [fact for fact in facts if fact.has(number.value)]
        clause = sentence.words_around(number.place)
        said_of = codes & clause or codes
        its = [codes for value, codes in _numbers_with_codes(chunk) if value == number.value]
        if said_of and its and all(_are_others(each, said_of, here) for each in its):
            found.add(number.place)
        if own and _is_of_another_label(own, number, clause, chunk):
            found.add(number.place)
        if own and _is_another_rate(number, sentence, chunk):
            found.add(number.place)
        if own and all(_is_another_extent(fact, number, clause) for fact in own):
            found.add(number.place)
        if _is_of_another_row(number.value, said_of, rows):
            found.add(number.place)
    return frozenset(found)


def _is_of_another_label(own: Sequence[Fact], number: Number, clause: frozenset[str], chunk: Chunk) -> bool:
    """True if a number stands next to the label of another line, and all lines that have it have labels without a word
    of the clause: 5 *attacks*, of *Attacks: none* and *Defence: 5*.
    """
    if any(not fact.label or not fact.label.isdisjoint(clause) for fact in own):
        return False
    labels = (frozenset(normal(plain(label))) for label in labels_of(chunk))
    return any(label and label <= number.adjoining for label in labels)


def _is_another_extent(own: Fact, number: Number, clause: frozenset[str]) -> bool:
    """True if a clause gives as a *range* what the source gives as a *radius*: other measures of one dimension."""
    having = [each for each in own.clauses if each.has(number.value)]
    for dimension in english().dimensions if number.unit else ():
        said, told = clause & dimension.measures, frozenset[str]().union(*(each.words for each in having))
        its = told & dimension.measures
        if number.unit in dimension.units and said and its and said.isdisjoint(its):
            return True
    return False


def _is_another_rate(number: Number, sentence: ParsedSentence, chunk: Chunk) -> bool:
    """True if a sentence gives a rate *per second*, and the source gives it *per minute*."""
    per = _per(sentence.tokens, number.place)
    tokens = tokens_of(chunk)
    places = [place for place, token in enumerate(tokens) if per and token == number.value]
    behind = sentence.tokens[number.place + 1 : number.place + 2]
    alike = [place for place in places if tokens[place + 1 : place + 2] == behind] or places
    its = {_per(tokens, place) for place in alike}
    return bool(its) and "" not in its and per not in its


def _per(tokens: Sequence[str], place: int) -> str:
    """Return the unit that a rate is per: the *minute* of *100 a minute*; empty if there is none."""
    for i, token in enumerate(tokens[place + 1 : place + 4], start=place + 1):
        if token in ("per", "a", "each", "every") and "".join(tokens[i + 1 : i + 2]) in known_units():
            return unit_named(tokens[i + 1])
    return ""


def _are_others(its: frozenset[str], codes: frozenset[str], here: frozenset[str]) -> bool:
    """True if a number belongs to other codes than the sentence names, and those stand elsewhere in the text or are of
    the same family.
    """
    is_alike = not codes.isdisjoint(here) or any(_family(code) == _family(other) for code in codes for other in its)
    return bool(its) and is_alike and not any(codes_match(code, other) for code in codes for other in its)


@lru_cache(maxsize=512)
def _numbers_with_codes(chunk: Chunk) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the numbers of a text, each with the codes behind the number before it, else those of its sentence."""
    found = []
    for line in text_of(chunk).split("\n"):
        before = frozenset[str]()
        for sentence in sentences_of(line) if " | " not in line else ():
            tokens = normal(plain(sentence))
            every = _codes(frozenset(tokens)) or before
            start = 0
            for i, token in enumerate(tokens):
                if is_number(token):
                    found.append((token, _codes(frozenset(tokens[start:i])) or every))
                    start = i
            before = every
    return tuple(found)


def _codes(words: frozenset[str]) -> frozenset[str]:
    return frozenset(filter(is_identifier, words))


def _family(code: str) -> str:
    """Return the letters that a code begins with."""
    return code[: next(i for i, letter in enumerate(code) if letter.isdecimal())]


def codes_match(code: str, other: str) -> bool:
    """True if two codes may name one entity, or one of them the kind of the other: *m5* and *m5.large*."""
    short, long = sorted((code, other), key=len)
    return long.startswith(short) and not long[len(short) : len(short) + 1].isalnum()


def _is_of_another_row(value: str, codes: frozenset[str], rows: Mapping[str, frozenset[str]]) -> bool:
    """True if a number stands in some row, and in none of the rows of the codes."""
    own = [rows[code] for code in codes if code in rows]
    return bool(own) and not any(value in each for each in own) and any(value in each for each in rows.values())


@lru_cache(maxsize=512)
def _rows(text: str) -> Mapping[str, frozenset[str]]:
    """Return the numbers of rows that begin with a code, in a text with unknown columns; all rows may be in one line.

    >>> {code: sorted(numbers) for code, numbers in _rows("Size | Weight k5 | 40 | 7 k6 | 50").items()}
    {'k5': ['40', '7'], 'k6': ['50']}
    """
    found: dict[str, set[str]] = {}
    code = ""
    for piece in text.replace("\n", " ").split(" | ")[:-1] if " | " in text else ():
        before, _, last = piece.rpartition(" ")
        read = normal(last)
        is_start = len(read) == 1 and is_identifier(read[0])
        found.setdefault(code, set()).update(normal(before if is_start else piece))
        code = read[0] if is_start else code
    found.setdefault(code, set()).update(normal(text.rpartition(" | ")[2].split("\n")[0]))
    return {code: frozenset(filter(is_number, tokens)) for code, tokens in found.items() if code}
