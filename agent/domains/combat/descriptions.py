"""Who a question names to fight, and the text that describes each.

Each name (*a 4th level fighter*, *the druid*) opens a stretch of text that describes it; *both* and *they* open one
that describes all. So every armor class lands with its owner, and the reasoner can pair it with the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.domains.combat.facts import ABILITIES, MEASURES, measure_of, numbers_of, values_of
from agent.domains.combat.fight_intent import (
    is_adjective,
    name_ends,
    noun_begins,
    things_that_fight,
    unknown_others,
    with_counts,
    without_verb,
    words_beside,
)
from agent.domains.combat.mentions import (
    CONTEST,
    EVERYBODY,
    VERSUS,
    Head,
    find_heads,
    is_apposition,
    pronouns,
    references,
)
from agent.understanding.clauses import COMMA
from agent.understanding.lexicon import Lexicon
from retrieval.text.normal import is_number, number


@dataclass(slots=True)
class Description:
    """One who fights: the name, and the stretches of text behind it, before it, and at the end of a sentence."""

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


@dataclass(frozen=True, slots=True)
class _Order:
    """Where facts stand: those that begin a sentence, and those between two names, may be of the name behind them."""

    leading: bool = False
    between: bool = False


TOLD_MEASURES = ("armor class", "hit points", *ABILITIES)
"""What one alone has, or everybody."""
_ORDERS = (_Order(), _Order(leading=True), _Order(leading=True, between=True), _Order(between=True))


def described(texts: Sequence[Sequence[str]], lexicon: Lexicon) -> tuple[list[Description], list[str], list[str]]:
    """The combatants with the text that describes each, the text that describes all, and the numbers of nobody.

    *AC 3: a knight. AC 9: a priest*: facts stand before or after whom they describe. The order in which nobody has two
    values of one measure, and what one is told of is told of the others too, is the one that was meant.
    """
    cast: list[Description] = []
    named = [_named(tokens, cast, texts, lexicon) for tokens in texts]
    best: tuple[int, list[Description], list[list[str]]] | None = None
    for order in _ORDERS:
        drafts = [Description(each.subject, each.level, each.count) for each in cast]
        shared: list[list[str]] = []
        for tokens, places in zip(texts, named, strict=True):
            _deal_out(tokens, [(head, drafts[n]) for head, n in places if n < len(drafts)], shared, order)
        misfit = _misfit(drafts, shared) + (_told_of_creatures(drafts, lexicon) if order != _ORDERS[0] else 0)
        if best is None or misfit < best[0]:
            best = misfit, drafts, shared
        if len(cast) < 2:
            break
    assert best is not None
    _, drafts, shared = best
    unclear = [value for part in shared for value in _unclaimed(part, drafts)]
    unclear += [value for draft in drafts for value in _doubled(draft)]
    return drafts, [token for part in shared for token in part], unclear


def _unclaimed(part: list[str], drafts: Sequence[Description]) -> Iterator[str]:
    """Numbers that could be anybody's, which the text loses: *a knight fights a priest. AC 5.*

    As many as there are combatants are theirs in their order.
    """
    for measure in TOLD_MEASURES if EVERYBODY.isdisjoint(part) else ():
        values = values_of(part, measure)
        if values and len(values) == len(drafts):
            for draft, value in zip(drafts, values, strict=True):
                draft.parts.append([measure, value, COMMA])
        else:
            yield from values
        if values:
            part[:] = [token for token in part if token != measure and token not in values]


def _doubled(draft: Description) -> Iterator[str]:
    """What a combatant is told to have of a measure of which another value was told before."""
    for measure in TOLD_MEASURES:
        first, *others = values_of(draft.tokens, measure) or [""]
        yield from (value for value in others if value != first)


def first_heads(texts: Sequence[Sequence[str]], lexicon: Lexicon) -> list[Head]:
    """Those whom the first sentence introduces."""
    return _named_again(texts[0], _heads(texts[0], lexicon, _are_told_apart(texts)))


def _heads(tokens: Sequence[str], lexicon: Lexicon, apart: bool) -> list[Head]:
    heads = find_heads(tokens, lexicon, apart)
    if len(heads) < 2 and set(tokens) & (CONTEST | VERSUS):
        heads += things_that_fight(tokens, heads, lexicon)
    if heads and not apart:
        heads += unknown_others(tokens, heads, lexicon)
    heads = [without_verb(head, tokens, lexicon) for head in heads if not is_adjective(head, heads, lexicon)]
    return sorted(heads if apart else with_counts(tokens, heads), key=lambda head: (head.start, head.end))


def _named(
    tokens: Sequence[str], cast: list[Description], texts: Sequence[Sequence[str]], lexicon: Lexicon
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


def _misfit(drafts: Sequence[Description], shared: Sequence[Sequence[str]]) -> int:
    """How badly facts are dealt out: two values for one measure, a value for some and not for others, or for nobody."""
    wrong = 0
    for term in TOLD_MEASURES:
        told = [set(numbers_of(draft.tokens, term)) for draft in drafts if draft.level is not None]
        wrong += sum(4 * (len(values) - 1) for values in told if values)
        wrong += sum(not values for values in told) if any(told) else 0
        wrong += 2 * sum(len(numbers_of(part, term)) for part in shared if EVERYBODY.isdisjoint(part))
    return wrong


def _told_of_creatures(drafts: Sequence[Description], lexicon: Lexicon) -> int:
    """How much a creature is told to have, which has its own by the book: no reason to read facts the other way."""
    creatures = [draft for draft in drafts if draft.level is None and lexicon.is_described(draft.subject)]
    return sum(len(values_of(draft.tokens, measure)) for draft in creatures for measure in TOLD_MEASURES)


def _deal_out(
    tokens: Sequence[str], named: Sequence[tuple[Head, Description]], shared: list[list[str]], order: _Order
) -> None:
    """Give each stretch between two names to the one before it, but for what describes the one behind it."""
    owner: Description | None = None
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
    """Where the first measure with its number, or what is wielded, stands behind the last word that sets against."""
    for i in range(end - 1, start - 1, -1):
        if tokens[i] in CONTEST | VERSUS | {"or"}:
            start = i
            break
    for i in range(start, end):
        if tokens[i] in MEASURES:
            is_behind = i > start and is_number(tokens[i - 1]) and measure_of(tokens, i - 1) == tokens[i]
            return i - 1 if is_behind else i
        if tokens[i] in ("with", "wielding"):
            return i
    return end


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


def _introduced(head: Head, drafts: list[Description], known: Sequence[Description]) -> Description:
    """Whom a head is about: one that is known from an earlier sentence, or a new one."""
    found = next((d for d in known if d.subject == head.subject and head.level in (None, d.level)), None)
    if found is None:
        found = Description(head.subject, head.level, head.count)
        drafts.append(found)
    return found


def _assign(tokens: Sequence[str], target: Description | None, *, closing: bool = False) -> list[str]:
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


def _mentions(tokens: Sequence[str], drafts: Sequence[Description]) -> list[Head]:
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
