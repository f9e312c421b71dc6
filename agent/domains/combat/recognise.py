"""Whether a question is about a fight, and about which.

Two who are described, of whom nothing else is asked that the book has a measure for, are a fight in any wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.domains.combat.asked import asks_in_the_end, asks_something
from agent.domains.combat.combatants import combatant_of, left_out_of_all
from agent.domains.combat.counted import counted
from agent.domains.combat.descriptions import TOLD_MEASURES, Description, described, first_heads
from agent.domains.combat.facts import numbers_of, values_of
from agent.domains.combat.fight_intent import (
    asks_how_many,
    asks_loser,
    in_plain_words,
    is_about_a_roll,
    is_plain_versus,
    sides_of,
    with_opponents,
)
from agent.domains.combat.gear import armor_of
from agent.domains.combat.mentions import CONTEST, Head, plain
from agent.domains.combat.shorthand import in_full
from agent.domains.combat.types import Duel
from agent.understanding.clauses import sentences
from agent.understanding.lexicon import Lexicon
from agent.understanding.unread import without_unread
from retrieval.text.normal import is_number, number
from retrieval.text.vocabulary import vocabulary


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
    drafts, shared, unclear = described(texts, lexicon)
    heads = [head for head in first_heads(texts, lexicon) if head.reference is None] if len(drafts) > 1 else []
    if len(drafts) < 2 or any(map(asks_how_many, texts)):
        return None
    if any(vocabulary().asking and set(draft.subject) <= {*vocabulary().asking} for draft in drafts):
        return None  # *which monster would she lose to*: nobody in particular
    _level_all(drafts, texts, lexicon)
    subjects = [draft.subject for draft in drafts]
    if words & CONTEST:
        if is_about_a_roll(words) or asks_in_the_end(texts, lexicon):
            return None
    elif asks_something(texts, subjects, lexicon) or not (
        _are_described(drafts, shared, question, lexicon) or is_plain_versus(texts, heads, lexicon)
    ):
        return None
    sides = sides_of(texts[0], heads) if len(heads) == len(drafts) else ()
    combatants = tuple(combatant_of(n, drafts, shared, question, lexicon) for n in range(len(drafts)))
    left_out = left_out_of_all(drafts, shared, combatants, question)
    if left_out and not words & CONTEST and not _are_described(drafts, shared, question, lexicon):
        return None  # *the pace of an elf against a dwarf*: something is asked that is no fight
    unclear += _of_two_classes(heads)
    meant = {word: name for _, words in full for word, name in words.items()}
    return Duel(combatants, sides, left_out, asks_loser(asked), tuple(unclear), tuple(meant.items()))


def _of_two_classes(heads: Sequence[Head]) -> Iterator[str]:
    """The second level of *a fighter 4/thief 5*: nothing is known of those who have two."""
    for one, other in pairwise(heads):
        if one.end == other.start < other.end and one.level is not None and other.level is not None:
            yield str(other.level)


def _level_all(drafts: Sequence[Description], texts: Sequence[Sequence[str]], lexicon: Lexicon) -> None:
    """*Can a knight beat a hound at 3rd level?*: a creature has no level, so it is of those who have none."""
    said = [t[i + 2] for t in texts for i in range(len(t) - 2) if list(t[i : i + 2]) == ["at", "level"]]
    for level in (int(number(token)) for token in said if is_number(token)):
        if not any(lexicon.is_described(draft.subject) for draft in drafts if draft.level == level):
            continue
        for draft in drafts:
            if lexicon.is_described(draft.subject):
                draft.level = None
            elif draft.level is None:
                draft.level = level


def _are_described(drafts: Sequence[Description], shared: Sequence[str], question: str, lexicon: Lexicon) -> bool:
    """True where each has a level and an armor class or armor, or is a creature of the book, and something is told.

    Who is told of so fights: nothing else is asked of two of whom the level and the armor are said.
    """
    creatures = [draft for draft in drafts if draft.level is None and lexicon.is_described(draft.subject)]
    others = [draft for draft in drafts if draft not in creatures]
    of_all = bool(numbers_of(shared, "armor class"))
    told = bool(others) or any(values_of(draft.tokens, measure) for draft in creatures for measure in TOLD_MEASURES)
    return told and all(_is_described(draft, of_all, question, lexicon) for draft in others)


def _is_described(draft: Description, of_all: bool, question: str, lexicon: Lexicon) -> bool:
    level = draft.level is not None or bool(numbers_of(draft.tokens, "level"))
    armored = of_all or _has_number(draft, "armor class") or armor_of(draft.tokens, question, lexicon) is not None
    return level and armored


def _has_number(draft: Description, term: str) -> bool:
    return any(numbers_of(part, term) for part in (*draft.parts, *draft.before))
