"""Questions that go on from the one before: *if the druid had plate mail?*, *what about level 9?*, *and the cleric?*

A follow-up says only what changes. It is known by its opening words or by being incomplete; whatever stands alone
(names those it asks about and what it asks of them) starts anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.domains.combat.gear import armor_of, thing_of, weapon_of
from agent.domains.combat.mentions import EVERYBODY, FIRST, SECOND, with_references
from agent.domains.combat.recognise import parse_duel, weapon_bonus_of
from agent.planner.attributes import attribute_parts
from agent.planner.clauses import COMMA, in_own_words, tokens_of
from agent.planner.comparisons import parse_comparison
from agent.planner.keys import keys_of
from agent.planner.lexicon import Lexicon, Mention
from agent.types import Combatant, Comparison, Duel, Intent
from retrieval.ingest.rules import ordinal
from retrieval.text import ABILITIES, STOP_WORDS, is_number, phrase, title_key

_OPENING = re.compile(
    r"^\s*(and|but|what about|how about|what if|what when|or|then|now|same|suppose|instead|if"
    r"|the same(?= (?:for|at|with|of|but)\b))\b[\s,]*"
    r"((what|how) about|if|with|at|for|when|suppose)?\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(?<![\w.,])[-−]?\d[\d,]*(?:\.\d+)?(?![\w.]\w)")
_CLOSING = re.compile(r"[\s,]*\b(?:too|as well|also|instead|again)\s*[?.!]*\s*$", re.IGNORECASE)
_WHY = frozenset({"why", "how", "come", "so", "is", "that", COMMA})
_QUESTIONS = frozenset("what how who which can do doe is are will".split())
_NAMED_BEFORE = re.compile(
    r"(^\s*(?:is|does|can|has)\s+)(?:it|he|she)\b|(\b(?:hit|against|than|versus|vs\.?)\s+)(?:it|him|her)(?=\s*[?.!]*\s*$)",
    re.IGNORECASE,
)
"""*is it faster than …* and *what does … need to hit it*, which name somebody besides."""
_BEFORE_PRONOUNS = frozenset("what do doe did is are was has have can could would will must may should of for".split())
_MUST = frozenset({"need", "have", "has"})
_HIS = frozenset({"he", "she", "it", "his", "her", "him"})
_PRONOUNS = _HIS | {"its", "they", "them", "their"}


def continued(previous: Intent, question: str, lexicon: Lexicon) -> Intent | None:
    """The earlier intent with what the new question changes; None when the question stands alone.

    >>> before = Comparison(("thief",), "saving throw breath", (("level", "5"),))
    >>> continued(before, "What about level 9?", Lexicon()).keys
    (('level', '9'),)
    """
    opened = _OPENING.match(question)
    rest = _CLOSING.sub("?", question[opened.end() if opened else 0 :])
    tokens = tokens_of(with_references(rest))
    if "why" in tokens and _WHY.issuperset(tokens):
        return previous
    if (named := _with_name(previous, question)) is not None and lexicon.mentions(tokens):
        return parse_comparison(named, lexicon)
    if _is_whole(tokens, lexicon) if opened else not _is_incomplete(previous, tokens, lexicon):
        return None
    if isinstance(previous, Duel):
        if parse_duel(rest, lexicon) is not None:
            return None
        return _duel(previous, tokens, question, lexicon)
    return _comparison(previous, rest, tokens, lexicon)


def _with_name(previous: Intent, question: str) -> str | None:
    """The question with the name of the one who was asked about in place of a pronoun; None where there is none."""
    if isinstance(previous, Duel) or len(previous.entities) != 1:
        return None
    named = _NAMED_BEFORE.sub(lambda match: f"{match[1] or match[2]}the {previous.entities[0]}", question)
    return named if named != question else None


def _is_incomplete(previous: Intent, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """True for what names nobody, and says no more than keys or comes back to who was named: *which of them has …*."""
    if isinstance(previous, Duel) or not previous.entities or lexicon.mentions(tokens):
        return False
    place = next((i for i, token in enumerate(tokens) if token in _PRONOUNS), None)
    if place is None:
        keys = keys_of(tokens)
        return bool(keys) and not attribute_parts(tokens, {i for i, t in enumerate(tokens) if t in dict(keys)}, "")
    if {COMMA, "a", "an"} & set(tokens[:place]) or (tokens[:2] == ["which", "of"] and len(previous.entities) < 2):
        return False
    if any(pair[1] == "to" and pair[0] not in _MUST for pair in pairwise(tokens[place:])):
        return False  # *how long does it take to …*: it is nobody
    return place == 0 or tokens[place - 1] in _BEFORE_PRONOUNS


def _is_whole(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """True for *if a character dies, what happens?*, which opens like what goes on but asks something else."""
    asks = any(one == COMMA and other in _QUESTIONS for one, other in pairwise(tokens))
    return asks and not (_PRONOUNS & set(tokens) or keys_of(tokens) or lexicon.mentions(tokens))


def described(intent: Intent) -> str:
    """An intent in one line, as the prompt repeats it.

    >>> described(Comparison(("thief",), "saving throw", (("level", "9"),)))
    'saving throw of thief (level 9)'
    """
    if isinstance(intent, Duel):
        told = [_described(who) for who in intent.combatants]
        sides = [" and ".join(told[place] for place in side) for side in intent.sides]
        return f"who wins: {' against '.join(sides) if sides else ' or '.join(told)}"
    if intent.question and not intent.entities and not intent.keys:
        return intent.question
    keys = ", ".join(f"{name} {value}" for name, value in intent.keys)
    whom = " and ".join(intent.entities)
    target = f" against {intent.target or intent.worn}" if intent.target or intent.worn else ""
    return f"{intent.attribute or 'everything'}{f' of {whom}' if whom else ''}{target}{f' ({keys})' if keys else ''}"


def _described(who: Combatant) -> str:
    told = [
        *([f"armor class {who.armor_class}"] if who.armor_class is not None else []),
        *([who.armor] if who.armor else []),
        *(f"{ability} {score}" for ability, score in who.abilities.items()),
        *([f"{who.hit_points} hit points"] if who.hit_points is not None else []),
        *([f"{who.weapon} +{who.weapon_bonus}" if who.weapon_bonus else who.weapon] if who.weapon else []),
    ]
    name = re.sub(r" with armor class -?\d+$", "", who.name)
    return f"{name} ({', '.join(told)})" if told else name


def _duel(previous: Duel, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Duel | None:
    """The fight with what is changed of one, or of both; with a new opponent where one is named."""
    if ("instead", "of") in pairwise(tokens):
        return _instead(previous, tokens, question, lexicon)
    whom = _whom(previous.combatants, tokens)
    changed = [
        _changed(who, tokens, question, lexicon) if i in whom else who for i, who in enumerate(previous.combatants)
    ]
    if tuple(changed) == previous.combatants:
        return _against_another(previous, tokens, question, lexicon)
    return replace(previous, combatants=tuple(changed))


def _whom(combatants: Sequence[Combatant], tokens: Sequence[str]) -> set[int]:
    """Those whom a change is about: who is named, the first or the second, else all."""
    text = f" {' '.join(t for t in tokens if t != COMMA)} "
    named = {i for i, who in enumerate(combatants) if f" {' '.join(phrase(who.subject))} " in text}
    named |= {place for word, place in ((FIRST, 0), (SECOND, 1)) if word in tokens and place < len(combatants)}
    if named and not (len(named) > 1 and len({who.subject for who in combatants}) == 1 and not EVERYBODY & set(tokens)):
        return named
    alone = (
        len({who.subject for who in combatants}) == len(combatants) or EVERYBODY & set(tokens) or not _HIS & set(tokens)
    )
    return set(range(len(combatants))) if alone else set()


def _changed(who: Combatant, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Combatant:
    keys = dict(keys_of(tokens))
    level = int(keys["level"]) if keys.get("level", "").isdigit() and who.level is not None else who.level
    armor_class = int(keys["armor class"]) if "armor class" in keys else who.armor_class
    armor = armor_of(tokens, question, lexicon) if "armor class" not in keys else None
    weapon = weapon_of(tokens) or thing_of(tokens, lexicon)
    points = re.search(r"(\d+)\s*(?:hit points|hp)\b", question, re.IGNORECASE)
    name = f"{ordinal(level)} level {who.subject}" if level is not None else who.name
    return replace(
        who,
        name=who.name if level == who.level and armor_class == who.armor_class else name,
        level=level,
        armor_class=None if armor else armor_class,
        armor=armor or (who.armor if "armor class" not in keys else None),
        abilities=dict(who.abilities) | _abilities(keys),
        weapon=in_own_words(phrase(weapon), question) if weapon else who.weapon,
        weapon_bonus=weapon_bonus_of(weapon, tokens, question) if weapon else who.weapon_bonus,
        hit_points=int(points[1]) if points else who.hit_points,
    )


def _abilities(keys: Mapping[str, str]) -> dict[str, str]:
    return {ability: keys[ability] for ability in ABILITIES if ability in keys}


def _against_another(previous: Duel, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Duel | None:
    """*And against an owlbear?*: the last of the combatants is replaced, or all of the side that was last."""
    new, old = _new_and_old(previous, tokens, lexicon)
    if len(new) != 1 or old:
        return None
    other = _newcomer(new[0], tokens, question)
    if not previous.sides:
        return replace(previous, combatants=(*previous.combatants[:-1], other))
    stay = previous.sides[0]
    combatants = (*(previous.combatants[place] for place in stay), other)
    return replace(previous, combatants=combatants, sides=(tuple(range(len(stay))), (len(stay),)))


def _instead(previous: Duel, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Duel | None:
    """*And a cleric instead of the druid?*: of the same level and gear, where the new one may have a level at all."""
    new, old = _new_and_old(previous, tokens, lexicon)
    places = [i for i, who in enumerate(previous.combatants) if {title_key(who.subject)} == set(old)]
    if len(new) != 1 or len(places) != 1:
        return None
    who, other = previous.combatants[places[0]], _newcomer(new[0], tokens, question)
    if who.level is not None and not lexicon.is_creature(other.subject.split()):
        level = other.level or who.level
        kept = replace(
            who, subject=other.subject, level=level, name=f"{ordinal(level)} level {other.subject}", left_out=()
        )
        other = replace(_changed(kept, tokens, question, lexicon), name=kept.name)
    combatants = [other if i == places[0] else each for i, each in enumerate(previous.combatants)]
    return replace(previous, combatants=tuple(combatants))


def _new_and_old(previous: Duel, tokens: Sequence[str], lexicon: Lexicon) -> tuple[list[Mention], list[str]]:
    """Who is named and did not fight, and the names of those who did."""
    fought = {title_key(who.subject) for who in previous.combatants}
    known = [m for m in lexicon.mentions(tokens) if not lexicon.is_thing(m)]
    new = [m for m in known if title_key(m.name) not in fought]
    return new, [title_key(m.name) for m in known if m not in new]


def _newcomer(mention: Mention, tokens: Sequence[str], question: str) -> Combatant:
    subject = in_own_words(tokens[mention.start : mention.end], question).lower()
    keys = dict(keys_of(tokens))
    level = int(keys["level"]) if keys.get("level", "").isdigit() else None
    armor_class = int(keys["armor class"]) if "armor class" in keys else None
    name = f"{ordinal(level)} level {subject}" if level is not None else subject
    weapon = weapon_of(tokens)
    bonus = weapon_bonus_of(weapon, tokens, question)
    return Combatant(name, subject, level, armor_class, _abilities(keys), weapon, weapon_bonus=bonus)


def _comparison(previous: Comparison, rest: str, tokens: Sequence[str], lexicon: Lexicon) -> Comparison | None:
    """The question with other entities, other keys or another attribute, whichever the new one has."""
    if parse_duel(rest, lexicon) is not None:
        return None
    if (again := _with_number(previous, rest, tokens)) is not None:
        return parse_comparison(again, lexicon)
    new = parse_comparison(rest, lexicon)
    keys = _with_keys(previous.keys, new.keys)
    mentions = lexicon.mentions(tokens)
    attribute = _attribute(tokens, mentions, new, rest)
    if new.entities and attribute and new.keys:
        return None  # it says all that a question needs
    if not (new.entities or new.keys or new.prefer or attribute):
        return None
    swapped = previous.target is not None and new.entities and _is_target(tokens, mentions)
    intent = replace(
        previous,
        entities=previous.entities if swapped or not new.entities else new.entities,
        target=new.entities[0] if swapped else new.target or previous.target,
        worn=new.worn or previous.worn,
        keys=keys,
        attribute=attribute or previous.attribute,
        parts=new.parts if attribute else previous.parts,
        crossed=new.crossed,
        prefer=new.prefer or (None if attribute else previous.prefer),
    )
    return replace(intent, question=described(replace(intent, question="")))


def _with_number(previous: Comparison, rest: str, tokens: Sequence[str]) -> str | None:
    """The question with another number, where nothing else is new and no key holds it: *and at 61,000?*"""
    numbers, own = _DIGITS.findall(previous.question), _DIGITS.findall(rest)
    words = {token for token in tokens if token not in STOP_WORDS | {COMMA} and not is_number(token)}
    if previous.keys or len(numbers) != 1 or len(own) != 1 or not words <= set(phrase(previous.question)):
        return None
    return _DIGITS.sub(own[0], previous.question)


def _attribute(tokens: Sequence[str], mentions: Sequence[Mention], new: Comparison, rest: str) -> str:
    names = {name for name, _ in new.keys}
    taken = {i for m in mentions for i in range(m.start, m.end)} | {
        i for i, t in enumerate(tokens) if t in names | _HIS
    }
    return " ".join(word for part in attribute_parts(tokens, taken, rest) for word in part)


def _is_target(tokens: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """*And against a troll?*: the new name is struck at."""
    return any({"against", "hit", "versus", "vs", "strike"} & set(tokens[: m.start]) for m in mentions)


def _with_keys(old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """New values take the place of the old ones of their name."""
    names = {name for name, _ in new}
    return (*(key for key in old if key[0] not in names), *new)
