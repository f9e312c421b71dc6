"""Heads of data by what a dictionary beside them calls these columns: the *number of games played* for *gp_all*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.languages.language import language_of, languages
from agent.understanding.clauses import tokens_of
from agent.understanding.in_full import InFull
from agent.understanding.mentions import mentions_of
from retrieval.tables.index import Cells
from retrieval.tables.names import key_of
from retrieval.text.normal import phrase

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_MOST_WORDS = 8
"""Words by which a column is called."""


def described(question: str, index: Cells) -> InFull | None:
    """The longest words of a question by which a dictionary calls a column, and its head; None where there are none, or
    as many for two heads.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> data = Table("", (("boat",), ("gp_all",)), (("Reed", "41"), ("Rush", "12")))
    >>> told = Table("", (("Column",), ("What it is",)), (("boat", "Name of the boat"), ("gp_all", "Trips it made")))
    >>> chunks = [Chunk("a", "", "a", "a.csv", tables=(data,)), Chunk("b", "", "b", "b.md", tables=(told,))]
    >>> described("What is the name of the boat of 41?", CellIndex.build(chunks))
    InFull(said='name of the boat', label='boat')
    """
    names = {phrase(name): head for name, head in index.described.items()}
    if not names:
        return None
    words = list(_WORD.finditer(question))
    for size in range(min(_MOST_WORDS, len(words)), 0, -1):
        texts = [question[words[at].start() : words[at + size - 1].end()] for at in range(len(words) - size + 1)]
        known = {text: said for text in texts if (said := _said(text)) in names}
        found = {InFull(text, names[said]) for text, said in known.items() if _may(said, question, index)}
        if found:
            return next(iter(found)) if len({each.label for each in found}) == 1 else None
    return None


def _said(text: str) -> tuple[str, ...]:
    return phrase(" ".join(_WORD.findall(text)))


def _may(said: Sequence[str], question: str, index: Cells) -> bool:
    """False for what is a head itself, and for one word that is part of another, of a name, or small."""
    if index.measures([key_of(said)]):
        return False
    if len(said) > 1:
        return True
    tokens = tokens_of(question)
    language = language_of(tokens, languages())
    named = {token for each in mentions_of(tokens, index) for token in tokens[each.start : each.end]}
    return said[0] not in named | index.measured | language.small
