"""Who a sentence says wins: to be held against the one who was computed to win.

Each word of winning or losing in a sentence that names a side is given to that side of which its clause says it: whom
it follows (*the orc beats the troll*), or whom it comes before (*victory goes to the orc*), or by whom it is done
(*beaten by the orc*). A share of the fights (*wins 48.9%*) is no verdict. What remains undecided is nobody's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.types import Finding
from agent.writing.numbers import plain
from agent.writing.sides import NEAR, Mention, Sides

_BE = r"(?:is|are|was|were|be|been|being|gets?|got)(?: \w+ly| more| most| easily| likely)*"
_HURT = "beaten|defeated|killed|slain|overcome|outmatched|outclassed|bested|overpowered|vanquished|doomed"
_SURE = r"(?=[.,;!]|$| over\b| against\b| overall\b| here\b| in (?:this|the|a) (?:fight|duel|match))"
_KINDS = {
    "passive": rf"{_BE} (?:{_HURT})\b|falls? to\b",
    "lose": r"(?:stands?|ha(?:s|ve)) (?:no|little|hardly any|scarcely a) chance\b(?! (?:to hit|of hitting))"
    r"|loses?\b|lost\b|losing\b|dies\b|perish|succumbs?\b|less likely\b(?! to (?!win|survive|prevail))",
    "loser": r"loser\b|underdog\b",
    "noun": r"(?:answer|verdict)(?=:| is)|winner\b|victor\b|victory\b|favou?rite\b|(?<!is )(?<!are )favou?r(?:s|ing)?\b"
    r"|(?:bet|money)(?: is| goes)? on\b|odds are\b|(?:edge|advantage|fight|duel|win) (?:goes|belongs|lies)\b",
    "win": r"(?:win|wins|winning|won)\b(?! (?:the )?initiative)|prevails?\b|triumphs?\b|victorious\b|survives?\b"
    r"|comes? out on top\b|out(?:lasts?|fights?)\b|defeat(?:s|ed)?\b|beats?\b|overcomes?\b|over(?:powers?|whelms?)\b"
    r"|takes (?:it|the fight|the duel)\b|favou?red\b"
    r"|more likely\b(?! to (?!win|survive|prevail|come out|be victor)| than not)"
    rf"|(?:edge|advantage|upper hand|(?:better|best) (?:odds|chances?)){_SURE}",
}
_WORD = re.compile(r"\b(?:" + "|".join(f"(?P<{kind}>{words})" for kind, words in _KINDS.items()) + ")")
_NOT = re.compile(
    r"\b(?:not|never|cannot|unlikely|hardly|fails?|rarely|seldom|unable|less likely)\b[^,;:]*$|n't\b[^,;:]*$"
    r"|\b(?:lower|smaller|worse|slim|slimmer|poor|poorer|little) (?:chances?|odds|probability|prospects?)\b[^,;:]*$"
)
_PERHAPS = re.compile(
    r"\b(?:if|unless|whether|could|might|may|can|than (?:it|he|she|they))\b[^,;:]*$|^\W*(?:who|which)\b[^,;:]*$"
    r"|(?<!better )(?<!best )(?<!higher )(?<!greater )"
    r"\b(?:chances?|probability|likelihood|odds) (?:of|to|for)(?: \w+)? $"
)
_SHARE = re.compile(r"(\d+(?:\.\d+)?) percent\b")
_STOP = re.compile(r"[,;:.!?](?:\s|$)|\b(?:but|and|while|whereas|although|though|because|since|so|yet|means|makes)\b")
_OBJECT = re.compile(r"\b(?:than|against|over|versus|vs\.?|facing|between|to|on|of)(?: the| an?)?(?: [\w-]+){0,2} $")
_NAMES_IT = re.compile(r"\W*:| (?:is|will be|would be|should be|goes|belongs|lies|with)\b")


_MOST_WORDS = 50
_HALF = 0.501
"""Percent: what rounding may change."""


@dataclass(frozen=True, slots=True)
class Claim:
    """That one of the sides wins and another loses; either may be unnamed. `share` is in how many percent of fights."""

    winner: str | None
    loser: str | None
    share: float | None = None


class Outcome:
    """The outcome of one computed fight."""

    def __init__(self, finding: Finding) -> None:
        self._sides = Sides(finding)
        self._values: Mapping[str, object] = finding.values if finding.values.get("combatants") else {}
        self._winner = finding.values.get("winner", finding.verdict)
        told = finding.values.get("combatants") or ()
        self._shares = {
            each["name"]: each["win_probability"] for each in told if each.get("win_probability") is not None
        }
        pairs = finding.values.get("pairs") or ()
        self._pairs = {frozenset((e["first"], e["second"])): e for e in pairs if e.get("win_first") is not None}

    def contradiction(self, sentence: str) -> str | None:
        """Why a sentence can't stand: it gives the victory to somebody else, or to nobody knows whom."""
        if not self._values:
            return None
        for claim in self.claims(sentence):
            if claim.share is not None:
                wins = self._shares.get(claim.winner or "")
                if wins is not None and abs(100 * wins - claim.share) > _HALF:
                    return f"it was computed that the {claim.winner} wins {wins:.1%}"
                continue
            computed = self._computed(claim)
            if computed is None:
                return "no winner was computed"
            if (claim.winner is not None and claim.winner != computed) or claim.loser == computed:
                return f"it was computed that the {computed} is more likely to win"
        return None

    def told(self, text: str) -> bool:
        """True when the text says who wins."""
        claims = [claim for line in re.split(r"\n|(?<=[.!?])\s", text) for claim in self.claims(line)]
        return any(
            claim.winner == self._winner or (claim.loser is not None and claim.loser != self._winner)
            for claim in claims
        )

    def _computed(self, claim: Claim) -> str | None:
        pair = self._pairs.get(frozenset(filter(None, (claim.winner, claim.loser))))
        if pair is None:
            return None if self._winner is None else str(self._winner)
        return str(pair["first"] if pair["win_first"] > pair["win_second"] else pair["second"])

    def claims(self, sentence: str) -> Iterator[Claim]:
        """Every claim of a sentence about who wins; a question makes none."""
        text = plain(sentence)
        mentions = self._sides.mentions(text)
        if not mentions or text.rstrip().endswith("?"):
            return
        for match in itertools.islice(_WORD.finditer(text), _MOST_WORDS):
            claim = _claim(text, match, mentions)
            if claim is not None:
                yield claim


def _claim(text: str, match: re.Match[str], mentions: Sequence[Mention]) -> Claim | None:
    """What one word of winning or losing says."""
    start, end = match.span()
    kind, head, tail = str(match.lastgroup), text[max(0, start - NEAR) : start], text[end : end + NEAR]
    mentions = [m for m in mentions if m.start >= start - NEAR and m.end <= end + NEAR]
    clause = _STOP.split(head)[-1] + match[0] + _STOP.split(tail)[0]
    if _PERHAPS.search(head):
        return None
    told = _SHARE.search(clause) if not re.search("likely|favou?r|edge|advantage|hand", match[0]) else None
    share = float(told[1]) if told else None
    subject, target = _subject(text, match, [m for m in mentions if m.end <= match.start()]), None
    after = [m.name for m in mentions if m.start >= match.end() and not _STOP.search(tail[: m.start - match.end()][1:])]
    if kind in ("noun", "loser") and after and (subject is None or _NAMES_IT.match(tail)):
        subject = after[0]
    elif subject is None and not any(m.end <= match.start() for m in mentions):
        subject = after[0] if after else None
    else:
        target = next((name for name in after if name != subject), None)
    if subject is None:
        return None
    loses = (kind in ("passive", "lose", "loser")) != bool(
        _NOT.search(head) or re.match(r" (?:is|are|will be|would be) not\b", tail)
    )
    return Claim(target, subject, share) if loses else Claim(subject, target, share)


def _subject(text: str, match: re.Match[str], before: Sequence[Mention]) -> str | None:
    """Who wins by a verb: the last that is named before it and is nobody's object; none for *the orc's*."""
    near = [m for m in before if not _STOP.search(text[m.end : match.start()])]
    doing = [m for m in near or before[-1:] if not _OBJECT.search(text[max(0, m.start - NEAR) : m.start])]
    chosen = (doing or near or before)[-1:]
    return None if not chosen or text.startswith("'s", chosen[0].end) else chosen[0].name
