"""Superlatives that are the end of a label: *the highest load of the Tern* is its *Max load*."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from agent.languages.language import Language
from agent.understanding.mentions import THINGS
from retrieval.tables.index import Cells
from retrieval.tables.match import is_told
from retrieval.tables.names import Mention
from retrieval.text.normal import phrase


class Extreme(NamedTuple):
    """A superlative of a question, and the word by which labels tell that end."""

    said: str
    label: str


def extreme(tokens: Sequence[str], names: Sequence[Mention], index: Cells, language: Language) -> Extreme | None:
    """The superlative that some label has as an end of a range, where all that the label says besides is asked of
    something that is named; None where there is none, and where it is asked which of a kind has it.

    >>> from agent.languages.language import english
    >>> from agent.understanding.mentions import mentions_of
    >>> from retrieval.types import Chunk, Table
    >>> from retrieval.tables.index import CellIndex
    >>> boats = Table("Boats", (("Boat",), ("Max load",)), (("Heron", "4 t"), ("Plover", "2 t")))
    >>> index, asked = CellIndex.build([Chunk("c", "", "", tables=(boats,))]), ("highest", "load", "of", "heron")
    >>> extreme(asked, mentions_of(asked, index), index, english())
    Extreme(said='highest', label='max')
    """
    if _asks_who(tokens, language) or not any(index.places([each.key], THINGS) for each in names):
        return None
    for token in tokens:
        is_high = _end_of(token, language)
        if is_high is not None:
            ends = language.ranges.high if is_high else language.ranges.low
            measures = language.adjectives[token].scale.measures if token in language.adjectives else ()
            told = next(_ends_told(ends, (*tokens, *measures), index), "")
            if told:
                return Extreme(token, told)
    return None


def _asks_who(tokens: Sequence[str], language: Language) -> bool:
    """True where it is asked *who* or *which boat*, and not *what is*."""
    persons = {word for said in language.answers.get("person", ()) for word in said}
    asked = (after for token, after in pairwise(tokens) if token in language.kinds)
    return not persons.isdisjoint(tokens) or any(after not in language.copulas for after in asked)


def _end_of(token: str, language: Language) -> bool | None:
    """Whether a superlative is that of the high end; None for what is none, or turns with the measure, as *fastest*."""
    if language.degree_of(token) != "superlative":
        return None
    if token in language.ends:
        return language.ends[token].high
    adjective = language.adjectives.get(token)
    return None if adjective is None or adjective.scale.low else adjective.up


def _ends_told(ends: Collection[str], said: Collection[str], index: Cells) -> Iterator[str]:
    """The words for an end that stand in labels of which all else is said."""
    for name in index.heads_with(ends):
        words = phrase(name.partition("(")[0])
        others = [word for word in words if word not in ends]
        if others and all(is_told(word, said) for word in others):
            yield next(word for word in words if word in ends)
