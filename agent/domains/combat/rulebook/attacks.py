"""Attacks per round, from a table or from level ranges in prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from agent.domains.combat.rulebook.groups import groups_of, shared_table_value
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.sayings import rule_pattern, rule_sentences
from agent.reasoning.notebook import Fact
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import Words, normal, phrase, title_key
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold
from retrieval.types import Chunk

_COUNTS = re.compile(r"(?i)(number |no\.? )?(of )?(melee )?attacks( (per|each|in|an?|by|melee|combat|round|level))*s?$")
_ORDINAL = re.compile(r"\b[a-z]+th\b")
"""The *seventh* of *from the seventh level*, which is 7; *second* does not match: a second blow is no level."""
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "once": 1, "twice": 2, "thrice": 3, "a single": 1}


@dataclass(frozen=True, slots=True)
class Rate:
    """Attack routines per round, and the levels for which a text gives them."""

    per_round: Fraction
    low: int
    high: float


def parse_rate(text: str) -> Fraction | None:
    """Return *3/2*, *2* or *one attack* as attacks per round.

    >>> parse_rate("3/2 rounds")
    Fraction(3, 2)
    """
    match = rule_pattern("rate").search(fold(text)) or re.match(r"\s*(?P<count>\d+)\b", text)
    return _rate(match) if match else None


def _rate(match: re.Match[str]) -> Fraction:
    found = match.groupdict()
    if found.get("top"):
        return Fraction(int(found["top"]), int(found["bottom"]) or 1)
    if found.get("times"):
        return Fraction(_WORDS[found["times"].split()[0]], _WORDS.get(found["rounds"] or "one", 1))
    count = found["count"]
    return Fraction(_WORDS.get(count) or int(count), _WORDS.get(found.get("per") or "one", 1))


@lru_cache(maxsize=2048)
def read_rates(text: str) -> Sequence[Rate]:
    """Return level ranges with their attack rates in prose, clause by clause; cached, as books stay the same.

    >>> [str(r.per_round) for r in read_rates("One attack at 1st to 7th level, 3/2 attacks at 8th to 14th level.")]
    ['1', '3/2']
    """
    found_rates: list[Rate] = []
    levels: tuple[int, float] | None = None
    rate: Fraction | None = None
    for clause in re.split(r"[;,.]\s|[;.]$", _ORDINAL.sub(lambda word: "".join(normal(word[0])), fold(text))):
        found, match = _levels(clause), rule_pattern("rate").search(clause)
        levels = found or levels
        rate = _rate(match) if match else rate
        if levels and rate and (found or match):
            found_rates.append(Rate(rate, *levels))
            levels, rate = None, None
    return found_rates


def _levels(clause: str) -> tuple[int, float] | None:
    for kind in ("from_level_to_level", "level_and_above", "at_level"):
        match = rule_pattern(kind).search(clause)
        if match and ("level" in clause or kind != "from_level_to_level"):
            numbers = [int(n) for n in match.groups() if n]
            onwards = kind == "level_and_above" or re.search(r"\b(from|reaching)\b", clause) is not None
            return numbers[0], float("inf") if onwards and len(numbers) == 1 else numbers[-1]
    return None


def attacks_per_round(subject: str, level: int, notebook: Rulebook) -> tuple[Fraction, Fact] | None:
    """Return the class's attacks per round at this level with a citation, or None if the evidence has none."""
    if found := _attacks_of(subject, level, notebook, _paragraphs_about):
        return found
    groups = [group.name for group in groups_of(subject, notebook)]
    found_of = {name: found for name in groups if (found := _attacks_of(name, level, notebook, _paragraphs_of))}
    if len({rate for rate, _ in found_of.values()}) > 1:
        # The members of a list need not fight alike.
        need = f"how often a level {level} {subject} attacks, which {' and '.join(found_of)} differ in"
        notebook.need(need, f"level {level} {subject} attacks each round")
        return None
    return next(iter(found_of.values()), None) or _default_rate(notebook)


def _attacks_of(
    name: str, level: int, notebook: Rulebook, paragraphs: Callable[[str, Chunk], Iterator[str]]
) -> tuple[Fraction, Fact] | None:
    fact = notebook.read(CellQuery(name, (("level", str(level)),), notebook.labels["attacks_by_level"]))
    if fact is None or fact.cell is None or not _COUNTS.match(fact.cell.column):
        fact = shared_table_value(name, str(level), notebook.labels["attacks_by_level"], _COUNTS, notebook)
    if fact is not None and (rate := parse_rate(fact.text)):
        return rate, fact
    for chunk in notebook.chunks:
        for paragraph in paragraphs(name, chunk):
            if (rate := _rate_at(level, read_rates(paragraph))) is not None:
                return rate, Fact(str(rate), notebook.cite(chunk, paragraph))
    return None


def _rate_at(level: int, rates: Sequence[Rate]) -> Fraction | None:
    """Return the rate at a level: of several ranges the one that begins last; below the first range, one attack."""
    fitting = [rate for rate in rates if rate.low <= level <= rate.high]
    if fitting:
        return max(fitting, key=lambda rate: rate.low).per_round
    return Fraction(1) if rates and level < min(rate.low for rate in rates) else None


def _paragraphs_about(subject: str, chunk: Chunk) -> Iterator[str]:
    """Yield paragraphs on attacks that name the class or stand in its section; not on special weapons or options."""
    paragraphs, wanted = _on_attacks(chunk.text), phrase(subject)
    own = paragraphs and any(Words(name).has(wanted) for name in (chunk.title, *chunk.headings[-2:]))
    return (text for text, words in paragraphs if own or words.has(wanted))


def _paragraphs_of(group: str, chunk: Chunk) -> Iterator[str]:
    """Yield paragraphs on attacks of the group's section, else only sentences that begin with its name."""
    wanted = phrase(group)
    own = title_key(group) in map(title_key, (chunk.title, *chunk.headings[-2:]))
    for paragraph, _ in _on_attacks(chunk.text):
        theirs = [text for text in sentences(paragraph) if normal(text)[: len(wanted)] == wanted]
        if own or theirs:
            yield paragraph if own else " ".join(theirs)


@lru_cache(maxsize=2048)
def _on_attacks(text: str) -> tuple[tuple[str, Words], ...]:
    """Return the paragraphs of a text on attacks, with their words; cached, as books stay the same."""
    return tuple((paragraph, Words(paragraph)) for paragraph in text.split("\n") if _is_on_attacks(fold(paragraph)))


def _is_on_attacks(folded: str) -> bool:
    return bool(rule_pattern("attacks").search(folded)) and not rule_pattern("aside").search(folded.split(".")[0])


def attacks_on_the_unskilled(subject: str, level: int, notebook: Rulebook) -> tuple[Fraction, Fact] | None:
    """Return the book's extra rate: *against those of less than a hit die, one attack for each level*."""
    for chunk in notebook.chunks:
        for paragraph in _paragraphs_about(subject, chunk):
            folded = fold(paragraph)
            if rule_pattern("less_than_a_die").search(folded) and rule_pattern("one_a_level").search(folded):
                return Fraction(level), Fact(str(level), notebook.cite(chunk, paragraph))
    return None


def _default_rate(notebook: Rulebook) -> tuple[Fraction, Fact] | None:
    """Return the rate of *all other classes make one attack each melee round*."""
    for each in rule_sentences("other_classes", notebook):
        if (
            rule_pattern("attacks").search(each.normalised)
            and "round" in each.normalised
            and (rate := parse_rate(each.text))
        ):
            return rate, each.fact(str(rate), notebook)
    return None
