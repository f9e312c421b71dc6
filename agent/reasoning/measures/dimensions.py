"""What the values under a label measure, by their units: *18 mm* is a length, *5 s* a time, *May 2021* a date.

So an adjective finds its measure where no label has the word for it, *which came out first* the only dates, and knows
its end: of a label *Lap*, the fastest has the fewest seconds. And what is asked by one unit is not told in that of
something else: *every 2 years* is no price.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.languages.scales import Dimension
from agent.reasoning.values.dates import date_of
from agent.reasoning.values.quantities import dates_of, quantities_of
from agent.understanding.linking.program import Linked
from agent.understanding.question.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase
from retrieval.text.spelling import with_powers


def asks_when(question: Tagged) -> bool:
    """True for a question that begins by asking for a time: *when*, *in what year*.

    >>> from agent.understanding.question.tagged import tagged
    >>> [asks_when(tagged(text)) for text in ("On which day did it sail?", "What does it do when it sails?")]
    [True, False]
    """
    starts = (found(question.tokens, said) for said in question.language.answers.get("time", ()))
    return any(at == 0 or (at == 1 and question.tokens[0] in question.language.small) for at in starts)


def words_for_time(language: Language) -> frozenset[str]:
    """The words by which a time is asked for: the *day* of *which day*."""
    return frozenset(word for said in language.answers.get("time", ()) for word in said)


_DIGIT = re.compile(r"\d")
_BRACKETS = re.compile(r"\([^()]*\)")
_BRIEF = 4
"""Words of a value with its unit; more are prose."""
_UNIT = re.compile(r"[$£€¥%°][a-z]?|[a-z]+(?:/[a-z]+)?(?:(?<=m)[23](?!\d))?")
"""What may be a unit in lower case: a sign, a word, one over another, a power."""


def units_in(text: str) -> frozenset[str]:
    """What may be units in a value or label.

    >>> {"€", "km/h", "minute"} <= units_in("Boat hire (€), 5 minutes: 12 km/h"), "km" in units_in("12 km²")
    (True, False)
    """
    found = _UNIT.findall(with_powers(text.casefold()))
    squared = {unit[:-1] for unit in found if unit[-1:].isdigit()}
    return frozenset((*found, *(word for word in phrase(text) if word not in squared)))


def of_each(label: str) -> tuple[str, ...]:
    """The word for what a label tells of each of, *Visits/night*; none where no stroke stands outside of brackets.

    >>> of_each("Visits/night"), of_each("Height (main/other)"), of_each("Price")
    (('night',), (), ())
    """
    return phrase(_BRACKETS.sub("", label).partition("/")[2])[:1]


def without_unit(label: str, language: Language) -> str:
    """A label without what stands in brackets behind it, and without what it is counted by.

    >>> from agent.languages.language import english
    >>> [without_unit(label, english()).strip() for label in ("Hire (€)", "Read / write", "Dues (£) /year")]
    ['Hire', 'Read / write', 'Dues']
    """
    head, slash, behind = label.rpartition("/")
    unit = phrase(behind) if slash else ()
    is_by_unit = len(unit) == 1 and any(unit[0] in each.units for each in language.dimensions)
    return (head if is_by_unit else label).partition("(")[0]


def dimensions_in(text: str, language: Language) -> list[Dimension]:
    """What a text has units of; a date is one, however it is written."""
    when = date_of(text)
    if when is not None and when.month is not None:
        return [each for each in language.dimensions if not each.measures.isdisjoint(language.dates)]
    units = units_in(text)
    return [each for each in language.dimensions if units & each.units]


def measures_in(text: str, language: Language) -> frozenset[str]:
    """The measures that a value may be of, by the unit of its number; none for what is no brief value of one.

    >>> from agent.languages.language import english
    >>> "time" in measures_in("5 s", english()), measures_in("May 2021", english()), measures_in("MEG73M", english())
    (True, frozenset({'date'}), frozenset())
    """
    unit = _unit_of(text)
    return language.dates if unit is None else language.measures_of(unit)


@lru_cache(maxsize=65536)
def _unit_of(text: str) -> str | None:
    """The unit of the number of a brief value, empty where it has none; None for a date."""
    if dates_of([text]) is not None:
        return None
    found = quantities_of([text]) if len(text.split()) <= _BRIEF else None
    return found[0].unit if found else ""


@lru_cache(maxsize=1024)
def measures_under(texts: tuple[str, ...], language: Language) -> frozenset[str]:
    """The measures that some values may be of; they stand under one label from question to question."""
    return frozenset[str]().union(*(measures_in(text, language) for text in dict.fromkeys(texts)))


def is_of_none(words: Collection[str], label: str, text: str, language: Language) -> bool:
    """True for a value that is of none of the measures which some words speak of, by its unit and its label.

    >>> from agent.languages.language import english
    >>> [is_of_none(["cost", "feed"], label, "5", english()) for label in ("Armor Class", "Price", "Hire (€)")]
    [True, False, False]
    """
    asked = [each for each in language.dimensions if not (each.measures | each.verbs).isdisjoint(words)]
    told = (*dimensions_in(text, language), *dimensions_in(label, language))
    named = [each for each in asked if not each.measures.isdisjoint(phrase(label))]
    return bool(asked) and not named and not any(each in told for each in asked)


def labels_measuring(linked: Linked, words: Collection[str], found: Sequence[Binding]) -> list[str]:
    """The labels of candidates whose values are of what the adjective among some words speaks of: of *how wide* those
    in millimetres; of *when* those that are called nothing but a date. What is called another measure is none: no
    *Speed* of 50 ft. tells how long something is.
    """
    question = linked.question
    if asks_when(question):
        dated = (each.label for each in found if _is_plain_date(each, question.language))
        return list(dict.fromkeys(dated))
    adjectives = {question.tokens[place] for place in question.scales}
    meant = {each for word in adjectives.intersection(words) for each in linked.implied.get(word, ())}
    measured = [each for each in found if each.place.kind is not Kind.COLUMN]
    asks_year = not question.language.years.isdisjoint(meant)
    telling = [
        each.label
        for each in (measured if meant else ())
        if meant & measures_in(each.text, question.language) or (asks_year and _is_year(each))
    ]
    labels = list(filter(None, dict.fromkeys(telling)))
    is_other = len(labels) == 1 and not (question.language.quantities - meant).isdisjoint(phrase(labels[0]))
    return [] if is_other else labels


def _is_year(binding: Binding) -> bool:
    """True for a value in a column of years: *built*, of *how old*."""
    table = binding.grid.table
    years = [] if table.is_record else [row[binding.column] for row in table.rows]
    return len(years) > 1 and all(date_of(text) is not None for text in years if text.strip())


def named_otherwise(label: str, question: Tagged, words: Collection[str]) -> bool:
    """True for a label that is called another measure than those which an adjective among some words speaks of: no
    *Length* tells how old something is.
    """
    language, said = question.language, {*phrase(label)}
    meant = {
        each
        for place, scaled in question.scales.items()
        for each in scaled.scale.measures
        if question.tokens[place] in words and not scaled.scale.of_any
    }
    return bool(meant) and said.isdisjoint(meant) and not said.isdisjoint(language.quantities)


def _is_plain_date(binding: Binding, language: Language) -> bool:
    """True for a date whose label says no more than that: the *Date* of anything, and the *Boat date* of a boat."""
    said = set(phrase(binding.label)) - binding.grid.context
    is_plain = bool(said) and said <= language.dates | language.years
    return is_plain and measures_in(binding.text, language) == language.dates


def is_told_by_heading(word: str, binding: Binding, linked: Linked) -> bool:
    """True for a word that asks for what the heading right above says that its numbers are: *how big*, *File sizes*."""
    grid, meant = binding.grid, linked.implied.get(word, ())
    above = grid.table.caption or "".join(grid.headings[-1:]) or grid.title
    return binding.text[:1].isdigit() and not set(meant).isdisjoint(phrase(above)[-1:])


def is_of_other_unit(word: str, binding: Binding, linked: Linked) -> bool:
    """True for a word that asks for what the cell has the unit of something else of, *every 2 years* for what it costs;
    and for a unit of what the cell is in another unit of. *Large* may be said of every amount.
    """
    adjective = linked.question.language.adjectives.get(word)
    if adjective is not None and adjective.scale.of_any:
        return False
    asked = dimensions_of(word, linked)
    held = dimensions_in(binding.text, linked.question.language) if _DIGIT.search(binding.text) else []
    if asked:
        return bool(held) and not any(each in asked for each in held)
    return any(word in each.units for each in held) and word not in units_in(binding.text)


def is_of_other_verb(text: str, question: Tagged) -> bool:
    """True for a value of something else than the verb speaks of by which it is asked how much it is: *how long does it
    take* asks for no length.

    >>> from agent.understanding.question.tagged import tagged
    >>> [is_of_other_verb(text, tagged("How long does the ferry take?")) for text in ("30 m", "2 hours")]
    [True, False]
    """
    language = question.language
    said = {token for i, token in enumerate(question.tokens) if i not in question.aside}
    asked = [each for each in language.dimensions if not each.verbs.isdisjoint(said)]
    pairs = pairwise(question.tokens)
    is_graded = any(one in language.before_adjectives and other in language.adjectives for one, other in pairs)
    if not asked or not is_graded or not _DIGIT.search(text):
        return False  # *how much disk space does it take*
    held = dimensions_in(text, language)
    return bool(held) and not any(each in asked for each in held)


def dimensions_of(word: str, linked: Linked) -> list[Dimension]:
    """What a word, or the measure that it speaks of, is one of."""
    asked = {word, *linked.implied.get(word, ())}
    return [each for each in linked.question.language.dimensions if asked & (each.measures | each.verbs)]
