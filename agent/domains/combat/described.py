"""The text that describes each who fights: every stretch between two names is told of one of them, or of all.

So every armor class lands with its owner, and the reasoner can pair it with the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.domains.combat.cast import Cast, Head, name_ends, noun_begins
from agent.domains.combat.facts import ABILITIES, MEASURES, measure_of, numbers_of, values_of
from agent.domains.combat.said import Said
from agent.domains.combat.wording import words
from agent.understanding.clauses import COMMA
from retrieval.text.normal import is_number

TOLD_MEASURES = ("armor class", "hit points", *ABILITIES)
"""What one alone has, or everybody."""
_DOUBLE, _NOBODYS = 4, 2
"""How much worse it is that one has two values than that one has none, and that nobody has a value."""


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
class Descriptions:
    """Those who fight, the text that is told of all, and the numbers that are nobody's."""

    of_each: list[Description]
    of_all: list[str]
    unclear: list[str]


@dataclass(frozen=True, slots=True)
class _Order:
    """Where facts stand: those that begin a sentence, and those between two names, may be of the name behind them."""

    leading: bool = False
    between: bool = False


_ORDERS = (_Order(), _Order(leading=True), _Order(leading=True, between=True), _Order(between=True))


def described(said: Said, cast: Cast) -> Descriptions:
    """Give the text to those whom it describes.

    *AC 3: a knight. AC 9: a priest*: facts stand before or after whom they describe. The order in which nobody has two
    values of one measure, and what one is told of is told of the others too, is the one that was meant.
    """
    tried = [_Dealt(said, cast, order) for order in (_ORDERS if len(cast.heads) > 1 else _ORDERS[:1])]
    best = min(tried, key=lambda dealt: dealt.misfit)
    unclear = [value for part in best.shared for value in _unclaimed(part, best.each)]
    unclear += [value for one in best.each for value in _doubled(one)]
    return Descriptions(best.each, [token for part in best.shared for token in part], unclear)


class _Dealt:
    """The text of a question, dealt out in one order."""

    def __init__(self, said: Said, cast: Cast, order: _Order) -> None:
        self.each = [Description(head.subject, head.level, head.count) for head in cast.heads]
        self.shared: list[list[str]] = []
        self._said, self._order = said, order
        for tokens, named in zip(said.texts, cast.named, strict=True):
            self._deal_out(tokens, [(head, self.each[place]) for head, place in named])

    @property
    def misfit(self) -> int:
        """How badly facts are dealt out: two values of one measure, a value for some only, or for nobody.

        What a creature is told to have, which has its own by the book, is no reason to read facts the other way.
        """
        wrong = 0
        for term in TOLD_MEASURES:
            told = [set(numbers_of(one.tokens, term)) for one in self.each if one.level is not None]
            wrong += sum(_DOUBLE * (len(values) - 1) for values in told if values)
            wrong += sum(not values for values in told) if any(told) else 0
            free = [part for part in self.shared if words("everybody").isdisjoint(part)]
            wrong += _NOBODYS * sum(len(numbers_of(part, term)) for part in free)
            if self._order != _Order():
                wrong += sum(len(values_of(one.tokens, term)) for one in self.each if self._is_creature(one))
        return wrong

    def _is_creature(self, one: Description) -> bool:
        return one.level is None and self._said.lexicon.is_described(one.subject)

    def _deal_out(self, tokens: Sequence[str], named: Sequence[tuple[Head, Description]]) -> None:
        """Give each stretch between two names to the one before it, but for what describes the one behind it."""
        owner: Description | None = None
        cursor = 0
        met: list[Description] = []
        for n, (head, following) in enumerate(named):
            start = max(cursor, noun_begins(tokens, head.start))
            if self._order.between if n else self._order.leading:
                start = min(start, _facts_begin(tokens, cursor, start))
            of_all = _assign(tokens[cursor:start], owner)
            if sum(one.count for one in met) < 2 or following in met:
                self.shared.append(of_all)
            else:  # *a knight and a priest, both AC 5, against an ogre*: of those who were named so far
                for one in met:
                    one.parts.append(of_all)
            owner, cursor = following, name_ends(tokens, head)
            beside = _words_beside(tokens[head.start : cursor], head) if head.reference is None else []
            owner.before.append([*tokens[start : head.start], *beside, COMMA])
            met.append(following)
        self.shared.append(_assign(tokens[cursor:], owner, closing=True))


def _facts_begin(tokens: Sequence[str], start: int, end: int) -> int:
    """Where the first measure with its number, or what is wielded, stands behind the last word that sets against."""
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
    """The *hasted* of *a 4th level hasted fighter*, and the *AC 3* of *a 4th level, AC 3 fighter*."""
    out: list[str] = []
    for i, token in enumerate(said):
        is_level = is_number(token) and said[i - 1 : i] in (["level"], [*head.subject[-1:]])
        if not is_level and token not in (*head.subject, "level", COMMA):
            out.append(token)
    return out


def _assign(tokens: Sequence[str], owner: Description | None, *, closing: bool = False) -> list[str]:
    """Give a stretch of text to its owner; from a word like *both* on, or all of *AC 5 each*, it is returned."""
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
    """Numbers that could be anybody's, which the text loses: *a knight fights a priest. AC 5.*

    As many as there are combatants are theirs in their order.
    """
    for measure in TOLD_MEASURES if words("everybody").isdisjoint(part) else ():
        values = values_of(part, measure)
        if values and len(values) == len(each):
            for one, value in zip(each, values, strict=True):
                one.parts.append([measure, value, COMMA])
        else:
            yield from values
        if values:
            part[:] = [token for token in part if token != measure and token not in values]


def _doubled(one: Description) -> Iterator[str]:
    """What a combatant is told to have of a measure of which another value was told before."""
    for measure in TOLD_MEASURES:
        first, *others = values_of(one.tokens, measure) or [""]
        yield from (value for value in others if value != first)
