"""The subjects of each table in a family, and the terms that distinguish it from its look-alikes.

A caption such as *attack matrix for clerics, druids and monks* lists subjects: a query must name one of them. One such
as *psionic blast, short range* is a topic with a qualifier, and so is a section *Short Range* under *Psionic Blast*: a
query must name the topic, and the qualifier only if it names a look-alike's. A query without a qualifier means all of
them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from retrieval.ingest.families import ENUMERATOR, GENERIC, Captioned, Family, shared_words
from retrieval.text.normal import Tokens, normal, phrase
from retrieval.text.spelling import fold
from retrieval.types import OwnTerms

_SEPARATOR = re.compile(r"\s*(?:,\s*(?:and|or)\s+|,|;|&|/|\s+and\s+|\s+or\s+|:|\s[-–—]\s|—)\s*", re.IGNORECASE)
_NAMES_AFTER = re.compile(r"[^,;&/]*?(?::\s|\s[-–—]+\s|—)")
"""The common prefix of a family's captions before a name: *Attack Matrix: Ash Wizards*."""
_BRACKET = re.compile(r"(?P<topic>[^()]+)\((?P<own>[^()]+)\)\W*")
"""*Storm (near)*: a query may name either part, and the bracket is the qualifier."""
_MOST_OF_ONE_NAME = 5
"""The most tables with one name for the name to be distinctive."""
_CROWD = 0.5
"""The share of look-alikes from which a name is not distinctive."""
_TOPIC_WORDS = 2
"""The fewest words of a heading that is a topic; a single one, such as *Movement*, is too general."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The terms of which a query must name one, and those it must name if it names a look-alike's own term."""

    terms: tuple[str, ...]
    contain_own: OwnTerms | None = None


@dataclass(frozen=True, slots=True)
class _DistinctiveTerms:
    """What a table's names state: the terms of which one is needed, and the telling terms that distinguish it.

    A telling term is a phrase (*short range*) and its distinctive words (*short*). For a look-alike's telling term only
    the phrase counts: a *long sword* is not *long range*.
    """

    terms: tuple[str, ...]
    telling: tuple[tuple[str, str], ...]
    place: int = -1

    def own_beside(self, others: Collection[Tokens]) -> tuple[str, ...]:
        """Return its telling terms, in both forms, that no other table has."""
        forms = dict.fromkeys(form for pair in self.telling for form in pair)
        return tuple(form for form in forms if phrase(form) and phrase(form) not in others)

    @property
    def keys(self) -> frozenset[Tokens]:
        """The terms in normal form."""
        return frozenset(map(phrase, self.terms))


def subjects(members: Sequence[Captioned], family: Family) -> list[Subject]:
    """Return the subject of each member of a family; `members` are its tables in order.

    >>> from retrieval.types import Table
    >>> tables = [Captioned(Table(name, (), ()), (name,)) for name in ("Storm, near", "Storm, far")]
    >>> subjects(tables, Family((0, 1), frozenset({"storm"})))[0].contain_own
    OwnTerms(own=('near',), others=('far',))
    """
    crowded = _crowded(members)
    said = _under_one_heading(members, [_distinctive_terms(member.names, family.shared, crowded) for member in members])
    return [Subject(each.terms, _own_terms(each, [other for other in said if other is not each])) for each in said]


def _own_terms(said: _DistinctiveTerms, others: Sequence[_DistinctiveTerms]) -> OwnTerms | None:
    """Return the terms that distinguish a table from those that share a term; None if none do or none are needed."""
    alike = [other for other in others if said.keys & other.keys]
    common = frozenset(key for other in alike for key in other.keys)
    own = said.own_beside(common)
    taken = said.keys | {phrase(form) for form in own}
    phrases = dict.fromkeys(whole for other in alike for whole, _ in other.telling)
    foreign = tuple(whole for whole in phrases if phrase(whole) and phrase(whole) not in taken)
    return OwnTerms(own, foreign) if foreign else None


def _crowded(members: Sequence[Captioned]) -> frozenset[Tokens]:
    """Return the names that all tables or too many have, so that they distinguish none: the *Figures* of every page."""
    names = Counter(name for member in members for name in {phrase(name) for name in member.names})
    most = max(_MOST_OF_ONE_NAME, _CROWD * len(members))
    return frozenset(name for name, count in names.items() if count > most or 1 < count == len(members))


def _distinctive_terms(names: Sequence[str], shared: Collection[str], crowded: Collection[Tokens]) -> _DistinctiveTerms:
    """Return the terms in the first distinctive name of a table."""
    own = [place for place, name in enumerate(names) if phrase(name) not in crowded]
    for place in own or range(len(names)):
        name = names[place]
        items = _items(name)
        bare = [_strip(item, shared) for item in items]
        terms = tuple(dict.fromkeys(term for term in bare if term))
        if len(items) > 1 and not bare[0] and _is_topic_first(name):
            topic = (*terms, *_whole_topic(items[0])) if _BRACKET.fullmatch(name) else _topic(items[0])
            return _DistinctiveTerms(topic, tuple(_term_pairs(items[1:], bare[1:])), place)
        if terms:
            return _DistinctiveTerms(terms, tuple((term, term) for term in terms), place)
    return _DistinctiveTerms((), ())


def _items(name: str) -> list[str]:
    bare = ENUMERATOR.sub("", name)
    bracketed = _BRACKET.fullmatch(bare)
    parts = (bracketed["topic"], bracketed["own"]) if bracketed else (bare,)
    return [item.strip() for part in parts for item in _SEPARATOR.split(part) if item.strip()]


def _term_pairs(items: Sequence[str], own: Sequence[str]) -> Iterator[tuple[str, str]]:
    for item, bare in zip(items, own, strict=True):
        if bare:
            yield plain_words(item), bare


def _is_topic_first(name: str) -> bool:
    """True for *psionic blast, short range* and *storm (near)*; false for a list, and for a name behind a colon."""
    return bool(_BRACKET.fullmatch(name)) or not (_lists(name) or _NAMES_AFTER.match(name))


def _lists(name: str) -> bool:
    """True for *for clerics, druids and monks*: a preposition, and no comma before *for*."""
    return (
        bool(re.search(r"\b(for|of|by)\b", name, re.IGNORECASE))
        and "," not in ENUMERATOR.sub("", name).split(" for ")[0]
    )


def _under_one_heading(members: Sequence[Captioned], said: list[_DistinctiveTerms]) -> list[_DistinctiveTerms]:
    """Add the heading above as a topic if headings under one heading distinguish the tables: *Short Range*, *Long
    Range*.
    """
    places = [
        (m.names[s.place], m.names[s.place + 1 :]) for m, s in zip(members, said, strict=True) if _by_heading(m, s)
    ]
    own, above = [name for name, _ in places], {outer for _, outer in places}
    if len(places) < len(members) or len(above) != 1 or not shared_words(own):
        return said
    topic = next((_whole_topic(outer[0]) for outer in above if outer), ())
    return [
        _DistinctiveTerms((*each.terms, *topic), tuple(_beyond(each, name, topic)))
        for each, name in zip(said, own, strict=True)
    ]


def _by_heading(member: Captioned, said: _DistinctiveTerms) -> bool:
    return said.place > 0 or (said.place == 0 and not member.table.caption)


def _beyond(said: _DistinctiveTerms, name: str, topic: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the telling terms with the other words of their heading, but without those of the topic."""
    known = {word for term in topic for word in normal(term)}
    items = dict.fromkeys(_strip(item, known) for item in _items(name))
    for _, bare in said.telling:
        whole = next((item for item in items if set(normal(bare)) <= set(normal(item))), bare)
        yield whole, bare


def plain_words(name: str) -> str:
    """Return a name in lower case without quotes, brackets and footnote marks, as terms are written."""
    return re.sub(r"[*†‡“”\"()]", "", fold(name))


def _strip(item: str, shared: Collection[str]) -> str:
    words = plain_words(item).split()
    kept = [w for w in words if not set(normal(w)) <= (GENERIC | set(shared))]
    if not kept:
        return ""
    first, last = words.index(kept[0]), len(words) - words[::-1].index(kept[-1])
    return " ".join(words[first:last])


def _topic(item: str) -> tuple[str, ...]:
    """Return the first word, the first two and all words of a topic: *psionic*, *psionic blast*, *psionic blast
    attack*.
    """
    words = _strip(item, ()).split()
    return tuple(dict.fromkeys((" ".join(words[:1]), " ".join(words[:2]), " ".join(words)))) if words else ()


def _whole_topic(heading: str) -> tuple[str, ...]:
    """Return a heading, and the part before *upon* and the like, if they are long enough to be a topic."""
    words = _strip(ENUMERATOR.sub("", heading), ()).split()
    before = list(takewhile(lambda word: not set(normal(word)) <= GENERIC, words))
    return tuple(dict.fromkeys(" ".join(some) for some in (before, words) if len(some) >= _TOPIC_WORDS))
