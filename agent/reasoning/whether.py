"""What is told first where yes or no is asked for: *is the Reed longer than the Kite*, *do both have the same port*."""

from __future__ import annotations

from collections.abc import Sequence

from agent.understanding.tagged import Tagged
from retrieval.text.normal import phrase

_PAIR = 2


def asks_whether(question: Tagged) -> bool:
    """Whether a question asks of something named if it is so.

    >>> from agent.understanding.tagged import tagged
    >>> [asks_whether(tagged(text)) for text in ("Is the Reed long?", "Is it long?", "How long is the Reed?")]
    [True, False, False]
    """
    language, (first, second) = question.language, (*question.tokens, "", "")[:2]
    is_about = second in language.articles or any(name.start == 1 for name in question.names)
    return is_about and first in language.helpers | language.copulas | language.possible


def told_first(question: Tagged, names: Sequence[str], texts: Sequence[str], better: str | None) -> str:
    """*Yes: * or *No: *, where it is asked whether the first of two has `better` values than the other, or whether the
    values of all are the same; else empty. Nothing better is known of values that are equal.

    >>> from agent.understanding.tagged import tagged
    >>> told_first(tagged("Is the Reed longer than the Kite?"), ["Reed", "Kite"], ["3 m", "5 m"], "Kite")
    'No: '
    """
    tokens, language = set(question.tokens), question.language
    others = language.joining.difference(language.between, language.comparing)
    is_open = question.negated or not tokens.isdisjoint(others)  # *longer than the Kite, or shorter*
    if is_open or question.operation not in (None, "compare", "count") or not asks_whether(question):
        return ""
    is_same = len({phrase(text) for text in texts}) == 1
    if question.end is None:
        is_asked = not tokens.isdisjoint(language.same)
        return said(is_same) if is_asked else ""
    is_decided = len(names) == _PAIR and (better is not None or is_same)
    return said(better == names[0]) if is_decided and not tokens.isdisjoint(language.comparing) else ""


def said(is_so: bool) -> str:
    """How an answer begins."""
    return "Yes: " if is_so else "No: "
