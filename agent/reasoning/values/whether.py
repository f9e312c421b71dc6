"""What is told first where yes or no is asked for: *is the Reed longer than the Kite*, *do both have the same port*."""

from __future__ import annotations

from collections.abc import Sequence

from agent.understanding.question.tagged import Tagged
from retrieval.text.normal import phrase

_PAIR = 2


def asks_whether(question: Tagged, name: str = "") -> bool:
    """Whether a question asks of something named, be it by this `name`, if it is so.

    >>> from agent.understanding.question.tagged import tagged
    >>> [asks_whether(tagged(text)) for text in ("Is the Reed long?", "Is it long?", "How long is the Reed?")]
    [True, False, False]
    """
    language, (first, second) = question.language, (*question.tokens, "", "")[:2]
    is_named = any(each.start == 1 for each in question.names) or phrase(name)[:1] == (second,)
    is_about = second in language.articles or is_named
    return is_about and first in language.helpers | language.copulas | language.possible


def told_first(question: Tagged, names: Sequence[str], texts: Sequence[str], better: str | None) -> str:
    """*Yes: * or *No: *, where it is asked whether the first of two has `better` values than the other, or whether the
    values of all are the same; else empty. Nothing better is known of values that are equal.

    >>> from agent.understanding.question.tagged import tagged
    >>> told_first(tagged("Is the Reed longer than the Kite?"), ["Reed", "Kite"], ["3 m", "5 m"], "Kite")
    'No: '
    """
    tokens, language = set(question.tokens), question.language
    others = language.joining.difference(language.between, language.comparing)
    is_open = question.negated or not tokens.isdisjoint(others)  # *longer than the Kite, or shorter*
    if is_open or question.operation not in (None, "compare", "count") or not asks_whether(question, names[0]):
        return ""
    is_same = len(set(map(phrase, texts))) == 1
    if question.end is None:
        is_asked = not tokens.isdisjoint(language.same)
        return said(is_same) if is_asked else ""
    is_decided = len(names) == _PAIR and (better is not None or is_same)
    return said(better == names[0]) if is_decided and not tokens.isdisjoint(language.comparing) else ""


def told_of_kind(question: Tagged, *, some: bool, others: bool) -> str | None:
    """*Yes: * or *No: *, where it is asked whether there is one of a kind, `some`, or whether it is so of all of it, of
    which there are `others`; empty where that is not asked, None where it is not known whether there are others.

    >>> from agent.understanding.question.tagged import tagged
    >>> told_of_kind(tagged("Is there a boat from York?"), some=True, others=True)
    'Yes: '
    >>> told_of_kind(tagged("Are all boats longer than 5 m?"), some=True, others=True)
    'No: '
    """
    language, tokens = question.language, question.tokens
    if tokens[0] not in language.helpers | language.copulas | language.possible or question.negated:
        return ""
    if language.every.isdisjoint(tokens):
        return said(some)
    is_known = others or bool(question.numbers)
    return said(some and not others) if is_known else None


def said(is_so: bool) -> str:
    """How an answer begins."""
    return "Yes: " if is_so else "No: "
