"""Check of an answer about a fight against the computed result: the winner, the chances, and derived numbers.

A word of winning makes the clause's subject the winner (*the orc beats the troll*, *victory goes to the orc*); a word
of losing (*is beaten by the orc*) or a negated word of winning makes it the loser. A possibility (*if it wins*) is no
verdict. A share of the fights (*wins 48.9%*) is no verdict either, but must be the computed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent.domains.combat.rulebook.creature import MONSTER_DIE
from agent.domains.combat.rulebook.sayings import rule_pattern
from agent.plugins.domain import Rank
from agent.types import Finding
from agent.writing.checking.sides import Clause, Sides
from agent.writing.texts.plain import plain

_SHARE = re.compile(r"(\d+(?:\.\d+)?) percent\b")
_HALF = 0.501
"""Tolerance for rounding, in percent."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that one side wins and another loses; either may be unnamed. `share` is the percentage of fights won."""

    winner: str | None
    loser: str | None
    share: float | None = None


class Outcome:
    """The outcome of one computed fight."""

    def __init__(self, finding: Finding) -> None:
        self._sides = Sides(finding)
        self._values: Mapping[str, Any] = finding.values if finding.values.get("combatants") else {}
        self._winner = finding.values.get("winner", finding.verdict)
        self._shares = {each["name"]: each.get("win_probability") for each in self._values.get("combatants", ())}
        pairs = finding.values.get("pairs") or ()
        self._pairs = {frozenset((e["first"], e["second"])): e for e in pairs if e.get("win_first") is not None}

    def contradiction(self, sentence: str) -> str | None:
        """Return why a sentence is wrong: another winner, another chance, or a winner where none was computed."""
        for claim in self.claims(sentence):
            computed = self._computed(claim)
            if computed is None:
                return "no winner was computed"
            if claim.share is not None:
                wins = self._shares.get(claim.winner)
                if wins is not None and abs(100 * wins - claim.share) > _HALF:
                    return f"it was computed that the {claim.winner} wins {wins:.1%}"
            elif (claim.winner or computed) != computed or claim.loser == computed:
                return f"it was computed that the {computed} is more likely to win"
        return None

    def told(self, text: str) -> bool:
        """Return True if the text states who wins."""
        claims = (claim for line in re.split(r"\n|(?<=[.!?])\s", text) for claim in self.claims(line))
        return any(claim.winner == self._winner or claim.loser not in (None, self._winner) for claim in claims)

    def _computed(self, claim: Claim) -> str | None:
        pair = self._pairs.get(frozenset(filter(None, (claim.winner, claim.loser))))
        if pair is None:
            return None if self._winner is None else str(self._winner)
        return str(pair["first"] if pair["win_first"] > pair["win_second"] else pair["second"])

    def claims(self, sentence: str) -> Iterator[Claim]:
        """Yield every claim of a sentence about who wins; a question makes none."""
        text, word = plain(sentence), None
        if not self._values or text.rstrip().endswith("?") or not rule_pattern("decides").search(text):
            return
        for clause in self._sides.clauses(text):
            if clause.is_name and word is not None:  # the answer: the orc
                yield Claim(clause.named[0], None)
            word = None
            for word in rule_pattern("decides").finditer(clause.text):
                if clause.speakers and not rule_pattern("perhaps").search(clause.text[: word.start()]):
                    yield _claim(clause, word)


def first_side(finding: Finding) -> Rank | None:
    """Return the first of two sides with its chance to win, or None if the chance was not computed."""
    sides = finding.values.get("sides") or finding.values.get("combatants") or [{}]
    name, chance = sides[0].get("name"), sides[0].get("win_probability")
    return None if chance is None else Rank(str(name), float(chance), f"{chance:.1%}")


def _claim(clause: Clause, word: re.Match[str]) -> Claim:
    """Return the claim of one word of winning or losing about the first subject of its clause."""
    subject = clause.speakers[0]
    other = next((name for name in clause.named if name != subject), None)
    before, behind = clause.text[: word.start()], clause.text[word.end() :]
    negated = rule_pattern("not").search(before) or rule_pattern("not_behind").search(behind)
    loses = (word["lose"] is not None) != (negated is not None)
    winner, loser = (other, subject) if loses else (subject, other)
    share = _SHARE.search(clause.text)
    return Claim(winner, loser, float(share[1]) if share else None)


_HIT_DICE = re.compile(r"(\d{1,3})([+-]\d{1,3})?$")
_SIDES = 20


def expected_values(value: str, measure: str) -> Iterator[float]:
    """Yield the average hit points of hit dice; for another number, the chance in percent to roll it or more on a d20.

    >>> list(expected_values("6+6", "hit dice")), list(expected_values("11", ""))
    ([33.0], [50.0])
    """
    dice = _HIT_DICE.match(value)
    if dice is not None and measure == "hit dice":
        yield int(dice[1]) * (MONSTER_DIE + 1) / 2 + int(dice[2] or 0)
    elif not measure and value.isdecimal() and len(value) < 3 and 1 <= int(value) <= _SIDES:
        yield (_SIDES + 1 - int(value)) * 100 / _SIDES
