"""What keeps an answer from being told as whole: a word or a number of the question that no cited cell accounts for.

*What does an oil change cost?* is not answered by how often it is due, and *vitamin A* not by *vitamin C*. The values
are then taken back, and the passages told as no more than near.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.planner.attributes import preference
from agent.planner.clauses import tokens_of
from agent.reasoners.facts import Reasoned
from agent.reasoners.grounding import is_told_by_measure
from agent.reasoners.labels import Asking, stem, words_of
from agent.types import Comparison, Need
from retrieval.lookup import Cell
from retrieval.lookup_words import canonical, idle_words, want_words
from retrieval.text import is_number, phrase
from retrieval.types import Chunk, SubQuery

_NEAREST = "The nearest passages, which may not answer the question:"
_LETTER = re.compile(r"(?<=[a-z] )[A-HJ-Z](?=[\s?,.])")
_COMPARED = re.compile(
    r"\b(?:is|are|was|were|grows?)(?: the)? ([a-z]{3,}(?:er|est))(?=\s*[?,:])|\b([a-z]{3,}er) than\b"
)
_SIDE_BY_SIDE = re.compile(r"\bside[- ]by[- ]side\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\bhow many (.+?)(?= (?:do|does|did|can|could|may|must|is|are|has|have|will|would)\b|$)", re.IGNORECASE
)
_THAN = re.compile(r"\b(?:more|less|fewer|[a-z]{3,}er)\b(?<!other)(?<!rather).* than (?!\W?\d)", re.IGNORECASE)
_AND_WHAT = re.compile(r"\band (?:by |in |for )?(?:what|how|which|when|where|who)\b", re.IGNORECASE)
_WITH_UNIT = re.compile(r"\s*\d[\d,.]*\s+([a-z]{3,})", re.IGNORECASE)
_AMOUNTS = frozenset({"pay", "earn", "owe"})
"""Words that ask for one amount."""
_NO_COMPARATIVES = frozenset({"other", "rather", "another"})
_SAME = 5


def numbered(comparison: Comparison, found: Reasoned, prefix: str) -> Reasoned:
    """What was found, as no more than near where it has not the numbers of its question: *the fee of 2019*."""
    said = [*comparison.entities, *(citation.quote for citation in found.citations)]
    held = {token for text in said for token in phrase(text)}
    if found.needs or comparison.keys or {t for t in phrase(comparison.question) if is_number(t)} <= held:
        return found
    return _near(comparison, found, prefix, "a number that was asked for")


def accounted(comparison: Comparison, found: Reasoned, chunks: Sequence[Chunk], prefix: str) -> Reasoned:
    """What was found, as no more than near where a word of the question is in no cited cell and in no name of theirs.

    Where keys chose the cell, only a price or a letter has to be there: what *ship* and *roll* add, the keys say.
    """
    quotes = [citation.quote for citation in found.citations]
    if found.needs or not quotes or not all(" = " in quote for quote in quotes):
        return found
    open_ = _open_words(comparison, found, chunks)
    if comparison.keys:
        open_ = [word for word in open_ if canonical(word) == "cost"]
    open_ += open_letters(comparison, found)
    return _near(comparison, found, prefix, f"what tells of {', '.join(open_)}") if open_ else found


def open_letters(comparison: Comparison, found: Reasoned) -> list[str]:
    """The capital letters behind a word that no name and no cited cell has: the *A* of *vitamin A* is no article."""
    cited = [f"{citation.title} {citation.quote}" for citation in found.citations]
    said = {token for text in (*comparison.entities, *cited) for token in phrase(text)}
    return [letter for letter in _LETTER.findall(comparison.question) if letter.lower() not in said]


def counts_another(question: str, cell: Cell) -> bool:
    """True for a cell that is no count of what is counted: *how many spells* is not told by a throw against spells.

    The head has the word, but a head above it, or the unit of the cell, says that something else is measured.
    """
    match = _COUNTED.search(question)
    path = next((path for path in cell.table.columns if " ".join(path) == cell.column), ())
    asked, heads = want_words(question), [want_words(part) for part in path]
    if match is None or not heads or not want_words(match[1]) & heads[-1]:
        return False
    unit = _WITH_UNIT.match(cell.text)
    measured = unit is not None and not want_words(unit[1]) <= asked and not heads[-1] <= asked
    return measured or any(head and not head & asked for head in heads[:-1])


def told_apart(comparison: Comparison, found: Reasoned, prefix: str) -> Reasoned:
    """Values side by side, in part where the better is asked for in a word that does not say which end it means."""
    match = _COMPARED.search(comparison.question.lower())
    word = (match[1] or match[2]) if match else ""
    values = found.finding.values.get("values")
    several = isinstance(values, list) and len({value.get("value") for value in values}) > 1
    named = {token for name in comparison.entities for token in phrase(name)}
    if found.needs or not several or not word or word in named | _NO_COMPARATIVES or preference((word,)):
        return found
    return _in_part(found, f"which of these values is the {word}", comparison.question, prefix)


def whole(comparison: Comparison, found: Reasoned, prefix: str) -> Reasoned:
    """What was found, in part where one value is told and two are asked for: *how much more ... than*, *and what*."""
    values = found.finding.values.get("values")
    if found.needs or not isinstance(values, list) or len(values) != 1 or comparison.among:
        return found
    match = _THAN.search(comparison.question) or _AND_WHAT.search(comparison.question)
    if match is None or len(found.finding.steps) > 1:
        return found
    return _in_part(found, f"what is asked besides {values[0].get('name')}", comparison.question, prefix)


def counted(comparison: Comparison, found: Reasoned, prefix: str) -> Reasoned:
    """Sentences, as no more than near where a number is asked for and none of them has one."""
    quotes = [citation.quote for citation in found.citations]
    if found.needs or not quotes or not _COUNTED.search(comparison.question) or any(" = " in q for q in quotes):
        return found
    told = any(is_number(token) for quote in quotes for token in phrase(quote))
    return found if told or found.finding.values.get("values") else _near(comparison, found, prefix, "a number")


def one_amount(comparison: Comparison, found: Reasoned, prefix: str) -> Reasoned:
    """All amounts of one thing, in part where one was asked for: *what an adult pays* on which day."""
    rows = found.finding.values.get("values")
    asks = _AMOUNTS & set(phrase(comparison.question)) and len(comparison.entities) == 1
    if found.needs or not asks or not isinstance(rows, dict) or len(rows) < 2:
        return found
    return _in_part(found, f"which of these is meant: {', '.join(rows)}", comparison.question, prefix)


def _open_words(comparison: Comparison, found: Reasoned, chunks: Sequence[Chunk]) -> list[str]:
    question = _SIDE_BY_SIDE.sub(" ", comparison.question)
    asking = Asking.of(tokens_of(question))
    said = frozenset().union(*(words_of(text) for text in _texts(comparison, found, chunks)))
    joint = {word for one, other in pairwise(asking.tokens) if one + other in said for word in (one, other)}
    idle = idle_words(frozenset(map(canonical, asking.tokens)))
    if "size" not in phrase(comparison.attribute):
        idle |= {"size"}  # the end of another scale: *larger hit dice*
    words = [asking.tokens[i] for i in sorted(asking.needed) if not is_number(asking.tokens[i])]
    quotes = [citation.quote for citation in found.citations]
    return [
        word
        for word in words
        if word not in joint | idle
        and not _is_said(word, said)
        and not all(is_told_by_measure(word, q) for q in quotes)
    ]


def _texts(comparison: Comparison, found: Reasoned, chunks: Sequence[Chunk]) -> Iterator[str]:
    """What accounts for words: names and keys of the question, the cited cells, and what their tables are called."""
    yield from comparison.entities
    yield from (name for name, _ in comparison.keys)
    yield from (citation.quote for citation in found.citations)
    cited = {citation.chunk_id for citation in found.citations}
    for chunk in (chunk for chunk in chunks if chunk.id in cited):
        yield from (chunk.title, *chunk.headings)
        for table in chunk.tables:
            yield from (table.caption, *(" ".join(path) for path in table.columns[:1]))


def _is_said(word: str, said: frozenset[str]) -> bool:
    own = stem(word)
    return own in said or (len(own) >= _SAME and any(other[:_SAME] == own[:_SAME] for other in said))


def _in_part(found: Reasoned, open_: str, question: str, prefix: str) -> Reasoned:
    return replace(found, needs=(Need(open_, SubQuery(f"{prefix}1", question, "what is meant")),))


def _near(comparison: Comparison, found: Reasoned, prefix: str, purpose: str) -> Reasoned:
    need = Need(comparison.question, SubQuery(f"{prefix}1", comparison.question, purpose))
    values = found.finding.values.get("values")
    told = values if isinstance(values, list) else []
    nothing = [dict(value) | {"value": None, "number": None} for value in told]
    data = dict(found.finding.values) | {"values": nothing, "better": None, "difference": None}
    near = replace(found.finding, claim=_NEAREST, values=data, verdict=None)
    return replace(found, finding=near, needs=(need,))
