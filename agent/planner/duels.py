"""A question about a fight becomes its combatants, each with what the question says of it.

Each mention (*a 4th level fighter*, *the druid*) opens a stretch of text that describes it; *both* and *they* open one
that describes all. So every armor class lands with its owner, and the reasoner can pair it with the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.planner.clauses import COMMA, in_own_words, sentences
from agent.planner.lexicon import Lexicon
from agent.types import Combatant, Duel
from retrieval.ingest.rules import ordinal
from retrieval.text import ABILITIES, Words, is_number, number, phrase

_CONTEST = frozenset(
    "win winner winning fight fought fighting beat defeat duel battle kill survive prevail victor victory "
    "combat overcome slay vanquish stronger outfight".split()
)
_VERSUS = frozenset({"versus", "vs", "v", "against"})
_ARTICLES = frozenset({"a", "an", "the"})
_ALL = frozenset({"both", "each", "they", "all", "everyone", "everybody", "either", "combatant", "opponent", "two"})
_WIELD = frozenset(
    {
        "wield",
        "wielding",
        "armed",
        "using",
        "use",
        "carry",
        "carrying",
        "bearing",
        "swinging",
        "swing",
        "brandishing",
        "fight",
    }
)
_NOT_WEAPONS = frozenset(
    {"armor", "mail", "plate", "shield", "leather", "helmet", "bonus", "ring", "cloak", "total", "score"}
)
_STOP = frozenset(
    "with who that whose which have has having wear wearing in on at of to is are if for from than when while do doe "
    "would could can and or & need hit attack attacking meet face facing versus vs v against".split()
) | _WIELD | _CONTEST | _ALL | {COMMA}  # fmt: skip
_MEASURES = frozenset({*ABILITIES, "armor class", "hit points", "hit dice", "level"})


@dataclass(slots=True)
class _Draft:
    subject: tuple[str, ...]
    level: int | None
    parts: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Head:
    start: int
    end: int
    subject: tuple[str, ...]
    level: int | None


def parse_duel(question: str, lexicon: Lexicon) -> Duel | None:
    """Return the fight that a question asks about, or None when it asks about something else."""
    texts = sentences(question)
    words = {token for sentence in texts for token in sentence}
    if not words & (_CONTEST | _VERSUS):
        return None
    drafts, shared = _describe(texts, question, lexicon)
    plain = not words & _CONTEST and not all(_has_number(draft, "armor class") for draft in drafts)
    if len(drafts) < 2 or plain or (all(draft.level is None for draft in drafts) and not words & _CONTEST):
        return None
    return Duel(tuple(_combatant(draft, shared, drafts, question) for draft in drafts))


def _describe(texts: Sequence[Sequence[str]], question: str, lexicon: Lexicon) -> tuple[list[_Draft], list[str]]:
    drafts: list[_Draft] = []
    shared: list[str] = []
    for tokens in texts:
        opened = len(drafts)
        heads = _heads(tokens, lexicon) if opened < 2 else _mentions(tokens, drafts)
        if opened and opened < 2:
            heads = sorted(heads + _mentions(tokens, drafts), key=lambda head: head.start)
        target: _Draft | None = None
        cursor = 0
        for head in heads:
            _assign(tokens[cursor : head.start], target, shared)
            target = next((d for d in drafts[:opened] if _same(d, head)), None)
            if target is None:
                target = _Draft(head.subject, head.level)
                drafts.append(target)
            cursor = head.end
        _assign(tokens[cursor:], target, shared)
    return drafts, shared


def _assign(tokens: Sequence[str], target: _Draft | None, shared: list[str]) -> None:
    """Give a stretch of text to its owner; from a word like *both* on it belongs to all."""
    cut = next((i for i, token in enumerate(tokens) if token in _ALL), len(tokens)) if target else 0
    if target is not None:
        target.parts.append([*tokens[:cut], COMMA])
    shared += [*tokens[cut:], COMMA]


def _same(draft: _Draft, head: _Head) -> bool:
    return draft.subject == head.subject and head.level in (None, draft.level)


def _heads(tokens: Sequence[str], lexicon: Lexicon) -> list[_Head]:
    """Where combatants are introduced: by level, else by a name that the book knows or an article after a versus."""
    heads = list(_levelled(tokens, lexicon))
    taken = [range(head.start, head.end) for head in heads]
    for mention in lexicon.mentions(tokens):
        free = not any(mention.start in span or mention.end - 1 in span for span in taken)
        if free and _introduced(tokens, mention.start):
            heads.append(
                _Head(
                    mention.start,
                    mention.end,
                    tuple(t for t in tokens[mention.start : mention.end] if t != COMMA),
                    None,
                )
            )
            taken.append(range(mention.start, mention.end))
    if len(heads) < 2:
        heads += list(_unknown(tokens, taken))
    return sorted(heads, key=lambda head: head.start)


def _introduced(tokens: Sequence[str], start: int) -> bool:
    """A name stands on its own: not as a weapon, not as part of an attribute."""
    before = [t for t in tokens[max(0, start - 3) : start] if t not in _ARTICLES]
    return not before or (
        before[-1] not in ("with", *_WIELD - {"fight"})
        and not (len(before) > 1 and before[-2] in _WIELD - {"fight"} and before[-1] == "with")
    )


def _levelled(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[_Head]:
    for i, token in enumerate(tokens[:-1]):
        if token != "level" or not is_number(tokens[i + 1]):
            continue
        end = _run(tokens, i + 2)
        words = tokens[i + 2 : end]
        start = i
        if not words:
            start = i
            while start and tokens[start - 1] in (*_ARTICLES, "of", COMMA, "at", "is"):
                start -= 1
            stop, start = start, _run_back(tokens, start)
            words, end = tokens[start:stop], i + 2
        subject = _subject(words, lexicon)
        if subject:
            yield _Head(start, end, subject, int(number(tokens[i + 1])))


def _run(tokens: Sequence[str], start: int) -> int:
    end = start
    while (
        end < len(tokens) and tokens[end] not in _STOP and tokens[end] not in _MEASURES and not is_number(tokens[end])
    ):
        end += 1
    return end


def _run_back(tokens: Sequence[str], end: int) -> int:
    start = end
    while start and tokens[start - 1] not in _STOP | _ARTICLES | _MEASURES and not is_number(tokens[start - 1]):
        start -= 1
    return start


def _subject(words: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """The class in *human fighter named Bob*: the longest known name in it, else its first three words."""
    mentions = lexicon.mentions(words)
    if mentions:
        longest = max(mentions, key=lambda m: m.end - m.start)
        return tuple(words[longest.start : longest.end])
    return tuple(w for w in words if w not in _ARTICLES)[:3]


def _unknown(tokens: Sequence[str], taken: Sequence[range]) -> Iterator[_Head]:
    """A name the book may not know: what follows an article after *or*, *versus*, *beat* or *between*."""
    for i, token in enumerate(tokens):
        if token not in _ARTICLES or any(i + 1 in span for span in taken):
            continue
        before = tokens[i - 1] if i else ""
        end = _run(tokens, i + 1)
        opens = before in {
            *_VERSUS,
            "or",
            "and",
            "between",
            "beat",
            "defeat",
            "kill",
            "slay",
            "do",
            "can",
            "could",
            "would",
            "will",
            "win",
            COMMA,
        }
        words = tuple(tokens[i + 1 : end])
        if opens and words and not set(words) & _CONTEST:
            yield _Head(i + 1, end, words[:3], None)


def _mentions(tokens: Sequence[str], drafts: Sequence[_Draft]) -> list[_Head]:
    """Where a later sentence comes back to a combatant: by class where that tells them apart, or by level."""
    heads = []
    for draft in drafts:
        alone = sum(other.subject == draft.subject for other in drafts) == 1
        for i in range(len(tokens)):
            end = i + len(draft.subject)
            if tuple(tokens[i:end]) == draft.subject:
                level = i >= 2 and tokens[i - 2] == "level" and is_number(tokens[i - 1])
                if (level and draft.level == int(number(tokens[i - 1]))) or (alone and not level):
                    heads.append(_Head(i - 2 if level else i, end, draft.subject, draft.level))
    return sorted(heads, key=lambda head: head.start)


def _has_number(draft: _Draft, term: str) -> bool:
    return any(Words(" ".join(part)).numbers_of((term,)) for part in draft.parts)


def _combatant(draft: _Draft, shared: Sequence[str], drafts: Sequence[_Draft], question: str) -> Combatant:
    own = [token for part in draft.parts for token in part]
    texts = (own, list(shared))
    subject = in_own_words(draft.subject, question)
    subject = subject if phrase(subject) == draft.subject else " ".join(draft.subject)
    armor = next((int(n[0]) for text in texts if (n := Words(" ".join(text)).numbers_of(("armor class",)))), None)
    abilities = {
        a: score for a in ABILITIES if (score := next(filter(None, (_score(text, a) for text in texts)), None))
    }
    weapon = next(filter(None, (*map(_weapon, texts), _listed_weapon(own))), None)
    weapon_words = in_own_words(phrase(weapon), question) if weapon else None
    return Combatant(_name(draft, subject, armor, drafts), subject.lower(), draft.level, armor, abilities, weapon_words)


def _name(draft: _Draft, subject: str, armor: int | None, drafts: Sequence[_Draft]) -> str:
    if draft.level is None:
        return subject.lower()
    name = f"{ordinal(draft.level)} level {subject.lower()}"
    twins = sum((other.level, other.subject) == (draft.level, draft.subject) for other in drafts) > 1
    return f"{name} with armor class {armor}" if twins and armor is not None else name


def _score(tokens: Sequence[str], ability: str) -> str | None:
    """The score that belongs to an ability: *strength 18/51*, *16 strength*."""
    for i, token in enumerate(tokens):
        if token == ability:
            after = next((t for t in tokens[i + 1 : i + 4] if t not in ("score", "a", "an", "both")), "")
            if after and is_number(after):
                return after
            if i and is_number(tokens[i - 1]) and (i < 2 or tokens[i - 2] not in _MEASURES):
                return tokens[i - 1]
    return None


def _weapon(tokens: Sequence[str]) -> str | None:
    for i, token in enumerate(tokens):
        if token in _WIELD - {"fight"} or (token == "fight" and "with" in tokens[i + 1 : i + 2]):
            words = _noun(tokens, i + 1)
            if words and not set(words) & _NOT_WEAPONS:
                return " ".join(words)
    for i, token in enumerate(tokens):
        if token == "with":
            words = _noun(tokens, i + 1)
            if words and not set(words) & _NOT_WEAPONS and not _measured(tokens, i + 1, len(words)):
                return " ".join(words)
    return None


def _measured(tokens: Sequence[str], start: int, size: int) -> bool:
    """*with an armor class of 3*, *with 16 strength*: a number or a measure stands where a weapon would."""
    near = tokens[start : start + size + 2]
    return any(t in _MEASURES or (is_number(t) and near[i + 1 : i + 2] != ["handed"]) for i, t in enumerate(near))


def _listed_weapon(tokens: Sequence[str]) -> str | None:
    """The *scimitar* of *(AC 9, strength 16, scimitar)*: words alone between commas."""
    for piece in " ".join(tokens).split(f" {COMMA} "):
        words = piece.replace(COMMA, "").split()
        if (
            0 < len(words) <= 3
            and not set(words) & (_STOP | _NOT_WEAPONS | _MEASURES)
            and not any(map(is_number, words))
        ):
            return " ".join(w for w in words if w not in _ARTICLES)
    return None


def _noun(tokens: Sequence[str], start: int) -> list[str]:
    while start < len(tokens) and tokens[start] in (
        *_ARTICLES,
        "with",
        "their",
        "his",
        "her",
        "its",
        "same",
        "of",
        "pair",
        "only",
    ):
        start += 1
    end = start
    while end < len(tokens) and tokens[end] not in (_STOP - _CONTEST | _MEASURES):
        if is_number(tokens[end]) and tokens[end + 1 : end + 2] != ["handed"]:
            break
        end += 1
    return list(tokens[start:end])
