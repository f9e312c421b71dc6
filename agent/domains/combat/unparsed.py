"""What a question says of a fight and no odds count: *a blind owlbear*, *underwater*, *who casts fireball*.

Whatever is neither a combatant, a number, a measure, gear that was read, nor a word of asking and fighting is told to
be left out, in the asker's words. Where it stands with one combatant, it is that one's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from agent.domains.combat.gear import WEARING
from agent.domains.combat.mentions import ARMOR, CONTEST, EVERYBODY, FIRST, SECOND, STOP, VERSUS, WIELD
from agent.domains.combat.words import MEASURES, TERMS
from agent.languages.language import english
from agent.planner.clauses import ARTICLES, COMMA, in_own_words
from retrieval.text import STOP_WORDS, is_number

LACKING = frozenset({"unarmed", "weaponless", "barehanded", "unarmored", "naked"})
"""What is said of the gear of one before it is named: *an unarmed fighter*."""
_OF_FIGHTS = frozenset(
    "likely likelier probable chance odd probability likelihood fair straight single lone alone average typical "
    "ordinary death deadlier deadliest mightier mightiest hand end party group team band opponent winner loser "
    "lose losing survivor outcome result fare manage matter happen met left over but live life down upon set scrap "
    "stand stack attacked together survival".split()
)
_OF_TALK = frozenset(
    "look say tell suppose assume imagine picture consider find see want like let pit put encounter "
    "come go make stay be being been other another true false really actually probably easily well time question "
    "answer percent percentage compute calculate determine work himself itself herself themselves score handed rather "
    "actual real quick quickly question hey hi hello thank thanks".split()
)
_KNOWN = (
    STOP | STOP_WORDS | CONTEST | VERSUS | WIELD | EVERYBODY | MEASURES | ARMOR
    | WEARING | LACKING | ARTICLES | TERMS | _OF_FIGHTS | _OF_TALK | {FIRST, SECOND, COMMA}
)  # fmt: skip
_SMALL = STOP_WORDS | ARTICLES
_OWN = WIELD | WEARING - {"in"} | frozenset("who that whose which and & is are was has have had".split())
_ASKER = frozenset({"i", "you", "we", "my"})
"""What they do is no part of the fight: *do you reckon*, *my friend says*."""
_POSSESSIVES = ARTICLES | {"his", "her", "its", "their", "not"}


def unused(tokens: Sequence[str], used: AbstractSet[str], question: str) -> Iterator[tuple[str, bool]]:
    """Each stretch that is no part of what was read, as the question has it; `used` are words of gear.

    With it, whether it is said of the one before it, even at the end of a sentence: *who casts*, *with surprise*.

    >>> list(unused(("who", "cast", "a", "fireball", "with", "armor class", "3"), set(), "who casts a fireball"))
    [('casts a fireball', True)]
    """
    for start, end in _stretches(tokens, used):
        if not _ASKER.isdisjoint(tokens[max(0, start - 2) : start]):
            continue
        before = [token for token in tokens[:start] if token not in _POSSESSIVES]
        yield in_own_words(tokens[start:end], question), bool(before) and before[-1] in _OWN


def _is_known(token: str) -> bool:
    """True for a word that asks, or that tells of fighting."""
    language = english()
    return token in _KNOWN or token in language.comparatives or (token in language.asking and token != "cast")


def _stretches(tokens: Sequence[str], used: AbstractSet[str]) -> Iterator[tuple[int, int]]:
    start = last = -1
    for i, token in enumerate((*tokens, COMMA)):
        counted = is_number(token) and i > 0 and tokens[i - 1] in WIELD and token not in used
        if (counted and not used.isdisjoint(tokens[i + 1 : i + 2])) or not (
            _is_known(token) or token in used or is_number(token)
        ):
            start, last = (i if start < 0 else start), i
        elif start >= 0 and not (token in _SMALL - _OWN and i < len(tokens)):
            yield start, last + 1
            start = -1
