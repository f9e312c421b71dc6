"""A question about a fight becomes its combatants, each with what the question says of it.

Each mention (*a 4th level fighter*, *the druid*) opens a stretch of text that describes it; *both* and *they* open one
that describes all. So every armor class lands with its owner, and the reasoner can pair it with the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from agent.domains.combat.asked import asks_something
from agent.domains.combat.counted import counted
from agent.domains.combat.facts import numbers_of, values_of
from agent.domains.combat.fight_intent import (
    are_of_something_else,
    asks_how_many,
    asks_loser,
    in_plain_words,
    is_about_a_roll,
    is_adjective,
    is_plain_versus,
    name_ends,
    noun_begins,
    sides_of,
    things_that_fight,
    unknown_opponent,
    unknown_others,
    with_counts,
    with_opponents,
    without_verb,
    words_beside,
)
from agent.domains.combat.gear import armor_of, as_armor, enchanted_weapon, is_bonus, listed_weapon, thing_of, weapon_of
from agent.domains.combat.mentions import (
    CONTEST,
    EVERYBODY,
    VERSUS,
    WIELD,
    Head,
    find_heads,
    is_apposition,
    plain,
    pronouns,
    references,
)
from agent.domains.combat.shorthand import in_full
from agent.domains.combat.types import Combatant, Duel
from agent.domains.combat.unparsed import unused
from agent.domains.combat.words import ABILITIES, MEASURES
from agent.planner.clauses import COMMA, in_own_words, sentences
from agent.planner.lexicon import Lexicon
from agent.planner.unread import without_unread
from retrieval.ingest.rules import ordinal
from retrieval.text import is_number, number, phrase, title_key


@dataclass(slots=True)
class _Draft:
    subject: tuple[str, ...]
    level: int | None
    count: int = 1
    parts: list[list[str]] = field(default_factory=list)
    before: list[list[str]] = field(default_factory=list)
    closing: list[list[str]] = field(default_factory=list)

    @property
    def tokens(self) -> list[str]:
        """All that is told of this combatant alone, what stands before its name last."""
        return [token for part in (*self.parts, *self.before) for token in part]


def parse_duel(question: str, lexicon: Lexicon) -> Duel | None:
    """Return the fight that a question asks about, or None when it asks about something else."""
    fight = _fight(without_unread(question), lexicon)
    return None if fight is None else counted(fight, question)


def _fight(question: str, lexicon: Lexicon) -> Duel | None:
    full = [in_full(tokens, lexicon) for tokens in sentences(plain(question))]
    asked = [tokens for tokens, _ in full]
    said = {token for tokens in asked for token in tokens}
    texts = [with_opponents(in_plain_words(tokens, said), lexicon) for tokens in asked]
    words = {token for sentence in texts for token in sentence}
    drafts, shared, unclear = _describe(texts, lexicon)
    heads = [head for head in _first_heads(texts, lexicon) if head.reference is None] if len(drafts) > 1 else []
    if len(drafts) < 2 or asks_how_many(texts[0], heads) or are_of_something_else(texts[0], heads):
        return None
    _level_all(drafts, texts, lexicon)
    subjects = [draft.subject for draft in drafts]
    if words & CONTEST:
        if is_about_a_roll(words):
            return None
    elif asks_something(texts, subjects, lexicon) or not (
        _are_described(drafts, shared, question, lexicon) or is_plain_versus(texts, heads, lexicon)
    ):
        return None
    sides = sides_of(texts[0], heads) if len(heads) == len(drafts) else ()
    combatants = tuple(_combatant(n, drafts, shared, question, lexicon) for n in range(len(drafts)))
    left_out = _left_out_of_all(drafts, shared, combatants, question)
    if left_out and not words & CONTEST and not _are_described(drafts, shared, question, lexicon):
        return None  # *the pace of an elf against a dwarf*: something is asked that is no fight
    meant = {word: name for _, words in full for word, name in words.items()}
    return Duel(combatants, sides, left_out, asks_loser(asked), tuple(unclear), tuple(meant.items()))


def _level_all(drafts: Sequence[_Draft], texts: Sequence[Sequence[str]], lexicon: Lexicon) -> None:
    """*Can a knight beat a hound at 3rd level?*: a creature has no level, so it is of those who have none."""
    said = [t[i + 2] for t in texts for i in range(len(t) - 2) if list(t[i : i + 2]) == ["at", "level"]]
    for level in (int(number(token)) for token in said if is_number(token)):
        if not any(lexicon.is_creature(draft.subject) for draft in drafts if draft.level == level):
            continue
        for draft in drafts:
            if lexicon.is_creature(draft.subject):
                draft.level = None
            elif draft.level is None:
                draft.level = level


def _first_heads(texts: Sequence[Sequence[str]], lexicon: Lexicon) -> list[Head]:
    """Those whom the first sentence introduces."""
    return _named_again(texts[0], _heads(texts[0], lexicon, _are_told_apart(texts)))


def _heads(tokens: Sequence[str], lexicon: Lexicon, apart: bool) -> list[Head]:
    heads = find_heads(tokens, lexicon, apart)
    if len(heads) < 2 and set(tokens) & (CONTEST | VERSUS):
        heads += things_that_fight(tokens, heads, lexicon)
    if heads and not apart:
        heads += unknown_others(tokens, heads, lexicon)
    if len(heads) == 1:
        heads += unknown_opponent(tokens, heads, lexicon)
    heads = [without_verb(head, tokens, lexicon) for head in heads if not is_adjective(head, heads, lexicon)]
    return sorted(heads if apart else with_counts(tokens, heads), key=lambda head: (head.start, head.end))


def _are_described(drafts: Sequence[_Draft], shared: Sequence[str], question: str, lexicon: Lexicon) -> bool:
    """True where each has a level and an armor class or armor, or is a creature of the book, and something is told.

    Who is told of so fights: nothing else is asked of two of whom the level and the armor are said.
    """
    creatures = [draft for draft in drafts if draft.level is None and lexicon.is_creature(draft.subject)]
    others = [draft for draft in drafts if draft not in creatures]
    of_all = bool(numbers_of(shared, "armor class"))
    told = bool(others) or any(values_of(draft.tokens, measure) for draft in creatures for measure in _MEASURES)
    return told and all(_is_described(draft, of_all, question, lexicon) for draft in others)


def _is_described(draft: _Draft, of_all: bool, question: str, lexicon: Lexicon) -> bool:
    level = draft.level is not None or bool(numbers_of(draft.tokens, "level"))
    armored = of_all or _has_number(draft, "armor class") or armor_of(draft.tokens, question, lexicon) is not None
    return level and armored


@dataclass(frozen=True, slots=True)
class _Order:
    """Where facts stand: those that begin a sentence, and those between two names, may be of the name behind them."""

    leading: bool = False
    between: bool = False


_MEASURES = ("armor class", "hit points", *ABILITIES)
"""What one alone has, or everybody."""
_ORDERS = (_Order(), _Order(leading=True), _Order(leading=True, between=True), _Order(between=True))


def _describe(texts: Sequence[Sequence[str]], lexicon: Lexicon) -> tuple[list[_Draft], list[str], list[str]]:
    """The combatants with the text that describes each, the text that describes all, and the numbers of nobody.

    *AC 3: a knight. AC 9: a priest*: facts stand before or after whom they describe. The order in which nobody has two
    values of one measure, and what one is told of is told of the others too, is the one that was meant.
    """
    cast: list[_Draft] = []
    named = [_named(tokens, cast, texts, lexicon) for tokens in texts]
    best: tuple[int, list[_Draft], list[list[str]]] | None = None
    for order in _ORDERS:
        drafts = [_Draft(each.subject, each.level, each.count) for each in cast]
        shared: list[list[str]] = []
        for tokens, places in zip(texts, named, strict=True):
            _deal_out(tokens, [(head, drafts[n]) for head, n in places if n < len(drafts)], shared, order)
        misfit = _misfit(drafts, shared)
        if best is None or misfit < best[0]:
            best = misfit, drafts, shared
        if len(cast) < 2:
            break
    assert best is not None
    _, drafts, shared = best
    unclear = [value for part in shared for value in _unclaimed(part, drafts)]
    unclear += [value for draft in drafts for value in _doubled(draft)]
    return drafts, [token for part in shared for token in part], unclear


def _unclaimed(part: list[str], drafts: Sequence[_Draft]) -> Iterator[str]:
    """Numbers that could be anybody's, which the text loses: *a knight fights a priest. AC 5.*

    As many as there are combatants are theirs in their order.
    """
    for measure in _MEASURES if EVERYBODY.isdisjoint(part) else ():
        values = values_of(part, measure)
        if values and len(values) == len(drafts):
            for draft, value in zip(drafts, values, strict=True):
                draft.parts.append([measure, value, COMMA])
        else:
            yield from values
        if values:
            part[:] = [token for token in part if token != measure and token not in values]


def _doubled(draft: _Draft) -> Iterator[str]:
    """What a combatant is told to have of a measure of which another value was told before."""
    for measure in _MEASURES:
        first, *others = values_of(draft.tokens, measure) or [""]
        yield from (value for value in others if value != first)


def _named(
    tokens: Sequence[str], cast: list[_Draft], texts: Sequence[Sequence[str]], lexicon: Lexicon
) -> list[tuple[Head, int]]:
    """Where a sentence names combatants, each with its place among all; those that are new join the cast."""
    known = list(cast)
    heads = _named_again(tokens, _heads(tokens, lexicon, _are_told_apart(texts))) if len(known) < 2 else []
    heads = _side_by_side([*heads, *references(tokens), *pronouns(tokens), *_mentions(tokens, known)])
    # All are known before any text is dealt out: *if the orc sleeps, an orc or a bear?*
    new = {head: _introduced(head, cast, known) for head in heads if head.reference is None}
    places: list[tuple[Head, int]] = []
    for head in heads:
        following = next((each for each in heads if each.start >= head.end), None)
        if head.reference is None:
            places.append((head, next(n for n, each in enumerate(cast) if each is new[head])))
        elif following is None or following.reference is not None or not is_apposition(tokens, head, following):
            places.append((head, head.reference if head.reference >= 0 else max(0, len(known) - 1)))
    return places


def _misfit(drafts: Sequence[_Draft], shared: Sequence[Sequence[str]]) -> int:
    """How badly facts are dealt out: two values for one measure, a value for some and not for others, or for nobody."""
    wrong = 0
    for term in _MEASURES:
        told = [set(numbers_of(draft.tokens, term)) for draft in drafts if draft.level is not None]
        wrong += sum(4 * (len(values) - 1) for values in told if values)
        wrong += sum(not values for values in told) if any(told) else 0
        wrong += 2 * sum(len(numbers_of(part, term)) for part in shared if EVERYBODY.isdisjoint(part))
    return wrong


def _deal_out(
    tokens: Sequence[str], named: Sequence[tuple[Head, _Draft]], shared: list[list[str]], order: _Order
) -> None:
    """Give each stretch between two names to the one before it, but for what describes the one behind it."""
    owner: _Draft | None = None
    cursor = 0
    for n, (head, following) in enumerate(named):
        start = max(cursor, noun_begins(tokens, head.start))
        if (order.leading and n == 0) or (order.between and n > 0):
            start = min(start, _facts_begin(tokens, cursor, start))
        of_all = _assign(tokens[cursor:start], owner)
        met = [draft for _, draft in named[:n]]
        if sum(draft.count for draft in met) < 2 or following in met:
            shared.append(of_all)
        else:  # *a knight and a priest, both AC 5, against an ogre*: of those who were named so far
            for draft in met:
                draft.parts.append(of_all)
        owner, cursor = following, name_ends(tokens, head)
        words = words_beside(tokens[head.start : cursor], head) if head.reference is None else []
        owner.before.append([*tokens[start : head.start], *words, COMMA])
    shared.append(_assign(tokens[cursor:], owner, closing=True))


def _facts_begin(tokens: Sequence[str], start: int, end: int) -> int:
    """Where the first measure with its number, or what is wielded, stands in a stretch."""
    return next((i for i in range(start, end) if tokens[i] in MEASURES | {"with", "wielding"}), end)


def _are_told_apart(texts: Sequence[Sequence[str]]) -> bool:
    """*Two knights. … The second …*"""
    return any(head.reference == 1 for tokens in texts for head in references(tokens))


def _side_by_side(heads: Sequence[Head]) -> list[Head]:
    """From left to right, without those that begin within another."""
    out: list[Head] = []
    for head in sorted(heads, key=lambda head: (head.start, head.end)):
        if not out or head.start >= out[-1].end:
            out.append(head)
    return out


def _named_again(tokens: Sequence[str], heads: Sequence[Head]) -> list[Head]:
    """*A spy or a troll, if the spy has a dirk*: with two before it, *the spy* is the one who was named.

    So is *the spy* before *a spy*, and *the bear* behind *a cave bear*.
    """
    found: list[Head] = []
    early = [head for head in heads if _is_named_below(tokens, head, heads)]
    heads = [head for head in heads if head not in early]
    ends = sorted(head.end for head in heads)
    after = ends[1] if len(ends) > 1 else len(tokens)
    kept = [head for head in heads if head.start < after or not _is_one_of(tokens, head, heads)]
    for place, head in enumerate(sorted(kept, key=lambda head: (head.start, head.end))):
        alone = sum(other.subject == head.subject for other in kept) == 1
        for name in _own_names(head.subject, [other.subject for other in kept]):
            for i in range(after, len(tokens) - len(name)):
                if tokens[i] == "the" and tuple(tokens[i + 1 : i + 1 + len(name)]) == name:
                    found.append(Head(i + 1, i + 1 + len(name), reference=place))
        found += [Head(h.start, h.end, reference=place) for h in early if h.subject == head.subject and alone]
    return [*kept, *found]


def _own_names(subject: tuple[str, ...], subjects: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """What one may be called that nobody else is: by the whole name, or by its last word."""
    names = dict.fromkeys((subject, subject[-1:]))
    return [name for name in names if sum(name in (other, other[-1:]) for other in subjects) == 1]


def _is_named_below(tokens: Sequence[str], head: Head, heads: Sequence[Head]) -> bool:
    """*The spy*, where *a spy* follows and nobody else is called so."""
    same = [other for other in heads if other.subject == head.subject and other is not head]
    definite = head.level is None and head.start > 0 and tokens[head.start - 1] == "the"
    if not definite or len(same) != 1 or same[0].start < head.start:
        return False
    return "the" not in tokens[noun_begins(tokens, same[0].start) - 1 : same[0].start]


def _is_one_of(tokens: Sequence[str], head: Head, heads: Sequence[Head]) -> bool:
    again = any(head.subject in (o.subject, o.subject[-1:]) and o.start < head.start for o in heads)
    return again and head.level is None and tokens[head.start - 1] == "the"


def _introduced(head: Head, drafts: list[_Draft], known: Sequence[_Draft]) -> _Draft:
    """Whom a head is about: one that is known from an earlier sentence, or a new one."""
    found = next((d for d in known if d.subject == head.subject and head.level in (None, d.level)), None)
    if found is None:
        found = _Draft(head.subject, head.level, head.count)
        drafts.append(found)
    return found


def _assign(tokens: Sequence[str], target: _Draft | None, *, closing: bool = False) -> list[str]:
    """Give a stretch of text to its owner; from a word like *both* on, or all of *AC 5 each*, it is returned."""
    cut = next((i for i, token in enumerate(tokens) if token in EVERYBODY), len(tokens)) if target else 0
    of_group = target is not None and target.count > 1 and tokens[cut : cut + 1] == ["each"]
    if cut < len(tokens) and tokens[cut + 1 : cut + 2] in ([], [COMMA]):
        while cut and tokens[cut - 1] != COMMA:
            cut -= 1
    elif of_group:
        cut = len(tokens)  # *three orcs, each with 8 hit points*
    if target is not None:
        target.parts.append([*(tokens if of_group else tokens[:cut]), COMMA])
        target.closing += [target.parts[-1]] if closing else []
    return [*tokens[cut:], COMMA]


def _mentions(tokens: Sequence[str], drafts: Sequence[_Draft]) -> list[Head]:
    """Where a later sentence comes back to a combatant: by class where that tells them apart, or by level."""
    heads = []
    for draft in drafts:
        own = _own_names(draft.subject, [other.subject for other in drafts])
        alone = draft.subject in own
        for i in range(len(tokens)):
            end = i + len(draft.subject)
            if draft.subject[-1:] in own and tokens[i - 1 : i + 1] == ["the", *draft.subject[-1:]]:
                heads.append(Head(i, i + 1, draft.subject, draft.level))
            elif tuple(tokens[i:end]) == draft.subject:
                level = i >= 2 and tokens[i - 2] == "level" and is_number(tokens[i - 1])
                if (level and draft.level == int(number(tokens[i - 1]))) or (alone and not level):
                    heads.append(Head(i - 2 if level else i, end, draft.subject, draft.level))
    return heads


def _has_number(draft: _Draft, term: str) -> bool:
    return any(numbers_of(part, term) for part in (*draft.parts, *draft.before))


def _combatant(n: int, drafts: Sequence[_Draft], shared: Sequence[str], question: str, lexicon: Lexicon) -> Combatant:
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
    if level is None and not lexicon.is_creature(draft.subject) and (of_all := numbers_of(shared, "level")):
        level = int(of_all[0])
    armor = armor_of(own, question, lexicon) or (armor_of(common, question, lexicon) if level is not None else None)
    gear = {*phrase(weapon or ""), *phrase(armor or ""), *([str(bonus)] if bonus else [])}
    return Combatant(
        _name(n, drafts, subject, level, armor_class),
        _in_the_book(draft.subject, lexicon) or subject,
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


def _in_the_book(words: Sequence[str], lexicon: Lexicon) -> str | None:
    """What the book calls one whom people call otherwise: a satyr is its *faun (satyr)*."""
    known = lexicon.at(words, 0) if lexicon.is_creature(words) else None
    return known.name.lower() if known and title_key(known.name) != title_key(" ".join(words)) else None


def _left_out_of_all(
    drafts: Sequence[_Draft], shared: Sequence[str], who: Sequence[Combatant], question: str
) -> tuple[str, ...]:
    """What is said of the fight, or of nobody in particular, and was not read."""
    used = {word for each in who for text in (each.subject, each.weapon, each.armor) if text for word in phrase(text)}
    parts = [shared, *(part for draft in drafts for part in draft.closing)]
    told = (text for part in parts for text, own in unused(part, used, question) if part is shared or not own)
    return tuple(dict.fromkeys(told))


def _left_out(draft: _Draft, used: AbstractSet[str], question: str) -> tuple[str, ...]:
    """What is said of this one alone and was not read."""
    told = (
        text
        for part in (*draft.before, *draft.parts)
        for text, own in unused(part, used, question)
        if own or not any(part is last for last in draft.closing)
    )
    return tuple(dict.fromkeys(told))


def _weapon(draft: _Draft, shared: Sequence[str], question: str, lexicon: Lexicon) -> str | None:
    """What is wielded, as far as it is told of one alone, else of all; words behind a known weapon are not its name."""
    own, shared = as_armor(draft.tokens, lexicon), as_armor(shared, lexicon)
    parts = [as_armor(part, lexicon) for part in (*draft.parts, *draft.before)]
    found = (
        weapon_of(own) or thing_of([t for part in parts for t in part], lexicon)
        or next(filter(None, (listed_weapon(part, lexicon) for part in parts)), None) or enchanted_weapon(own, question)
        or weapon_of(shared) or thing_of(shared, lexicon)
    )  # fmt: skip
    words = found.split() if found else []
    known = lexicon.at(words, 0) if words else None
    if words and known is None and lexicon.is_creature(draft.subject) and not set(own) & (WIELD - {"with"}):
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


def _name(n: int, drafts: Sequence[_Draft], subject: str, level: int | None, armor_class: int | None) -> str:
    draft = drafts[n]
    name = f"{ordinal(level)} level {subject}" if level is not None else subject
    twins = [d for d in drafts if (d.level, d.subject) == (draft.level, draft.subject)]
    if len(twins) == 1:
        return name if draft.count == 1 else f"{draft.count} {name}"
    classes = [next(iter(numbers_of(d.tokens, "armor class")), None) for d in twins]
    if armor_class is not None and len(set(classes)) == len(twins):
        return f"{name} with armor class {armor_class}"
    return f"{name} ({'first' if draft is twins[0] else 'second'})"
