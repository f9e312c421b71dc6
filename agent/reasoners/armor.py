"""The armor class of what is worn: a row of the book's table, a shield on top, and dexterity where both are given.

Tables give a class (*Plate 3*), with and without a shield, or what armor takes off a base (*-7, base AC 10*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.passages import sentences
from retrieval.lookup import CellQuery, same_name
from retrieval.spelling import fold
from retrieval.text import phrase
from retrieval.types import Chunk, Table

_SMALL_WORDS = frozenset("and with a an the & of plus or his her its their only".split())
_GENERIC = frozenset({"mail", "armor", "suit"})
_EFFECT = frozenset({"effect", "adjustment", "modifier", "bonus", "mod"})
_DEXTERITY = ("ac adjustment", "armor class adjustment", "defensive adjustment", "ac mod", "ac modifier", "ac bonus")
_SHIELD = re.compile(
    r"(?:improv|better|lower|reduc|bonus|decreas)\w*\W+(?:\w+\W+){0,6}?by\s+(\d|one)\b|\bby\s+(\d|one)\s+(?:point|more)"
)


@dataclass(frozen=True, slots=True)
class Worn:
    """An armor class with the working that led there, and what was read for it; `is_plain` is one cell alone."""

    armor_class: int
    text: str
    facts: tuple[Fact, ...]

    @property
    def is_plain(self) -> bool:
        """True when one cell said it all."""
        return len(self.facts) == 1

    @property
    def cites(self) -> tuple[int, ...]:
        """The numbers of the citations."""
        return tuple(dict.fromkeys(fact.cite for fact in self.facts))


def armor_class_of(armor: str, dexterity: str | None, notebook: Notebook) -> Worn | None:
    """Read what wearing `armor` makes of an armor class; what is not there becomes a need.

    `dexterity` is a score, or None when it is not to be counted.
    """
    words = [word for word in phrase(armor) if word not in _SMALL_WORDS]
    shielded = "shield" in words
    base = [word for word in words if word not in ("shield", "large", "medium", "small")] if shielded else words
    found = min(_candidates(base or ["shield"], shielded, notebook.chunks), default=None, key=lambda c: c.rank)
    if found is None:
        notebook.need(f"the armor class of {armor}", f"{armor} armor class table", purpose="armor class")
        return None
    value, told = found.armor_class, [f"{armor} gives armor class"]
    facts = [Fact(found.quote, notebook.cite(found.chunk, found.quote))]
    if shielded and base and not found.shielded:
        shield = _shield(notebook)
        if shield is None:
            return None
        value, facts = value - shield[0], [*facts, Fact(str(shield[0]), shield[1])]
        told = [f"{armor} gives armor class {found.armor_class}, {shield[0]} better with the shield:"]
    if dexterity is not None:
        fact = notebook.read(CellQuery("", (("dexterity", dexterity),), _DEXTERITY)) or notebook.read(
            CellQuery("dexterity", (("score", dexterity),), _DEXTERITY)
        )
        change = re.match(r"\s*([+-]?\d+)", re.sub("[−–]", "-", fact.text)) if fact else None
        if fact is None or change is None:
            notebook.need(
                f"the armor class adjustment of dexterity {dexterity}",
                f"dexterity {dexterity} armor class adjustment ability score table",
                purpose="dexterity",
            )
            return None
        told.append(f"{value}, {int(change[1]):+d} for dexterity {dexterity}:")
        value, facts = value + int(change[1]), [*facts, fact]
    return Worn(value, f"{' '.join(told)} {value}", tuple(facts))


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: int
    armor_class: int
    shielded: bool
    chunk: Chunk
    quote: str


def _candidates(words: Sequence[str], shielded: bool, chunks: Sequence[Chunk]) -> Iterator[_Candidate]:
    """Rows that name the armor, the closest names first; an effect on a base counts after a class."""
    for chunk in chunks:
        for table in chunk.tables:
            columns = [] if table.is_record else list(_class_columns(table, shielded))
            for row in table.rows if columns else ():
                rank = _name_rank(words, row[0], shielded)
                if rank is None:
                    continue
                for c, base, with_shield in columns:
                    number = re.match(r"\s*([+-]?\d+)(?![\d/])", re.sub("[−–]", "-", row[c]))
                    if number:
                        value = int(number[1]) + base
                        together = with_shield or (shielded and "shield" in phrase(row[0]))
                        head = " ".join(table.columns[c])
                        quote = f"{' '.join(table.columns[0])} {row[0]} / {head} = {row[c]}"
                        yield _Candidate(
                            2 * rank + bool(base) + 10 * (shielded and not together), value, together, chunk, quote
                        )


def _class_columns(table: Table, shielded: bool) -> Iterator[tuple[int, int, bool]]:
    """The columns that give an armor class: place, what their numbers are added to, and whether a shield is in."""
    for c, path in enumerate(table.columns[1:], start=1):
        head = " ".join(path)
        words = set(phrase(head))
        if "armor class" not in words:
            continue
        base = re.search(r"base\W+(?:ac|armou?r class)\W+(?:of\W+)?(\d+)", fold(head))
        if words & _EFFECT and base is None:
            continue
        with_shield = "shield" in words and "without" not in words
        if shielded or not with_shield:
            yield c, int(base[1]) if base else 0, with_shield


def _name_rank(words: Sequence[str], name: str, shielded: bool) -> int | None:
    """How near a row's name is: 0 the same, 1 but for *mail* or *armor*, 2 where it has more words."""
    parts = [name, *re.split(r"[,/&]| or | and ", name)]
    wanted = " ".join(words)
    if any(same_name(part, wanted) for part in parts) or (shielded and same_name(name, f"{wanted} shield")):
        return 0
    plain = [word for word in words if word not in _GENERIC]
    for part in parts:
        row = [word for word in phrase(part) if word not in _GENERIC | _SMALL_WORDS]
        if plain and (sorted(row) == sorted(plain) or (shielded and sorted(row) == sorted([*plain, "shield"]))):
            return 1
    return 2 if len(words) > 1 and set(words) <= set(phrase(name)) else None


def _shield(notebook: Notebook) -> tuple[int, int] | None:
    """By how much a shield betters the armor class, from its row or from a sentence, with the citation."""
    for chunk in notebook.chunks:
        for table in chunk.tables:
            for row in table.rows if not table.is_record else ():
                if phrase(row[0]) in (("shield",), ("shield", "large"), ("large", "shield")):
                    for c, _, _ in _class_columns(table, False):
                        if number := re.match(r"\s*[-−–](\d+)\s*$", row[c]):
                            head = " ".join(table.columns[c])
                            return int(number[1]), notebook.cite(chunk, f"{row[0]} / {head} = {row[c]}")
    for chunk in notebook.chunks:
        for sentence in sentences(chunk.text):
            folded = fold(sentence)
            if "shield" in folded and "armor class" in phrase(sentence[:400]) and (by := _SHIELD.search(folded)):
                points = by[1] or by[2]
                return 1 if points == "one" else int(points), notebook.cite(chunk, sentence)
    notebook.need("what a shield does to an armor class", "shield improves armor class", purpose="shield")
    return None
