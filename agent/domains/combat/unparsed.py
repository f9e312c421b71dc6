"""What a question says of a fight and no odds count: *a blind owlbear*, *underwater*, *who casts fireball*.

Whatever is neither a combatant, a number, a measure, gear that was read, nor a word of asking and fighting is told to
be left out, in the asker's words. Where it stands with one combatant, it is that one's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from agent.domains.combat.gear import WEARING
from agent.domains.combat.mentions import ARMOR, CONTEST, EVERYBODY, FIRST, RIDING, SECOND, STOP, VERSUS, WIELD
from agent.domains.combat.words import MEASURES, TERMS
from agent.languages.language import english
from agent.understanding.clauses import ARTICLES, COMMA, in_own_words
from retrieval.text.normal import STOP_WORDS, is_number

LACKING = frozenset({"unarmed", "weaponless", "barehanded", "unarmored", "naked"})
"""What is said of the gear of one before it is named: *an unarmed fighter*."""
_KNOWN = (
    STOP | STOP_WORDS | CONTEST | VERSUS | WIELD | EVERYBODY | MEASURES | ARMOR
    | WEARING | LACKING | ARTICLES | TERMS | {FIRST, SECOND, COMMA}
)  # fmt: skip
_SMALL = STOP_WORDS | ARTICLES
_OWN = WIELD | WEARING - {"in"} | frozenset("who that whose which and & is are was has have had".split())
PREPOSITIONS = frozenset("in at on during under inside near while until without after behind".split())
"""What stands behind one says where, when or how the fight is: *in the rain*. Other words of a sentence only ask."""
_ENDS = VERSUS | {COMMA, "or"}
_POSSESSIVES = ARTICLES | {"his", "her", "its", "their", "not"}


def unused(
    tokens: Sequence[str], used: AbstractSet[str], question: str, *, of_one: bool = False
) -> Iterator[tuple[str, bool]]:
    """Each stretch that describes and was not read, as the question has it; `used` are words of gear.

    What describes stands behind a word of having or of place, or ends a clause behind the name of the one (`of_one`)
    whom the text is about; other words only ask. With each, whether it is said of the one before it, even at the end
    of a sentence: *who casts*, *with surprise*.

    >>> list(unused(("who", "cast", "a", "fireball", "with", "3"), set(), "who casts a fireball", of_one=True))
    [('casts a fireball', True)]
    """
    for start, end in _stretches(tokens, used):
        before = [token for token in tokens[:start] if token not in _POSSESSIVES]
        last = before[-1] if before else ""
        behind = set(tokens[end : end + 1])
        is_own = of_one and (last in _OWN or tokens[start] in RIDING or bool(behind & WIELD))
        is_setting = last in PREPOSITIONS and CONTEST.isdisjoint(behind)
        is_setting = is_setting or (last in CONTEST and behind <= {COMMA})
        if is_own or is_setting or (of_one and _is_apart(tokens, start, end)):
            yield in_own_words(tokens[start:end], question), is_own


def _is_apart(tokens: Sequence[str], start: int, end: int) -> bool:
    """True for a stretch that ends a clause behind a name, a number or a comma: *an ogre underwater*."""
    is_behind = start == 0 or tokens[start - 1] == COMMA or is_number(tokens[start - 1])
    return is_behind and set(tokens[end : end + 1]) <= _ENDS


def qualities(tokens: Sequence[str], used: AbstractSet[str], question: str) -> Iterator[str]:
    """What stands before a name: *blind*, *hasted*."""
    return (in_own_words(tokens[start:end], question) for start, end in _stretches(tokens, used))


def is_known(token: str) -> bool:
    """True for a word that asks, or that tells of fighting."""
    language = english()
    return token in _KNOWN or token in language.comparatives or (token in language.asking and token != "cast")


def _stretches(tokens: Sequence[str], used: AbstractSet[str]) -> Iterator[tuple[int, int]]:
    start = last = -1
    for i, token in enumerate((*tokens, COMMA)):
        counted = is_number(token) and i > 0 and tokens[i - 1] in WIELD and token not in used
        if (counted and not used.isdisjoint(tokens[i + 1 : i + 2])) or not (
            is_known(token) or token in used or is_number(token)
        ):
            start, last = (i if start < 0 else start), i
        elif start >= 0 and not (token in _SMALL - _OWN and i < len(tokens)):
            yield start, last + 1
            start = -1
