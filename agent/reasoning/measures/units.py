"""Match units by any of their names: *how many kilometres* asks for *3,319 km*, and *in square metres* for *12 m²*.

The names come from the library pint. It loads slowly, so a word is looked up only if it ends like a unit of the
language, and if words of the library's definitions may form it. Signs match by their Unicode names: *10 percent*
matches *Share (%)*.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from agent.languages.language import Language
from agent.reasoning.measures.dimensions import asks_when, words_for_time
from agent.reasoning.values.dates import date_of
from agent.understanding.linking.program import Linked
from agent.understanding.words.clauses import in_own_words
from retrieval.tables.bind import Binding, with_value_words
from retrieval.text.normal import phrase

if TYPE_CHECKING:
    from pint import Unit, UnitRegistry

_LONGEST = 3
"""The most words of a unit: *miles per hour*."""
_BEHIND_NUMBER = re.compile(r"\d[\d.,]*\s*((?:[^\W\d_][^\W\d_/]*[²³]?(?:/[^\W\d_]+)?\s*){1,3})(?!\d)")
"""Excludes the *d* of *19d12*, which has a number behind it."""
_IN_BRACKETS = re.compile(r"\(([^()\d]{1,20})\)")
_WORD = re.compile(r"[^\W\d_]+")
_POWERS = frozenset(("per", "sq", "square", "squared", "cubic", "cubed"))
"""Words that the library parses besides units."""
_DIFFERENCE = "Δ"
"""Prefix of units for differences, as of temperatures."""
_UNIT = re.compile(r"[^\W\d_]{1,16}[²³]?(?:(?: |/)[^\W\d_]{1,16}[²³]?){0,2}")
"""What may be a unit; anything else the library might compute as an expression."""


def with_units(linked: Linked, found: Sequence[Binding]) -> list[Binding]:
    """Return the candidates, best first, with the words that name the unit of their value or label counted as matched.

    Words that the best candidate already matches are not looked up: the *baseline* of a column header is no *line*.
    """
    found = _with_years(linked, found)
    language, question = linked.question.language, linked.question.question
    left = frozenset(found[0].unmatched_words) if found else frozenset[str]()
    if asks_when(linked.question):
        left -= words_for_time(language)  # *in which year* does not ask for *2 years*
    stretches = (said for said in _stretches(linked.words, language) if not left.isdisjoint(said))
    asked = {said: unit_of(in_own_words(said, question)) for said in stretches}
    if not any(asked.values()):
        return list(found)
    return sorted((_with_unit(each, asked) for each in found), key=lambda each: each.rank, reverse=True)


def _with_years(linked: Linked, found: Sequence[Binding]) -> Sequence[Binding]:
    """Return the candidates, where a date matches the word *year*."""
    years = linked.question.language.years.intersection(linked.words)
    if not years:
        return found
    return with_value_words(found, lambda each: years.intersection(each.unmatched_words) if date_of(each.text) else ())


def _stretches(words: Sequence[str], language: Language) -> Iterator[tuple[str, ...]]:
    """Yield runs of adjacent words that may name a unit, the longest first."""
    named = {word for word in words if word.endswith(language.long_units)}
    for size in range(_LONGEST if named else 0, 0, -1):
        stretches = (tuple(words[start : start + size]) for start in range(len(words) - size + 1))
        yield from (said for said in stretches if not named.isdisjoint(said))


def _with_unit(binding: Binding, asked: Mapping[tuple[str, ...], Unit | None]) -> Binding:
    """Return a candidate with the words that name its unit counted as matched."""
    left, held = set(binding.unmatched_words), named_units(binding.text, binding.label)
    same = (said for said, unit in asked.items() if unit in held and left.issuperset(said))
    told = next(same, ())
    return binding.with_matches(value=(*told, *phrase(held[asked[told]]))) if told else binding


@lru_cache(maxsize=4096)
def named_units(text: str, label: str) -> Mapping[Unit | None, str]:
    """Return the units behind the numbers of a value and in the brackets of its label, each with its spelling there."""
    behind = [match[1].split() for match in _BEHIND_NUMBER.finditer(text)]
    said = [" ".join(words[:size]) for words in behind for size in range(len(words), 0, -1)]
    units = {unit_of(each): each for each in (*said, *_IN_BRACKETS.findall(label))}
    return {unit: each for unit, each in units.items() if unit is not None}


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit | None:
    """Return the unit that a text names; None if it names none.

    >>> unit_of("square kilometres") == unit_of("sq km"), unit_of("km") == unit_of("miles"), unit_of("births")
    (True, False, None)
    """
    said = text.strip(" .")
    if _UNIT.fullmatch(said) is None or not all(map(_may_be_unit, _WORD.findall(said))):
        return None
    from pint.errors import PintError

    try:
        unit = _registry().parse_units(said, as_delta=False)
        return None if unit.dimensionless else unit
    except (PintError, AssertionError, LookupError, ValueError):
        return None  # the ways in which pint's parser rejects an unknown unit


def _may_be_unit(word: str) -> bool:
    """True if the library defines a word or its singular, or both parts of it: a prefix and a unit."""
    if word in _POWERS:
        return True
    plain = word.replace(_DIFFERENCE, "")
    forms = (plain, plain.removesuffix("s"))
    cuts = ((form[:cut], form[cut:]) for form in forms for cut in range(len(form)))
    return any(unit in _defined() and (not prefix or prefix in _defined()) for prefix, unit in cuts)


@cache
def _defined() -> frozenset[str]:
    """Return the words of the library's definitions, without loading the library."""
    found = find_spec("pint")
    assert found is not None and found.origin is not None
    texts = [path.read_text("utf-8") for path in Path(found.origin).parent.glob("*_en.txt")]
    lines = (line.partition("#")[0] for text in texts for line in text.splitlines())
    return frozenset(word for line in lines for word in _WORD.findall(line))


@cache
def _registry() -> UnitRegistry[float]:
    from pint import UnitRegistry

    return UnitRegistry()


_SIGNS = ("Sc", "So", "Po")
"""Unicode categories of signs: for money, for degrees, and of the percent sign."""


@lru_cache(maxsize=4096)
def signs_by_name(text: str) -> Mapping[str, str]:
    """Return the signs for units in a text, by the first word of their Unicode names.

    >>> dict(signs_by_name("Share (%), fee in €")), dict(signs_by_name("Fee, in all"))
    ({'percent': '%', 'euro': '€'}, {})
    """
    found: dict[str, str] = {}
    for sign in sorted(set(text)):
        name = unicodedata.name(sign, "").casefold()
        if unicodedata.category(sign) in _SIGNS and name.endswith(" sign"):  # no *comma*
            found[name.split()[0]] = sign
    return found
