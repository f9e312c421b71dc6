"""Hit dice by a rule instead of a table row for each level: one die per level, up to a last level.

Above that level a fixed number of hit points is added: a column *after name level: +2/level*, or a sentence.
"""

from __future__ import annotations

import re

from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.sayings import RuleSentence, rule_pattern, rule_sentences
from agent.domains.combat.types import Combatant
from agent.reasoning.notebook import Fact
from retrieval.tables.names import same_name
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import normal, phrase
from retrieval.text.spelling import fold

_MOST_BEYOND = 8


def rolled_each_level(who: Combatant, notebook: Rulebook) -> tuple[int, int, Fact] | None:
    """Return the sides of the die, and the addition to each, of *hit points: 1d8+1 per level*."""
    fact = notebook.read(CellQuery(who.subject, (), notebook.labels["hit_points_by_level"]))
    rolled = rule_pattern("rolled_each_level").match(fold(fact.text)) if fact else None
    last = notebook.read_whole(CellQuery(who.subject, (), notebook.labels["last_die"])) if rolled else None
    if fact is None or rolled is None or (last and (who.level or 0) > last[0]):
        return None
    return int(rolled[1]), int((rolled[2] or "0").replace(" ", "")), fact


def levels_before(who: Combatant) -> range:
    """Return the levels below the combatant's that may be the last of a table, from the highest down."""
    level = who.level or 0
    return range(level - 1, max(0, level - _MOST_BEYOND - 1), -1)


def beyond_the_table(who: Combatant, want: tuple[str, ...], notebook: Rulebook) -> tuple[Fact, ...]:
    """Return the hit dice above a table's last level, *9+6* at 11th, if *each level gained thereafter* adds points."""
    cells = ((n, notebook.peek(CellQuery(who.subject, (("level", str(n)),), want))) for n in levels_before(who))
    last, cell = next(((n, cell) for n, cell in cells if cell is not None), (0, None))
    dice = re.match(r"(\d+)\s*\+\s*(\d+)", cell.text) if cell else None
    for note in cell.table.notes if cell and dice else ():
        if cell and dice and (more := rule_pattern("thereafter").search(fold(note))):
            points = int(dice[2]) + int(more[1]) * ((who.level or 0) - last)
            row = Fact(f"{dice[1]}+{points}", notebook.cite(cell.chunk, cell.quote), cell)
            return row, Fact(note, notebook.cite(cell.chunk, note))
    return ()


def dice_by_level_rule(who: Combatant, notebook: Rulebook) -> tuple[Fact, ...]:
    """Return the hit dice by *one hit die per level*, for all or for the class, and the other facts read for them.

    Empty if the level is above the rule's last level and nothing says what is added there.
    """
    level = who.level or 0
    for each in rule_sentences("per_level", notebook):
        if not rule_pattern("hit_points").search(each.normalised) or not _applies_to(who.subject, each, notebook):
            continue
        beyond = rule_pattern("beyond")
        more, ends = beyond.search(each.words), rule_pattern("last_level").findall(beyond.sub("", each.words))
        if more and level > int(more[2]):
            return (each.fact(f"{more[2]}+{int(more[1]) * (level - int(more[2]))}", notebook),)
        if not ends and (ending := rule_pattern("ends_somewhere").search(each.normalised)):
            if found := _up_to_the_last(who, ending, each.fact("", notebook).cite, notebook):
                return found
        elif all(level <= int(end) for end in ends):
            return (each.fact(str(level), notebook),)
    return ()


def _applies_to(subject: str, said: RuleSentence, notebook: Rulebook) -> bool:
    """Return True if the sentence is about all or about the class, or stands beside a table that lists the class."""
    wanted, headings = set(phrase(subject)), said.chunk.headings
    about = normal(" ".join((said.chunk.title, *headings[-1:])))
    if wanted <= set(about) or wanted <= set(said.words.split()) or rule_pattern("of_all").search(said.normalised):
        return True
    tables = (table for other in notebook.chunks if other.headings == headings for table in other.tables)
    return any(same_name(row[0], subject) for table in tables for row in table.rows)


def _up_to_the_last(who: Combatant, said: re.Match[str], cite: int, notebook: Rulebook) -> tuple[Fact, ...]:
    """Read *up to the name level*: a table gives that level for the class, and the addition for each level above it."""
    last, level = _named(who, notebook.labels["last_die"], said[1], notebook), who.level or 0
    top = re.match(r"\s*(\d+)", last.text) if last else None
    if last is None or top is None:
        return ()
    if level <= int(top[1]):
        return Fact(str(level), cite), last
    more = _named(who, notebook.labels["after_last_die"], said[2] or "", notebook)
    each = rule_pattern("added_each_level").match(fold(more.text)) if more else None
    return (Fact(f"{top[1]}+{int(each[1]) * (level - int(top[1]))}", cite), last, more) if more and each else ()


def _named(who: Combatant, usual: tuple[str, ...], wording: str, notebook: Rulebook) -> Fact | None:
    """Return the class's value under a header made of the sentence's words, else under a usual label."""
    cell = notebook.peek(CellQuery(who.subject, (), (wording,)))
    said = cell and set(normal(cell.column)) <= {*normal(wording), "per"}
    return notebook.read(CellQuery(who.subject, (), (wording,) if said else usual))


def has_levels(subject: str, notebook: Rulebook) -> bool:
    """Return True for a class: a table by level is titled with its name, or its hit dice are a die without a number."""
    wanted = set(phrase(subject))
    dice = notebook.peek(CellQuery(subject, (), ("hit dice", "hit die")))
    if dice is not None and re.fullmatch(r"\s*1?d\d+\s*", dice.text):
        return True
    own = [chunk for chunk in notebook.chunks if wanted <= set(normal(chunk.title))]
    return any("level" in normal(" ".join(map(" ".join, table.columns))) for chunk in own for table in chunk.tables)
