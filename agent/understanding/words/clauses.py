"""Split a text into sentences of normal-form tokens that keep their commas, and map tokens back to its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from agent.languages.phrases import found
from retrieval.text.grouped import joined
from retrieval.text.normal import Tokens, normal, phrase

COMMA = ","
ARTICLES = frozenset({"a", "an", "the"})
_ABBREVIATION = re.compile(r"\b(vs|v|e\.g|i\.e|lvl|approx)\.", re.IGNORECASE)
_DOTTED = re.compile(r"\b[A-Za-z](?:\.[A-Za-z](?![A-Za-z]))+\.?")
_REWRITTEN = (
    (re.compile(r"\b[Ll]vl?\.?\s?(\d+)\b"), r"level \1"),
    (re.compile(r"(\b[Ll]e?ve?ls?\.? \d+|\b\d+(?:st|nd|rd|th))\s?[-–—]\s?(?=\d+(?:st|nd|rd|th)?\b)"), r"\1 to "),
    (
        re.compile(r",\s*(?:is|are|was|were|do|does|did|has|have|can|could|will|would)n['’]t (?:it|he|she|they)\s*\?"),
        "?",
    ),
    (re.compile(r"\b(?:[Cc]an(?:['’]t|not)|[Ww]on['’]t)\b|(?<=\w)n['’]t\b"), " not"),
    (re.compile(r"(?<=\w)['’](?:d|re|ve|ll|m)\b"), " would"),
    (re.compile(r"\b([Ww]hat|[Ww]ho|[Ww]hich|[Hh]ow|[Ww]here|[Ww]hen)['’]?s\b"), r"\1 is"),
    (re.compile(r"\b([Bb]y|[Ii]n)(?: the)? (?:[Nn]umber|[Nn]o\.) of\b"), r"\1"),
    (re.compile(r"\b(?:[Nn]umber|[Nn]o\.) of\b"), "how many"),
    (re.compile(r"\b[Aa]ccording to\b"), "in"),
    (re.compile(r"\b(USD|EUR|GBP|CHF|CAD|AUD|JPY|SEK|NOK|DKK) (\d(?:[\d,.]*\d)?)\b"), r"\2 \1"),
    (re.compile(r",?\s+or (?:is it |rather )?(?:the other way a?round|the reverse|vice versa)\b"), ""),
)
"""Wordings that are normalized first: *lv. 4*, *levels 1-3*, *isn't it?*, *can't*, *I'd*, *what's*, *biggest by number
of masts*, *the number of attacks*, *according to the price list*, *CHF 20*, *or vice versa*.
"""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?!\d|or\b|and\b)|(?<=[!?;])\s+|\n\s*\n|\n\s*(?=[A-Z])")
"""The end of a sentence. A line that goes on in lower case or with a number continues the previous one: *gr. 5*; and so
does an alternative behind a point: *linear inc. or bent inc.*
"""
_MARKED = re.compile(r"\?\W*$")
NEXT_QUESTION = re.compile(
    r"[,;]?\s+and\s+(?=(?:(?:at|by|for|from|in|of|on|to|with)\s+)?(?:what|how|which|when|where|who|does|is)\b)",
    re.IGNORECASE,
)
"""The separator between two questions in one: *what is its armor class, and how fast does it move*."""
_BREAK = re.compile(r"[()\[\];:!?\"“”]|,(?!\d{3}\b)|\s[-–—/]+\s|\n\s*[*+]\s|—|[•‣◦▪]|\.(?=\s|$)")


@lru_cache(maxsize=8192)
def sentences(text: str) -> tuple[Tokens, ...]:
    """Split a text into sentences of tokens; any separator of clauses becomes a comma. Cached, because every stage
    splits the same question, and every question the same sentences of a document.

    >>> sentences("A fighter, AC 3. Both wield swords!")
    (('a', 'fighter', ',', 'armor class', '3'), ('both', 'wield', 'sword'))
    >>> sentences("a 7th\\n  level druid\\nBoth run")
    (('a', 'level', '7', 'druid'), ('both', 'run'))
    """
    return tuple(tuple(tokens) for sentence in _SENTENCE.split(_rewritten(text)) if (tokens := _tokens(sentence)))


@lru_cache(maxsize=512)
def are_marked(text: str) -> tuple[bool, ...]:
    """Return for each sentence of a text whether it ends with a question mark.

    >>> are_marked("We are late. Is the orc slow? (And the bear?)")
    (False, True, True)
    """
    parts = filter(_tokens, _SENTENCE.split(_rewritten(text)))
    return tuple(_MARKED.search(part) is not None for part in parts)


def _rewritten(text: str) -> str:
    for pattern, plain in _REWRITTEN:
        text = pattern.sub(plain, text)
    return _ABBREVIATION.sub(r"\1", _DOTTED.sub(lambda m: m[0].replace(".", ""), joined(text)))


def tokens_of(text: str) -> list[str]:
    """Return all sentences as one list of tokens, with a comma after each.

    >>> tokens_of("An orc? A bear!")
    ['an', 'orc', ',', 'a', 'bear', ',']
    """
    return [token for sentence in sentences(text) for token in (*sentence, COMMA)]


def _tokens(sentence: str) -> list[str]:
    out: list[str] = []
    for piece in _BREAK.split(sentence):
        tokens = normal(piece or "")
        if out and tokens and out[-1] != COMMA:
            out.append(COMMA)
        out += tokens
    return out


def is_plural(token: str, question: str) -> bool:
    """True for a word that the question has in the plural, which the normal form removes.

    >>> is_plural("shed", "Which sheds are new?"), is_plural("shed", "Which shed is new?")
    (True, False)
    """
    return in_own_words((token,), question).casefold() not in (token, token.casefold())


def written(words: Sequence[str], question: str) -> str:
    """Return words in normal form as a question has them, where they stand side by side in it.

    >>> written(("is", "the", "old", "kite", "red"), "The old Kite is red, right?")
    'is The old Kite red'
    """
    tokens, parts, start = tokens_of(question), list[str](), 0
    while start < len(words):
        end = start + 1
        while end < len(words) and found(tokens, tuple(words[start : end + 1])) is not None:
            end += 1
        parts.append(in_own_words(words[start:end], question))
        start = end
    return " ".join(parts)


_WORD = re.compile(r"[^\s,;:?!()]+|\([^()]*\)")
_PART_OF_WORD = re.compile(r"\w+")


def in_own_words(tokens: Sequence[str], question: str) -> str:
    """Return the part of `question` whose normal form is `tokens`; the joined tokens if there is none.

    >>> in_own_words(("wolf", "winter"), "Is the Wolf, Winter better armoured?")
    'Wolf, Winter'
    >>> in_own_words(("harbor", "night", "fee"), "Under Harbours > Night > Fees?")
    'Harbours > Night > Fees'
    >>> in_own_words(("readtimeout",), "The default of phases.readTimeout?")
    'readTimeout'
    """
    return _in_own_words(tuple(token for token in tokens if token != COMMA), question)


@lru_cache(maxsize=512)
def _in_own_words(wanted: Tokens, question: str) -> str:
    """The same, cached, because each reading of a question looks up the same names."""
    stretches = chain.from_iterable(each(question, wanted) for each in (_of_same_words, _of_any_words))
    found = (stretch for stretch in stretches if phrase(stretch) == wanted)
    stretch = next(found, None)
    return " ".join(wanted) if stretch is None else " ".join(re.sub(r"(’s|'s|\.)$", "", stretch).split())


def _of_same_words(question: str, wanted: Tokens) -> Iterator[str]:
    """Yield the parts whose words have these tokens one by one, the usual case. A mark that stands alone among them has
    none.
    """
    words, said = _words_of(question)
    starts = [at for at, tokens in enumerate(said) if tokens]
    ends = {at: end for at in starts if (end := _end_of_same(said, at, wanted))}
    for at in sorted(ends, key=lambda at: ends[at] - at):
        yield question[words[at].start() : words[ends[at] - 1].end()]


def _end_of_same(said: Sequence[Tokens], at: int, wanted: Tokens) -> int | None:
    """Return where the words end that have exactly these tokens from a place on; None if they differ."""
    end = at
    while wanted and end < len(said) and said[end] == wanted[: len(said[end])]:
        wanted = wanted[len(said[end]) :]
        end += 1
    return None if wanted else end


@lru_cache(maxsize=64)
def _words_of(question: str) -> tuple[Sequence[re.Match[str]], Sequence[Tokens]]:
    """Return the words of a question with the tokens of each; cached, because its names are looked up one by one."""
    words = list(_WORD.finditer(question))
    return words, [phrase(word[0]) for word in words]


def _of_any_words(question: str, wanted: Tokens) -> Iterator[str]:
    """Yield all parts of about as many words, then of parts of words."""
    for word in (_WORD, _PART_OF_WORD):
        words = list(word.finditer(question))
        for size in range(1, len(wanted) + 3):
            for first, last in zip(words, words[size - 1 :], strict=False):
                yield question[first.start() : last.end()]
