"""The candidate cells of a named entity, chosen by the numbers next to its name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.reasoning.measures.asked_of_spans import words_for_span
from agent.reasoning.measures.units import with_units
from agent.reasoning.values.span_ends import is_span_of_times
from agent.understanding.linking.partial import stretches
from agent.understanding.linking.program import Linked, Subject
from agent.understanding.words.related import only_relates
from retrieval.tables.asked import Key, NameRequest
from retrieval.tables.bind import Binding, candidates, with_value_words
from retrieval.tables.index import Cells
from retrieval.tables.match import matches_any
from retrieval.text.normal import phrase


def candidates_of(linked: Linked, subject: Subject, index: Cells) -> list[Binding]:
    """Return the cells of a subject, ranked by the words of the question and of the subject."""
    words = tuple(dict.fromkeys((*linked.words, *subject.words)))
    before = tuple(replace(key, words=key.words[:1]) for key in subject.keys)
    implied, idle = {**linked.related, **linked.implied}, linked.question.language.idle
    counting = linked.question.language.counting if linked.question.operation == "count" else ()
    asked = NameRequest(
        subject.key, words, before, implied, idle, (*linked.stretches, *_with_small_words(linked)), counting
    )
    found = candidates(index, asked)
    if not found and before != subject.keys:
        found = candidates(index, replace(asked, keys=subject.keys))
    if not found and (alone := _without_name(before, subject)) != before:
        found = candidates(index, replace(asked, keys=alone))
    return _with_spans(
        linked, with_units(linked, _with_left(_called_so(found, subject), _behind_numbers(linked, subject)))
    )


def _with_spans(linked: Linked, found: Sequence[Binding]) -> list[Binding]:
    """Return the candidates, best first, where a span of times matches the words that ask for one: *8:00–16:00* matches
    the *close* of *when does it close*.
    """
    asked, language = words_for_span(linked.question), linked.question.language
    if not asked:
        return list(found)

    def words_of(each: Binding) -> Collection[str]:
        left = asked.intersection(each.unmatched_words)
        return left if left and is_span_of_times(each.text, language) else ()

    return with_value_words(found, words_of)


def _behind_numbers(linked: Linked, subject: Subject) -> frozenset[str]:
    """Return the words behind numbers whose axis precedes them: the *latency* of *top 1 latency*. Verbs are excluded,
    and units with an adjective behind them: the *year* of *30 year old*.
    """
    question, pairs = linked.question, {(key.value, word) for key in subject.keys for word in key.words[1:]}
    tokens, language = question.tokens, question.language
    beside = (place for place, word in question.words() if place and (tokens[place - 1], word) in pairs)
    kept = (place for place in beside if tokens[place + 1] not in language.adjectives)
    return frozenset(tokens[place] for place in kept if not only_relates(tokens, place, language))


def _with_left(found: Sequence[Binding], words: Collection[str]) -> list[Binding]:
    """Return the candidates, each with those of the words as unmatched that its table doesn't have."""
    if not words:
        return list(found)  # the usual case: thousands of candidates stay as they are
    left = {
        id(grid): tuple(word for word in words if not (grid.facts.forms.of(word) or matches_any(word, grid.context)))
        for grid in (each.grid for each in found)
    }
    return [replace(each, unmatched_words=(*each.unmatched_words, *left[id(each.grid)])) for each in found]


def _called_so(found: Sequence[Binding], subject: Subject) -> list[Binding]:
    """Return the candidates without those of another identifier with the same parts in another order: *tide-hull-york*
    is not *tide-york-hull*.
    """
    said = phrase(subject.text)
    names = {each.place.name for each in found}
    others = {name for name in names if " " not in name.strip() and phrase(name) != said}
    is_there = any(phrase(name) == said for name in names)
    return [each for each in found if each.place.name not in others] if others and is_there else list(found)


def _with_small_words(linked: Linked) -> Iterator[tuple[str, ...]]:
    """Yield runs of words with a function word inside, as an abbreviation may stand for all of them: *packets per
    second*.
    """
    tokens, language = linked.question.tokens, linked.question.language
    places = [i for i, word in linked.question.words() if word in linked.words]
    between = language.function_words - language.joining
    joined = {i + 1 for i, after in pairwise(places) if after == i + 2 and tokens[i + 1] in between}
    for stretch in stretches(sorted(joined.union(places))):
        if not joined.isdisjoint(stretch):
            yield tuple(tokens[i] for i in stretch)


def _without_name(keys: Collection[Key], subject: Subject) -> tuple[Key, ...]:
    """Return the keys, where a number with words of the name before it chooses by its value alone: *workshops united
    kingdom 2016*.
    """
    own = {*phrase(subject.text)}
    return tuple(
        replace(key, words=(), is_unqualified=True) if key.words and own.issuperset(key.words) else key for key in keys
    )
