"""Whom a clause speaks of: the combatants of a fight, or the things that were compared, named in full or in part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.types import Finding
from retrieval.spelling import fold, singular
from retrieval.text import STOP_WORDS

_WORD = re.compile(r"[a-z]+|\d+")
_CUT = re.compile(
    r"(?P<free>[,;(]? ?\b(?:against|versus|vs\.?|compared (?:with|to)|rather than|instead of)\b"
    r"|(?<=\d|%) to (?=\d)|(?<=percent) to (?=\d))"
    r"|[,;:](?=\s)|[()|]|\s[-–—]+\s|\b(?:and|but|while|whereas|than|yet|so|though|although|because|since|or)\b"
)
_OBJECT = re.compile(r"\b(?:hits?|strikes?|against|facing|over|versus)(?: the| an?)?(?: [\w-]+){0,2} $")
NEAR = 200
"""Characters within which words of one sentence are read together; a bound, so that no text makes this slow."""
_ALL = re.compile(r"\b(?:both|neither|either|draws?|ties?)\b")
_EMPTY = re.compile(r"\b(?:the|a|an|both|with|of|for|at)\b|[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence, and the sides that it names; none when it may be any. Whom it is done to is no speaker."""

    text: str
    sides: frozenset[str]
    speakers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names a side, by its start and end."""

    start: int
    end: int
    name: str


class Sides:
    """The sides of a finding; `names` is empty where there are not two to be told apart."""

    def __init__(self, finding: Finding) -> None:
        listed = finding.values.get("combatants") or finding.values.get("values") or ()
        names = list(dict.fromkeys(str(each.get("name")) for each in listed))
        self._signs = _signs(names) if len(names) > 1 else {}

    @property
    def names(self) -> Sequence[str]:
        """The names, as the finding has them."""
        return list(self._signs)

    def mentions(self, text: str) -> list[Mention]:
        """Where in a folded text the sides are named, in their order."""
        found = (Mention(*m.span(), name) for name, sign in self._signs.items() for m in sign.finditer(text))
        return sorted(found, key=lambda each: each.start)

    def clauses(self, text: str) -> Iterator[Clause]:
        """The clauses of a folded sentence. One without a name is about the side before, unless it is set against it.

        >>> fight = Finding("combat", "", (), {"combatants": [{"name": "black orc"}, {"name": "troll"}]})
        >>> [(c.text.strip(), *sorted(c.sides)) for c in Sides(fight).clauses("the orc has 5, needs 9 and trolls 7")]
        [('the orc has 5', 'black orc'), ('needs 9', 'black orc'), ('trolls 7', 'troll')]
        """
        speakers: frozenset[str] = frozenset()
        pending: frozenset[str] = frozenset()  # named, but nothing said of them yet
        several: frozenset[str] = frozenset()  # the orc beats the ogre (90%) and the troll (80%)
        for part, free in _cut(text):
            mentions = self.mentions(part)
            named = frozenset(each.name for each in mentions)
            if free:
                yield Clause(part, frozenset(), frozenset())
                continue
            if named and self._only_names(part):
                pending = pending | named | several
                speakers = pending
                continue
            doing = frozenset(
                each.name for each in mentions if not _OBJECT.search(part[max(0, each.start - NEAR) : each.start])
            )
            if named or pending:
                speakers = (doing or named) | pending
            elif _ALL.search(part):
                speakers = frozenset()
            yield Clause(part, named | speakers, speakers)
            several = several if not named else named if len(named) > 1 else frozenset()
            pending = frozenset()

    def _only_names(self, part: str) -> bool:
        """True for the *the fighter* of *the fighter and the druid need 9 and 13*."""
        words = set(_WORD.findall(_EMPTY.sub(" ", part)))
        return any(words <= set(_WORD.findall(fold(name))) for name in self._signs)


def _cut(text: str) -> Iterator[tuple[str, bool]]:
    """The parts between the cuts, and whether each is set against the one before."""
    start, free = 0, False
    for match in _CUT.finditer(text):
        if match.end() > match.start():
            yield text[start : match.start()], free
            start, free = match.end(), match["free"] is not None
    yield text[start:], free


def _signs(names: Sequence[str]) -> dict[str, re.Pattern[str]]:
    """What each name is known by: the words, else the level, that no other has."""
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
