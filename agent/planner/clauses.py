"""Sentences as normal-form tokens that keep their commas, and the way back to the asker's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text import fold, normal

COMMA = ","
_ABBREVIATION = re.compile(r"\b(vs|v|e\.g|i\.e|lvl|approx)\.", re.IGNORECASE)
_DOTTED = re.compile(r"\b[A-Za-z](?:\.[A-Za-z])+\.?")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_BREAK = re.compile(r"[()\[\];:!?\"“”]|,(?!\d{3}\b)|\s[-–—]+\s|—|\.(?=\s|$)")


def sentences(text: str) -> list[list[str]]:
    """Split a text into sentences of tokens; whatever breaks a clause is a comma.

    >>> sentences("A fighter, AC 3. Both wield swords!")
    [['a', 'fighter', ',', 'armor class', '3'], ['both', 'wield', 'sword']]
    """
    plain = _ABBREVIATION.sub(r"\1", _DOTTED.sub(lambda m: m[0].replace(".", ""), text))
    return [tokens for sentence in _SENTENCE.split(plain) if (tokens := _tokens(sentence))]


def _tokens(sentence: str) -> list[str]:
    out: list[str] = []
    for piece in _BREAK.split(sentence):
        tokens = normal(piece or "")
        if out and tokens and out[-1] != COMMA:
            out.append(COMMA)
        out += tokens
    return out


def in_own_words(tokens: Sequence[str], question: str) -> str:
    """The words of `question` whose normal form is `tokens`; the tokens themselves when there are none."""
    words = re.findall(r"[^\s,;:?!()]+", question)
    for size in range(1, len(tokens) + 3):
        for start in range(len(words) - size + 1):
            span = " ".join(words[start : start + size])
            if normal(span) == tuple(tokens):
                return re.sub(r"(’s|'s|\.)$", "", span)
    return " ".join(tokens)


def folded_words(text: str) -> frozenset[str]:
    """The plain lower-case words of a text."""
    return frozenset(re.findall(r"[a-z]+", fold(text)))
