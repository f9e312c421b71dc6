"""The names of a collection that a question may be about, those with a full description, and their short names.

The catalog has the labels that occur together and their names. The vocabularies of the domains say which labels only a
subject has, and which describe it in full.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from retrieval.catalogs.catalog import Catalog
from retrieval.catalogs.shapes import Shape
from retrieval.text.normal import phrase, title_key
from retrieval.text.vocabulary import vocabulary

_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_LAST_BRACKET = re.compile(r"\s*\([^()]*\)$")
"""The bracket of *Axe Beak (Phorusrhacid)* and of *Bless (Reversible)*."""
_OF_KIND = re.compile(r"([^,(]+), ([^, ]+)$")
"""A kind and its member: *Lycanthropes, Werewolf*."""


def described_in(catalog: Catalog) -> frozenset[str]:
    """Return the keys of the names that a record or row describes in full."""
    whole = filter(_is_whole, catalog.shapes)
    return frozenset(key for shape in whole for key in (*shape.titles, *shape.across, *shape.down))


def labels_in(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Return the labels under which names have values, by the names' keys."""
    found: dict[str, frozenset[str]] = {}
    for shape in catalog.shapes:
        labels = frozenset(shape.labels)
        for key in (*shape.titles, *shape.across, *shape.down):
            known = found.setdefault(key, labels)
            if known is not labels:
                found[key] = known | labels
    return found


def names_in(catalog: Catalog) -> dict[str, str]:
    """Return the names that can be asked about, by `title_key`, as they are written, with and without their brackets.

    They are the titles of records and of blocks side by side, the terms of rules, and the names with a subject's label.
    """
    own = set(map(phrase, vocabulary().subjects))
    known: dict[str, str] = {}
    blocks: dict[str, str] = {}
    tables: dict[str, str] = {}
    for shape in catalog.shapes:
        if _is_of_subjects(shape):
            known |= _written(shape.down, catalog.rows)
        if _is_whole(shape):
            blocks |= _written(shape.across, catalog.across)
            blocks |= _bare(_titled(() if shape.across else shape.titles, catalog).values())
        if own.intersection(map(phrase, shape.labels)):
            tables |= _titled(shape.titles, catalog)
    known = {**known, **blocks, **catalog.terms, **tables, **catalog.records}
    return _bare(filter(_LAST_BRACKET.search, known.values())) | known


def things_in(catalog: Catalog) -> dict[str, str]:
    """Return the rows of tables without a subject's label, such as goods, by `title_key`, as they are written."""
    found: dict[str, str] = {}
    for shape in catalog.shapes:
        if not _is_of_subjects(shape):
            found |= _written(shape.down, catalog.rows)
    return found


def short_names(names: Collection[str], taken: Iterable[str]) -> dict[str, str]:
    """Return the short names of entities that a document lists by kind: each key with the name as it is written.

    A short name of two entities, or one in `taken`, is left out. *Werewolf* for *Lycanthropes, Werewolf* counts only if
    all of its kind can stand alone: not *Clay* for *Golems, Clay*.

    >>> short_names(["Bear, Lesser, Brown", "Faun (Satyr)"], [])
    {'bear brown': 'Bear, Lesser, Brown', 'satyr': 'Faun (Satyr)'}
    >>> short_names(["Golems, Clay", "Golems, Stone", "Giant, Stone", "Dragons, Wyvern"], [])
    {'wyvern': 'Dragons, Wyvern'}
    """
    found = [(title_key(short), name) for name in dict.fromkeys(names) for short in _shorter(name)]
    if not found:
        return {}
    others, count = {"", *taken}, Counter(key for key, _ in found)
    of_kinds = {key for key, name in found if _OF_KIND.match(name)}
    known = {*map(title_key, names), *others} if of_kinds else ()
    words = Counter(word for key in known for word in key.split() if word in of_kinds)
    common = {_kind(name) for key, name in found if _OF_KIND.match(name) and words[key] > 1}
    own = ((key, name) for key, name in found if _kind(name) not in common)
    return {key: name for key, name in own if count[key] == 1 and key not in others}


def _shorter(name: str) -> Iterator[str]:
    """Yield the short forms of a name: *Brown Bear*, *Werewolf* without its plural kind, other names in brackets."""
    for others in _BRACKET.findall(name):
        yield from (other for other in re.split(r"[;,]\s+", others) if "and" not in phrase(other))
    kind, *rest = _BRACKET.sub("", name).split(", ")
    if len(rest) > 1:
        yield f"{rest[-1]} {kind}"
    elif rest and phrase(kind) != tuple(kind.lower().split()):
        yield rest[0]


def _kind(name: str) -> str:
    return name.split(", ")[0]


def _bare(names: Iterable[str]) -> dict[str, str]:
    """Return the names without their last brackets, by key."""
    bare = (_LAST_BRACKET.sub("", name) for name in names)
    return {title_key(name): name for name in bare}


def _written(keys: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the keys that are names, with the names as they are written."""
    return {key: names[key] for key in keys if key in names}


def _titled(keys: Iterable[str], catalog: Catalog) -> dict[str, str]:
    """Return the keys that are titles, with the titles as they are written."""
    return {key: catalog.titles[key].text for key in keys if key in catalog.titles}


def _is_whole(shape: Shape) -> bool:
    """True for a shape with all labels of a stat line: an entity with these is a subject."""
    return any(all(_has(shape, term) for term in line) for line in vocabulary().stat_lines)


def _is_of_subjects(shape: Shape) -> bool:
    return _is_whole(shape) or any(_mentions(shape, label) for label in vocabulary().subjects)


def _has(shape: Shape, term: str) -> bool:
    """True if a label has the term or a synonym of it."""
    same = {phrase(word) for group in vocabulary().synonyms if term in group for word in group}
    return _mentions(shape, term) or not same.isdisjoint(map(phrase, shape.labels))


def _mentions(shape: Shape, term: str) -> bool:
    words = phrase(term)
    return any(set(words) <= set(phrase(label)) for label in shape.labels)
