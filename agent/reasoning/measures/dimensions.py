"""The dimension of values, by their units: *18 mm* is a length, *5 s* a time, *May 2021* a date.

So an adjective finds its measure where no label has its word, as *which came out first* finds the only dates. It also
finds its end: with the label *Lap*, the fastest has the fewest seconds. A question for one dimension is not answered by
a value of another: *every 2 years* is no price.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
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
from retrieval.tables.match import matches_any
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
    return any(at == 0 or (at == 1 and question.tokens[0] in question.language.function_words) for at in starts)


def asks_share(question: Tagged, labels: Iterable[str]) -> bool:
    """True if a share of something is asked for that none of the labels has: *what percentage of the boats have …*.

    >>> from agent.understanding.question.tagged import tagged
    >>> asks_share(tagged("What percentage of boats have a crane?"), ["Crane"])
    True
    """
    language, tokens = question.language, question.tokens
    before = language.function_words | language.kinds
    place = 0
    while tokens[place] in before:
        place += 1
    if tokens[place + 1 : place + 2] == () or tokens[place + 1] not in language.partitive:
        return False
    is_share = any("%" in each.units and tokens[place] in each.measures for each in language.dimensions)
    return is_share and not any(matches_any(tokens[place], phrase(label)) for label in labels)


def words_for_time(language: Language) -> frozenset[str]:
    """Return the words that ask for a time: the *day* of *which day*."""
    return frozenset(word for said in language.answers.get("time", ()) for word in said)


_DIGIT = re.compile(r"\d")
_BRACKETS = re.compile(r"\([^()]*\)")
_SQUARE = re.compile(r"\[([^\[\]]*)\]")
_BRIEF = 4
"""The most words of a value with its unit; longer texts are prose."""
_UNIT = re.compile(r"[$£€¥%°][a-z]?|[a-z]+(?:/[a-z]+)?(?:(?<=m)[23](?!\d))?")
"""What may be a unit in lower case: a sign, a word, a quotient of two words, a power."""


def units_in(text: str) -> frozenset[str]:
    """Return the possible units in a value or label.

    >>> {"€", "km/h", "minute"} <= units_in("Boat hire (€), 5 minutes: 12 km/h"), "km" in units_in("12 km²")
    (True, False)
    """
    found = _UNIT.findall(with_powers(text.casefold()))
    squared = {unit[:-1] for unit in found if unit[-1:].isdigit()}
    return frozenset((*found, *(word for word in phrase(text) if word not in squared)))


def with_brackets(label: str, language: Language) -> str:
    """Return a label with its unit in round brackets, wherever it has one at its end.

    >>> from agent.languages.language import english
    >>> [with_brackets(label, english()) for label in ("Weight [kg]", "Area in ha", "Rank in class")]
    ['Weight (kg)', 'Area (ha)', 'Rank in class']
    """
    label = _SQUARE.sub(r"(\1)", label)
    head, _, unit = label.rpartition(" ")
    name, _, joint = head.rpartition(" ")
    is_unit = bool(name) and joint.casefold() in language.measuring and bool(_dimensions_of(unit, language))
    return f"{name} ({unit})" if is_unit else label


def _dimensions_of(unit: str, language: Language) -> list[Dimension]:
    found = units_in(unit)
    return [each for each in language.dimensions if found & each.units]


def of_each(label: str) -> tuple[str, ...]:
    """Return the word behind the stroke of a label, such as *Visits/night*; empty without a stroke outside of brackets.

    >>> of_each("Visits/night"), of_each("Height (main/other)"), of_each("Price")
    (('night',), (), ())
    """
    return phrase(_BRACKETS.sub("", label).partition("/")[2])[:1]


def rated_by(text: str, language: Language) -> frozenset[str]:
    """Return the words for what a rate is counted by: *night* in *Fee per night* and in *Fee (€/night)*.

    >>> from agent.languages.language import english
    >>> rated_by("Fee (€/night)", english()), rated_by("Fee", english())
    (frozenset({'night'}), frozenset())
    """
    repeated = language.statement_words("repeated")
    told = {behind for before, behind in pairwise(phrase(text)) if before in repeated}
    return frozenset(told).union(*(phrase(part)[:1] for part in text.split("/")[1:]))


def without_unit(label: str, language: Language) -> str:
    """Return a label without its bracket, and without the unit behind its last stroke.

    >>> from agent.languages.language import english
    >>> [without_unit(label, english()).strip() for label in ("Hire (€)", "Read / write", "Dues (£) /year")]
    ['Hire', 'Read / write', 'Dues']
    """
    label = with_brackets(label, language)
    head, slash, behind = label.rpartition("/")
    unit = phrase(behind) if slash else ()
    is_by_unit = len(unit) == 1 and any(unit[0] in each.units for each in language.dimensions)
    return (head if is_by_unit else label).partition("(")[0]


def dimensions_in(text: str, language: Language) -> list[Dimension]:
    """Return the dimensions of the units in a text; a date in any form has the dimension of dates."""
    when = date_of(text)
    if when is not None and when.month is not None:
        return [each for each in language.dimensions if not each.measures.isdisjoint(language.dates)]
    return _dimensions_of(text, language)


def dimensions_in_brackets(label: str, language: Language) -> list[Dimension]:
    """Return the dimensions of the units that a label has in brackets, of *Ball (g)* those of *g*."""
    return [
        each for unit in _BRACKETS.findall(with_brackets(label, language)) for each in dimensions_in(unit, language)
    ]


def measures_in(text: str, language: Language) -> frozenset[str]:
    """Return the measures that a short value may belong to, by the unit of its number; none if there is no unit.

    >>> from agent.languages.language import english
    >>> "time" in measures_in("5 s", english()), measures_in("May 2021", english()), measures_in("MEG73M", english())
    (True, frozenset({'date'}), frozenset())
    """
    unit = _unit_of(text)
    return language.dates if unit is None else language.measures_of(unit)


@lru_cache(maxsize=65536)
def _unit_of(text: str) -> str | None:
    """Return the unit of the number in a short value, empty if it has none; None for a date."""
    if dates_of([text]) is not None:
        return None
    found = quantities_of([text]) if len(text.split()) <= _BRIEF else None
    return found[0].unit if found else ""


@lru_cache(maxsize=1024)
def measures_under(texts: tuple[str, ...], language: Language) -> frozenset[str]:
    """Return the measures that the values of a label may belong to. The result is cached, since the same
    labels recur.
    """
    return frozenset[str]().union(*(measures_in(text, language) for text in dict.fromkeys(texts)))


def is_of_none(words: Collection[str], label: str, text: str, language: Language) -> bool:
    """True if neither the unit of a value nor its label belongs to a dimension that the words ask for.

    >>> from agent.languages.language import english
    >>> [is_of_none(["cost", "feed"], label, "5", english()) for label in ("Armor Class", "Price", "Hire (€)")]
    [True, False, False]
    """
    asked = [each for each in language.dimensions if not (each.measures | each.verbs).isdisjoint(words)]
    told = (*dimensions_in(text, language), *dimensions_in(label, language))
    named = [each for each in asked if not each.measures.isdisjoint(phrase(label))]
    return bool(asked) and not named and not any(each in told for each in asked)


def labels_measuring(linked: Linked, words: Collection[str], found: Sequence[Binding]) -> list[str]:
    """Return the labels of candidates whose values have the dimension of an adjective: millimetres for *how wide*. For
    *when*, return labels that only say *date*. A label that names another measure is excluded: *Speed*, 50 ft., is no
    length.
    """
    question = linked.question
    if asks_when(question):
        dated = (each.label for each in found if _is_plain_date(each, question.language))
        return list(dict.fromkeys(dated))
    adjectives = {question.tokens[place] for place in question.scales}
    meant = {each for word in adjectives.intersection(words) for each in linked.implied.get(word, ())}
    spoken = spoken_measures(words, question.language)
    measured = [each for each in found if each.place.kind is not Kind.COLUMN]
    asks_year = not question.language.years.isdisjoint(meant)
    telling = [
        each.label
        for each in (measured if meant or spoken else ())
        if meant & measures_in(each.text, question.language)
        or (asks_year and _is_year(each))
        or spoken & _measures_of(each, question.language)
    ]
    labels = list(filter(None, dict.fromkeys(telling)))
    is_other = len(labels) == 1 and not (question.language.quantities - meant - spoken).isdisjoint(phrase(labels[0]))
    return [] if is_other else labels


def spoken_measures(words: Collection[str], language: Language) -> frozenset[str]:
    """Return the measures of what is paid, if a verb speaks of it: *cost*."""
    prices = (each for each in language.dimensions if not each.measures.isdisjoint(language.prices))
    return frozenset().union(*(each.measures for each in prices if not each.verbs.isdisjoint(words)))


def _measures_of(binding: Binding, language: Language) -> frozenset[str]:
    """Return the measures of a value by its unit, or of a number by the unit in the brackets of its label."""
    by_value = measures_in(binding.text, language)
    if by_value or not binding.text[:1].isdigit():
        return by_value
    return frozenset().union(*(each.measures for each in dimensions_in_brackets(binding.label, language)))


def _is_year(binding: Binding) -> bool:
    """True for a value in a column of years: *built*, for *how old*."""
    table = binding.grid.table
    years = [] if table.is_record else [row[binding.column] for row in table.rows]
    return len(years) > 1 and all(date_of(text) is not None for text in years if text.strip())


def named_otherwise(label: str, question: Tagged, words: Collection[str]) -> bool:
    """True if the label names another measure than the adjectives among the words: *Length* does not say how old a
    thing is.
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
    """True for a date whose label only says so, context aside: *Date*, or the *Boat date* of a boat."""
    said = set(phrase(binding.label)) - binding.grid.context
    is_plain = bool(said) and said <= language.dates | language.years
    return is_plain and measures_in(binding.text, language) == language.dates


def is_told_by_heading(word: str, binding: Binding, linked: Linked) -> bool:
    """True if the last word of the caption or heading above is the measure that a word means: *how big*,
    *File sizes*.
    """
    grid, meant = binding.grid, linked.implied.get(word, ())
    above = grid.table.caption or "".join(grid.headings[-1:]) or grid.title
    return binding.text[:1].isdigit() and not set(meant).isdisjoint(phrase(above)[-1:])


def is_of_other_unit(word: str, binding: Binding, linked: Linked) -> bool:
    """True if the dimension of a word is not that of the cell's unit, as *cost* for *every 2 years*; also for another
    unit of the cell's dimension. False for *large*, which fits any amount.
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
    """True if the value has another dimension than the verb of a question with *how* and an adjective: *how long does
    it take* does not ask for a length.

    >>> from agent.understanding.question.tagged import tagged
    >>> [is_of_other_verb(text, tagged("How long does the ferry take?")) for text in ("30 m", "2 hours")]
    [True, False]
    """
    language = question.language
    said = {token for i, token in enumerate(question.tokens) if i not in question.context_places}
    asked = [each for each in language.dimensions if not each.verbs.isdisjoint(said)]
    pairs = pairwise(question.tokens)
    is_graded = any(one in language.before_adjectives and other in language.adjectives for one, other in pairs)
    if not asked or not is_graded or not _DIGIT.search(text):
        return False  # *how much disk space does it take*
    held = dimensions_in(text, language)
    return bool(held) and not any(each in asked for each in held)


def dimensions_of(word: str, linked: Linked) -> list[Dimension]:
    """Return the dimensions of a word, or of the measures that it implies."""
    asked = {word, *linked.implied.get(word, ())}
    return [each for each in linked.question.language.dimensions if asked & (each.measures | each.verbs)]
