"""Initials in a question, spelled out as the collection has the measure, *the CR of a troll*, *max ENIs*; and measures
that are spelled out in a question, by the initials that the collection has.

A question is read so where it can't be bound as it is written. Only where one measure has the initials, and the
language does not know the word, it is an abbreviation; what was taken for what is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from agent.languages.language import Language, languages
from retrieval.tables.index import Cells
from retrieval.text.normal import phrase

_SHORT = re.compile(
    r"(?<![\w.-])(?P<initials>[A-Z]{2,5})s?(?![\w-]|\.\w)|(?<![\w.-])(?P<word>[a-z]{2,5})(?![\w-]|\.\w)"
)


_INITIALS = re.compile(r"[A-Z]{2,5}s?")
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS, _MOST_WORDS = 2, 5
"""Words that initials stand for."""


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


def abbreviated(question: str, index: Cells) -> tuple[str, dict[str, str]]:
    """The question with the words of a measure that the collection only has the initials of, and what was taken for
    what.

    Words that say something here are no such measure.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("CP",)), (("Heron", "4"), ("Plover", "2")))
    >>> abbreviated("crew places of the Heron?", CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))]))
    ('CP of the Heron?', {'crew places': 'CP'})
    """
    written = {name.rstrip("s") for name in index.heads if _INITIALS.fullmatch(name)}
    words = list(_PLAIN_WORD.finditer(question))
    for size in range(_MOST_WORDS, _FEWEST_WORDS - 1, -1):
        for first in range(len(words) - size + 1):
            stretch = words[first : first + size]
            initials = "".join(word[0][0] for word in stretch).upper()
            text = question[stretch[0].start() : stretch[-1].end()]
            if initials in written and _is_unknown([word[0].lower() for word in stretch], text, index):
                return question[: stretch[0].start()] + initials + question[stretch[-1].end() :], {text: initials}
    return question, {}


def _is_unknown(words: Sequence[str], text: str, index: Cells) -> bool:
    """True for words side by side that begin and end with what the collection has no measure and no name by."""
    ends = (words[0], words[-1])
    small = any(word in language.small | language.asking for word in ends for language in languages().values())
    is_phrase = all(gap.isspace() or gap in "- " for gap in re.findall(r"[^\w]+", text))
    said = [token for word in ends for token in phrase(word)]
    return is_phrase and not small and not any(word in index.measured for word in said)


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
