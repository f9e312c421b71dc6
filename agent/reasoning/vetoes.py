"""What keeps an answer from being told as whole: a word or a number of the question that no cited cell accounts for.

*What does an oil change cost?* is not answered by how often it is due, and *vitamin A* not by *vitamin C*. The values
are then taken back, and the passages told as no more than near.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.reasoning.accounting import is_turned, open_letters, open_numbers, open_words
from agent.reasoning.labels import words_of
from agent.types import Need, Reasoned
from agent.understanding.attributes import preference, rank_asked
from agent.understanding.clauses import NEXT_QUESTION, tokens_of
from agent.understanding.intent import Comparison
from agent.understanding.keys import key_asked
from agent.understanding.measures import selecting
from retrieval.tables.measures import want_words
from retrieval.tables.reading import Reading
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, phrase
from retrieval.types import Chunk, SubQuery

_NEAREST = "The nearest passages, which may not answer the question:"
_COMPARED = re.compile(
    r"\b(?:is|are|was|were|grows?)(?: the)? ([a-z]{3,}(?:er|est))(?=\s*[?,:])|\b([a-z]{3,}er) than\b"
)
_COUNTED = re.compile(
    r"\bhow many (.+?)(?= (?:do|does|did|can|could|may|must|is|are|has|have|will|would)\b|$)", re.IGNORECASE
)
_THAN = re.compile(r"\b(?:more|less|fewer|[a-z]{3,}er)\b(?<!other)(?<!rather).* than (?!\W?\d)", re.IGNORECASE)
_WITH_UNIT = re.compile(r"\s*\d[\d,.]*\s+([a-z]{3,})", re.IGNORECASE)
_AMOUNTS = frozenset({"pay", "earn", "owe"})
"""Words that ask for one amount."""
_OF = re.compile(r"\bof\b")
_LINK = "ofof"
"""An *of* that no number swallows, as *strength of 17* does."""
_TOTALS = frozenset({"total", "maximum", "minimum", "average"})
_NO_COMPARATIVES = frozenset({"other", "rather", "another"})


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found for a comparison, as a veto looks at it."""

    comparison: Comparison
    found: Reasoned
    chunks: Sequence[Chunk]
    prefix: str

    @property
    def quotes(self) -> list[str]:
        return [citation.quote for citation in self.found.citations]

    @property
    def is_of_cells(self) -> bool:
        """True where cells answer, and not sentences or whole stat blocks."""
        return bool(self.quotes) and all(" = " in quote for quote in self.quotes)

    @property
    def is_prose(self) -> bool:
        """True where sentences answer; stat blocks are told label by label."""
        rows = isinstance(self.found.finding.values.get("values"), dict)
        return bool(self.quotes) and not rows and not any(" = " in quote for quote in self.quotes)

    @property
    def values(self) -> list[Mapping[str, Any]]:
        values = self.found.finding.values.get("values")
        return values if isinstance(values, list) else []

    def in_part(self, open_: str) -> Reasoned:
        """What was found, with what is not told beside it."""
        need = Need(open_, SubQuery(f"{self.prefix}1", self.comparison.question, "what is meant"))
        return replace(self.found, needs=(need,))

    def near(self, purpose: str) -> Reasoned:
        """What was found as no more than near: its values are taken back."""
        question, finding = self.comparison.question, self.found.finding
        nothing = [dict(value) | {"value": None, "number": None} for value in self.values]
        data = dict(finding.values) | {"values": nothing, "better": None, "difference": None}
        need = Need(question, SubQuery(f"{self.prefix}1", question, purpose))
        return replace(self.found, finding=replace(finding, claim=_NEAREST, values=data, verdict=None), needs=(need,))

    def without(self, words: Sequence[str]) -> Reasoned:
        """What was found without regard to some words: in part where keys chose the cell, else no more than near."""
        told = ", ".join(words)
        if self.comparison.keys:
            return self.in_part(f"what this changes, of which no account was taken: {told}")
        return self.near(f"what tells of {told}")


def vetted(comparison: Comparison, found: Reasoned, chunks: Sequence[Chunk], prefix: str) -> Reasoned:
    """What was found, as the first veto that applies leaves it; what has needs, or cites nothing, is as it is."""
    answer = _Answer(comparison, found, chunks, prefix)
    whole = comparison.question and found.citations and not found.needs
    vetoes = (veto(answer) for veto in VETOES if whole)
    return next((less for less in vetoes if less is not None), found)


def _left_out(answer: _Answer) -> Reasoned | None:
    """A number of the question that nothing in the answer has, or of cells a word: *the fee of 2019*, *a +2 mace*."""
    open_ = open_numbers(answer.comparison, answer.found)
    if answer.is_of_cells:
        open_ += open_words(answer.comparison, answer.found, answer.chunks)
        open_ += open_letters(answer.comparison, answer.found)
    return answer.without(open_) if open_ else None


def _rank(answer: _Answer) -> Reasoned | None:
    """The best, where the second or the third best is asked for."""
    rank = rank_asked(answer.comparison.question)
    return answer.near(f"which is number {rank}") if answer.found.finding.values.get("rank", 1) != rank else None


def _counts(answer: _Answer) -> Reasoned | None:
    """Sentences that have no number of what is counted, where a number is asked for."""
    counting = _COUNTED.search(answer.comparison.question)
    if not counting or not answer.is_prose:
        return None
    names = {phrase(name)[-1] for name in answer.comparison.entities if phrase(name)}
    told = any(
        _tells_number(tokens_of(_OF.sub(_LINK, quote)), phrase(counting[1])[-1:], names) for quote in answer.quotes
    )
    return None if told else answer.near("a number")


def _tells_number(tokens: Sequence[str], counted: Sequence[str], names: Collection[str]) -> bool:
    """True where a number stands beside what is counted, and no other between it and the name: *led by 4, of 7 hp*.

    A noun that has the number with an *of* says that it measures something else: *the expenditure of 2 charges*.
    """
    for i in (i for i, token in enumerate(tokens) if is_number(token)):
        beside = {*tokens[max(0, i - 1) : i], *tokens[i + 1 : i + 3]}
        since = max((start for start in range(i) if tokens[start] in names), default=i)
        if beside & set(counted) and not any(map(is_number, tokens[since:i])) and not _is_measured(tokens, i):
            return True
    return False


def _is_measured(tokens: Sequence[str], place: int) -> bool:
    """True for the 2 of *the expenditure of 2 charges*, and not for that of *a total of 2*."""
    return place > 0 and tokens[place - 1] == _LINK and tokens[place - 2] not in _TOTALS


def _turned(answer: _Answer) -> Reasoned | None:
    """Sentences that say what is so, where what is not so is asked for."""
    return answer.near("what is not so") if answer.is_prose and is_turned(answer.comparison, answer.quotes) else None


def _one_amount(answer: _Answer) -> Reasoned | None:
    """All amounts of one thing, where one was asked for: *what an adult pays* on which day."""
    rows = answer.found.finding.values.get("values")
    asks = _AMOUNTS & set(phrase(answer.comparison.question)) and len(answer.comparison.entities) == 1
    if not asks or not isinstance(rows, dict) or len(rows) < 2:
        return None
    return answer.in_part(f"which of these is meant: {', '.join(rows)}")


def _both(answer: _Answer) -> Reasoned | None:
    """One value, where two are asked for: *how much more ... than*, *and what*."""
    if len(answer.values) != 1 or len(answer.found.finding.steps) > 1:
        return None
    two = _THAN.search(answer.comparison.question) or NEXT_QUESTION.search(answer.comparison.question)
    return answer.in_part(f"what is asked besides {answer.values[0].get('name')}") if two else None


def _which_end(answer: _Answer) -> Reasoned | None:
    """Values side by side, where the better is asked for in a word that does not say which end it means."""
    match = _COMPARED.search(answer.comparison.question.lower())
    word = (match[1] or match[2]) if match else ""
    several = len({value.get("value") for value in answer.values}) > 1
    named = {token for name in answer.comparison.entities for token in phrase(name)}
    if not several or not word or word in named | _NO_COMPARATIVES or preference((word,)):
        return None
    return answer.in_part(f"which of these values is the {word}")


def _key(answer: _Answer) -> Reasoned | None:
    """A cell that stands under a key, where the key is asked for: *which level*; or sentences that have no number."""
    tokens = tokens_of(answer.comparison.question)
    place = key_asked(tokens)
    key = tokens[place] if place is not None and tokens[place] in selecting() else ""
    cells = (quote.split(" = ")[0] for quote in answer.quotes if quote.endswith(f" = {answer.found.finding.verdict}"))
    rows = ((row, words_of(column)) for row, _, column in (cell.rpartition(" / ") for cell in cells))
    under = any(words_of(key) <= words_of(row) - column and any(map(str.isdigit, row)) for row, column in rows)
    untold = answer.is_prose and not any(map(str.isdigit, "".join(answer.quotes)))
    return answer.near(f"which {key}") if key and (under or untold) else None


VETOES: tuple[Callable[[_Answer], Reasoned | None], ...] = (
    _left_out,
    _rank,
    _counts,
    _key,
    _turned,
    _one_amount,
    _both,
    _which_end,
)
"""What may keep an answer from being told as whole, the first to apply decides; each says itself where it applies."""


def counts_another(question: str, cell: Reading) -> bool:
    """True for a cell that is no count of what is counted: *how many spells* is not told by a throw against spells.

    The head has the word, but as one of a kind (*Spell*), or a head above it, or the unit of the cell, says that
    something else is measured.
    """
    match = _COUNTED.search(question)
    path = next((path for path in cell.table.columns if " ".join(path) == cell.column), ())
    asked, heads = want_words(question), [want_words(part) for part in path]
    if match is None or not heads or not want_words(match[1]) & heads[-1]:
        return False
    unit = _WITH_UNIT.match(cell.text)
    measured = unit is not None and not want_words(unit[1]) <= asked and not heads[-1] <= asked
    another = _is_of_one(match[1], path[-1]) or _is_called_otherwise(cell, asked)
    return measured or another or any(head and not head & asked for head in heads[:-1])


def _is_called_otherwise(cell: Reading, asked: frozenset[str]) -> bool:
    """True in a table by levels that is called by what all its numbers are: of *Wards* those against *Cants*."""
    heads = [" ".join(path) for path in cell.table.columns[1:]]
    told = asked | want_words(" ".join((cell.row, *heads)))
    keyed = all(read_label(row[0]).span for row in cell.table.rows) and not all(map(_is_plural, heads))
    return keyed and _is_plural(cell.caption) and not want_words(cell.caption.split()[-1]) <= told


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and phrase(noun.split()[-1]) != (noun.split()[-1].lower(),)


def _is_of_one(counted: str, head: str) -> bool:
    """True for a head that ends in the one of what is counted: *Spell*, where *spells* are."""
    several, one = counted.lower().split()[-1:], head.lower().split()[-1:]
    return several != one and phrase(" ".join(several)) == tuple(one)
