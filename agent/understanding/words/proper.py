"""Proper names in a question: capitalized words side by side, words with a digit, or words in quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from agent.understanding.words.clauses import in_own_words
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import Tokens, phrase

_MARKS = "?.!,;:)"
"""Marks that may follow a word and end a run of them."""
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,60})[\"“”]")


@lru_cache(maxsize=4096)
def proper_names(question: str) -> tuple[Tokens, ...]:
    """Return the runs of words that a question writes as names. If most words are capitalized, capitals mean nothing.

    >>> proper_names("What is the range of the Magic Missile spell?"), proper_names('How many are called "free form"?')
    ((('magic', 'missile'),), (('free', 'form'),))
    >>> proper_names("The Range Of The Magic Missile"), proper_names("How many did Åsa or Övid Bør build?")
    ((), (('ovid', 'bør'),))
    """
    quoted = [match[1] for match in _QUOTED.finditer(question)]
    written = question.split()
    is_title = 2 * sum(word[:1].isupper() for word in written) > len(written)
    found = [] if is_title else list(map(" ".join, _runs(written)))
    return tuple(dict.fromkeys(run for text in (*quoted, *found) if len(run := phrase(text)) > 1))


def _runs(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the runs of capitalized words that follow an uncapitalized one."""
    run: list[str] = []
    for before, word in pairwise(("", *words, "")):
        own = word.rstrip(_MARKS)
        is_behind = bool(run) or before[-1:].islower() or before.endswith(",")
        if is_behind and own[:1].isupper() and own[1:].replace("-", "").replace("’", "").replace("'", "").islower():
            run.append(own)
            if own == word:
                continue
        yield run
        run = []


def has_run(text: str, run: Sequence[str]) -> bool:
    """Return whether a text has some words side by side.

    >>> has_run("A spell of magic missiles", ("magic", "missile")), has_run("Missiles of magic", ("magic", "missile"))
    (True, False)
    """
    said = phrase(text)
    return any(said[at : at + len(run)] == tuple(run) for at in range(len(said) - len(run) + 1))


def is_written_as_name(word: str, question: str) -> bool:
    """True for a coined word with a digit or a capital inside, for a symbol, and for a capitalized word that does not
    begin the question.

    >>> [is_written_as_name(word, "Which boat did Ada take to pH7 with w_a?") for word in ("ada", "boat", "ph7", "w_a")]
    [True, False, True, True]
    """
    own = in_own_words((word,), question)
    is_coined = any(map(str.isdigit, own)) or any(map(str.isupper, own[1:])) or is_identifier(word)
    return is_coined or (own[:1].isupper() and not question.strip().startswith(own))
