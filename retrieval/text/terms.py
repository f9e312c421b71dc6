"""The terms of all vocabularies in the form that texts are compared with.

*Armor class*, *AC* and *armour class* are one token in rules, heads and questions alike. So a term that no text of a
collection has makes no difference there.
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
    """The terms, indexed by their words.

    `names` maps the words of each form to the term; `sizes` maps a last word to the lengths of such forms, longest
    first. `measures` are the names of all terms, and `numbered` those that may precede their number directly: *AC3*.
    `owners` are the words before a term that name its owner. `signed` matches a term at the end of a folded text after
    which a dash is a minus; no such term is longer than `longest_signed` characters. A number before a term of `axes`
    belongs to it.
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
    """Return the terms of all installed vocabularies, built on first use."""
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
    """Return the words of each form, and of an abbreviation with an s: *ACs*."""
    forms = [tuple(map(singular, re.findall(r"[^\W\d_]+", fold(form)))) for form in (term.name, *term.forms)]
    forms += [(words[0] + "s",) for words in forms if len(words) == 1]
    return [words for words in forms if words and words != (term.name,)]
