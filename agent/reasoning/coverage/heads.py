"""Parts of labels: their heads, which the other words only narrow, and numbers of the question in them, as the *Top-1*
that *better top 1* asks for.
"""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from agent.languages.language import Language
from agent.understanding.linking.program import Linked, Subject
from retrieval.tables.bind import Binding
from retrieval.tables.match import label_words
from retrieval.text.normal import phrase

_PART = re.compile(r"[,;(:]")


def heads_of(label: str, language: Language) -> list[str]:
    """Return the last word of each part of a label; in *Damage vs. Small*, the word before the preposition.

    >>> from agent.languages.language import english
    >>> [heads_of(label, english()) for label in ("Base pay", "Damage vs. Small", "Load, dry", "Coins per head")]
    [['pay'], ['damage'], ['load', 'dry'], ['coin']]
    """
    ends = language.function_words | language.joining | language.statement_words("repeated")
    found: list[str] = []
    for part in _PART.split(label):
        words = takewhile(lambda word: word.strip(".").casefold() not in ends, part.split())
        found += label_words(" ".join(words))[-1:]
    return found


def is_short_for(short: str, word: str) -> bool:
    """True if the letters of `short` occur in a word in this order, from its first letter on.

    >>> is_short_for("kg", "kilogram"), is_short_for("sped", "speed"), is_short_for("g", "kilogram")
    (True, True, False)
    """
    letters = iter(word)
    return short[:1] == word[:1] and all(letter in letters for letter in short)


def is_label_numbered(binding: Binding, linked: Linked, subject: Subject) -> bool:
    """True if the label has a number of the question next to its word, as *Top-1*. Also true for such a row label,
    unless the question uses it as a place: *better top 1*, but not *bigger in zone 1*.
    """
    pairs = [(word, key.value) for key in subject.keys for word in key.words]
    pairs = [each for word, value in pairs for each in ((word, value), (value, word))]
    if not {*pairwise(phrase(binding.label))}.isdisjoint(pairs):
        return True
    tokens, places = linked.question.tokens, linked.question.language.statement_phrases.get("places", ())
    said = (pair for before, *pair in zip(("", *tokens), tokens, tokens[1:], strict=False) if (before,) not in places)
    return not {*pairwise(phrase(binding.cell.row_label))}.intersection(pairs).isdisjoint(map(tuple, said))
