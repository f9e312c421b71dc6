"""The armor class of worn armor: a row of the book's table, a shield on top, and dexterity if the question gives it.

Tables give a class (*Plate 3*), with and without a shield, or a reduction of a base (*-7, base AC 10*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from agent.domains.combat.rulebook.abilities import ability_score_value
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.sayings import rule_pattern, rule_sentences
from agent.reasoning.notebook import Fact
from retrieval.tables.names import same_name
from retrieval.text.normal import phrase
from retrieval.text.spelling import fold
from retrieval.text.vocabulary import vocabulary
from retrieval.types import Chunk, Table

_SMALL_WORDS = frozenset("and with a an the & of plus or his her its their only".split())
_GENERIC = frozenset({"mail", "armor", "suit"})
_BONUS = re.compile(r"\s*\+\s?(\d+)\b")
"""The 2 of *leather +2*."""
_EFFECT = frozenset({"effect", "adjustment", "modifier", "bonus", "mod"})


@cache
def _names(defense: tuple[str, ...]) -> str:
    """Return an expression for the armor class in a sentence: the labels with their forms in the vocabularies."""
    terms = [term for term in vocabulary().terms if term.name in defense]
    forms = {fold(form) for term in terms for form in (term.name, *term.forms)} | {*defense}
    return rf"(?:{'|'.join(map(re.escape, sorted(forms)))})(?:e?s)?\b"


@dataclass(frozen=True, slots=True)
class ArmorClassReading:
    """An armor class with its working and the facts behind it; `is_plain` is true if it is one cell."""

    armor_class: int
    text: str
    facts: tuple[Fact, ...]
    is_plain: bool = True

    @property
    def cites(self) -> tuple[int, ...]:
        """The numbers of the citations, without repeats."""
        return tuple(dict.fromkeys(fact.cite for fact in self.facts))


def armor_class_of(armor: str, dexterity: str | None, notebook: Rulebook) -> ArmorClassReading | None:
    """Return the armor class of `armor`, or None with a need for what is missing.

    `dexterity` is a score, or None if it does not count. The bonus of magic armor improves the class.
    """
    bonus = sum(map(int, _BONUS.findall(armor)))
    worn = _from_tables(armor, _BONUS.sub("", armor), notebook)
    if worn is not None and bonus:
        worn = _improved(worn, bonus, f"{bonus} better for its magic", (), notebook)
    return worn if worn is None or dexterity is None else _with_dexterity(worn, dexterity, notebook)


def _from_tables(armor: str, plain: str, notebook: Rulebook) -> ArmorClassReading | None:
    """Return the closest row of the armor, improved by a shield that the row does not include."""
    words = [word for word in phrase(plain) if word not in _SMALL_WORDS]
    shielded = "shield" in words
    base = [word for word in words if word not in ("shield", "large", "medium", "small")] if shielded else words
    names = [base or ["shield"]] if base != ["no", "armor"] else [["none"], ["unarmored"], ["no", "armor"], ["nothing"]]
    rows = (row for name in names for row in _candidates(name, shielded, notebook))
    found = min(rows, default=None, key=lambda c: c.rank)
    if found is None:
        notebook.need(f"the armor class of {plain}", f"{plain} armor class table", purpose="armor class")
        return None
    fact = Fact(found.quote, notebook.cite(found.chunk, found.quote))
    worn = ArmorClassReading(found.armor_class, f"{armor} gives armor class {found.armor_class}", (fact,))
    if not shielded or not base or found.shielded:
        return worn
    shield = _shield(notebook)
    return shield and _improved(
        worn, shield[0], f"{shield[0]} better with the shield", (Fact("", shield[1]),), notebook
    )


def _improved(
    worn: ArmorClassReading, by: int, why: str, facts: tuple[Fact, ...], notebook: Rulebook
) -> ArmorClassReading:
    """Return an armor class improved by `by`, in the direction in which the book's armor classes go."""
    up = armor_class_direction(notebook)
    if up and up[0]:
        facts = (*facts, Fact(up[2], notebook.cite(up[1], up[2])))
    return _changed(worn, by if up and up[0] else -by, why, facts)


def _with_dexterity(worn: ArmorClassReading, dexterity: str, notebook: Rulebook) -> ArmorClassReading | None:
    fact = ability_score_value("dexterity", dexterity, notebook.labels["bonus_to_defense"], notebook)
    change = re.match(r"\s*([+-]?\d+)", re.sub("[−–]", "-", fact.text)) if fact else None
    if fact is None or change is None:
        text = f"dexterity {dexterity} armor class adjustment ability score table"
        notebook.need(f"the armor class adjustment of dexterity {dexterity}", text, purpose="dexterity")
        return None
    return _changed(worn, int(change[1]), f"{int(change[1]):+d} for dexterity {dexterity}", (fact,))


def _changed(worn: ArmorClassReading, by: int, why: str, facts: tuple[Fact, ...]) -> ArmorClassReading:
    value = worn.armor_class + by
    return ArmorClassReading(value, f"{worn.text}, {why}: {value}", (*worn.facts, *facts), is_plain=False)


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: int
    armor_class: int
    shielded: bool
    chunk: Chunk
    quote: str


def _candidates(words: Sequence[str], shielded: bool, notebook: Rulebook) -> Iterator[_Candidate]:
    """Yield rows that name the armor, ranked by closeness of name; an effect on a base ranks after a class."""
    tables = [(chunk, table) for chunk in notebook.chunks for table in chunk.tables if not table.is_record]
    for chunk, table in tables:
        for c, base, with_shield in _class_columns(table, shielded, notebook.labels["defense"]):
            head = " ".join(table.columns[c])
            for row in table.rows:
                name = row[0] if c else row[1]
                named = _named(words, name, shielded)
                number = re.match(r"\s*([+-]?\d+)(?![\d/])", re.sub("[−–]", "-", row[c]))
                if named is None or number is None or (number[1][0] == "+" and not base):
                    continue  # +4 on a base that the header does not give
                rank, together = named[0], with_shield or named[1]
                rank = 2 * rank + bool(base) + 10 * (shielded and not together)
                quote = f"{' '.join(table.columns[0 if c else 1])} {name} / {head} = {row[c]}"
                yield _Candidate(rank, int(number[1]) + base, together, chunk, quote)


def _class_columns(table: Table, shielded: bool, defense: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the columns with an armor class: the index, the base of their numbers, and whether a shield is included."""
    of_classes = any(_is_of_class(" ".join(path), defense) for path in table.columns)
    for c, path in enumerate(table.columns if len(table.columns) > 1 else ()):
        head = " ".join(path)
        words = set(phrase(head))
        if not _is_of_class(head, defense) and not (of_classes and {"with", "shield"} <= words):
            continue
        base = re.search(r"base\W+(?:ac|armou?r class)\W+(?:of\W+)?(\d+)", fold(head))
        if words & _EFFECT and base is None:
            continue
        with_shield = "shield" in words and "without" not in words
        if shielded or not with_shield:
            yield c, int(base[1]) if base else 0, with_shield


def _named(words: Sequence[str], name: str, shielded: bool) -> tuple[int, bool] | None:
    """Return the rank of a row's name (0 the same, 1 but for *mail*, 2 more words) and whether a shield is included."""
    ranks = [
        (rank, with_shield)
        for part, with_shield in _alternatives(name)
        if (shielded or not with_shield) and (rank := _rank(words, part, shielded)) is not None
    ]
    return min(ranks, key=lambda found: (found[0], found[1] != shielded), default=None)


def _alternatives(name: str) -> Iterator[tuple[str, bool]]:
    """Yield the armors that a row names, whole and by part, each with whether a shield is included."""
    yield name, "shield" in phrase(name)
    for group in re.split(r"\s*[,;]\s*(?:or\s+)?", name):
        with_shield = "shield" in phrase(group)
        yield group, with_shield
        parts = re.split(r"[/&]| or | and ", group)
        yield from ((part, with_shield) for part in parts if phrase(part) != ("shield",))


def _rank(words: Sequence[str], name: str, shielded: bool) -> int | None:
    wanted, said = list(words), list(phrase(name))
    if same_name(name, " ".join(words)) or (shielded and same_name(name, " ".join([*words, "shield"]))):
        return 0
    plain = sorted(word for word in words if word not in _GENERIC)
    own = sorted(word for word in said if word not in _GENERIC | _SMALL_WORDS)
    if plain and (own == plain or (shielded and own == sorted([*plain, "shield"]))):
        return 1
    begins = bool(wanted) and said[: len(wanted)] == wanted
    return 2 if begins or (len(wanted) > 1 and set(wanted) <= set(said)) else None


def _shield(notebook: Rulebook) -> tuple[int, int] | None:
    """Return a shield's improvement of the armor class, from its row or a sentence, with the citation's number."""
    for chunk in notebook.chunks:
        for table in chunk.tables:
            for row in table.rows if not table.is_record else ():
                if phrase(row[0]) in (("shield",), ("shield", "large"), ("large", "shield")):
                    for c, _, _ in _class_columns(table, False, notebook.labels["defense"]):
                        if number := re.match(r"\s*[-−–+](\d+)(?:\s*(?:AC|armou?r class))?\s*$", row[c], re.IGNORECASE):
                            head = " ".join(table.columns[c])
                            return int(number[1]), notebook.cite(chunk, f"{row[0]} / {head} = {row[c]}")
    for each in rule_sentences("defense", notebook, _names(notebook.labels["defense"])):
        if "shield" in each.normalised and (by := rule_pattern("shield").search(each.normalised)):
            points = next(filter(None, by.groups()))
            return 1 if points == "one" else int(points), each.fact("", notebook).cite
    notebook.need("what a shield does to an armor class", "shield improves armor class", purpose="shield")
    return None


def armor_class_direction(notebook: Rulebook) -> tuple[bool, Chunk, str] | None:
    """Return whether a higher armor class is better, or None if the book does not show it.

    The chunk and the quote that show it come with it, not yet cited.
    """
    return _by_armor(notebook) or _direction_from_prose(notebook) or _by_matrix(notebook)


def need_direction(notebook: Rulebook, purpose: str) -> None:
    """Note a need for the direction of armor classes."""
    notebook.need("which way armor classes go", "armor table armor class leather plate", purpose=purpose)


def _by_armor(notebook: Rulebook) -> tuple[bool, Chunk, str] | None:
    """Compare plate with leather in the armor table: plate is better."""
    light = min(_candidates(["leather"], False, notebook), default=None, key=lambda c: c.rank)
    heavy = min(_candidates(["plate"], False, notebook), default=None, key=lambda c: c.rank)
    if light is None or heavy is None or light.armor_class == heavy.armor_class:
        return None
    return heavy.armor_class > light.armor_class, heavy.chunk, heavy.quote


def _by_matrix(notebook: Rulebook) -> tuple[bool, Chunk, str] | None:
    """Compare the rolls of a matrix: the armor class that is harder to hit is better."""
    for chunk in notebook.chunks:
        for table in chunk.tables:
            row = table.rows[0] if table.rows and not table.is_record else ()
            heads = [" ".join(path) for path in table.columns]
            of_class = [head if _is_of_class(head, notebook.labels["defense"]) else "" for head in heads]
            read = [_roll_against(head, cell) for head, cell in zip(of_class, row, strict=False)]
            rolls = sorted(pair for pair in read if pair is not None)
            if len(rolls) > 1 and rolls[0][1] != rolls[-1][1]:
                quote = f"{row[0]}: {', '.join(f'{value} against armor class {ac}' for ac, value in rolls)}"
                return rolls[0][1] < rolls[-1][1], chunk, quote
    return None


def _roll_against(head: str, cell: str) -> tuple[int, int] | None:
    """Return the armor class of a matrix column and the roll of its cell."""
    label = re.search(r"(-?\d+)\s*$", re.sub("[−–]", "-", head))
    return (int(label[1]), int(cell)) if label and cell.strip().isdigit() else None


def _is_of_class(head: str, defense: Sequence[str]) -> bool:
    """Return True for a header that names the armor class by one of its labels."""
    words = set(phrase(head))
    return any(words.issuperset(phrase(name)) for name in defense)


def _direction_from_prose(notebook: Rulebook) -> tuple[bool, Chunk, str] | None:
    """Read *the higher the armor class, the better*, or *has to reach the armor class* with no table."""
    names = _names(notebook.labels["defense"])
    for each in rule_sentences("defense", notebook, names):
        up, down = (
            rule_pattern(kind, names).search(each.normalised) for kind in ("higher_is_better", "lower_is_better")
        )
        if (up is None) != (down is None):
            return up is not None, each.chunk, each.text
    for each in rule_sentences("reaches_defense", notebook, names):
        if not rule_pattern("on_a_table").search(each.normalised):
            return True, each.chunk, each.text
    return None
