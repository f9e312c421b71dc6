"""Look-ups of the values that a fight is computed from: a roll to hit, a weapon's damage, hit points of a level.

The subjects of a look-up are read as combatants. A value that stands in one table needs no domain and is no look-up
of combat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from agent.domains.combat.question.facts import ABILITIES, MEASURES, has_number_behind, values_of
from agent.domains.combat.question.gear import armor_of, armor_span
from agent.domains.combat.question.heads import Head, find_heads, name_end
from agent.domains.combat.question.recognise import asks_how_many
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.question.uncounted import is_known, is_unowned_number
from agent.domains.combat.question.wording import words
from agent.domains.combat.types import Combatant, Lookup, Measure, bare_target, combatant_name
from agent.languages.language import english
from agent.languages.operations import End
from agent.understanding.words.clauses import ARTICLES, COMMA, NEXT_QUESTION
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, number, phrase, title_key

_ASKING = ("nobody", "strike", "rolled", "certain", "somebody", "of_values", "often", "attacking", "hurting")
_DIE_FACES = (1, 20)
"""The faces of a d20 that belong to nobody: the lowest and the highest."""
_LEVEL_MEASURES = (Measure.HIT_POINTS, Measure.EXPERIENCE, Measure.ATTACKS)


@dataclass(frozen=True, slots=True)
class _LookupQuestion:
    """A question with the combatants and the things that it names."""

    said: CombatQuestion
    heads: list[Head]
    things: list[Mention]

    @property
    def tokens(self) -> list[str]:
        return self.said.tokens

    @property
    def lexicon(self) -> Lexicon:
        return self.said.lexicon

    @property
    def words(self) -> set[str]:
        return set(self.tokens)

    @property
    def strikes(self) -> list[int]:
        """The places of *hit* and *strike*."""
        return [i for i, token in enumerate(self.tokens) if token in words("strike")]

    def own(self, start: int, end: int) -> str:
        return self.said.original_spelling(self.tokens[start:end])


def lookup_in(said: CombatQuestion) -> Lookup | None:
    """Return the look-up of combat that a question asks for, or None if it asks for something else."""
    tokens, lexicon = said.tokens, said.lexicon
    is_of_combat = words("strike", "rolled", "hurting") | MEASURES | {"attack"}
    if NEXT_QUESTION.search(said.question) or is_of_combat.isdisjoint(tokens):
        return None  # the second of two questions would be lost
    things = [each for each in lexicon.mentions(tokens) if _is_gear(each, tokens, lexicon)]
    taken = {place for thing in things for place in range(thing.start, thing.end)}
    heads = [
        head
        for head in find_heads(tokens, lexicon)
        if not taken & set(range(head.start, head.end)) and not _is_verb(head, lexicon)
    ]
    heads = _without_strangers(heads, tokens, lexicon)
    asked = _LookupQuestion(said, heads, things)
    for read in (_hard_to_hit, _to_hit, _score_bonus_lookup, _armor_lookup, _damage_lookup, _attacks, _by_level):
        lookup = read(asked)
        if lookup is not None:
            if lookup.measure in _LEVEL_MEASURES and any(map(is_number, _ignored_tokens(asked, lookup))):
                return None
            end = lookup.end or _end(asked, lookup.measure)
            left_out = (*said.unparsed_numbers, *_in_own_words(asked, lookup))
            return replace(lookup, end=end, difference=said.tagged.operation == "difference", left_out=left_out)
    return None


def _without_strangers(heads: list[Head], tokens: Sequence[str], lexicon: Lexicon) -> list[Head]:
    """Return the heads with values in the book and those behind an article; all heads if none has values."""
    known = [head for head in heads if _has_values(head, lexicon)]
    introduced = [head for head in heads if tokens[max(0, head.start - 1)] in ARTICLES]
    return [head for head in heads if head in known or head in introduced] if known else heads


def _has_values(head: Head, lexicon: Lexicon) -> bool:
    """Return True for a class with tables by level, and for a creature."""
    names = lexicon.mentions(head.subject)
    is_class = any("level" in lexicon.axes.get(title_key(each.name), ()) for each in names)
    return is_class or lexicon.is_described(head.subject)


def _is_gear(mention: Mention, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    return lexicon.is_thing(mention) or set(tokens[mention.start : mention.end]) <= words("armor")


def _is_verb(head: Head, lexicon: Lexicon) -> bool:
    """Return True for a verb that looks like a name: the *become* of *to become 9th level*."""
    asking = english().asking | english().reaching | words("rolled", "strike")
    return set(head.subject) <= asking and not lexicon.mentions(head.subject)


def _to_hit(asked: _LookupQuestion) -> Lookup | None:
    """Read *what does a thief need to hit a vampire?*, *what number does a bard of 6th level need against AC 2?*"""
    tokens, classes = asked.tokens, values_of(asked.tokens, "armor class")
    is_met = bool(classes) or _is_attacked(asked)
    if not asked.strikes and (asks_how_many(tokens) or not (is_met and words("rolled") & asked.words)):
        return None
    if words("bonus") & asked.words:
        return None  # a bonus to a roll is not a roll
    struck = [] if classes else _target_heads(asked)
    attackers = [head for head in asked.heads if head not in struck]
    if not attackers:
        return None
    against = tuple(bare_target(int(number(value))) for value in classes) or _targets(asked, struck)
    of = _described(asked, attackers)
    if not against or not of:
        return None
    if len(of) == 1 < len(against):
        of = of * len(against)
    if len(against) not in (1, len(of)):
        return None
    measure = Measure.CHANCE if words("certain", "likely") & asked.words else Measure.TO_HIT
    return Lookup(measure, of, against) if _asks_roll(asked) else None


def _is_attacked(asked: _LookupQuestion) -> bool:
    """Return True if one with a level attacks one creature: *what must I roll* then asks for a roll to hit it."""
    attacking = words("attacking", "wielding", "versus")
    struck = [head for head in asked.heads if head.level is None and asked.lexicon.is_described(head.subject)]
    before = [asked.tokens[: head.start] for head in struck]
    near = [[token for token in tokens if token not in ARTICLES | {"at"}][-1:] for tokens in before]
    is_of_level = any(head.level is not None for head in asked.heads)
    return is_of_level and len(struck) == 1 and not attacking.isdisjoint(near[0])


def _asks_roll(asked: _LookupQuestion) -> bool:
    """Return True for *to hit*, *what does she need* and *who hits more easily*, not for *who strikes first*."""
    if any(asked.tokens[i - 1] == "to" for i in asked.strikes) or not asked.words.isdisjoint(
        words("rolled", "certain", "likely")
    ):
        return True
    read = asked.said.tagged
    return read.end is not None and read.end not in read.scales


def _target_heads(asked: _LookupQuestion) -> list[Head]:
    """Return the targets: heads behind *hit*, *against* or *attacking*, else the one creature beside others."""
    tokens, hit = asked.tokens, [len(asked.tokens), *asked.strikes][-1]
    struck = [
        head
        for head in asked.heads
        if head.start > hit or _follows(tokens, head.start, words("versus", "attacking", "strike") | {"on"})
    ]
    if struck == asked.heads:  # *who hits a vampire more easily, a thief or a cleric?*
        struck = [head for head in asked.heads if set(tokens[hit + 1 : head.start]) <= ARTICLES]
    if not struck:
        creatures = [head for head in asked.heads if head.level is None and asked.lexicon.is_described(head.subject)]
        struck = creatures if len(creatures) == 1 < len(asked.heads) else []
    return struck


def _targets(asked: _LookupQuestion, struck: Sequence[Head]) -> tuple[Combatant, ...]:
    """Return the targets of the roll: worn armor, a named target, or a name that the book may not know."""
    strikes = asked.strikes
    behind = strikes[-1] + 1 if strikes else 0
    if (worn := armor_span(asked.tokens, asked.things, behind)) is not None and strikes:
        armor = armor_of(asked.tokens[behind:], asked.said) or asked.own(*worn)
        return (Combatant(armor, "the target", armor=armor),)
    if struck:
        return tuple(_combatant(asked, head, head.level) for head in struck)
    name = _unknown(asked.tokens, behind) if strikes else None
    return () if name is None else (Combatant(name, name),)


def _follows(tokens: Sequence[str], start: int, words: frozenset[str]) -> bool:
    i = start - 1
    while i >= 0 and (tokens[i] in ARTICLES or tokens[i] == "level" or is_number(tokens[i])):
        i -= 1
    return i >= 0 and tokens[i] in words


def _unknown(tokens: Sequence[str], start: int) -> str | None:
    """Return an unknown name behind an article, or None for *somebody*."""
    if tokens[start : start + 1] and tokens[start] in ARTICLES:
        name = list(takewhile(_may_name, tokens[start + 1 : name_end(tokens, start + 1)]))
        if name and words("somebody", "wearing").isdisjoint(name):
            return " ".join(name)
    return None


def _may_name(token: str) -> bool:
    """Return False for a comparative, which ends a name: *who hits a giant ant more easily?*"""
    return token not in english().comparatives and token not in english().ends


def _score_bonus_lookup(asked: _LookupQuestion) -> Lookup | None:
    """Read *is strength 16 or strength 18 better for damage?*, *what does a dexterity of 17 add to hit?*"""
    told = {ability: scores for ability in ABILITIES if (scores := values_of(asked.tokens, ability))}
    measures = {
        Measure.BONUS_TO_HIT: "hit" in asked.words,
        Measure.BONUS_TO_DAMAGE: "damage" in asked.words,
        Measure.BONUS_TO_HIT_POINTS: "hit points" in asked.words,
    }
    kinds = [measure for measure, is_asked in measures.items() if is_asked]
    if asked.heads or len(told) != 1 or len(kinds) != 1:
        return None
    ((ability, scores),) = told.items()
    names = [f"{ability} {score}" for score in scores]
    of = [Combatant(name, name, abilities={ability: score}) for name, score in zip(names, scores, strict=True)]
    return Lookup(kinds[0], tuple(of))


def _hard_to_hit(asked: _LookupQuestion) -> Lookup | None:
    """Read *who is harder to hit, a bog ogre or a fen troll?* as a question for the better armor class."""
    said = set(asked.tokens[: asked.strikes[-1]]) if asked.strikes else set()
    is_hard, is_easy = bool(words("hard") & said), bool(words("easy") & said)
    if is_hard == is_easy:
        return None  # *who hits harder* asks for something else
    if len(asked.heads) < 2 or any(head.level is not None for head in asked.heads):
        return None
    of = tuple(_combatant(asked, head, head.level) for head in asked.heads)
    return Lookup(Measure.ARMOR_CLASS, of, (), "better" if is_hard else "worse")


def _armor_lookup(asked: _LookupQuestion) -> Lookup | None:
    """Read *the armor class of plate mail and a shield*: the pieces together, not each of them."""
    tokens = asked.tokens
    if (
        "armor class" not in tokens
        or values_of(tokens, "armor class")
        or {"or", "than", *words("versus")} & asked.words
    ):
        return None
    worn = armor_span(tokens, asked.things, 0)
    if worn is None:
        return None
    if asked.heads:
        between = set(tokens[asked.heads[0].end : worn[0]])
        if len(asked.heads) > 1 or not between & (words("wearing") | {"with"}):
            return None
    armor = armor_of(tokens, asked.said)
    if armor is None or phrase(armor) == ("armor",):
        return None  # *which armor has the best one?* names none
    return Lookup(Measure.ARMOR_CLASS, (Combatant(armor, armor, armor=armor, abilities=_scores(tokens)),))


def _damage_lookup(asked: _LookupQuestion) -> Lookup | None:
    """Read *the damage of a halberd against a goblin*, *how much does a long sword do to an ogre*."""
    tokens = asked.tokens
    if not asked.things or not words("hurting") & asked.words:
        return None
    struck = [head for head in asked.heads if _follows(tokens, head.start, words("versus") | {"on", "to"})]
    is_done = "damage" in tokens or any(_follows(tokens, head.start, frozenset({"to"})) for head in struck)
    if len(struck) != 1 or len(asked.heads) > 1 or not is_done:
        return None
    names = [asked.own(thing.start, thing.end) for thing in asked.things]
    of = tuple(Combatant(name, name, weapon=name) for name in names)
    return Lookup(Measure.DAMAGE, of, (_combatant(asked, struck[0], None),))


def _attacks(asked: _LookupQuestion) -> Lookup | None:
    """Read *how often does a 7th level fighter attack in a round?*"""
    if "attack" not in asked.words or not (words("often") | {"often", "many"}) & asked.words:
        return None
    of = [who for who in _described(asked, asked.heads) if who.level is not None]
    return Lookup(Measure.ATTACKS, tuple(of)) if of and len(of) >= len(asked.heads) else None


def _by_level(asked: _LookupQuestion) -> Lookup | None:
    """Read hit points and experience of a class at a level, and hit points that follow from a creature's hit dice."""
    measures = [each for each in (Measure.HIT_POINTS, Measure.EXPERIENCE) if _is_asked(asked.tokens, each)]
    of = _described(asked, asked.heads)
    if len(measures) != 1 or not of:
        return None
    creatures = [who for who in of if who.level is None]
    if creatures and (measures[0] is Measure.EXPERIENCE or not all(_is_worked_out(who, asked) for who in creatures)):
        return None
    return Lookup(measures[0], of)


def _is_asked(tokens: Sequence[str], measure: Measure) -> bool:
    places = [i for i, token in enumerate(tokens) if token == measure]
    return any(not has_number_behind(tokens, i) and not is_number(tokens[max(0, i - 1)]) for i in places)


def _is_worked_out(who: Combatant, asked: _LookupQuestion) -> bool:
    """Return True for a creature of the book without a label for hit points: they follow from its hit dice."""
    labels = asked.lexicon.labels.get(title_key(who.subject), frozenset())
    is_creature = asked.lexicon.is_described(who.subject.split())
    return is_creature and title_key("hit points") not in labels


def _described(asked: _LookupQuestion, heads: Sequence[Head]) -> tuple[Combatant, ...]:
    """Return the combatants asked about, each with its own level, else with the level that applies to all."""
    tokens = asked.tokens
    own = [head.level for head in heads]
    said = [int(number(value)) for value in values_of(tokens, "level")]
    free = [level for level in said if level not in own] or said
    lacking = [head for head in heads if head.level is None and not asked.lexicon.is_described(head.subject)]
    if len(heads) == 1 and len(said) > 1 and own[0] in (None, *said):
        return tuple(_combatant(asked, heads[0], level) for level in said)
    if len(set(said)) == 1:
        levels = {id(head): said[0] for head in lacking}
    elif len(lacking) == len(free):
        levels = {id(head): level for head, level in zip(lacking, free, strict=True)}
    else:
        levels = {}
    return tuple(_combatant(asked, head, levels.get(id(head), head.level)) for head in heads)


def _combatant(asked: _LookupQuestion, head: Head, level: int | None) -> Combatant:
    subject = asked.said.original_spelling(head.subject)
    subject = subject if level is None else subject.lower()
    return Combatant(combatant_name(subject, level), subject, level, abilities=_scores(asked.tokens))


def _scores(tokens: Sequence[str]) -> dict[str, str]:
    told = {ability: values_of(tokens, ability) for ability in ABILITIES}
    return {ability: scores[0] for ability, scores in told.items() if len(scores) == 1}


def _end(asked: _LookupQuestion, measure: Measure) -> End | None:
    """Return the end of the scale that the question asks for.

    *Who hits more easily* needs the lower roll, so the end is reversed; *the lower roll* names the end itself.
    """
    read = asked.said.tagged
    end = read.end_for(())
    if read.end is not None and measure is Measure.TO_HIT:
        behind = read.tokens[read.end + 1] if read.end + 1 < len(read.tokens) else COMMA
        is_of_manner = behind.endswith("ly") or behind in ("often", "likely")
        if is_of_manner or end in ("better", "worse"):
            end = "low" if end in ("high", "better") else "high"
    return end


def _in_own_words(asked: _LookupQuestion, lookup: Lookup) -> Iterator[str]:
    """Yield what is left out, in the question's spelling."""
    for token in _ignored_tokens(asked, lookup):
        yield token if is_number(token) else asked.said.original_spelling((token,))


def _ignored_tokens(asked: _LookupQuestion, lookup: Lookup) -> Iterator[str]:
    """Yield each descriptive word and number that the look-up has no field for, and each negation."""
    tokens, used = asked.tokens, _used(asked, lookup)
    worn = {word for who in (*lookup.of, *lookup.against) for word in phrase(who.armor or "")}
    denying = (english().negations | {"miss"}) - worn  # *no armor* denies nothing
    yield from (token for token in tokens if token in denying)
    heads, ends = {head.start for head in asked.heads}, {head.end for head in asked.heads}
    start = 0
    for i in range(len(tokens) + 1):
        if i < len(tokens) and i not in used and not _is_asking(tokens[i]):
            continue
        if start < i:
            before = next((token for token in reversed(tokens[:start]) if token not in ARTICLES), "")
            is_quality = (
                i in heads or tokens[i : i + 1] == ["level"] or not words("somebody").isdisjoint(tokens[i : i + 1])
            )
            is_quality = is_quality or (before == COMMA and start - 1 in ends and tokens[i : i + 1] in ([], [COMMA]))
            if is_quality or before in words("place", "wielding") | {"with"} or any(map(is_number, tokens[start:i])):
                yield from tokens[start:i]
        start = i + 1


def _is_asking(token: str) -> bool:
    if is_number(token):
        return False
    return is_known(token) or token in words(*_ASKING)


def _used(asked: _LookupQuestion, lookup: Lookup) -> set[int]:
    """Return the indexes of names, of worn and wielded gear, and of the numbers that were read."""
    tokens = asked.tokens
    used = {place for head in asked.heads for place in range(head.start, head.end)}
    told: set[str] = set()
    for who in (*lookup.of, *lookup.against):
        told.update(phrase(f"{who.armor or ''} {who.weapon or ''}"))
    used |= {i for i, token in enumerate(tokens) if token in told}
    described = (*lookup.of, *lookup.against)
    for i, token in enumerate(tokens):
        if is_number(token) and (
            number(token) in _DIE_FACES or not is_unowned_number(tokens, i, described, asked.said)
        ):
            used.add(i)
    used |= {i for i, token in enumerate(tokens) if token.endswith("d20")}
    return used
