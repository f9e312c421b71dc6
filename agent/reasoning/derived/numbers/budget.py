"""What a sum of money buys, and what is left of it: *how many nights can I get for 60 €*, by the price of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.languages.operations import Operation
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.derived.numbers.counted_out import without_portions
from agent.understanding.linking.program import Bound
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.text.normal import is_number, number


def budget(question: Tagged, index: Cells) -> Derivation | None:
    """Return the question for the price of one; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> budget(tagged("How many tickets can I buy for £60?"), CellIndex.build([])).questions
    ('what does ticket cost',)
    """
    language = question.language
    numbers = _numbers(question)
    money = [n for n in numbers if n.limit is None and _is_money(n, question)]
    operation: Operation | None = "buys" if question.operation == "count" else None
    if not language.remaining.isdisjoint(question.tokens):
        operation = "leaves"
    if len(money) != 1 or operation is None or question.negated or question.end is not None:
        return None
    others = [n for n in numbers if n is not money[0]]
    if any(n.limit is not None or number(n.value) < 1 for n in others) or len(others) > 1:
        return None
    names = _bought(question, money[0], index)
    if not names:
        return None
    many = number(others[0].value) if others else 1.0
    text = language.wordings["cost"].format(name=" ".join(names))
    return Derivation((text,), partial(_with_money, question, operation, number(money[0].value), many))


def _numbers(question: Tagged) -> list[Number]:
    """Return the numbers outside of names, also those of a statement before the question: *I have 60 €*."""
    limits = {number.place: number for number in question.numbers}
    named = {place for name in question.names for place in name.places}
    places = (i for i, token in enumerate(question.tokens) if is_number(token) and i not in named)
    return [limits.get(place, Number(place, question.tokens[place])) for place in places]


def _is_money(n: Number, question: Tagged) -> bool:
    """True for a number with a sign or a word of a currency beside it."""
    amount = re.escape(n.value)
    if re.search(rf"[$£€¥₹]\s?{amount}(?![\d.])|(?<![\d.]){amount}\s?[$£€¥₹]", question.question.replace(",", "")):
        return True
    language, tokens = question.language, question.tokens
    units = frozenset().union(*(each.units for each in language.dimensions if each.measures & language.prices))
    return not units.isdisjoint(tokens[n.place + 1 : n.place + 2])


def _bought(question: Tagged, money: Number, index: Cells) -> tuple[str, ...]:
    """Return the words for what is bought, without those that ask, the money and the verbs."""
    language, tokens = question.language, question.tokens[:-1]
    units = frozenset().union(*(each.units for each in language.dimensions if each.measures & language.prices))
    numbers = {n.place for n in _numbers(question)}
    idle = language.function_words | language.helpers | language.persons | language.auxiliaries | units
    idle |= language.remaining | language.buying | language.light_words | {COMMA, *language.singles}
    asking = {place for place in question.operation_places if question.operation == "count"}
    named = {place for name in question.names for place in name.places}
    kept = [i for i in range(len(tokens)) if i in named or not (i in numbers | asking or tokens[i] in idle)]
    return without_portions(kept, question, index)


def _with_money(
    question: Tagged, operation: Operation, money: float, many: float, bounds: Sequence[Bound]
) -> Bound | None:
    """Return the price with the money and the number of pieces."""
    (bound,) = bounds
    if not bound.is_one_value:
        return None
    return replace(for_question(question, bound), operation=operation, factors=(money, many))
