"""Units by any of their names: *how many kilometres* asks for *3,319 km*, and *in square metres* for *12 m²*.

Their names are those of the library pint. It takes a while to load, so only a word that ends as a unit of the language
does is looked up, and only where the words of the library's definitions may make it a unit. Signs go by the names that
Unicode gives them: *10 percent* is told under *Share (%)*.
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
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

if TYPE_CHECKING:
    from pint import Unit, UnitRegistry

_LONGEST = 3
"""Words that a unit has: *miles per hour*."""
_BEHIND_NUMBER = re.compile(r"\d[\d.,]*\s*((?:[^\W\d_][^\W\d_/]*[²³]?(?:/[^\W\d_]+)?\s*){1,3})(?!\d)")
"""None of the *d* of *19d12*, behind which a number stands."""
_IN_BRACKETS = re.compile(r"\(([^()\d]{1,20})\)")
_WORD = re.compile(r"[^\W\d_]+")
_POWERS = frozenset(("per", "sq", "square", "squared", "cubic", "cubed"))
"""What the library reads besides units."""
_DIFFERENCE = "Δ"
"""Stands before a unit of differences, as of temperatures."""
_UNIT = re.compile(r"[^\W\d_]{1,16}[²³]?(?:(?: |/)[^\W\d_]{1,16}[²³]?){0,2}")
"""What may be a unit; the library would compute an expression."""


def with_units(linked: Linked, found: Sequence[Binding]) -> list[Binding]:
    """The candidates, the best first, each with the words that name the unit which its value or label has.

    What the best of them tells already is looked up as no unit: the *baseline* of a head is no *line*.
    """
    found = _with_years(linked, found)
    language, question = linked.question.language, linked.question.question
    left = frozenset(found[0].unheeded) if found else frozenset[str]()
    if asks_when(linked.question):
        left -= words_for_time(language)  # *in which year* asks for no *2 years*
    stretches = filter(left.issuperset, _stretches(linked.words, language))
    asked = {said: unit_of(in_own_words(said, question)) for said in stretches}
    if not any(asked.values()):
        return list(found)
    return sorted((_with_unit(each, asked) for each in found), key=lambda each: each.rank, reverse=True)


def _with_years(linked: Linked, found: Sequence[Binding]) -> Sequence[Binding]:
    """The candidates, of which those that are dates tell that a *year* is asked for."""
    years = linked.question.language.years.intersection(linked.words)
    if not years:
        return found
    dated = ((each, years.intersection(each.unheeded) if date_of(each.text) else ()) for each in found)
    told = [each.telling(value=asked) if asked else each for each, asked in dated]
    return sorted(told, key=lambda each: each.rank, reverse=True)


def _stretches(words: Sequence[str], language: Language) -> Iterator[tuple[str, ...]]:
    """The words side by side that may name a unit, the longest first."""
    named = {word for word in words if word.endswith(language.long_units)}
    for size in range(_LONGEST if named else 0, 0, -1):
        stretches = (tuple(words[start : start + size]) for start in range(len(words) - size + 1))
        yield from (said for said in stretches if not named.isdisjoint(said))


def _with_unit(binding: Binding, asked: Mapping[tuple[str, ...], Unit | None]) -> Binding:
    """A candidate with the words told that name its unit."""
    left, held = set(binding.unheeded), named_units(binding.text, binding.label)
    same = (said for said, unit in asked.items() if unit in held and left.issuperset(said))
    told = next(same, ())
    return binding.telling(value=(*told, *phrase(held[asked[told]]))) if told else binding


@lru_cache(maxsize=4096)
def named_units(text: str, label: str) -> Mapping[Unit | None, str]:
    """The units behind the numbers of a value, and in the brackets of its label, as they are written there."""
    behind = [match[1].split() for match in _BEHIND_NUMBER.finditer(text)]
    said = [" ".join(words[:size]) for words in behind for size in range(len(words), 0, -1)]
    units = {unit_of(each): each for each in (*said, *_IN_BRACKETS.findall(label))}
    return {unit: each for unit, each in units.items() if unit is not None}


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit | None:
    """The unit that a text names; None for what is none.

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
        return None  # these are the ways in which its parser says that there is no such unit


def _may_be_unit(word: str) -> bool:
    """Whether a word, or what it is the plural of, is one of the definitions or two of them: a prefix and a unit."""
    if word in _POWERS:
        return True
    plain = word.replace(_DIFFERENCE, "")
    forms = (plain, plain.removesuffix("s"))
    cuts = ((form[:cut], form[cut:]) for form in forms for cut in range(len(form)))
    return any(unit in _defined() and (not prefix or prefix in _defined()) for prefix, unit in cuts)


@cache
def _defined() -> frozenset[str]:
    """The words of the library's definitions, read without the library."""
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
"""Categories of signs: of money, of degrees, and that for a hundredth."""


@lru_cache(maxsize=4096)
def signs_by_name(text: str) -> Mapping[str, str]:
    """The signs for units in a text, by the first word of what each is called.

    >>> dict(signs_by_name("Share (%), fee in €")), dict(signs_by_name("Fee, in all"))
    ({'percent': '%', 'euro': '€'}, {})
    """
    found: dict[str, str] = {}
    for sign in sorted(set(text)):
        name = unicodedata.name(sign, "").casefold()
        if unicodedata.category(sign) in _SIGNS and name.endswith(" sign"):  # no *comma*
            found[name.split()[0]] = sign
    return found
