"""The subject of each clause: the compared or computed sides that it names, in full or in part.

A sentence is cut into clauses. The subjects of a clause are the sides that it names, except the object of a verb. A
clause that names none keeps the subjects before it; behind *against* or *rather than* it has no known subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.types import Finding
from retrieval.text.normal import STOP_WORDS
from retrieval.text.spelling import fold, singular

_WORD = re.compile(r"[a-z]+|\d+")
_CUT = re.compile(
    r"(?P<against>[,;(]? ?\b(?:against|versus|vs\.?|compared (?:with|to)|rather than|instead of)\b"
    r"|(?:(?<=\d)|(?<=percent)) to (?=\d|the\b))"
    r"|[,;:](?=\s)|[()|]|\s[-–—]+\s|\b(?:and|but|while|whereas|yet|so|though|although|because|since)\b"
    r"|\bthan\b(?! (?:it|he|she|they)\b)"
)
_ALL = re.compile(r"\b(?:both|neither|either|draws?|ties?)\b")
_OBJECT = re.compile(
    r"\b(?:hits?|strikes?|facing|beats?|defeats?|kills?|over\w*|out\w+)(?: the| an?)?(?: [\w-]+){0,2} $"
)
_EMPTY = re.compile(r"\b(?:the|a|an|both|with|of|for|at)\b|[^a-z0-9]+")
_NEAR = 60
"""Characters before a name that are searched for a verb whose object it is. The bound keeps long texts fast."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence, its subjects (none: it may be any side), and all sides that it names, in their order.

    If `is_name`, it has only names, and the next clause says something of them: *the fighter* in *the fighter and the
    druid need 9*.
    """

    text: str
    speakers: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    is_name: bool = False


class Sides:
    """The sides of a finding; `names` is empty if there are fewer than two."""

    def __init__(self, finding: Finding) -> None:
        names = tuple(dict.fromkeys(name for name, _ in values_of(finding)))
        self._signs = _name_patterns(names) if len(names) > 1 else {}
        self._words = [set(_WORD.findall(fold(name))) for name in self._signs]

    @property
    def names(self) -> Sequence[str]:
        """The names, as the finding has them."""
        return list(self._signs)

    def clauses(self, text: str) -> Iterator[Clause]:
        """Yield the clauses of a folded sentence.

        >>> fight = Finding("combat", "", (), {"combatants": [{"name": "black orc"}, {"name": "troll"}]})
        >>> [(c.text.strip(), *c.speakers) for c in Sides(fight).clauses("the orc has 5, needs 9 and trolls 7")]
        [('the orc has 5', 'black orc'), ('needs 9', 'black orc'), ('trolls 7', 'troll')]
        """
        speakers: tuple[str, ...] = ()
        waiting: tuple[str, ...] = ()  # named, without a predicate so far
        several: tuple[str, ...] = ()  # the orc beats the ogre (90%) and the troll (80%)
        for part, against in _cut(text) if self._signs else [(text, False)]:
            named, doing = self._named(part)
            if against:
                yield Clause(part, named[1:2], named)
            elif named and self._only_names(part):
                speakers = waiting = named + waiting + several
                yield Clause(part, speakers, named, is_name=True)
            else:
                carried = waiting or (() if _ALL.search(part) else speakers)
                speakers = doing + waiting if doing else carried or named
                several, waiting = named if len(named) > 1 else () if named else several, ()
                yield Clause(part, speakers, named)

    def _named(self, part: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return all sides that a part names, and those of them that are not the object of a verb; in their order."""
        found = sorted((m.start(), m.end(), name) for name, sign in self._signs.items() for m in sign.finditer(part))
        doing = [
            name for start, end, name in found
            if part.startswith("'s", end) or not _OBJECT.search(part[max(0, start - _NEAR) : start])
        ]  # fmt: skip
        named = tuple(dict.fromkeys(name for *_, name in found))
        return named, tuple(dict.fromkeys(doing))

    def _only_names(self, part: str) -> bool:
        words = set(_WORD.findall(_EMPTY.sub(" ", part)))
        return any(words <= each for each in self._words)


def values_of(finding: Finding) -> list[tuple[str, object]]:
    """Return the entities of a finding, each with its value: from a list of values, or label by label for stat blocks.

    >>> values_of(Finding("compare", "", (), {"values": {"Armor Class": {"orc": "6", "owlbear": None}}}))
    [('orc', '6'), ('owlbear', None)]
    """
    listed = finding.values.get("values") or next(_named_entity_lists(finding), ())
    if isinstance(listed, Mapping):
        return [pair for row in listed.values() for pair in row.items()]
    return [(str(each.get("name")), each.get("value")) for each in listed]


def _named_entity_lists(finding: Finding) -> Iterator[Sequence[Mapping[str, object]]]:
    """Yield the lists of a domain's values whose members have names: its combatants, its loans."""
    for listed in finding.values.values():
        if isinstance(listed, list | tuple) and listed and all(isinstance(e, Mapping) and "name" in e for e in listed):
            yield listed


def lines_of(finding: Finding) -> Iterator[str]:
    """Yield the lines of a finding; for whole stat blocks, each value as a sentence of its own.

    >>> list(lines_of(Finding("compare", "side by side:", (), {"values": {"AC": {"orc": "6", "owlbear": None}}})))
    ['side by side:', 'orc has AC 6']
    """
    yield finding.claim
    yield from (step.text for step in finding.steps)
    rows = finding.values.get("values")
    for label, row in rows.items() if isinstance(rows, Mapping) else ():
        yield from (f"{name} has {label} {value}" for name, value in row.items() if value)


def _cut(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts between the cuts; the flag is True if a part is compared with the one before."""
    start, against = 0, False
    for match in _CUT.finditer(text):
        if match.end() > match.start():
            yield text[start : match.start()], against
            start, against = match.end(), match["against"] is not None
    yield text[start:], against


@lru_cache(maxsize=256)
def _name_patterns(names: tuple[str, ...]) -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each name: the words, else the level, that no other name has, else the whole name."""
    words = {name: [word for word in _WORD.findall(fold(name)) if word not in STOP_WORDS] for name in names}
    found = {}
    for name in names:
        others = {singular(word) for other in names if other != name for word in words[other]}
        own = [word for word in words[name] if singular(word) not in others]
        letters = [_word(word) for word in own if word.isalpha() and len(word) > 2]
        levels = [rf"{word}(?:st|nd|rd|th)?[- ]level|level[- ]{word}" for word in own if word.isdecimal()]
        behind = "|".join(map(re.escape, sorted(others - set(words[name]))))
        whole = [rf"{re.escape(fold(name))}(?!s?[ -](?:{behind})\b)"]
        found[name] = re.compile(rf"\b(?:{'|'.join(letters or levels or whole)})\b")
    return found


def _word(word: str) -> str:
    one = singular(word)
    return rf"(?:{re.escape(word)}|{re.escape(one)}(?:e?s)?)"
