"""The query_must of one row of a table family: its subject's terms in one group, its row key in another, and the terms
that distinguish the table from others on that subject.

If a vocabulary knows how people write a key, its variants are listed (*AC 6*, *a.c. 6*). A key that covers a range
becomes `contain_range` with the terms that its number must belong to.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

from retrieval.tables.names import is_numbered
from retrieval.text.label_ranges import Label, Span, read_label
from retrieval.text.normal import phrase
from retrieval.text.spelling import fold
from retrieval.text.vocabulary import vocabulary
from retrieval.types import OwnTerms, QueryMust, RangeRule

_QUALIFIERS = "total|score|sum|combined|of|the"


def row_rule(subjects: Sequence[str], head: str, key: str, contain_own: OwnTerms | None = None) -> QueryMust:
    """Return the rule for the row `key` of a table about `subjects` whose key column is headed `head`.

    `contain_own` are the terms that distinguish the table from those that share a subject.

    >>> row_rule(("clerics", "druids"), "Opponent Armor Class", "6").contain_one_of[1][2]
    'ac 6'
    >>> row_rule(("boards",), "Name", "Finch M3").contain_one_of[1]
    ('finch m3',)
    """
    label = read_label(key)
    said = tuple(subject for subject in subjects if phrase(subject))
    groups = [said] if said else []
    if label.span is None or not is_numbered(key):
        named = _named(key)
        return QueryMust((*groups, named) if named else tuple(groups), contain_own=contain_own)
    if label.span.width == 0 and float(label.span.minimum).is_integer():
        return QueryMust((*groups, _spelled(head, label, int(label.span.minimum))), contain_own=contain_own)
    return QueryMust(tuple(groups), contain_range=_ranged(head, label, label.span), contain_own=contain_own)


def key_terms(head: str) -> tuple[str, ...]:
    """Return the terms that a number of this column may belong to: *intelligence and wisdom total* has three."""
    whole = re.sub(r"\s+", " ", re.sub(r"[^\w\s+/&'.-]", " ", fold(head))).strip()
    parts = [p.strip() for p in re.split(r"\s*(?:\+|/|&|\band\b|\bplus\b)\s*", whole)]
    parts = [_qualified().sub("", part).strip() for part in parts]
    forms = [whole, *parts]
    return tuple(dict.fromkeys(form for form in forms if phrase(form)))


@cache
def _qualified() -> re.Pattern[str]:
    """Return a pattern of the words in a head that qualify a measure or name its owner."""
    owners = "".join(rf"|{re.escape(owner)}(?:'?s)?" for owner in vocabulary().owners)
    return re.compile(rf"\b(?:{_QUALIFIERS}{owners})\b")


def _spelled(head: str, label: Label, n: int) -> tuple[str, ...]:
    written = vocabulary().written
    known = next((form for form in (*label.name, *phrase(head)) if form in written), None)
    if known is None:
        own = (" ".join(label.name),) if label.name else ()
        return tuple(f"{term} {n}" for term in dict.fromkeys((*own, *key_terms(head)))) or (str(n),)
    others = (part.strip() for part in head.split("/") if known not in phrase(part))  # *Level / HD* is either
    beside = tuple(f"{part} {n}" for part in others if phrase(part))
    return (*(pattern.format(n=n, nth=ordinal(n)) for pattern in written[known]), *beside)


def _ranged(head: str, label: Label, span: Span) -> RangeRule:
    terms = key_terms(head) + ((" ".join(label.name),) if label.name else ())
    return RangeRule(_whole(span.minimum), _whole(span.maximum), tuple(dict.fromkeys(terms)))


def _whole(bound: float) -> float:
    return int(bound) if math.isfinite(bound) and bound.is_integer() else bound


def _named(key: str) -> tuple[str, ...]:
    """Return a key in words, also with its parts inverted: *Tree, animated* and *animated tree*."""
    plain = re.sub(r"[*†‡“”\"]", "", key).strip().lower()
    first, comma, rest = plain.partition(",")
    turned = f"{rest.strip()} {first.strip()}" if comma else plain
    return tuple(dict.fromkeys(form for form in (plain, turned) if phrase(form)))


def ordinal(n: int) -> str:
    """Return *1st* for 1, *12th* for 12."""
    suffix = "th" if 10 <= abs(n) % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(abs(n) % 10, "th")
    return f"{n}{suffix}"
