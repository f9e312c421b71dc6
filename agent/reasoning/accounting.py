"""What words and numbers of a question an answer leaves out of account: *in the dark*, *a +2 mace*, *in 3 rounds*.

What counts is said by the cited cells, by what their tables are called, or by a step of the working. Verbs say what is
asked, but not of what, and are let go where the keys have chosen the cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from agent.reasoning.grounding import called, is_told_by_measure
from agent.reasoning.labels import ALIKE, Asking, beginning, stem, words_of
from agent.types import Reasoned
from agent.understanding.attributes import is_manner, is_negated
from agent.understanding.clauses import ARTICLES, NEGATIONS, in_own_words, tokens_of
from agent.understanding.intent import Comparison
from agent.understanding.measures import adjusting, selecting
from agent.understanding.typos import taken_for
from retrieval.tables.measures import canonical, idle_words, want_words
from retrieval.text.label_ranges import Span, read_label
from retrieval.text.normal import is_number, number, phrase, query_words
from retrieval.types import Chunk

_LETTER = re.compile(r"(?<=[a-z] )[A-HJ-Z](?=[\s?,.])")
_SIDE_BY_SIDE = re.compile(r"\bside[- ]by[- ]side\b", re.IGNORECASE)
_PARTS = re.compile(r" (?:/|=) ")
_AUXILIARIES = frozenset("do doe did can could may might must shall should will would".split())
_BEFORE_A_VERB = frozenset("to be i he she it they we you one".split())
_LINKS = ARTICLES | {"of"}
_TURNING = frozenset({"miss", "fail"})
"""Verbs that turn a question round."""
_DENIALS = NEGATIONS | frozenset("no nor none neither without only unless but forbidden".split())
_ROLL = "roll to hit"
_BESIDE = 3


def open_numbers(comparison: Comparison, found: Reasoned) -> list[str]:
    """The numbers of the question that no key, name, citation or step of the working has, nor a cited band holds."""
    quotes = [citation.quote for citation in found.citations]
    told = [found.finding.claim, *(citation.title.split(" - ")[0] for citation in found.citations)]
    said = [*comparison.entities, *quotes, *told, *(step.text for step in found.finding.steps)]
    held = {token for text in said for token in phrase(text)} | {value for _, value in comparison.keys}
    open_ = [token for token in phrase(comparison.question) if is_number(token) and token not in held]
    bands = [band for quote in quotes for band in _bands(quote)] if open_ else []
    return [token for token in open_ if not any(number(token) in band for band in bands)]


def _bands(quote: str) -> Iterator[Span]:
    """The bands by which a cited cell is keyed: of *Income (£) 15,001-25,000* what stands behind the head."""
    for label in _PARTS.split(quote)[:-1]:
        words = label.split()
        spans = (read_label(" ".join(words[i:])).span for i in range(len(words)))
        if (band := next(filter(None, spans), None)) is not None:
            yield band


def open_letters(comparison: Comparison, found: Reasoned) -> list[str]:
    """The capital letters behind a word that no name and no cited cell has: the *A* of *vitamin A* is no article."""
    cited = [f"{citation.title} {citation.quote}" for citation in found.citations]
    said = {token for text in (*comparison.entities, *cited) for token in phrase(text)}
    return [letter for letter in _LETTER.findall(comparison.question) if letter.lower() not in said]


def open_words(comparison: Comparison, found: Reasoned, chunks: Sequence[Chunk]) -> list[str]:
    """The words of the question that nothing in the answer has."""
    question = _SIDE_BY_SIDE.sub(" ", comparison.question)
    asking = Asking.of(tokens_of(question))
    said = _said(comparison, found, chunks)
    idle = _idle(asking.tokens, comparison, said)
    idle |= {word for word in taken_for(comparison) if not any(query_words(c.text).has((word,)) for c in chunks)}
    told = [text for one in found.citations for text in (one.quote, one.quote.split(" = ")[-1])]
    cited = {one.chunk_id for one in found.citations}
    told += [table.caption or one.title for one in chunks if one.id in cited for table in one.tables]
    told += [step.text for step in found.finding.steps]
    light = _verbs(asking.tokens, said) if comparison.keys or _is_joint(comparison, found) else set()
    light |= _owners(asking.tokens, comparison) if comparison.keys else set()
    return [
        in_own_words((word,), question)
        for i in sorted(asking.needed - light)
        if not is_number(word := asking.tokens[i])
        and not is_manner(asking.tokens, i)
        and word not in idle
        and (want_words(word) or is_negated((word,)))
        and not is_said(word, said)
        and not any(is_told_by_measure(word, text) for text in told)
    ]


def _idle(tokens: Sequence[str], comparison: Comparison, said: Collection[str]) -> set[str]:
    """The words that need not be said: that are one word there, or say nothing beside the others."""
    idle = {word for one, other in pairwise(tokens) if stem(one + other) in said for word in (one, other)}
    if stem("permitted") in said and tokens[0] in _AUXILIARIES:
        idle |= set(phrase(comparison.attribute))  # what is permitted is told, whatever is asked of
    idle |= idle_words(frozenset(map(canonical, tokens)))
    if "size" not in phrase(comparison.attribute):
        idle.add("size")  # the end of another scale: *larger hit dice*
    idle.add("point")  # what is counted has a name of its own: *toll points*
    if stem("duration") in said:
        idle.add("last")
    if stem("density") in said:
        idle.add("weight")  # what is light where no weight is given
    return idle


def _is_joint(comparison: Comparison, found: Reasoned) -> bool:
    """True where two names have found one cell together."""
    return len(comparison.entities) == 2 and len(found.finding.values.get("values") or ()) == 1


def is_turned(comparison: Comparison, texts: Sequence[str]) -> bool:
    """True where the question asks for what is not so, and no sentence says what is not."""
    said = (token for text in texts for token in tokens_of(text))
    asked = tokens_of(comparison.question)
    return (is_negated(asked) or "no" in asked) and _DENIALS.isdisjoint(said)


def _said(comparison: Comparison, found: Reasoned, chunks: Sequence[Chunk]) -> frozenset[str]:
    cited = {citation.chunk_id for citation in found.citations}
    tables = ((chunk, table) for chunk in chunks if chunk.id in cited for table in chunk.tables)
    names = frozenset().union(*(called(chunk, table, chunks) for chunk, table in tables))
    return names.union(*(words_of(text) for text in _texts(comparison, found)))


def _texts(comparison: Comparison, found: Reasoned) -> Iterator[str]:
    """Names and keys of the question, the cited cells, and the steps of the working.

    The score of an ability adjusts a value more often than it selects one; it has to be told.
    """
    yield from (*comparison.entities, *comparison.others)
    names = [name for name, _ in comparison.keys if name not in adjusting()]
    yield from (*names, *([_ROLL] if "armor class" in (*names, comparison.attribute) else ()))
    yield from (step.text for step in found.finding.steps)
    yield from (f"{citation.title} {citation.quote}" for citation in found.citations)


def is_said(word: str, said: Collection[str]) -> bool:
    """True for a word that is said in some form: *paralysis* is *paralyzation*."""
    own = stem(word)
    joined = any(own[:i] in said and own[i:] in said for i in range(3, len(own) - 2))  # *longsword*
    return own in said or joined or (len(own) >= ALIKE and any(beginning(other) == beginning(own) for other in said))


def _verbs(tokens: Sequence[str], said: Collection[str]) -> set[int]:
    """Where the verbs stand: behind *to*, *be* or *he*, and behind *does* or *may* and the one who does it."""
    places = {i + 1 for i, token in enumerate(tokens[:-1]) if token in _BEFORE_A_VERB}
    for i, token in enumerate(tokens):
        if token in _AUXILIARIES:
            places.add(_behind_subject(tokens, i + 1, said))
    return {i for i in places if i < len(tokens) and tokens[i] not in _TURNING and not is_negated(tokens[i : i + 1])}


def _owners(tokens: Sequence[str], comparison: Comparison) -> set[int]:
    """Where words stand that say whose number it is, and of what kind those are that are named: *a 350 t ship*.

    Also what it is told by, *per day*: a table that has a column for it has been chosen by that.
    """
    own = {value for name, value in comparison.keys if name not in selecting()}
    places = {j for i, token in enumerate(tokens) if token in own for j in range(i - _BESIDE, i + _BESIDE + 1)}
    kinds = {"per", "which"} if len(comparison.entities) > 1 else {"per"}
    return places | {i + 1 for i, token in enumerate(tokens) if token in kinds}


def _behind_subject(tokens: Sequence[str], start: int, said: Collection[str]) -> int:
    """The first word behind the subject; what an article or a number begins is still part of it."""
    i, begun = start, False
    while i < len(tokens) and (begun or tokens[i] in _LINKS or is_number(tokens[i]) or is_said(tokens[i], said)):
        begun = tokens[i] in ARTICLES
        i += 1
    return i
