"""Hit dice that a book gives by a rule and not by level: one for each level, up to a level that ends it.

Behind that level a fixed number of hit points is added: a column *after name level: +2/level*, or a sentence.
"""

from __future__ import annotations

import re

from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.in_prose import told
from agent.types import Combatant
from retrieval.lookup import CellQuery
from retrieval.spelling import fold
from retrieval.text import normal, phrase
from retrieval.types import Chunk

_PER_LEVEL = re.compile(
    r"\b(?:one|a|1|another|its|their|his|her|an? \w+|\d*d\d+)\b[^.;]{0,60}\b(?:per|each|every|for each|for every)"
    r" (?:\w+ )?levels?\b"
)
_ALL = (
    r"\b(?:all|every|each|any|a|the) (?:character|class|calling|adventurer|hero|player)"
    r"|\b(?:characters|classes|heroes|adventurers)\b"
)
_ENDS = re.compile(r"\b(?:to|until|through|level)\D{0,12}(\d+)")
_BEYOND = re.compile(
    r"\b(\d+) (?:(?:more|further|extra|additional|hit points) )*(?:at|for|per)? ?(?:each|every) (?:\w+ )?level"
    r" (?:beyond|after|above|past|over) (?:the )?(?:level )?(\d+)"
)
"""*3 more at each level beyond ninth*, in normal words."""
_ENDS_SOMEWHERE = re.compile(r"\b(?:up to|until|through)\b[^.;]*\blevel\b")
_ROLLED = re.compile(r"\s*1?d(\d+)\s*([+-]\s*\d+)?\s*(?:/|per|each|a|every|for each)\s*level\s*\.?$")
_MOST_BEYOND = 8
_LAST = ("name level", "last hit die at level", "maximum hit dice")
_AFTER = ("after name level", "hit points after name level", "hit points per level after name level")
_EACH = re.compile(
    r"\s*\+?(\d+)(?!\s*d|\d)\s*(?:hit points?|hp)?\s*(?:(?:/|per|each|a|every)\s*(?:further )?level)?\s*$"
)


def rolled_each_level(who: Combatant, notebook: Notebook) -> tuple[int, int, Fact] | None:
    """The sides of the die, and what is added to each, of *hit points: 1d8+1 per level*."""
    fact = notebook.read(CellQuery(who.subject, (), ("hit points", "hit points per level", "hit dice", "hit die")))
    rolled = _ROLLED.match(fold(fact.text)) if fact else None
    last = notebook.read_whole(CellQuery(who.subject, (), _LAST)) if rolled else None
    if fact is None or rolled is None or (last and (who.level or 0) > last[0]):
        return None
    return int(rolled[1]), int((rolled[2] or "0").replace(" ", "")), fact


_THEREAFTER = re.compile(
    r"\b(?:each|every) (?:\w+ )?level(?: gained)? thereafter\b"
    r"[^.;]*?\b(?:gain|grant|add|give)s?\W+(\d+) ?(?:hit points?|hp)\b"
)


def levels_before(who: Combatant) -> range:
    """The levels one of which may be the last of a table, from the highest down."""
    level = who.level or 0
    return range(level - 1, max(0, level - _MOST_BEYOND - 1), -1)


def beyond_the_table(who: Combatant, want: tuple[str, ...], notebook: Notebook) -> tuple[Fact, ...]:
    """The hit dice behind a table's last level, *9+6* at 11th, where *each level gained thereafter* adds hit points."""
    cells = ((n, notebook.peek(CellQuery(who.subject, (("level", str(n)),), want))) for n in levels_before(who))
    last, cell = next(((n, cell) for n, cell in cells if cell is not None), (0, None))
    dice = re.match(r"(\d+)\s*\+\s*(\d+)", cell.text) if cell else None
    for note in cell.table.notes if cell and dice else ():
        if cell and dice and (more := _THEREAFTER.search(fold(note))):
            points = int(dice[2]) + int(more[1]) * ((who.level or 0) - last)
            row = Fact(f"{dice[1]}+{points}", notebook.cite(cell.chunk, cell.quote), cell)
            return row, Fact(note, notebook.cite(cell.chunk, note))
    return ()


def one_a_level(who: Combatant, notebook: Notebook) -> tuple[Fact, ...]:
    """The hit dice by *one hit die per level*, said of all or of the class, with all that was read for it.

    Empty where the sentence sets an end to it that is passed, and nothing says what comes then.
    """
    subject, level = set(phrase(who.subject)), who.level or 0
    for chunk, sentence, folded in told(_PER_LEVEL, notebook):
        about = set(normal(" ".join((chunk.title, *chunk.headings[-1:]))))
        of_them = subject <= about or subject <= set(normal(sentence)) or re.search(_ALL, folded)
        if not of_them or not re.search(r"\bhit (?:die|dice|points?)\b", folded):
            continue
        said = " ".join(normal(sentence))
        more, ends = _BEYOND.search(said), [int(n) for n in _ENDS.findall(_BEYOND.sub("", said))]
        if more and level > int(more[2]):
            return (Fact(f"{more[2]}+{int(more[1]) * (level - int(more[2]))}", notebook.cite(chunk, sentence)),)
        if not ends and _ENDS_SOMEWHERE.search(folded):
            if found := _up_to_the_last(who, chunk, sentence, notebook):
                return found
        elif all(level <= end for end in ends):
            return (Fact(str(level), notebook.cite(chunk, sentence)),)
    return ()


def _up_to_the_last(who: Combatant, chunk: Chunk, sentence: str, notebook: Notebook) -> tuple[Fact, ...]:
    """*Up to the name level*, which a table gives for the class, with what each further level adds."""
    last, level = notebook.read_whole(CellQuery(who.subject, (), _LAST)), who.level or 0
    if last is None:
        return ()
    cite = notebook.cite(chunk, sentence)
    if level <= last[0]:
        return Fact(str(level), cite), last[1]
    more = notebook.read(CellQuery(who.subject, (), _AFTER))
    each = _EACH.match(fold(more.text)) if more else None
    if more is None or each is None:
        return ()
    return Fact(f"{last[0]}+{int(each[1]) * (level - last[0])}", cite), last[1], more


def has_levels(subject: str, notebook: Notebook) -> bool:
    """True for a class: something of it stands in a table by level, or its hit dice are a die and no number."""
    wanted = set(phrase(subject))
    dice = notebook.peek(CellQuery(subject, (), ("hit dice", "hit die")))
    if dice is not None and re.fullmatch(r"\s*1?d\d+\s*", dice.text):
        return True
    own = [chunk for chunk in notebook.chunks if wanted <= set(normal(chunk.title))]
    return any("level" in normal(" ".join(map(" ".join, table.columns))) for chunk in own for table in chunk.tables)
