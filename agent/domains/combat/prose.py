"""What a book of few tables says of fights in sentences: what a weapon does, what an ability or a class adds.

Sentences are matched as normal words, in which *one* and *first* are numbers and *hits* is *hit*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent.domains.combat.profile import Labels, Rulebook
from agent.reasoning.notebook import Fact
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import normal, phrase
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold
from retrieval.types import Chunk

HIT, DAMAGE, HIT_POINTS = "hit", "damage", "hit points"
_WHAT = {
    HIT: r"(?:to|on) (?:(?:the|all|every) )?(?:roll )?(?:to )?(?:hit|attack)",
    DAMAGE: r"(?:to hit and (?:to )?|(?:to|on|of) (?:(?:the|all|every) )?)damage",
    HIT_POINTS: r"hit points (?:for|per|at|each|every)",
}
_ALWAYS = r"(?: (?:of|with|in|on) (?:every|each|any|all|a|the|their|his) (?:blow|hit|attack|weapon|strike))?$"


def damage_in_prose(weapon: str, notebook: Rulebook) -> Fact | None:
    """The dice of *a knife does 1d4 points of damage, a spear 1d6*."""
    dice = rf"(?:^|\b(?:an?|the|and|or) ){_words(weapon)} (?:(?:doe|do|deal|inflict|cause) )?(\d+d\d+(?:[+-]\d+)?)\b"
    for chunk, sentence, said in in_words("damage", notebook):
        if found := re.search(dice, said):
            return Fact(found[1], notebook.cite(chunk, sentence))
    return None


def _bonuses(kind: str, known: Labels) -> tuple[str, ...]:
    """What the column of an ability's bonus is called."""
    return {HIT: known["bonus_to_hit"], DAMAGE: known["bonus_to_damage"], HIT_POINTS: known["bonus_to_hit_points"]}[
        kind
    ]


def ability_bonus(ability: str, score: str, kind: str, notebook: Rulebook) -> Fact | None:
    """What the score of an ability adds to rolls to hit, to damage or to hit points, by a table or a sentence."""
    return of_ability(ability, score, _bonuses(kind, notebook.labels), notebook) or ability_in_prose(
        ability, score, kind, notebook
    )


def of_ability(ability: str, score: str, want: tuple[str, ...], notebook: Rulebook) -> Fact | None:
    """What a table gives for the score of an ability, its own or one of all: *Score | Strength: to hit | …*."""
    by_name = CellQuery("", ((ability, score),), want)
    if own := notebook.read(by_name) or notebook.read(CellQuery(ability, (("score", score),), want)):
        return own
    beside = CellQuery("", (("score", score),), tuple(f"{ability} {wording}" for wording in want))
    cell = notebook.peek(beside)
    return notebook.read(beside) if cell and ability in phrase(cell.column) else None


def ability_in_prose(ability: str, score: str, what: str, notebook: Rulebook) -> Fact | None:
    """What *a strength of 16 or more adds to the damage*: of several bounds the highest that is reached counts."""
    over = r"(?:or|and) (?:more|higher|better|above|up|over|greater)"
    bound = re.compile(rf"\b{ability} (\d+) {over}\b.*?\b(\d+) {_WHAT[what]}")
    found = [(m, chunk, s) for chunk, s, said in in_words(ability, notebook) if (m := bound.search(said))]
    reached = [one for one in found if score.isdigit() and int(one[0][1]) <= int(score)]
    if not found or not score.isdigit():
        return None
    match, chunk, sentence = max(reached or found, key=lambda one: int(one[0][1]))
    return Fact(match[2] if reached else "0", notebook.cite(chunk, sentence))


def always_added(subject: str, what: str, notebook: Rulebook) -> Fact | None:
    """What a class adds to every blow, with nothing said of when: *hunters add 1 to the damage of every blow*."""
    adds = rf"^(?:(?:an?|all|the) )?{_words(subject)} (?:alway )?(?:add|get|gain|have|ha|receive) (\d+) {_WHAT[what]}"
    begins = re.compile(rf"^(?:(?:an?|all|the) )?{re.escape(fold(subject))}")
    for chunk, sentence, _ in told(begins, notebook):
        if found := re.search(adds + _ALWAYS, " ".join(normal(sentence))):
            return Fact(found[1], notebook.cite(chunk, sentence))
    return None


def told(about: re.Pattern[str], notebook: Rulebook) -> Iterator[tuple[Chunk, str, str]]:
    """The sentences that a pattern is found in, each with its chunk and in plain spelling."""
    for chunk in notebook.chunks:
        for sentence, folded in _sentences(chunk.text):
            if about.search(folded):
                yield chunk, sentence, folded


@lru_cache(maxsize=2048)
def _sentences(text: str) -> tuple[tuple[str, str], ...]:
    """Books stay the same from question to question."""
    return tuple((sentence, fold(sentence)) for sentence in sentences(text))


def _words(name: str) -> str:
    return re.escape(" ".join(phrase(name)))


def in_words(about: str, notebook: Rulebook) -> Iterator[tuple[Chunk, str, str]]:
    """The sentences of prose that have these words, each with its chunk and as normal words."""
    for chunk, sentence, _ in told(re.compile(rf"\b{about}"), notebook):
        if chunk.chunk_type not in ("row", "table"):
            yield chunk, sentence, " ".join(normal(sentence))
