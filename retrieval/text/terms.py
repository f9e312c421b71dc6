"""The terms of all vocabularies in the form in which a text is compared with them.

*Armor class*, *AC* and *armour class* are one token wherever they stand: a rule, a head, a question. That is the same
on both sides, so a term that no text of a collection has changes nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from retrieval.text.spelling import fold, singular
from retrieval.text.vocabulary import Term, vocabulary

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """`names` by the words of each form, `sizes` the numbers of words of the forms that end in a word, longest first.

    `measures` are the names of all terms, and `numbered` what may have its number right behind it: *AC3*. `owners` are
    the words before a term that say whose it is. `signed` finds a term at the end of a folded text whose dash is a
    minus; no such term is longer than `longest_signed` characters. A number before a term of `axes` is its own.
    """

    names: Mapping[Tokens, str]
    sizes: Mapping[str, tuple[int, ...]]
    measures: frozenset[str]
    numbered: frozenset[str]
    owners: Mapping[str, frozenset[str]]
    signed: re.Pattern[str] | None
    longest_signed: int
    axes: frozenset[str]


@cache
def terms() -> Terms:
    """The terms of all installed vocabularies, made at the first use."""
    known = vocabulary().terms
    names = {words: term.name for term in known for words in _forms(term)}
    sizes: dict[str, set[int]] = {}
    for words in names:
        sizes.setdefault(words[-1], set()).add(len(words))
    signed = [form for term in known if term.signed for form in (term.name, *term.forms)]
    return Terms(
        names,
        {word: tuple(sorted(lengths, reverse=True)) for word, lengths in sizes.items()},
        frozenset(term.name for term in known),
        frozenset(form for term in known for form in (term.name, *term.forms) if form.isalpha()),
        {term.name: frozenset(map(singular, term.owners)) for term in known if term.owners},
        re.compile(rf"\b(?:{'|'.join(map(re.escape, signed))})$") if signed else None,
        max(map(len, signed), default=0),
        frozenset(term.name for term in known if term.axis),
    )


def _forms(term: Term) -> list[Tokens]:
    """The words of each form, and those of an abbreviation with an s: *ACs*."""
    forms = [tuple(map(singular, re.findall(r"[^\W\d_]+", fold(form)))) for form in (term.name, *term.forms)]
    forms += [(words[0] + "s",) for words in forms if len(words) == 1]
    return [words for words in forms if words and words != (term.name,)]
