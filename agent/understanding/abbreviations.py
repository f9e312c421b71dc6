"""Initials in a question, spelled out as the collection has the measure: *the CR of a troll*, *max ENIs*.

A question is read so where it can't be bound as it is written. Only where one measure has the initials, and the
language does not know the word, it is an abbreviation; what was taken for what is told.
"""

from __future__ import annotations

import re
from functools import partial

from agent.languages.language import Language, languages
from retrieval.tables.index import Cells
from retrieval.text.normal import phrase

_SHORT = re.compile(
    r"(?<![\w.-])(?P<initials>[A-Z]{2,5})s?(?![\w-]|\.\w)|(?<![\w.-])(?P<word>[a-z]{2,5})(?![\w-]|\.\w)"
)


def spelled_out(question: str, index: Cells) -> tuple[str, dict[str, str]]:
    """The question with the initials of measures spelled out, and what was taken for what.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("Crew places",)), (("Heron", "4"), ("Plover", "2")))
    >>> spelled_out("CP of the Heron?", CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))]))
    ('crew place of the Heron?', {'CP': 'crew place'})
    """
    taken: dict[str, str] = {}
    for match in _SHORT.finditer(question):
        said = match["initials"] or match["word"]
        if match[0] not in taken and (meant := _meant(said, index)):
            taken[match[0]] = meant
    for said, meant in taken.items():
        question = re.sub(rf"(?<![\w.-]){said}(?![\w-]|\.\w)", meant, question)
    return question, taken


def _meant(said: str, index: Cells) -> str:
    """The only measure that has these initials; empty where there is none, or where the letters are a word."""
    word = said.lower()
    if any(map(partial(_is_word, word), languages().values())) or phrase(word) != (word,):
        return ""
    meant = index.spelled_out(word)
    return next(iter(meant)) if len(meant) == 1 else ""


def _is_word(word: str, language: Language) -> bool:
    """True for what a language has anything to say of, its units among them."""
    light = any(word in said for said in language.light)
    measured = any(word in each.units or word in each.verbs for each in language.dimensions)
    return light or measured or word in language.words | language.measures | language.idle
