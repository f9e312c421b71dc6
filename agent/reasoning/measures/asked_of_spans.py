"""Which end of a span a question asks for, where one value holds both: *10:00 to 20:00*, *30–60 cm*.

*When does it close*, *until when is it open* and *how late* ask for the last time, *when does it start* for the first,
*at most* and *the lowest* for an end of amounts. *When is it open* asks for all of it.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from agent.languages.operations import End
from agent.languages.phrases import phrase_places
from agent.reasoning.measures.dimensions import words_for_time
from agent.understanding.question.ends import end_of_word
from agent.understanding.question.tagged import Tagged


def end_of_span(question: Tagged, label: Collection[str] = ()) -> End | None:
    """Return the end that a question asks for of the value under a label; None if it asks for the whole value.

    >>> from agent.understanding.question.tagged import tagged
    >>> asked = "When does it close?", "From when is it open?", "How late does it run?", "When is it open?"
    >>> [end_of_span(tagged(each)) for each in asked]
    ['high', 'low', 'high', None]
    >>> [end_of_span(tagged("What is the maximum height?"), label) for label in (("height",), ("maximum", "height"))]
    ['high', None]
    """
    return _end_of_times(question) or _end_of_amounts(question, label)


def grades_times(question: Tagged) -> bool:
    """True if the adjective of a superlative or comparison is one of times: *the latest*."""
    return question.adjective is not None and question.adjective.scale.asks_high_of(question.language.dates)


def asks_length(question: Tagged) -> bool:
    """True for a question about how long something lasts.

    >>> from agent.understanding.question.tagged import tagged
    >>> asks_length(tagged("How long is it open?")), asks_length(tagged("How late is it open?"))
    (True, False)
    """
    lasting = question.language.measures_of("minute") - question.language.dates
    graded = (each.scale for i, each in question.scales.items() if _asks_degree(question, i))
    return any(not lasting.isdisjoint(scale.doing) for scale in graded)


def words_for_span(question: Tagged) -> frozenset[str]:
    """Return the words that ask for a span of times or for an end of it; empty if neither is asked for.

    >>> from agent.understanding.question.tagged import tagged
    >>> sorted(words_for_span(tagged("What time does the lido close?"))), words_for_span(tagged("When is it open?"))
    (['close', 'time'], frozenset({'open'}))
    """
    language, spans = question.language, question.language.spans
    asking = [phrase_places(question.tokens, said) for said in language.answers.get("time", ())]
    if not (any(asking) or asks_length(question) or _end_of_times(question)):
        return frozenset()
    times = words_for_time(language) - language.function_words
    said = spans.opening | spans.closing | spans.until | spans.since | language.ranges.low | times
    graded = {question.tokens[i] for i in question.scales if _asks_degree(question, i)}
    return said.union(graded).intersection(word for _, word in question.words())


def _end_of_times(question: Tagged) -> End | None:
    tokens, language = question.tokens, question.language
    late = (each for i, each in question.scales.items() if _asks_degree(question, i))
    if adjective := next((each for each in late if each.scale.asks_high_of(language.dates)), None):
        return "high" if adjective.up else "low"
    asking = [places for said in language.answers.get("time", ()) for places in phrase_places(tokens, said)]
    if not asking:
        return None
    spans, first = language.spans, min(asking)
    if first and tokens[first - 1] in spans.until | spans.since:
        return "high" if tokens[first - 1] in spans.until else "low"
    if not language.copulas.isdisjoint(tokens):
        return None  # *when is it open* asks for the whole span
    named = {place for each in question.names if len(each.places) > 1 for place in each.places}
    said = {token for i, token in enumerate(tokens) if i not in named}
    opens, closes = said & (spans.opening | language.ranges.low), said & spans.closing
    return None if bool(opens) == bool(closes) else "low" if opens else "high"


def _asks_degree(question: Tagged, place: int) -> bool:
    """True for an adjective whose degree is asked for: *how late*."""
    return place > 0 and question.tokens[place - 1] in question.language.before_adjectives


def _end_of_amounts(question: Tagged, label: Collection[str]) -> End | None:
    """Return the end that *minimum*, *the lowest* or *at most* asks for, unless the label has that word; None if both
    ends are asked for, *from least to most*.
    """
    tokens, language = question.tokens, question.language
    places = language.statement_words("places")
    ends = {word: end_of_word(word, language) for word in tokens if language.degree_of(word) == "superlative"}
    said = {language.ranges.end_of(token) for token in tokens if token not in label}
    said |= {ends[word] for before, word in pairwise(tokens) if before in places and word in ends}
    if len(found := said - {None}) > 1 or len({*ends.values()} - {None}) > 1:
        return None
    end = question.end_for(label) if question.best and question.degree not in label else None
    return next(iter(found), None) or (end if end in ("low", "high") else None)
