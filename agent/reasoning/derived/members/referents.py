"""What a description stands for: *how many steps has the tallest tower* asks for those of the tower that is tallest.

The description, an article with a superlative behind it, is bound as a question of its own; the name of what it finds
takes its place in the question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.reasoning.derived.derivation import Bind, for_question
from agent.reasoning.kinds.members import is_kind
from agent.reasoning.kinds.readings import best_readings
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.names import name_keys

_LONGEST = 14
"""The most words of a description."""


def of_described(question: Tagged, index: Cells, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the best member of a kind with what is asked of it; None for other questions."""
    if not question.best or question.negated or question.operation not in (None, "count"):
        return None
    tokens = question.tokens[:-1]
    for start, end in _descriptions(question, index):
        which, verb = (question.language.wordings[word] for word in ("which", "is"))
        best = yield from bind(" ".join((which, verb, *tokens[start:end])))
        if best is None or best.operation != "best" or best.other_values or best.is_open:
            continue
        winners = best_readings(best)
        if len(winners) != 1:
            return None
        name = winners[0].name
        asked = yield from bind(" ".join((*tokens[:start], name, *tokens[end:])))
        if asked is None or not _is_read_of(asked, name):
            continue
        told = (_named(asked.readings[0], name),)
        return replace(for_question(question, best, asked), other_values=told, yes_or_no=asked.yes_or_no)
    return None


def _descriptions(question: Tagged, index: Cells) -> Iterator[tuple[int, int]]:
    """Yield the places of descriptions, the longest first, with something asked about them beside."""
    language, tokens = question.language, question.tokens[:-1]
    start = max((i for i in question.places(language.articles) if _is_description(i, question, index)), default=None)
    if start is None or not _asks(tokens[:start], question, index):
        return
    ends = language.copulas | language.helpers | {COMMA}
    first = next((i for i in range(start, len(tokens)) if i > (question.end or 0) and tokens[i] in ends), len(tokens))
    shortest = max(start + 2, (question.end or 0) + 1)
    is_inverted = start > 0 and tokens[start - 1] in language.copulas | language.helpers  # *was the tallest built*
    for end in range(min(len(tokens) - is_inverted, first, start + _LONGEST), shortest - 1, -1):
        if any(is_kind(word, index) for word in tokens[start:end]):
            yield start, end


def _is_description(place: int, question: Tagged, index: Cells) -> bool:
    """True for an article before the superlative of a kind, *the tallest tower*, or before a kind with one, *the tower
    with the most steps*.
    """
    language, tokens, end = question.language, question.tokens, question.end or 0
    if place + 1 == end or (place + 2 == end and tokens[place + 1] in language.ends):
        return end in question.scales
    between = tokens[place + 1 : end]
    noun = next((i for i, word in enumerate(between) if i and word in language.beside | language.relatives), 0)
    return place < end and noun > 0 and is_kind(between[noun - 1], index) and COMMA not in between


def _asks(before: tuple[str, ...], question: Tagged, index: Cells) -> bool:
    """True if the words before a description ask for something of it, and not for what it is."""
    language = question.language
    if before[:1] != () and before[0] in language.kinds and before[-1] in language.copulas:
        label = before[1:-1]
        return bool(label) and label[-1] in index.measure_words and not is_kind(label[-1], index)
    idle = language.articles | language.copulas | language.kinds - {said[-1] for said in language.counting}
    asked = [word for word in before if word not in idle | language.listing]
    return bool(asked) or (before[:1] != () and before[0] in language.copulas)


def _named(reading: Reading, name: str) -> Reading:
    """Return the reading under a name, also if it was read as the value of a column: *the port of the Sedge*."""
    best, table = reading.best, reading.best.grid.table
    label = best.label if table.is_record else best.grid.column_labels[best.column]
    return replace(reading, subject=replace(reading.subject, text=name), found=(replace(best, label=label),))


def _is_read_of(asked: Bound, name: str) -> bool:
    """True for one value of the named entity."""
    if asked.is_open or not asked.is_one_value:
        return False
    reading = asked.readings[0]
    keys = set(name_keys(name))
    return not keys.isdisjoint({reading.subject.key, *name_keys(reading.best.cell.row_label), *name_keys(reading.name)})
