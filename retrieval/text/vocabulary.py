"""Vocabularies: the words of a game or a trade, supplied by domains as data. None are in this package.

A domain is any installed package with a `vocabulary.toml`, named by an entry point:

    [project.entry-points."versus.vocabularies"]
    sailing = "my_package.sailing"

The file is read once, on first use, without importing the package, and all vocabularies are merged. It may have:

- `[[terms]]`: phrases that are one term. `name`; `forms`, its abbreviations and spellings; `owners`, words before it
  that name its owner and make no difference; `others`, words before it that make it another term (*to hit*);
  `signed = true` if a dash behind it is a minus (*AC-6*); `axis = true` if a number before it is its own (*0 level*).
  For its numbers, `selects = true` means that they choose a row or a column, `counted = true` that they count it, and
  `adjusts = true` that they change a value more often than they choose one.
- `subjects`: labels that only the subjects of questions have; a record without any is a mere thing. `stat_lines` mark
  the subjects that are described in full. `never`: words that are not names, though a chunk or a row may have them as
  title. `asking`: words that questions use generically, and that ask for nothing if no label has them.
- `synonyms`: lists of words that heads use for one thing. They apply only if a label has one of them.
- `[idle]`: for a word, the words beside it that add nothing.
- `[spellings]`: irregular plurals and other spellings of a word, each with its normal form.
- `[written]`: how rules write the number of a row, by the words of its head; `{n}` is the number, `{nth}` *7th*.
- `owners`: words of a head that name the owner of its number. `key_heads`: generic heads, whose key only the caption
  names. `qualifiers`: words of a head that count only if the question has them. `drawn`: heads of a column drawn by
  chance. `stat_lines`: labels that identify a line of labels and values, which begins with the first of them.
- `graded`: whole numbers with grades: if 18 is one, *18/51* is no fraction but lies between 18 and 19.
"""

from __future__ import annotations

import hashlib
import logging
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

GROUP = "versus.vocabularies"
_BRACES = frozenset("{}")
FILE = "vocabulary.toml"
log = logging.getLogger(__name__)

Phrases = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A phrase that is one term, with its other forms."""

    name: str
    forms: Phrases = ()
    owners: Phrases = ()
    others: Phrases = ()
    signed: bool = False
    axis: bool = False
    selects: bool = False
    counted: bool = False
    adjusts: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The data of one or more domains; the module's docstring describes each field."""

    terms: tuple[Term, ...] = ()
    synonyms: tuple[Phrases, ...] = ()
    idle: Mapping[str, Phrases] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, Phrases] = field(default_factory=dict)
    owners: Phrases = ()
    key_heads: Phrases = ()
    qualifiers: Phrases = ()
    drawn: Phrases = ()
    subjects: Phrases = ()
    never: Phrases = ()
    asking: Phrases = ()
    stat_lines: tuple[Phrases, ...] = ()
    graded: frozenset[int] = frozenset()


def read_vocabulary(text: str) -> Vocabulary:
    """Read a vocabulary file; `ValueError` says what is wrong and where.

    >>> read_vocabulary('[[terms]]\\nname = "gross tonnage"\\nforms = ["gt"]').terms[0].forms
    ('gt',)
    """
    content = tomllib.loads(text)
    if unknown := content.keys() - {each.name for each in fields(Vocabulary)}:
        raise ValueError(f"{', '.join(sorted(unknown))}: no key of a vocabulary")
    return _checked(
        Vocabulary(
            terms=tuple(_term(each) for each in _list(content, "terms", dict)),
            synonyms=_groups(content, "synonyms"),
            idle={word: _words(each, "idle") for word, each in _table(content, "idle")},
            spellings={word: _word(each, "spellings") for word, each in _table(content, "spellings")},
            written={word: _words(each, "written") for word, each in _table(content, "written")},
            owners=_words(content.get("owners", []), "owners"),
            key_heads=_words(content.get("key_heads", []), "key_heads"),
            qualifiers=_words(content.get("qualifiers", []), "qualifiers"),
            drawn=_words(content.get("drawn", []), "drawn"),
            subjects=_words(content.get("subjects", []), "subjects"),
            never=_words(content.get("never", []), "never"),
            asking=_words(content.get("asking", []), "asking"),
            stat_lines=_groups(content, "stat_lines"),
            graded=frozenset(_list(content, "graded", int)),
        )
    )


def _groups(content: Mapping[str, Any], name: str) -> tuple[Phrases, ...]:
    groups = tuple(_words(each, name) for each in _list(content, name, list))
    if not all(groups):
        raise ValueError(f"{name}: an empty list means nothing")
    return groups


def _term(content: Mapping[str, Any]) -> Term:
    if unknown := content.keys() - {each.name for each in fields(Term)}:
        raise ValueError(f"terms: {', '.join(sorted(unknown))}: no key of a term")
    return Term(
        _word(content.get("name"), "terms: name"),
        _words(content.get("forms", []), "terms: forms"),
        _words(content.get("owners", []), "terms: owners"),
        _words(content.get("others", []), "terms: others"),
        _flag(content.get("signed", False), "terms: signed"),
        _flag(content.get("axis", False), "terms: axis"),
        _flag(content.get("selects", False), "terms: selects"),
        _flag(content.get("counted", False), "terms: counted"),
        _flag(content.get("adjusts", False), "terms: adjusts"),
    )


def _flag(found: object, place: str) -> bool:
    if not isinstance(found, bool):
        raise ValueError(f"{place}: true or false is wanted, and {found!r} is neither")
    return found


def _list(content: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    found = content.get(name, [])
    if not isinstance(found, list) or not all(type(each) is kind for each in found):
        raise ValueError(f"{name}: a list of {kind.__name__} is wanted")
    return found


def _table(content: Mapping[str, Any], name: str) -> Iterable[tuple[str, Any]]:
    found = content.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name}: a table is wanted")
    return found.items()


def _words(found: object, place: str) -> Phrases:
    if not isinstance(found, list):
        raise ValueError(f"{place}: a list of texts is wanted")
    return tuple(_word(each, place) for each in found)


def _word(found: object, place: str) -> str:
    if not isinstance(found, str) or not found.strip():
        raise ValueError(f"{place}: a text is wanted, and {found!r} is none")
    return found.strip().lower()


def _checked(found: Vocabulary) -> Vocabulary:
    names = {term.name for term in found.terms}
    for word in (word for group in found.synonyms for word in group):
        if " " in word and word not in names:
            raise ValueError(f"synonyms: {word!r} is neither one word nor the name of a term")
    for pattern in (pattern for patterns in found.written.values() for pattern in patterns):
        bare = pattern.replace("{nth}", "").replace("{n}", "")
        if bare == pattern or not _BRACES.isdisjoint(bare):
            raise ValueError(f"written: {pattern!r} needs {{n}} or {{nth}}, and no other braces")
    return found


def merge(named: Iterable[tuple[str, Vocabulary]]) -> Vocabulary:
    """Merge vocabularies. If two give one form to different terms, the first keeps it, and a warning names both."""
    merged = Vocabulary()
    owner: dict[str, tuple[str, str]] = {}
    for source, each in named:
        terms = tuple(_without_clashes(source, each.terms, owner))
        joined = {one.name: _joined(getattr(merged, one.name), getattr(each, one.name)) for one in fields(Vocabulary)}
        merged = replace(merged, **{**joined, "terms": (*merged.terms, *terms)})
    return merged


def _without_clashes(source: str, terms: Iterable[Term], owner: dict[str, tuple[str, str]]) -> Iterator[Term]:
    for term in terms:
        kept = []
        for form in (term.name, *term.forms):
            name, first = owner.setdefault(form, (term.name, source))
            if name == term.name:
                kept.append(form)
            else:
                log.warning("the vocabulary %r has %r for %r, which is %r in %r", source, form, term.name, name, first)
        if term.name in kept:
            yield replace(term, forms=tuple(kept[1:]))


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping):
        return {**other, **one}
    return one | other if isinstance(one, frozenset) else tuple(dict.fromkeys((*one, *other)))


def load(points: Iterable[EntryPoint]) -> Iterator[tuple[str, Vocabulary]]:
    """Read the vocabularies of these entry points, in the order of their names.

    An unreadable one is left out with a warning that names it.
    """
    for point in sorted(points, key=lambda point: point.name):
        try:
            yield point.name, read_vocabulary(_file(point.module).read_text(encoding="utf-8"))
        except (OSError, ImportError, ValueError, LookupError) as error:
            log.warning(
                "the vocabulary %r (%s) can't be read and is left out: %s. Uninstall or repair its package.",
                point.name,
                point.value,
                error,
            )


def _file(package: str) -> Path:
    """Return the path of a package's file; Python finds a top-level package without importing it."""
    top, *rest = package.split(".")
    spec = find_spec(top)
    places = [Path(place, *rest, FILE) for place in (spec.submodule_search_locations if spec else None) or ()]
    if (found := next(filter(Path.is_file, places), None)) is None:
        raise FileNotFoundError(f"{package} has no {FILE}")
    return found


@cache
def vocabulary() -> Vocabulary:
    """Return all installed vocabularies, merged; read once, on first use."""
    return merge(load(entry_points(group=GROUP)))


@cache
def fingerprint() -> str:
    """Return a hash that changes with any installed vocabulary, since an index depends on their normal forms."""
    known = vocabulary()
    said = [(each.name, _sorted(getattr(known, each.name))) for each in fields(Vocabulary)]
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _sorted(value: Any) -> Any:
    return sorted(value.items()) if isinstance(value, Mapping) else sorted(value, key=repr)
