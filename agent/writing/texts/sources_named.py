"""Find which of its sources a sentence names, and which of its numbers are only part of such names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, pairwise

from agent.languages.language import english
from agent.writing.texts.claims import Mention, ParsedSentence, in_full, label_mentions, places_of, words_of
from agent.writing.texts.columns import is_code
from agent.writing.texts.facts import labels_of, tokens_of
from agent.writing.texts.numbers import may_be_year, numbers_of_plain
from agent.writing.texts.plain import plain
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.types import Chunk

PART_OF = re.compile(r"\s*\(\d+(?: of \d+)?\)$")
"""The part number behind the title of a chunk that is one of several."""
_HYPHENED = re.compile(r"\b[A-Z][A-Za-z]*-\d+[A-Za-z]?\b(?!-)")
"""Letters and a number that form one name: *Salyut-6*."""
_LONGEST_SHORT = 2
_LONG = 4
"""Fewest letters of a word that may stand for its whole name."""
_ORDINAL = re.compile(r"^\(?\d+(?:\.\d+)*[A-Za-z]?[.)]\s+")
"""The ordinal of a title: the *20C.* of *20C. Oak*."""
_BRACKETED = re.compile(r"\(([^()]*)\)")


@lru_cache(maxsize=256)
def pieces_joined(cited: tuple[Chunk, ...]) -> Sequence[Chunk]:
    """Return the chunks with the pieces of one table joined, since each piece has only some of its rows."""
    found: dict[object, Chunk] = {}
    for n, chunk in enumerate(cited):
        is_piece = PART_OF.search(chunk.title) is not None and not any(table.is_record for table in chunk.tables)
        key = (PART_OF.sub("", chunk.title), *(table.columns for table in chunk.tables)) if is_piece else n
        if key in found and chunk.tables and found[key] is not chunk:
            first, pairs = found[key], zip(found[key].tables, chunk.tables, strict=True)
            tables = tuple(replace(one, rows=tuple(dict.fromkeys((*one.rows, *other.rows)))) for one, other in pairs)
            chunk = replace(first, text=f"{first.text}\n{chunk.text}", tables=tables)
        found[key if chunk.tables else n] = chunk
    return tuple(found.values())


def without_names(sentence: ParsedSentence, cited: Sequence[Chunk]) -> ParsedSentence:
    """Return the sentence without the numbers that are part of a name: of *Tier II*, and of *hpc.3.56core*."""
    inside: set[int] = set()
    for name in frozenset().union(*map(_numbered_names, cited)):
        for start in places_of(name, sentence.tokens):
            inside.update(range(start, start + len(name)))
    return replace(sentence, numbers=tuple(each for each in sentence.numbers if each[0].place not in inside))


@lru_cache(maxsize=1024)
def _numbered_names(chunk: Chunk) -> frozenset[tuple[str, ...]]:
    """Return the names of a chunk with numbers among words: titles, headings, row labels, column headers and codes."""
    names = [PART_OF.sub("", chunk.title), *chunk.headings]
    codes = _HYPHENED.findall(chunk.text)
    for table in chunk.tables:
        heads = list(chain.from_iterable(table.columns))
        names += [*heads, *_BRACKETED.findall(" ".join(heads))]
        for row in table.rows:
            names.append(row[0])
            codes += filter(is_code, row)
    codes += (word for word in " ".join(names).split() if word[0].isalpha())
    read = [tuple(normal(plain(name))) for name in (*names, *codes)]
    return frozenset(filter(_is_numbered, chain(read, *map(_short_forms, read))))


def _short_forms(name: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the short forms of a longer name, a word with the number behind it: *U8 II* of *Lark U8 II, long*."""
    if len(name) > _LONGEST_SHORT:
        yield from (pair for pair in pairwise(name) if is_number(pair[1]) and not is_number(pair[0]))


def _is_numbered(name: Sequence[str]) -> bool:
    """True for a name with a number that only distinguishes it: no measure, no unit, no range, no date."""
    own = numbers_of_plain(" ".join(name))
    has_words = any(any(map(str.isalpha, token)) and token not in STOP_WORDS for token in name)
    is_date = not set(english().months).isdisjoint(name)
    return bool(own) and has_words and not is_date and not any(each.measure or each.unit or each.is_end for each in own)


def chunks_named(sentence: ParsedSentence, cited: Sequence[Chunk]) -> list[Mention]:
    """Return the mentions of chunks in a sentence: by titles and headings, else by distinctive labels of their
    lines.
    """
    by_title = _named_by(sentence, cited, [chunk.headings for chunk in cited])
    if len(cited) < 2 or len({each.meant for each in by_title}) > 1:
        return by_title
    return _named_by(sentence, cited, [(*chunk.headings, *labels_of(chunk)) for chunk in cited])


def _named_by(sentence: ParsedSentence, cited: Sequence[Chunk], also: Sequence[Sequence[str]]) -> list[Mention]:
    """Return the mentions of chunks by their titles, or by other names of theirs that no other chunk has."""
    titles = [_without_ordinal(PART_OF.sub("", chunk.title)) for chunk in cited]
    every = [dict.fromkeys((title, *map(_without_ordinal, names))) for title, names in zip(titles, also, strict=True)]
    labels = []
    for i, chunk in enumerate(cited):
        other_titles = [*titles[:i], *titles[i + 1 :]]
        excluded = set[str]().union(*every[:i], *every[i + 1 :])
        if titles[i] not in other_titles:
            excluded.discard(titles[i])
        excluded.update(map(_without_ordinal, chunk.headings[:-2]))
        own = [name for name in every[i] if name not in excluded and words_of(name)]
        labels += [(i, "", name) for name in (*own, *_distinctive_title_words(titles[i], other_titles))]
    return in_full(label_mentions(labels, sentence))


def numbers_of_titles(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of the years of a sentence that stand in a title, a heading or a caption of a source without
    other years, and of the numbers that stand there before the same word: *per 100 g*.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> fees = Chunk("1", "A boat pays 9 crowns.", "Fees for 2023 (per 100 tons)")
    >>> sorted(numbers_of_titles(parse_sentence("in 2023 a boat paid 100 crowns for 100 tons"), [fees]))
    [1, 8]
    """
    told: set[tuple[str, str]] = set()
    years: set[str] = set()
    for chunk in cited:
        own: set[tuple[str, str]] = set()
        for name in (chunk.title, *chunk.headings, *(table.caption for table in chunk.tables)):
            own.update(pairwise((*normal(plain(name)), "")))
        told |= own
        dated = {value for value, _ in own if may_be_year(value)}
        years |= dated if dated.issuperset(token for token in tokens_of(chunk) if may_be_year(token)) else set()
    found = set()
    for number in sentence.told:
        behind = "".join(sentence.tokens[number.place + 1 : number.place + 2])
        if number.value in years or (behind and (number.value, behind) in told):
            found.add(number.place)
    return frozenset(found)


def _without_ordinal(name: str) -> str:
    return _ORDINAL.sub("", name)


def _distinctive_title_words(title: str, others: Sequence[str]) -> Iterator[str]:
    """Yield the distinctive words of a title: the *Liner* of *TL9 Merchant Liner* beside *TL9 Merchant Trader*. A title
    that shares no word with others yields its last word, like a family name.
    """
    shared = frozenset().union(*map(words_of, others))
    own = [word for word in normal(title) if word.isalpha() and word in words_of(title) - shared]
    if own and len(own) < len(words_of(title)):
        yield from {" ".join(own), *(word for word in own if len(word) >= _LONG)}
    elif len(own) > 1:
        yield normal(title.partition(",")[0])[-1]
