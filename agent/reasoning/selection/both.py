"""Members that meet two conditions: *boards that have Bluetooth but no Wi-Fi* are asked for twice, once by each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.reasoning.kinds.asked import kind_asked, place_behind
from agent.reasoning.selection.selected import names_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, in_own_words
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, label_words

_FEWEST = 2


def halves_of_both(question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the two questions that *but*, *and no* or *both … and …* joins; empty if nothing joins two conditions.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> texts = "Which boats have a crane but no sail?", "Which boats sail in both May and June?"
    >>> [halves_of_both(tagged(text), CellIndex.build([])) for text in texts]
    [('Which boats have a crane', 'Which boats have no sail'), ('Which boats sail in May', 'Which boats sail in June')]
    """
    tokens, language = tuple(token for token in question.tokens if token != COMMA), question.language
    kind = kind_asked(question, index)
    start = place_behind(kind, tokens)
    if question.compares or not kind or start >= len(tokens):
        return ()
    before = next((i for i in range(start, len(tokens)) if tokens[i] in language.both), None)
    if before is not None:
        joint = next((i for i in range(before + 2, len(tokens) - 1) if tokens[i] in language.joining), None)
        conditions = () if joint is None else (tokens[before + 1 : joint], tokens[joint + 1 :])
        return tuple(text_of(question, tokens[:before], each) for each in conditions)
    lacking = [i for i in range(start, len(tokens) - 1) if tokens[i] in language.lacking]
    if len(lacking) == _FEWEST and tokens[lacking[1] - 1] not in language.joining:  # *neither … nor …*
        first, second = lacking
        return tuple(text_of(question, tokens[:first], each) for each in (tokens[first:second], tokens[second:]))
    for joint in range(start + 1, len(tokens) - 1):
        behind = tokens[joint + 1]
        if tokens[joint] in language.again and not language.negations.isdisjoint(tokens[joint:]):
            other = _denied(tokens, joint, start, question)
            return (text_of(question, tokens[:joint]), other) if other else ()
        is_joined = tokens[joint] in language.joining.intersection(language.between) and behind in language.negations
        if tokens[joint] in language.contrasting or is_joined:
            lead = lead_of(tokens, start, behind, question)
            return text_of(question, tokens[:joint]), text_of(question, lead, tokens[joint + 1 :])
    return ()


def _denied(tokens: Sequence[str], joint: int, start: int, question: Tagged) -> str:
    """Return the question of a relative clause, *that Team does not have*: *how many features does Team not have*."""
    language, clause = question.language, tokens[joint + 1 :]
    verb = next((i for i, token in enumerate(clause) if token in language.support | language.copulas), 0)
    if not verb or clause[verb + 1 : verb + 2] == () or clause[verb + 1] not in language.negations:
        return ""
    return text_of(question, tokens[:start], clause[verb : verb + 1], clause[:verb], clause[verb + 1 :])


def lead_of(tokens: Sequence[str], start: int, behind: str, question: Tagged) -> Sequence[str]:
    """Return what stands before the second condition: the asked noun phrase, and the verb behind it unless the
    condition has its own.
    """
    language = question.language
    verbs = language.copulas | language.helpers | language.holding | language.support
    end = next((i for i in range(start, len(tokens)) if tokens[i] not in verbs), start)
    return tokens[:start] if behind in verbs else tokens[:end]


def text_of(question: Tagged, *parts: Sequence[str]) -> str:
    """Return a question of these parts, each as the asker wrote it."""
    return " ".join(in_own_words(part, question.question) for part in parts)


def met_by_both(bounds: Sequence[Bound | None], question: Tagged) -> Bound | None:
    """Return the members in both lists, with both values; None if a list is uncertain, or is of other tables and leaves
    out members of the other list.
    """
    found = [each for each in bounds if each is not None and each.operation in ("list", "count")]
    if len(found) < _FEWEST or any(each.unsure or each.doubtful_word for each in found):
        return None
    first, second = found
    tables = [{each.best.grid.table_id for each in bound.judged} for bound in found]
    if not names_of(first.readings) <= names_of(second.judged) and tables[0] != tables[1]:
        return None
    values = {name: reading for reading in second.readings for name in names_of([reading])}
    met, others = [], []
    for reading in first.readings:
        (name,) = names_of([reading])
        if name in values:
            own = {binding.label for binding in reading.found}
            more = (each for each in values[name].found if each.label not in own and _is_said(each.label, question))
            met.append(replace(reading, found=(*reading.found, *more)))
        else:
            others.append(reading)
    words = tuple(dict.fromkeys((*first.linked.words, *second.linked.words)))
    left = tuple(dict.fromkeys((*first.unmatched_question_words, *second.unmatched_question_words)))
    return replace(
        first,
        linked=replace(first.linked, question=question, words=words),
        readings=tuple(met),
        operation="count" if question.operation == "count" else "list",
        without_value=(*others, *first.without_value),
        unmatched_question_words=left,
    )


def _is_said(label: str, question: Tagged) -> bool:
    return any_matches(question.tokens, label_words(label))
