"""Find entities that no source knows: *the Zellbor has 12 hit points*, cited from a passage on orcs.

A sentence with a word of its sources' names is about these. Any other sentence has an unknown entity if it has a name
(by its capital or digits) or a word of the question behind an article, and no source has a word of it. A word behind a
number is what it counts, and no name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.languages.language import english, language_of, languages
from agent.languages.thesaurus.thesaurus import thesaurus
from agent.writing.against.misplaced import codes_match
from agent.writing.texts.claims import ParsedSentence, is_identifier
from agent.writing.texts.facts import is_content_word
from agent.writing.texts.reworded import words_of
from agent.writing.texts.sources_named import PART_OF
from agent.writing.texts.units import known_units
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_ARTICLES = [("a",), ("an",), ("the",)]
_CAPITAL = re.compile(r"\b[A-Z][\w'’-]*")


def unknown_entities(
    sentence: ParsedSentence, text: str, question: ParsedSentence, cited: Sequence[Chunk]
) -> Iterator[int]:
    """Yield the place of the first name in a sentence that no source knows, if it has no name that they know.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> orc, told = Chunk("1", "Hit Points: 8", "Orc"), ("The Zellbor has 8.", "The orc has 8.")
    >>> [list(unknown_entities(parse_sentence(each.lower()), each, parse_sentence(""), [orc])) for each in told]
    [[1], []]
    """
    if not cited or language_of(sentence.tokens, languages()) is not english():
        return
    known = frozenset[str]().union(*map(words_of, cited))
    names = {name for chunk in cited for name in _names_of(chunk)}
    about = {word for name in names for word in name if is_content_word(word)}
    named = frozenset(_named(sentence, text))
    if about.isdisjoint(sentence.tokens) and named.isdisjoint(known):
        yield from itertools.islice(_unknown_names(sentence, named, question, known), 1)


def _named(sentence: ParsedSentence, text: str) -> Iterator[str]:
    """Yield the names of a sentence: capitalized words within it, identifiers, and an unknown word at its start."""
    capital = frozenset(word for each in _CAPITAL.findall(text.lstrip("-*| ")[1:]) for word in normal(each))
    tokens, known = sentence.tokens, thesaurus()
    for i, token in enumerate(tokens):
        is_counted = i > 0 and is_number(tokens[i - 1])
        is_begin = not i and known is not None and token not in english().words and not known.related(token).parts
        is_begin = is_begin and not english().helpers.isdisjoint(tokens[1:2])
        if (token in capital or is_identifier(token) or is_begin) and not is_counted and token not in known_units():
            yield token


def _unknown_names(
    sentence: ParsedSentence, named: frozenset[str], question: ParsedSentence, known: frozenset[str]
) -> Iterator[int]:
    """Yield the places of names, and of words of the question behind an article, that are unknown and not counted."""
    is_counted = False
    for i, token in enumerate(sentence.tokens):
        is_asked = token in question.words and sentence.tokens[i - 1 : i] in _ARTICLES
        is_counted = is_number(token) or (is_counted and token in named)
        is_name = token in named or is_asked
        is_known = any(codes_match(token, each) for each in known) if is_identifier(token) else token in known
        if is_name and is_content_word(token) and not (is_counted or is_known or token in known_units()):
            yield i


@lru_cache(maxsize=512)
def _names_of(chunk: Chunk) -> frozenset[tuple[str, ...]]:
    """Return the names of a chunk: title, headings, row labels, and the column headers if the label column has none."""
    tables = [table for table in chunk.tables if table.columns and not table.is_record]
    rows = [row[0] for table in tables for row in table.rows]
    heads = [part for table in tables if not "".join(table.columns[0]) for head in table.columns for part in head]
    return _titles_of(chunk).union(filter(None, (normal(name) for name in (*chunk.headings, *rows, *heads))))


def _titles_of(chunk: Chunk) -> frozenset[tuple[str, ...]]:
    return frozenset([normal(PART_OF.sub("", chunk.title)) or ("",)])
