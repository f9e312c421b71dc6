"""Questions of two steps: whom a blow is struck at, what a target wears, what armor makes of an armor class.

*What does a thief need to hit a vampire?* asks for a roll against a class that has to be looked up first; *how much
does a long sword do to an ogre?* for a column that the ogre's size chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.domains.combat.gear import WEARING, armor_span
from agent.domains.combat.mentions import ARMOR
from agent.understanding.clauses import ARTICLES
from agent.understanding.comparisons import Roles, ends_a_name
from agent.understanding.keys import Key
from agent.understanding.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number

_AGAINST = frozenset({"against", "versus", "vs", "v", "on", "to"})
_SOMEBODY = frozenset("someone somebody foe opponent enemy target character person man anyone anybody".split())
ROLL = "roll to hit"
_NO_CHOICE = frozenset({"or", "than", "versus", "vs"})


@dataclass(frozen=True, slots=True)
class CombatRoles(Roles):
    """Who is asked about, and what is looked up on the way: a target, or armor in tokens [start, end)."""

    target: Mention | None = None
    worn: tuple[int, int] | None = None


class CombatReader:
    """Tells the entities that are asked about from what they strike and wear."""

    def worded(self, tokens: list[str]) -> list[str]:
        """To strike is to hit, where a roll is asked for."""
        if not {"roll", "need"} & set(tokens):
            return tokens
        return ["hit" if token in ("strike", "striking") else token for token in tokens]

    def roles(self, tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[Key], lexicon: Lexicon) -> Roles:
        """The first of the patterns of such questions that fits."""
        things = [m for m in mentions if lexicon.is_thing(m) or set(tokens[m.start : m.end]) <= ARMOR]
        others = [m for m in mentions if m not in things]
        return (
            _striking(tokens, others, things, keys)
            or _wounding(tokens, others, things, keys)
            or _armored(tokens, others, things, keys)
            or Roles(tuple(mentions), tuple(keys))
        )


def _striking(
    tokens: Sequence[str], fighting: Sequence[Mention], things: Sequence[Mention], keys: Sequence[Key]
) -> CombatRoles | None:
    """*to hit a vampire*, *against a goblin*, *to hit someone in plate mail*."""
    if "hit" not in tokens or "armor class" in dict(keys):
        return None
    hit = len(tokens) - 1 - list(reversed(tokens)).index("hit")
    struck = [m for m in fighting if m.start > hit or _follows(tokens, m.start, _AGAINST - {"to"})]
    if struck == list(fighting):  # *who hits a vampire more easily, a thief or a cleric?*
        struck = [m for m in fighting if set(tokens[hit + 1 : m.start]) <= ARTICLES]
    asked = tuple(m for m in fighting if m not in struck)
    if not asked:
        return None
    worn = armor_span(tokens, things, hit + 1)
    target = next(iter(struck), None) or (None if worn else unknown(tokens, hit + 1))
    if worn is None and target is None:
        return None
    theirs = _level_of(tokens, target) if target else None
    kept = tuple(key for key in keys if key != theirs)
    if worn is not None:
        return CombatRoles(asked, kept, frozenset(range(*worn)), ROLL, worn=worn)
    return CombatRoles(asked, kept, _places(target), ROLL, target)


def _wounding(
    tokens: Sequence[str], creatures: Sequence[Mention], weapons: Sequence[Mention], keys: Sequence[Key]
) -> CombatRoles | None:
    """*the damage of a halberd against a goblin*, *how much does a long sword do to an ogre*."""
    if not weapons or not ({"damage", "do", "deal", "hurt", "harm", "inflict"} & set(tokens)):
        return None
    target = next((m for m in creatures if _follows(tokens, m.start, _AGAINST)), None)
    for i, token in enumerate(tokens):
        if target is None and token in _AGAINST and tokens[i + 1 : i + 2] and tokens[i + 1] in ARTICLES:
            target = unknown(tokens, i + 1)
            if target is not None and any(target.start < m.end and m.start < target.end for m in weapons):
                target = None
    if target is None or ("damage" not in tokens and not _follows(tokens, target.start, frozenset({"to"}))):
        return None
    return CombatRoles(tuple(weapons), tuple(keys), _places(target), "damage", target)


def _armored(
    tokens: Sequence[str], others: Sequence[Mention], things: Sequence[Mention], keys: Sequence[Key]
) -> CombatRoles | None:
    """*the armor class of plate mail and a shield*: what is worn is asked about, not each piece of it."""
    if "armor class" not in tokens or "armor class" in dict(keys) or _NO_CHOICE & set(tokens):
        return None
    worn = armor_span(tokens, things, 0)
    if worn is None:
        return None
    if others and not (len(others) == 1 and set(tokens[others[0].end : worn[0]]) & (WEARING | {"with"})):
        return None
    return CombatRoles((), tuple(keys), frozenset(range(*worn)), worn=worn)


def _places(mention: Mention | None) -> frozenset[int]:
    return frozenset(range(mention.start, mention.end)) if mention else frozenset()


def _follows(tokens: Sequence[str], start: int, words: frozenset[str]) -> bool:
    i = start - 1
    while i >= 0 and (tokens[i] in ARTICLES or tokens[i] == "level" or is_number(tokens[i])):
        i -= 1
    return i >= 0 and tokens[i] in words


def _level_of(tokens: Sequence[str], mention: Mention) -> Key | None:
    """The level that belongs to a mention: *a 5th level fighter*, *a fighter of 5th level*."""
    before, after = tokens[max(0, mention.start - 2) : mention.start], tokens[mention.end : mention.end + 3]
    for pair in (before, [t for t in after if t != "of"][:2]):
        if len(pair) == 2 and pair[0] == "level" and is_number(pair[1]):
            return "level", pair[1]
    return None


def unknown(tokens: Sequence[str], start: int) -> Mention | None:
    """A name that the book does not know, behind an article; nobody in particular is no name."""
    if not tokens[start : start + 1] or tokens[start] not in ARTICLES:
        return None
    end = start + 1
    while end < len(tokens) and end - start < 5 and not (ends_a_name(tokens[end]) or is_number(tokens[end])):
        end += 1
    words = tokens[start + 1 : end]
    if set(tokens[end : end + 1]) & _SOMEBODY:
        return None  # *against a large opponent*
    return Mention(start + 1, end, " ".join(words)) if words and not set(words) & (_SOMEBODY | WEARING) else None
