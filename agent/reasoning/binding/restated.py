"""A superlative that a question restates in the collection's words: *the gentlest tea, with the lowest caffeine*.

If the first superlative is no measure of the collection, the part behind the comma replaces it, and the answer says
which was taken for which.
"""

from __future__ import annotations

from itertools import takewhile

from agent.reasoning.kinds.asked import is_unknown, kind_asked
from agent.understanding.question.tagged import Tag, Tagged
from agent.understanding.rewording.in_full import explained_initials
from agent.understanding.rewording.rewordings import Reworded
from agent.understanding.words.clauses import COMMA, in_own_words
from agent.understanding.words.related import is_superlative, may_be_verb
from retrieval.tables.index import Cells

_BEHIND = ", "


def said_first(text: str) -> str:
    """Return the part of a question before its first comma."""
    return text.partition(_BEHIND)[0]


def restated(text: str, tag: Tag, index: Cells) -> Reworded:
    """Return the question with the superlative of its second part, if the first part names no measure of the
    collection; else the question as it is.
    """
    head, _, tail = text.partition(_BEHIND)
    full = explained_initials(tail, index)
    first, last = tag(head), tag(tail if full is None else tail.replace(full.said, full.label))
    kind = kind_asked(first, index) or _kind_behind(_end_in(first), first)
    measure = _measure(last, index)
    if not (kind and measure) or _is_measured(first, kind, index):
        return Reworded(text, {})
    language = first.language
    asked = language.wordings["highest"].format(kind=" ".join(kind), measure=measure)
    plain = tag(asked)
    asked = asked.replace(plain.degree, last.degree, 1)
    said = [word for _, word in first.words() if word not in kind]
    return Reworded(asked, {in_own_words(said, head): f"{last.degree} {measure}"})


def _end_in(question: Tagged) -> int | None:
    """Return the place of the first word for an end of any scale."""
    language, places = question.language, list(enumerate(question.tokens))
    known = (i for i, token in places if language.degree_of(token) == "superlative")
    return next(known, None) or next((i for i, token in places if is_superlative(token, language)), None)


def _kind_behind(end: int | None, question: Tagged) -> tuple[str, ...]:
    """Return the words right behind the word for an end: *the gentlest tea there is*."""
    behind = () if end is None else question.tokens[end + 1 :]
    return tuple(takewhile(lambda token: token != COMMA and token not in question.language.idle, behind))


def _is_measured(question: Tagged, kind: tuple[str, ...], index: Cells) -> bool:
    """True for a part that names a measure, has numbers, other names or a negation, or asks for no end."""
    words = {word for _, word in question.words() if word not in kind}
    names = [each for each in question.names if not {*question.tokens[each.start : each.end]} <= {*kind}]
    is_known = bool(question.numbers or names or words & index.measure_words) or question.negated
    return is_known or not _asks_for_end(question, kind)


def _asks_for_end(question: Tagged, kind: tuple[str, ...]) -> bool:
    """True for the end of a scale with at most verbs before it, *ends up the thinnest*, and no phrase that restricts
    the kind: *from Hull*.
    """
    end, language = _end_in(question), question.language
    relating = language.statement_words("places") | language.beside | language.of_each
    if end is None or not relating.isdisjoint(question.tokens):
        return False
    before = (word for i, word in question.words() if i < end and word not in kind)
    return all(word in language.idle or may_be_verb(word, language) for word in before)


def _measure(question: Tagged, index: Cells) -> str:
    """Return the measure whose end a part asks for, in its own words; empty if the part says anything else."""
    end = question.end
    if end is None or not question.best or question.numbers or question.negated:
        return ""
    if question.side is not None and question.side != question.end_for(()):
        return ""
    measured = [i for i, word in question.words() if i != end and word in index.measure_words]
    if not measured:
        return ""
    start = min(*measured, end)
    free = [(i, word) for i, word in question.words() if i not in measured and i != end]
    if any(i > start or not is_unknown(word, question, index) for i, word in free):
        return ""
    return in_own_words([question.tokens[i] for i in measured], question.question)
