"""The combatants as a question describes them: level, armor class, scores, gear, and what the odds ignore.

Each stretch of text between two names is assigned to one combatant or to all. So every armor class lands with its
owner, and the reasoner can pair it with the opponent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from agent.domains.combat.question.cast import CombatantMentions
from agent.domains.combat.question.facts import ABILITIES, MEASURES, measure_of, numbers_of, values_of
from agent.domains.combat.question.gear import armor_of, is_bonus, weapon_of
from agent.domains.combat.question.heads import Head, name_ends, noun_begins
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.question.uncounted import qualities, unread_stretches
from agent.domains.combat.question.wording import words
from agent.domains.combat.types import Combatant, combatant_name, singular_name
from agent.understanding.words.clauses import COMMA
from retrieval.text.normal import is_number, phrase

ATTRIBUTE_MEASURES = ("armor class", "hit points", *ABILITIES)
"""Measures whose value belongs to one combatant or to all."""
_DOUBLE, _NOBODYS = 4, 2
"""Weights of misfit: a combatant with two values of a measure, and a value without a combatant; no value weighs 1."""


@dataclass(slots=True)
class Description:
    """One combatant: its name, and the stretches of text behind it, before it, and at the end of a sentence."""

    subject: tuple[str, ...]
    level: int | None
    count: int = 1
    parts: list[list[str]] = field(default_factory=list)
    before: list[list[str]] = field(default_factory=list)
    closing: list[list[str]] = field(default_factory=list)

    @property
    def tokens(self) -> list[str]:
        """All text about this combatant alone; the stretches before its name come last."""
        return [token for part in (*self.parts, *self.before) for token in part]


@dataclass(frozen=True, slots=True)
class Descriptions:
    """The descriptions of all combatants, the text that applies to all, and the numbers that belong to nobody."""

    descriptions: list[Description]
    shared_text: list[str]
    unclear: list[str]


@dataclass(frozen=True, slots=True)
class _Order:
    """Whether facts that open a sentence, or stand between two names, may belong to the name behind them."""

    leading: bool = False
    between: bool = False


_ORDERS = (_Order(), _Order(leading=True), _Order(leading=True, between=True), _Order(between=True))


def assign_descriptions(said: CombatQuestion, cast: CombatantMentions) -> Descriptions:
    """Assign the text of a question to its combatants.

    In *AC 3: a knight. AC 9: a priest*, facts may stand before or after their combatant. The order with the smallest
    misfit wins: nobody has two values of a measure, and a measure given for one is given for the others too.
    """
    tried = (_Assignment(said, cast, order) for order in (_ORDERS if len(cast.heads) > 1 else _ORDERS[:1]))
    best = _best(tried)
    unclear = [value for part in best.shared for value in _unclaimed(part, best.each)]
    unclear += [value for one in best.each for value in _conflicting_values(one)]
    return Descriptions(best.each, [token for part in best.shared for token in part], unclear)


def _best(tried: Iterable[_Assignment]) -> _Assignment:
    """Return the first with the smallest misfit; stop at one without any."""
    found: list[tuple[int, _Assignment]] = []
    for dealt in tried:
        found.append((dealt.misfit, dealt))
        if not found[-1][0]:
            break
    return min(found, key=lambda each: each[0])[1]


class _Assignment:
    """The text of a question, assigned to combatants in one order."""

    def __init__(self, said: CombatQuestion, cast: CombatantMentions, order: _Order) -> None:
        self.each = [Description(head.subject, head.level, head.count) for head in cast.heads]
        self.shared: list[list[str]] = []
        self._said, self._order = said, order
        for tokens, named in zip(said.plain_sentences, cast.mentions_by_sentence, strict=True):
            self._assign_sentence(tokens, [(head, self.each[place]) for head, place in named])

    @property
    def misfit(self) -> int:
        """How badly the assignment fits: two values of one measure, a value for some only, or for nobody.

        A creature's value counts against every order but the first: the book has its own value for it.
        """
        wrong = 0
        for term in ATTRIBUTE_MEASURES:
            told = [set(numbers_of(one.tokens, term)) for one in self.each if one.level is not None]
            wrong += sum(_DOUBLE * (len(values) - 1) for values in told if values)
            wrong += sum(not values for values in told) if any(told) else 0
            free = [part for part in self.shared if words("everybody").isdisjoint(part)]
            wrong += _NOBODYS * sum(len(numbers_of(part, term)) for part in free)
            if self._order != _Order():
                wrong += sum(len(values_of(one.tokens, term)) for one in self.each if self._is_creature(one))
        return wrong

    def _without_gear(self, tokens: Sequence[str]) -> list[str]:
        """Return the tokens with gear blanked out: the *battle* of *battle axe* names no battle."""
        out, lexicon = list(tokens), self._said.lexicon
        for each in filter(lexicon.is_thing, lexicon.mentions(tokens)):
            out[each.start : each.end] = [""] * (each.end - each.start)
        return out

    def _is_creature(self, one: Description) -> bool:
        return one.level is None and self._said.lexicon.is_described(one.subject)

    def _assign_sentence(self, tokens: Sequence[str], named: Sequence[tuple[Head, Description]]) -> None:
        """Assign each stretch between two names to the name before it, except what describes the name behind it."""
        owner: Description | None = None
        cursor = 0
        met: list[Description] = []
        for n, (head, following) in enumerate(named):
            start = max(cursor, noun_begins(tokens, head.start))
            if self._order.between if n else self._order.leading:
                start = min(start, _facts_begin(self._without_gear(tokens), cursor, start))
            of_all = _assign(tokens[cursor:start], owner)
            if sum(one.count for one in met) < 2 or following in met:
                self.shared.append(of_all)
            else:  # *a knight and a priest, both AC 5, against an ogre*: about those named so far
                for one in met:
                    one.parts.append(of_all)
            owner, cursor = following, name_ends(tokens, head)
            beside = _words_beside(tokens[head.start : cursor], head) if head.reference is None else []
            owner.before.append([*tokens[start : head.start], *beside, COMMA])
            met.append(following)
        self.shared.append(_assign(tokens[cursor:], owner, closing=True))


def _facts_begin(tokens: Sequence[str], start: int, end: int) -> int:
    """Return the index of the first measure with its number, or of gear, behind the last word of opposition."""
    set_against = words("contest", "versus") | {"or"}
    start = next((i for i in range(end - 1, start - 1, -1) if tokens[i] in set_against), start)
    for i in range(start, end):
        if tokens[i] in MEASURES:
            is_behind = i > start and is_number(tokens[i - 1]) and measure_of(tokens, i - 1) == tokens[i]
            return i - 1 if is_behind else i
        if tokens[i] in ("with", "wielding"):
            return i
    return end


def _words_beside(said: Sequence[str], head: Head) -> list[str]:
    """Return the *hasted* of *a 4th level hasted fighter*, and the *AC 3* of *a 4th level, AC 3 fighter*."""
    out: list[str] = []
    for i, token in enumerate(said):
        is_level = is_number(token) and said[i - 1 : i] in (["level"], [*head.subject[-1:]])
        if not is_level and token not in (*head.subject, "level", COMMA):
            out.append(token)
    return out


def _assign(tokens: Sequence[str], owner: Description | None, *, closing: bool = False) -> list[str]:
    """Assign a stretch of text to its owner; return the part from a word like *both* on, or all of *AC 5 each*."""
    if owner is None:
        return [*tokens, COMMA]
    cut = next((i for i, token in enumerate(tokens) if token in words("everybody")), len(tokens))
    of_group = owner.count > 1 and tokens[cut : cut + 1] == ["each"]
    if cut < len(tokens) and tokens[cut + 1 : cut + 2] in ([], [COMMA]):
        while cut and tokens[cut - 1] != COMMA:
            cut -= 1
    elif of_group:
        cut = len(tokens)  # *three orcs, each with 8 hit points*
    owner.parts.append([*(tokens if of_group else tokens[:cut]), COMMA])
    if closing:
        owner.closing.append(owner.parts[-1])
    return [*tokens[cut:], COMMA]


def _unclaimed(part: list[str], each: Sequence[Description]) -> Iterator[str]:
    """Yield the numbers that could be anybody's, *a knight fights a priest. AC 5.*, and remove them from the text.

    If there are as many values as combatants, each combatant gets one, in order.
    """
    for measure in ATTRIBUTE_MEASURES if words("everybody").isdisjoint(part) else ():
        values = values_of(part, measure)
        if values and len(values) == len(each):
            for one, value in zip(each, values, strict=True):
                one.parts.append([measure, value, COMMA])
        else:
            yield from values
        if values:
            part[:] = [token for token in part if token != measure and token not in values]


def _conflicting_values(one: Description) -> Iterator[str]:
    """Yield each further value of a measure of which the combatant already has another."""
    for measure in ATTRIBUTE_MEASURES:
        first, *others = values_of(one.tokens, measure) or [""]
        yield from (value for value in others if value != first)


def combatant_values(tokens: Sequence[str], weapon: str | None, said: CombatQuestion) -> Combatant:
    """Return the values in a text as a combatant without a name, with this weapon; a missing value is None."""
    return Combatant(
        "",
        "",
        level=_first(tokens, "level"),
        armor_class=_first(tokens, "armor class"),
        abilities=scores_of(tokens),
        weapon=said.original_spelling(phrase(weapon)).strip("()") if weapon else None,
        armor=armor_of(tokens, said),
        hit_points=_first(tokens, "hit points"),
        weapon_bonus=_weapon_bonus(weapon, tokens, said.question),
    )


def _first(tokens: Sequence[str], measure: str) -> int | None:
    return next((int(value) for value in numbers_of(tokens, measure)), None)


def combatant_of(n: int, told: Descriptions, said: CombatQuestion) -> Combatant:
    """Return combatant `n` with its own values; where one is missing, with a value that applies to all."""
    one, shared = told.descriptions[n], [] if _is_beside_two(told.descriptions[n], told) else told.shared_text
    common = shared[next((i for i, token in enumerate(shared) if token in words("everybody")), len(shared)) :]
    own = combatant_values(one.tokens, _weapon(one, told.shared_text, said), said)
    is_creature = said.lexicon.is_described(one.subject)
    level = one.level if one.level is not None else own.level
    if level is None and not is_creature:
        level = _first(told.shared_text, "level")
    armor_class = own.armor_class if own.armor_class is not None else _first(shared, "armor class")
    armor = own.armor or (armor_of(common, said) if level is not None else None)
    points = own.hit_points
    if points is None and all(each.count == 1 for each in told.descriptions):
        points = _first(common, "hit points")
    gear = phrase(f"{own.weapon or ''} {armor or ''} {own.weapon_bonus or ''}")
    names = {word for each in told.descriptions for word in each.subject}
    subject = said.original_spelling(one.subject).lower()
    if one.count == 1 and any(_is_twin(one, other) for other in told.descriptions if other is not one):
        subject = singular_name(subject)
    return replace(
        own,
        name=_name(one, told.descriptions, subject, level, armor_class),
        subject=subject,
        level=level,
        armor_class=armor_class,
        abilities=scores_of([*one.tokens, *shared]),
        armor=armor if armor_class is None else None,
        hit_points=points,
        count=one.count,
        left_out=_ignored_own_text(one, {*gear, *names}, said.question),
    )


def _is_beside_two(one: Description, told: Descriptions) -> bool:
    """Return True for the ogre of *a knight and a priest, both AC 5, against an ogre*."""
    is_other = one.level is None and len(told.descriptions) > 2 and "both" in told.shared_text
    return is_other and any(each.level is not None for each in told.descriptions)


def scores_of(tokens: Sequence[str]) -> dict[str, str]:
    """Return the ability scores in a text: for each ability the first."""
    told = {ability: values_of(tokens, ability) for ability in ABILITIES}
    return {ability: values[0] for ability, values in told.items() if values}


def ignored_shared_text(told: Descriptions, who: Sequence[Combatant], question: str) -> tuple[str, ...]:
    """Return unread text about the fight, or about no combatant in particular."""
    used = {word for each in who for text in (each.subject, each.weapon, each.armor) if text for word in phrase(text)}
    left = [text for text, _ in unread_stretches(told.shared_text, used, question)]
    for part in (part for one in told.descriptions for part in one.closing):
        left += [text for text, own in unread_stretches(part, used, question, of_one=True) if not own]
    return tuple(dict.fromkeys(left))


def _ignored_own_text(one: Description, used: AbstractSet[str], question: str) -> tuple[str, ...]:
    """Return unread text about this combatant alone."""
    left = [text for part in one.before for text in qualities(part, used, question)]
    for part in one.parts:
        is_closing = any(part is last for last in one.closing)
        left += [text for text, own in unread_stretches(part, used, question, of_one=True) if own or not is_closing]
    return tuple(dict.fromkeys(left))


def _weapon(one: Description, shared: Sequence[str], said: CombatQuestion) -> str | None:
    """Return the combatant's own weapon, else the shared one; words behind a known weapon are not part of its name.

    Text before the name counts only if it has a measure or a word of gear: nobody wields the *elf* of *an elf fighter*.
    """
    telling = words("wielding", "unequipped") | MEASURES | {"with"}
    ahead = [part for part in one.before if not telling.isdisjoint(part)]
    own = [token for part in (*one.parts, *ahead) for token in part]
    found = weapon_of(own, said) or weapon_of(shared, said)
    name = found.split() if found else []
    known = said.lexicon.at(name, 0) if name else None
    is_creature = said.lexicon.is_described(one.subject)
    if name and known is None and is_creature and words("wielding").isdisjoint(own):
        return None  # *an orc with surprise*: the book has its attacks
    return " ".join(name[: known.end]) if known and said.lexicon.is_thing(known) else found


def _weapon_bonus(weapon: str | None, own: Sequence[str], question: str) -> int:
    """Return the 2 of *a sword +2* and *a +2 sword*, or 0."""
    name = list(phrase(weapon)) if weapon else []
    for i in range(len(own) if name else 0):
        if own[i : i + len(name)] == name:
            after = own[i + len(name) : i + len(name) + 2]
            near = [*(after[:1] if MEASURES.isdisjoint(after) else ()), *own[max(0, i - 1) : i]]
            if bonus := next((token for token in near if is_bonus(token, question)), None):
                return int(bonus)
    return 0


def _is_twin(one: Description, other: Description) -> bool:
    """Return True if two combatants have the same class and level."""
    return (one.level, one.subject) == (other.level, other.subject)


def _name(
    one: Description, all_told: Sequence[Description], subject: str, level: int | None, armor_class: int | None
) -> str:
    name = combatant_name(subject, level)
    twins = [each for each in all_told if _is_twin(one, each)]
    if len(twins) == 1:
        return name if one.count == 1 else f"{one.count} {name}"
    classes = [next(iter(numbers_of(each.tokens, "armor class")), None) for each in twins]
    if armor_class is not None and len(set(classes)) == len(twins):
        return f"{name} with armor class {armor_class}"
    return f"{name} ({'first' if one is twins[0] else 'second'})"
