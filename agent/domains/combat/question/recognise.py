"""Whether a question is about a fight, and about which.

A question that describes two combatants and asks for no other measure of the book is about a fight, however it is
worded. *Which has more hit points, …?* and *how many attacks …?* ask for something else; unknown words do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.domains.combat.question.cast import CombatantMentions, combatant_mentions
from agent.domains.combat.question.described import (
    ATTRIBUTE_MEASURES,
    Description,
    Descriptions,
    assign_descriptions,
    combatant_of,
    ignored_shared_text,
)
from agent.domains.combat.question.facts import MEASURES, TERMS, has_number_behind, numbers_of, values_of
from agent.domains.combat.question.gear import armor_of
from agent.domains.combat.question.heads import Head, name_end
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.question.uncounted import with_unused_numbers
from agent.domains.combat.question.wording import words
from agent.domains.combat.types import Combatant, Duel
from agent.languages.language import english
from agent.languages.phrases import found
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import ARTICLES, COMMA
from agent.understanding.words.lexicon import Lexicon
from retrieval.tables.measures import canonical
from retrieval.text.normal import STOP_WORDS, is_number, number, title_key
from retrieval.text.vocabulary import vocabulary


def fight_in(said: CombatQuestion) -> Duel | None:
    """Return the fight that a question asks about, or None if it asks about something else."""
    cast = combatant_mentions(said)
    subjects = [head.subject for head in cast.heads]
    if len(subjects) < 2 or any(vocabulary().asking and {*vocabulary().asking} >= {*subject} for subject in subjects):
        return None  # *which monster would she lose to*: nobody in particular
    asked = OtherRequests(said, cast.first, subjects)
    is_contest = not words("contest").isdisjoint(said.words)
    if asked.asks_beyond_outcome if is_contest else asked.has_other_request:
        return None  # decided before `described`, which takes most of the time
    told = assign_descriptions(said, cast)
    _spread_shared_level(told.descriptions, said)
    is_told = _are_described(told, said)
    if not (is_contest or is_told or asked.is_plain_versus):
        return None
    combatants = tuple(combatant_of(n, told, said) for n in range(len(subjects)))
    left_out = ignored_shared_text(told, combatants, said.question)
    if left_out and not (is_contest or is_told):
        return None  # *the pace of an elf against a dwarf*: the question is about something else
    sides = sides_of(said.plain_sentences[0], cast.first) if len(cast.first) == len(subjects) else ()
    unclear = (*told.unclear, *_second_class_levels(cast), *_ambiguous_gear(told, combatants, said))
    meant = tuple(said.expansions.items())
    return with_unused_numbers(
        Duel(combatants, sides, left_out, asks_loser(said.expanded_sentences), unclear, meant), said
    )


def _second_class_levels(cast: CombatantMentions) -> Iterator[str]:
    """Yield the second level of *a fighter 4/thief 5*: a fighter of two classes cannot be computed."""
    for one, other in pairwise(cast.first):
        if one.end == other.start < other.end and one.level is not None and other.level is not None:
            yield str(other.level)


def _ambiguous_gear(told: Descriptions, combatants: Sequence[Combatant], said: CombatQuestion) -> Iterator[str]:
    """Yield gear before a name that has other gear, if the combatant before it has none: it may belong to either."""
    pairs = zip(combatants, combatants[1:], told.descriptions[1:], strict=False)
    for before, behind, one in pairs:
        if before.level is None or before.weapon is not None or behind.weapon is None:
            continue
        things = [thing for part in (*one.before, *one.parts) for thing in _things(part, said.lexicon)]
        ahead = [thing for part in one.before for thing in _things(part, said.lexicon)]
        yield from (said.original_spelling(thing.split()) for thing in ahead if things != [behind.weapon])


def _things(tokens: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Return the things that a text names."""
    return [" ".join(tokens[each.start : each.end]) for each in filter(lexicon.is_thing, lexicon.mentions(tokens))]


def _spread_shared_level(each: Sequence[Description], said: CombatQuestion) -> None:
    """Move the level of *can a knight beat a hound at 3rd level?* to those without one: a creature has no level."""
    texts = said.plain_sentences
    levels = [t[i + 2] for t in texts for i in range(len(t) - 2) if t[i : i + 2] == ["at", "level"]]
    creatures = [one for one in each if said.lexicon.is_described(one.subject)]
    for level in (int(number(token)) for token in levels if is_number(token)):
        if not any(one.level == level for one in creatures):
            continue
        for one in each:
            if one in creatures:
                one.level = None
            elif one.level is None:
                one.level = level


def _are_described(told: Descriptions, said: CombatQuestion) -> bool:
    """Return True if each combatant has a level and armor, or is a creature of the book, and one has a value.

    Such a description is enough for a fight: a question that gives level and armor of two asks for nothing else.
    """
    creatures = [one for one in told.descriptions if one.level is None and said.lexicon.is_described(one.subject)]
    others = [one for one in told.descriptions if one not in creatures]
    is_told = bool(others) or any(values_of(one.tokens, measure) for one in creatures for measure in ATTRIBUTE_MEASURES)
    return is_told and all(_is_described(one, told.shared_text, said) for one in others)


def _is_described(one: Description, of_all: Sequence[str], said: CombatQuestion) -> bool:
    if one.level is None and not numbers_of(one.tokens, "level"):
        return False
    texts = (of_all, *one.parts, *one.before)
    return any(numbers_of(text, "armor class") for text in texts) or armor_of(one.tokens, said) is not None


def sides_of(tokens: Sequence[str], heads: Sequence[Head]) -> tuple[tuple[int, ...], ...]:
    """Return the indexes of each side's combatants if one word divides them into two sides, else an empty tuple.

    Each fights for itself in *a knight, a priest or an ogre* and *which of a knight and a priest*.
    """
    links = [_link(tokens[one.end : other.start]) for one, other in pairwise(heads)]
    is_choice = "which" in tokens or tokens[0] in words("choice")
    if len(heads) < 3 or is_choice:
        return ()
    for separating in ("against", "or"):
        cuts = [i for i, link in enumerate(links, start=1) if link == separating]
        rest = {link for link in links if link != separating}
        if len(cuts) == 1 and rest and rest <= {"and", COMMA} and (separating == "against" or COMMA not in rest):
            return tuple(range(cuts[0])), tuple(range(cuts[0], len(heads)))
    return ()


def _link(between: Sequence[str]) -> str:
    """Return the link between two combatants: *against* for any opposition, *or*, *and*, a comma, or *?*."""
    if not words("versus", "contest").isdisjoint(between):
        return "against"
    last = next((token for token in reversed(between) if not (token in ARTICLES or is_number(token))), "")
    if last in words("together"):
        return "and"
    return last if last in ("or", COMMA) else "?"


_OPERATIONS = frozenset({"difference", "count", "ratio"})
_NEAR = 6
"""Tokens from *how much* within which *chance* may follow."""


@dataclass(frozen=True, slots=True)
class OtherRequests:
    """Checks for what a question asks besides a fight; `heads` are the first sentence's, `subjects` all combatants'."""

    said: CombatQuestion
    heads: Sequence[Head]
    subjects: Sequence[tuple[str, ...]]

    @property
    def asks_beyond_outcome(self) -> bool:
        """True if a question about a fight asks for something other than its outcome.

        *Who hits more often in a fight?*, *gnoll vs hobgoblin lair odds*, and *a knight kills an ogre. What is his
        experience?*, whose last sentence asks for a measure.
        """
        said = self.said.words
        is_of_roll = bool(said & words("throw")) and not said & (words("contest") - words("setting"))
        return is_of_roll or self._is_count_or_noun_odds or self._last_sentence_asks_measure

    @property
    def _is_count_or_noun_odds(self) -> bool:
        """True for *how many orcs can a knight beat?*, and for odds of a noun behind a name: *gnoll lair odds*."""
        if any(map(asks_how_many, self.said.plain_sentences)):
            return True
        tokens = self.said.plain_sentences[0]
        last = len(tokens) - (tokens[-1:] == [COMMA]) - 1
        is_contest = not (words("contest", "lasting") - {"odds"}).isdisjoint(tokens)
        if is_contest or tokens[last] != "odds":
            return False
        return any(head.end < last == name_end(tokens, head.end) for head in self.heads)

    @property
    def _last_sentence_asks_measure(self) -> bool:
        last = self.said.plain_sentences[-1]
        if len(self.said.plain_sentences) < 2 or not words("contest", "versus").isdisjoint(last):
            return False
        is_question = not (english().kinds | {"how"}).isdisjoint(last[:1])
        measures = (i for i, token in enumerate(last) if canonical(token) in TERMS | MEASURES)
        return is_question and any(last[i] not in words("armor") and not _has_own_number(last, i) for i in measures)

    @property
    def has_other_request(self) -> bool:
        """True if the question asks anything about the combatants except who wins."""
        read = self.said.tagged
        if self._is_count_or_noun_odds or read.prose or read.operation in _OPERATIONS or self._asks_end(read):
            return True
        return any(_asks_measure(tokens) or self._asks_label(tokens) for tokens in self.said.plain_sentences)

    def _asks_end(self, read: Tagged) -> bool:
        """Return True for a comparative of a measure they have (*faster*) or of a noun behind it (*more charm*)."""
        if read.end is None or read.tokens[read.end] in read.language.worth:
            return False
        compared = [read.scales[place].scale.measures for place in (read.end, read.end + 1) if place in read.scales]
        if compared:
            return any(measure in label for label in self._labels() for measure in compared[0])
        noun, before = read.tokens[read.end + 1], read.tokens[max(0, read.end - 1)]
        return not (before in words("being") or noun in STOP_WORDS | {COMMA, "likely"} or is_number(noun))

    @property
    def is_plain_versus(self) -> bool:
        """True for plain opposition without another request: *three orcs against a 2nd level knight in mail*."""
        said, heads, lexicon = self.said.words, self.heads, self.said.lexicon
        tokens, versus = self.said.plain_sentences[0], words("versus")
        if not said & versus or said & words("other_asking"):
            return False
        introduced = len(heads) > 1 and all(head.start and tokens[head.start - 1] in ARTICLES for head in heads)
        if introduced or any(head.count != 1 or head.level is not None for head in heads):
            return True
        named = {i for head in heads for i in range(head.start, head.end)}
        rest = {token for i, token in enumerate(tokens) if i not in named}
        if len(self.said.plain_sentences) > 1 or len(heads) < 2 or not rest <= versus | words("together") | {COMMA}:
            return False
        others = [head for head in heads if not lexicon.is_described(head.subject)]
        return len(others) < len(heads) and not any(lexicon.mentions(head.subject) for head in others)

    def _asks_label(self, tokens: Sequence[str]) -> bool:
        """Return True if the question names a label under which the book has values of a combatant."""
        said = set(tokens) - {word for subject in self.subjects for word in subject} - MEASURES
        return any(label <= said for label in self._labels())

    def _labels(self) -> Iterator[set[str]]:
        """Yield the words of each label, except labels that any question about a fight may name."""
        lexicon = self.said.lexicon
        ignored = {title_key(word) for word in (*vocabulary().drawn, *vocabulary().never)} | lexicon.names.keys()
        for subject in self.subjects:
            for label in (
                lexicon.labels.get(title_key(" ".join(subject)), frozenset()) - ignored - lexicon.things.keys()
            ):
                parts = set(label.split())
                if not parts <= STOP_WORDS and not any(map(is_number, parts)):
                    yield parts


def asks_how_many(tokens: Sequence[str]) -> bool:
    """Return True for *how many orcs can a knight beat?*; False if *chance* or *likely* soon follows."""
    starts = (found(tokens, amount) for amount in english().amounts)
    likely = words("chance", "likely")
    return any(start is not None and likely.isdisjoint(tokens[start : start + _NEAR]) for start in starts)


def _asks_measure(tokens: Sequence[str]) -> bool:
    """Return True for a measure without a number, or a roll."""
    if not words("roll").isdisjoint(tokens):
        return True
    return any(token in MEASURES | TERMS and not _has_own_number(tokens, i) for i, token in enumerate(tokens))


def _has_own_number(tokens: Sequence[str], place: int) -> bool:
    """Return True if a measure has a number beside it: *AC 3*, *an armor class of 3*, *16 strength*."""
    return has_number_behind(tokens, place) or (place > 0 and is_number(tokens[place - 1]))


def asks_loser(texts: Sequence[Sequence[str]]) -> bool:
    """Return True if the question asks for the less likely winner: *who is less likely to win*, *who loses*.

    >>> asks_loser([["who", "is", "less", "likely", "to", "win"]]), asks_loser([["less", "likely", "to", "lose"]])
    (True, False)
    """
    tokens = [token for text in texts for token in text]
    loses = {"win", "winner"}.isdisjoint(tokens) and any(_is_losing(tokens, i) for i in range(len(tokens)))
    likely = words("chance", "likely")
    less = "unlikely" in tokens or any(a in words("less") and b in likely for a, b in pairwise(tokens))
    wins = next((i for i, token in enumerate(tokens) if token in ("win", "prevail", "survive")), 0)
    never = "not" in tokens[max(0, wins - 3) : wins] and not {"who", "which"}.isdisjoint(tokens[:wins])
    return (loses + less + never) % 2 == 1


def _is_losing(tokens: Sequence[str], i: int) -> bool:
    """Return True for *who loses the fight*, False for *loses his sword*."""
    if tokens[i] not in words("losing"):
        return False
    after = next((token for token in tokens[i + 1 : i + 3] if token not in ARTICLES), COMMA)
    is_of_fight = after in words("contest", "versus") | {"in", "if", "when"}
    return is_of_fight or tokens[i + 1 : i + 2] in ([], [COMMA]) or tokens[i - 1] == "the"
