"""A combatant as its description tells it: level, armor class, scores, gear, and what no odds count."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from agent.domains.combat.descriptions import Description
from agent.domains.combat.facts import ABILITIES, MEASURES, numbers_of, values_of
from agent.domains.combat.gear import armor_of, as_armor, enchanted_weapon, is_bonus, thing_of, weapon_of
from agent.domains.combat.mentions import EVERYBODY, WIELD
from agent.domains.combat.types import Combatant
from agent.domains.combat.uncounted import qualities, unused
from agent.understanding.clauses import in_own_words
from agent.understanding.lexicon import Lexicon
from retrieval.ingest.rules import ordinal
from retrieval.text.normal import phrase


def combatant_of(
    n: int, drafts: Sequence[Description], shared: Sequence[str], question: str, lexicon: Lexicon
) -> Combatant:
    draft = drafts[n]
    own, subject = draft.tokens, in_own_words(draft.subject, question).lower()
    other = draft.level is None and len(drafts) > 2 and "both" in shared and any(d.level is not None for d in drafts)
    texts = (own, [] if other else list(shared))  # *a knight and a priest, both AC 5, against an ogre*
    armor_class = next((int(found[0]) for text in texts if (found := numbers_of(text, "armor class"))), None)
    weapon = _weapon(draft, shared, question, lexicon)
    bonus = weapon_bonus_of(weapon, own, question)
    common = texts[1][next((i for i, token in enumerate(texts[1]) if token in EVERYBODY), len(texts[1])) :]
    alone = all(one.count == 1 for one in drafts)
    points, levels = numbers_of(own, "hit points") or numbers_of(common * alone, "hit points"), numbers_of(own, "level")
    level = draft.level if draft.level is not None or not levels else int(levels[0])
    if level is None and not lexicon.is_described(draft.subject) and (of_all := numbers_of(shared, "level")):
        level = int(of_all[0])
    armor = armor_of(own, question, lexicon) or (armor_of(common, question, lexicon) if level is not None else None)
    gear = {*phrase(weapon or ""), *phrase(armor or ""), *([str(bonus)] if bonus else [])}
    return Combatant(
        _name(n, drafts, subject, level, armor_class),
        subject,
        level,
        armor_class,
        _scores(texts),
        in_own_words(phrase(weapon), question).strip("()") if weapon else None,
        armor if armor_class is None else None,
        int(points[0]) if points else None,
        draft.count,
        bonus,
        _left_out(draft, gear | {word for other in drafts for word in other.subject}, question),
    )


def _scores(texts: Sequence[Sequence[str]]) -> dict[str, str]:
    """The ability scores, of one alone before those of all."""
    scores = {}
    for ability in ABILITIES:
        told = [value for text in texts for value in values_of(text, ability)]
        if told:
            scores[ability] = told[0]
    return scores


def left_out_of_all(
    drafts: Sequence[Description], shared: Sequence[str], who: Sequence[Combatant], question: str
) -> tuple[str, ...]:
    """What is said of the fight, or of nobody in particular, and was not read."""
    used = {word for each in who for text in (each.subject, each.weapon, each.armor) if text for word in phrase(text)}
    told = [text for text, _ in unused(shared, used, question)]
    for part in (part for draft in drafts for part in draft.closing):
        told += [text for text, own in unused(part, used, question, of_one=True) if not own]
    return tuple(dict.fromkeys(told))


def _left_out(draft: Description, used: AbstractSet[str], question: str) -> tuple[str, ...]:
    """What is said of this one alone and was not read."""
    told = [text for part in draft.before for text in qualities(part, used, question)]
    for part in draft.parts:
        is_closing = any(part is last for last in draft.closing)
        told += [text for text, own in unused(part, used, question, of_one=True) if own or not is_closing]
    return tuple(dict.fromkeys(told))


def _weapon(draft: Description, shared: Sequence[str], question: str, lexicon: Lexicon) -> str | None:
    """What is wielded, as far as it is told of one alone, else of all; words behind a known weapon are not its name."""
    own, shared = as_armor(draft.tokens, lexicon), as_armor(shared, lexicon)
    ahead = [part for part in draft.before if not (WIELD | MEASURES).isdisjoint(part)]  # no *elf* of *an elf fighter*
    parts = [as_armor(part, lexicon) for part in (*draft.parts, *ahead)]
    found = (
        weapon_of(own) or thing_of([t for part in parts for t in part], lexicon)
        or enchanted_weapon(own, question)
        or weapon_of(shared) or thing_of(shared, lexicon)
    )  # fmt: skip
    words = found.split() if found else []
    known = lexicon.at(words, 0) if words else None
    if words and known is None and lexicon.is_described(draft.subject) and not set(own) & (WIELD - {"with"}):
        return None  # *an orc with surprise*: what it fights with is its own
    return " ".join(words[: known.end]) if known and lexicon.is_thing(known) else found


def weapon_bonus_of(weapon: str | None, own: Sequence[str], question: str) -> int:
    """The 2 of *a sword +2* and *a +2 sword*."""
    words = list(phrase(weapon)) if weapon else []
    for i in range(len(own)):
        if words and own[i : i + len(words)] == words:
            after = own[i + len(words) : i + len(words) + 2]
            near = [*(after[:1] if MEASURES.isdisjoint(after) else ()), *own[max(0, i - 1) : i]]
            if bonus := next((t for t in near if is_bonus(t, question)), None):
                return int(bonus)
    return 0


def _name(n: int, drafts: Sequence[Description], subject: str, level: int | None, armor_class: int | None) -> str:
    draft = drafts[n]
    name = f"{ordinal(level)} level {subject}" if level is not None else subject
    twins = [d for d in drafts if (d.level, d.subject) == (draft.level, draft.subject)]
    if len(twins) == 1:
        return name if draft.count == 1 else f"{draft.count} {name}"
    classes = [next(iter(numbers_of(d.tokens, "armor class")), None) for d in twins]
    if armor_class is not None and len(set(classes)) == len(twins):
        return f"{name} with armor class {armor_class}"
    return f"{name} ({'first' if draft is twins[0] else 'second'})"
