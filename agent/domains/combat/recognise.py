"""Whether a question is about a fight, and about which.

Two who are described, of whom nothing else is asked that the book has a measure for, are a fight in any wording.
*Which has more hit points, …?* and *how many attacks …?* ask for something else; a word that nobody knows does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.domains.combat.combatants import combatant_of, left_out_of_all
from agent.domains.combat.descriptions import TOLD_MEASURES, Description, described, first_heads
from agent.domains.combat.facts import MEASURES, TERMS, has_number_behind, numbers_of, values_of
from agent.domains.combat.fight_intent import (
    are_of_something_else,
    asks_how_many,
    asks_loser,
    in_plain_words,
    is_about_a_roll,
    is_plain_versus,
    sides_of,
    with_opponents,
)
from agent.domains.combat.gear import armor_of
from agent.domains.combat.mentions import ARMOR, CONTEST, VERSUS, Head, plain
from agent.domains.combat.shorthand import in_full
from agent.domains.combat.types import Duel
from agent.domains.combat.uncounted import counted
from agent.languages.language import english
from agent.languages.phrases import found
from agent.understanding.clauses import COMMA, sentences
from agent.understanding.lexicon import Lexicon
from agent.understanding.unread import without_unread
from retrieval.tables.measures import canonical
from retrieval.text.normal import STOP_WORDS, is_number, number, title_key
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
    if len(drafts) < 2 or any(map(asks_how_many, texts)) or are_of_something_else(texts[0], heads):
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


_OPERATIONS = frozenset({"difference", "count", "ratio"})
_ROLLS = frozenset({"save", "saving", "roll", "need", "hit"})
"""What is asked of a die, and not of a fight."""
_BEING = frozenset({"is", "are", "be", "am", "was", "were", "rather"})


def asks_something(texts: Sequence[Sequence[str]], subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """True where anything is asked of those who are named but who wins."""
    return any(
        _asks_operation(tokens) or _asks_measure(tokens) or _asks_label(tokens, subjects, lexicon)
        or _asks_end(tokens, subjects, lexicon)
        for tokens in texts
    )  # fmt: skip


def asks_in_the_end(texts: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """*A knight kills an ogre. What is his experience?*: the last sentence asks for a measure, and for no fight."""
    last = texts[-1]
    if len(texts) < 2 or not CONTEST.isdisjoint(last) or not VERSUS.isdisjoint(last):
        return False
    is_question = not (english().kinds | {"how"}).isdisjoint(last[:1])
    places = [i for i, token in enumerate(last) if canonical(token) in TERMS | MEASURES and token not in ARMOR]
    return is_question and any(not _has_own_number(last, i) for i in places)


def _asks_operation(tokens: Sequence[str]) -> bool:
    """*What is the difference …*, *how many …*, *explain …*."""
    language = english()
    operations = [said for name, said in language.operations if name in _OPERATIONS]
    prose = [said for said in language.prose if len(said) == 1]
    return any(found(tuple(tokens), said) is not None for said in (*operations, *prose))


def _asks_measure(tokens: Sequence[str]) -> bool:
    """A measure without its number, or a roll."""
    if not _ROLLS.isdisjoint(tokens):
        return True
    return any(token in MEASURES and not _has_own_number(tokens, i) for i, token in enumerate(tokens))


def _has_own_number(tokens: Sequence[str], place: int) -> bool:
    """True where a number stands beside a measure: *AC 3*, *an armor class of 3*, *16 strength*."""
    return has_number_behind(tokens, place) or (place > 0 and is_number(tokens[place - 1]))


def _asks_label(tokens: Sequence[str], subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """A label under which the book has values of those who are named."""
    named = {word for subject in subjects for word in subject}
    said = set(tokens) - named - MEASURES
    return any(words <= said for words in _labels(subjects, lexicon))


def _labels(subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> Iterator[set[str]]:
    """The labels as words, but for those that are in every question about a fight."""
    ignored = {title_key(word) for word in (*vocabulary().drawn, *vocabulary().never)} | lexicon.names.keys()
    for subject in subjects:
        for label in lexicon.labels.get(title_key(" ".join(subject)), ()):
            words = set(label.split())
            is_thing = label in lexicon.things
            if label not in ignored and not is_thing and not words <= STOP_WORDS and not any(map(is_number, words)):
                yield words


def _asks_end(tokens: Sequence[str], subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """A comparative that speaks of a measure of theirs (*faster*), or of what stands behind it (*more charm*)."""
    for i, token in enumerate(tokens):
        behind = tokens[i + 1] if i + 1 < len(tokens) else COMMA
        measures = _compared(tokens, i)
        if measures:
            if any(measure in words for words in _labels(subjects, lexicon) for measure in measures):
                return True
        elif (
            english().degree_of(token) != "positive"
            and token in english().ends
            and _BEING.isdisjoint(tokens[max(0, i - 1) : i])
            and _is_noun(behind)
        ):
            return True
    return False


def _compared(tokens: Sequence[str], place: int) -> Sequence[str]:
    """The measures that an adjective speaks of, where it compares: *faster*, *more expensive*."""
    adjective = english().adjectives.get(tokens[place])
    if adjective is None or tokens[place] in english().ends:
        return ()
    before = tokens[place - 1] if place else ""
    if adjective.degree == "positive" and before not in english().ends and before not in english().before_adjectives:
        return ()
    return () if adjective.scale.alone else adjective.scale.measures


def _is_noun(token: str) -> bool:
    """What may be a measure that is asked for: *more charm*, and not *more likely*, *fewer than 3*."""
    return token not in STOP_WORDS | {COMMA, "likely"} and not is_number(token)
