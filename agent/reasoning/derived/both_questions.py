"""Two questions in one: *how heavy is the Kite, and which port does it lie in* tells both, or it is not answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.languages.language import Language
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.kinds.asked import kind_asked
from agent.reasoning.kinds.members import is_kind
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, in_own_words
from retrieval.tables.index import Cells

_FEWEST = 3
"""The fewest words of a question."""


def both_questions(question: Tagged, index: Cells) -> Derivation | None:
    """Return the two questions that are joined by *and*, with the name that a pronoun of the second one stands for;
    None for a single question.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> text = "How heavy is the Kite, and which port does the Tern lie in?"
    >>> both_questions(tagged(text), CellIndex.build([])).questions
    ('How heavy is the Kite', 'which port does the Tern lie in')
    """
    tokens = question.tokens[:-1]
    joint = _joint(tokens, question.language)
    if joint is None:
        return None
    head, tail = tokens[:joint], tokens[joint + 1 :]
    head = head[:-1] if head[-1] == COMMA else head
    name = _named(question, len(head), index)
    pronouns = question.language.pronouns.intersection(tail)
    best = _best_in(head, question, index) if pronouns and not name else ()
    if pronouns and not (name or best):
        return None
    second = _said_of(name or best, tail, question)
    texts = (in_own_words(head, question.question), in_own_words(second, question.question))
    if best:
        return Derivation(texts[1:], lambda bounds: _of_best(question, bounds[0]))
    return Derivation(texts, lambda bounds: _both(question, bounds))


def _joint(tokens: Sequence[str], language: Language) -> int | None:
    """Return the place of the only *and* before words that ask, if the question begins with such words."""
    asking = (
        language.kinds
        | language.before_adjectives
        | {word for each in language.answers.values() for word, *more in each if not more}
    )
    before = language.statement_words("places") | language.beside
    whether = language.copulas | language.support
    joints = [
        i
        for i in range(_FEWEST, len(tokens) - _FEWEST)
        if tokens[i] in language.joining.intersection(language.between)
        and (
            next((token for token in tokens[i + 1 :] if token not in before), "") in asking
            or (tokens[i + 1] in whether and tokens[i + 2] in language.pronouns)
        )
    ]
    return joints[0] if len(joints) == 1 and not asking.isdisjoint(tokens[:2]) else None


def _named(question: Tagged, end: int, index: Cells) -> tuple[str, ...]:
    """Return the words of the only thing that is named before a place; empty if there is none, or several."""
    named = {each.end: each for each in question.names if each.end <= end and index.places([each.key], THINGS)}
    names = [question.tokens[each.start : each.end] for each in named.values()]
    names = [words for words in names if not is_kind(words[-1], index)]
    return names[0] if len(names) == 1 else ()


def _best_in(head: Sequence[str], question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the words for the best member of a kind that a question asks for: *the longest boat*."""
    language = question.language
    kind = kind_asked(question, index)
    copula = next((i for i, token in enumerate(head) if token in language.copulas), len(head))
    said = tuple(head[copula + 1 :])
    if not any(language.degree_of(token) == "superlative" for token in said):
        return ()
    return said if any(is_kind(word, index) for word in said) else (*said, *kind)


def _both(question: Tagged, bounds: Sequence[Bound]) -> Bound | None:
    """Return the values that both questions read; None if one asks for something else."""
    first, second = bounds
    if not all(each.operation == "read" and all(reading.found for reading in each.readings) for each in bounds):
        return None
    told = ", ".join(dict.fromkeys(each.measure for each in bounds))
    whole = for_question(question, first, second)
    return replace(whole, readings=(*first.readings, *second.readings), measure=told, yes_or_no=None)


def _said_of(name: Sequence[str], tail: Sequence[str], question: Tagged) -> Sequence[str]:
    """Return a question with a name for its pronoun: *what is the port of the longest boat* for *what is its port*."""
    language = question.language
    place = next((i for i, token in enumerate(tail) if token in language.pronouns), 0)
    label = tail[place + 1 :]
    if label and place and tail[0] in language.kinds and tail[place - 1] in language.copulas:
        return language.wordings["value_of"].format(label=" ".join(label), name=" ".join(name)).split()
    return [part for token in tail for part in (name if token in language.pronouns else (token,))]


def _of_best(question: Tagged, bound: Bound) -> Bound | None:
    """Return the value of the best, which tells also which one it is."""
    is_sure = not (bound.unmatched_question_words or bound.doubtful_word)
    return for_question(question, bound) if bound.operation == "best" and is_sure else None
