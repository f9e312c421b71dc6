"""Looked-up values side by side, with the better one and the difference; or what the book says in words.

One entity makes a lookup, several a comparison, none an open question that is answered by quotation. What has no
cell and no sentence is a need, and in the end unanswered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.reasoners.armor import armor_class_of
from agent.reasoners.attacks import attacks_per_round
from agent.reasoners.cases import Case, cases_of
from agent.reasoners.combatant import average_hit_points
from agent.reasoners.creature import creature_roll, hit_dice_of
from agent.reasoners.facts import Fact, Notebook, Reasoned
from agent.reasoners.filtered import filtered, is_filter
from agent.reasoners.judging import difference, judge, told_in_short
from agent.reasoners.open_question import open_question
from agent.reasoners.passages import quotes
from agent.reasoners.quantities import lower_is_better, number_of
from agent.reasoners.side_by_side import side_by_side
from agent.reasoners.superlatives import superlative
from agent.reasoners.told_cells import goes_back, told_by_cells
from agent.reasoners.two_steps import resolved
from agent.reasoners.vetoes import accounted, counted, counts_another, numbered, one_amount, told_apart, whole
from agent.types import Combatant, Comparison, Finding, Step
from retrieval.lookup import CellQuery
from retrieval.spans import read_label
from retrieval.text import ABILITIES, TERMS, phrase, query_words, title_key
from retrieval.types import Chunk

__all__ = ["lower_is_better", "reason"]

_ALL = frozenset(
    {"stat", "statistic", "attribute", "characteristic", "property", "profile", "value", "number", "everything"}
)
_ATTACKS = frozenset("attack round melee combat per number each rate bonus".split())
_TO_HIT = ("roll to hit", "to hit", "attack matrix")
_MEASURES = frozenset({*TERMS.values(), *ABILITIES, "level"})
_CHANGES = frozenset({"bonus", "penalty", "adjustment", "modifier"})
"""Heads of what is added to a measure; they do not tell the measure itself."""
_PRICE = ("price", "cost")
_MAY = frozenset({"may", "can", "allowed", "permitted"})
_SAME = 5
"""So many first letters make two words one: *paralysis* is *paralyzation*."""


def reason(comparison: Comparison, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Look up what is asked on what `chunks` say. `final` allows quoting prose where no cell answers."""
    return counted(comparison, whole(comparison, _answered(comparison, chunks, prefix, final), prefix), prefix)


def _answered(comparison: Comparison, chunks: Sequence[Chunk], prefix: str, final: bool) -> Reasoned:
    notebook = Notebook(chunks, prefix)
    steps: list[Step] = []
    if comparison.worn is not None and comparison.entities == (comparison.worn,):
        return _worn(comparison, comparison.worn, notebook)
    if is_filter(comparison):
        met = filtered(comparison, Notebook(chunks, prefix))
        comparison = replace(comparison, among=())
        if met is not None:
            return met
    if comparison.among and (ranked := superlative(comparison, notebook)) is not None:
        return ranked
    if (told := told_by_cells(comparison, Notebook(chunks, prefix))) is not None and _goes_before(comparison, told):
        return told_apart(comparison, told, prefix)
    comparison = resolved(comparison, notebook, steps)
    if not comparison.entities or comparison.superlative:
        return numbered(comparison, open_question(comparison, notebook, _want(comparison.attribute), steps), prefix)
    if (joint := _joint(comparison, notebook)) is not None:
        return numbered(comparison, joint, prefix)
    if _wants_everything(comparison.attribute) and not {name for name, _ in comparison.keys} - {"level"}:
        return one_amount(comparison, numbered(comparison, side_by_side(comparison.entities, notebook), prefix), prefix)
    found = accounted(comparison, _looked_up(comparison, notebook, steps, final), chunks, prefix)
    if not found.needs:
        found = numbered(comparison, found, prefix)
    return told_apart(comparison, told if told is not None and found.needs else found, prefix)


def _goes_before(comparison: Comparison, told: Reasoned) -> bool:
    """What the cells tell of a question that names nobody, or of one thing in two columns, is what was asked."""
    several = len(comparison.entities) < len(told.finding.values["values"]) or goes_back(comparison.question)
    return not comparison.entities or (several and not told.needs)


def _looked_up(comparison: Comparison, notebook: Notebook, steps: list[Step], final: bool) -> Reasoned:
    """Each case's values; where there is none at all, what the book says in words."""
    cases = list(cases_of(comparison))
    if _asks_hit_points(comparison):
        return _hit_points(cases, comparison, notebook)
    found = [pair for case in cases for pair in _look_up_all(case, comparison, notebook, steps)]
    if final and not any(fact for _, fact in found) and not comparison.keys and comparison.target is None:
        quoted = [_quote(case, notebook) for case in cases]
        if any(quoted):
            return _told(cases, quoted, comparison, notebook)
    told = bool(notebook.needs)  # what a step on the way lacks says why
    for case, fact in found:
        if fact is None and not told:
            _need(case, comparison, notebook)
    return _compared([case for case, _ in found], [fact for _, fact in found], comparison, notebook, steps)


def _worn(comparison: Comparison, worn: str, notebook: Notebook) -> Reasoned:
    """The armor class that armor gives."""
    found = armor_class_of(worn, dict(comparison.keys).get("dexterity"), notebook)
    value = found.armor_class if found else None
    steps = (Step(found.text, found.armor_class, found.cites),) if found else ()
    values = [{"name": worn, "value": None if value is None else str(value), "number": value}]
    data = {"attribute": comparison.attribute, "values": values, "better": None, "difference": None}
    claim = f"{found.text}." if found else f"Not found: the armor class of {worn}."
    return notebook.reasoned(Finding("compare", claim, steps, data, None if value is None else str(value)))


def _joint(comparison: Comparison, notebook: Notebook) -> Reasoned | None:
    """Two names that find one cell together: the row of the one in a table of the other."""
    if len(comparison.entities) != 2 or comparison.prefer is not None or comparison.target is not None:
        return None
    one, two = comparison.entities
    want = (comparison.attribute,) if comparison.attribute else ()
    for owner, row in ((one, two), (two, one)):
        case = Case(f"{row}, {owner}", owner, (*comparison.keys, ("", row)), comparison.attribute)
        fact = notebook.read(CellQuery(owner, case.keys, want or _PRICE))
        if fact is None and comparison.keys:
            fact = notebook.read(CellQuery("", case.keys, want), among=_telling_of(owner, notebook.chunks))
        if fact is not None:
            return _compared([case], [fact], comparison, notebook, [])
    return None


def _telling_of(entity: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks whose prose names the entity where their titles do not: *what a cutpurse can do*."""
    wanted = phrase(entity)
    return [chunk for chunk in chunks if chunk.tables and wanted and query_words(_prose(chunk)).has(wanted)]


def _prose(chunk: Chunk) -> str:
    cells = {cell for table in chunk.tables for row in table.rows for cell in row}
    lines = [line for line in chunk.text.split("\n") if not any(cell and cell in line for cell in cells)]
    return "\n".join(lines)[:2000]


def _wants_everything(attribute: str) -> bool:
    words = set(phrase(attribute))
    return not words or words <= _ALL


def _look_up_all(
    case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step]
) -> Iterator[tuple[Case, Fact | None]]:
    """The case's value; where its attribute is a list and no one column covers it, the value of each part."""
    whole = _look_up(case, comparison, notebook, steps)
    if len(comparison.parts) < 2 or (whole is not None and _covers(whole, comparison.parts)):
        yield case, whole
        return
    first, *_ = comparison.parts
    shared = " ".join(first.split()[:-1])
    parts = []
    for part in comparison.parts:
        worded = dict.fromkeys((f"{shared} {part}".strip() if part != first else part, part))
        facts = (_look_up(replace(case, attribute=words), comparison, notebook, steps) for words in worded)
        parts.append((replace(case, attribute=part), next((fact for fact in facts if fact is not None), None)))
    columns = {(fact.cell.chunk.id, fact.cell.row, fact.cell.column) for _, fact in parts if fact and fact.cell}
    if len(columns) < 2 and whole is None:
        yield case, None
    elif len(columns) < 2:
        yield case, whole
    else:
        yield from parts


def _covers(fact: Fact, parts: Sequence[str]) -> bool:
    """True when one cell's head has something of every part: *death, paralysis and poison* is one column."""
    if fact.cell is None:
        return True
    head = {word[:_SAME] for word in phrase(f"{fact.cell.column} {fact.cell.row}")}
    words = [phrase(part) for part in parts]
    letters = all(word in head for part in words for word in part if len(word) == 1)
    return letters and all(any(word[:_SAME] in head for word in part) for part in words)


def _look_up(case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Fact | None:
    want = _want(case.attribute)
    if comparison.target is not None:
        if len(want) > 1 and "level" not in dict(case.keys):
            hit_dice_of(case.entity, notebook)
        return None
    scores = tuple(key for key in case.keys if key[0] in ABILITIES)
    others = tuple(key for key in case.keys if key[0] not in ABILITIES)
    if len(want) > 1 and "level" not in dict(case.keys) and "armor class" in dict(case.keys):
        return _creature_roll(case, notebook, steps)
    if _asks_attacks(case):
        return _attacks(case, notebook)
    want = _want(case.attribute, comparison.question)
    fact = notebook.read(CellQuery(case.entity, case.keys, want))
    if fact is None and case.keys:
        fact = notebook.read(CellQuery("", case.keys, want), among=_telling_of(case.entity, notebook.chunks))
    if fact is None and scores and others:
        # An ability score adjusts a roll; it does not select the row.
        fact = notebook.read(CellQuery(case.entity, others, want))
    if fact is None and scores and not others:
        # The table of an ability is everybody's.
        fact = notebook.read(CellQuery("", scores, want))
    return None if fact is None or _is_another(fact, case, comparison.question) else fact


def _is_another(fact: Fact, case: Case, question: str) -> bool:
    """True for a cell that tells something else than what was asked."""
    return _is_any_row(fact, case) or (fact.cell is not None and counts_another(question, fact.cell))


def _asks_attacks(case: Case) -> bool:
    words = set(phrase(case.attribute))
    return "attack" in words and words <= _ATTACKS and dict(case.keys).get("level", "").isdigit()


def _attacks(case: Case, notebook: Notebook) -> Fact | None:
    """How often a class attacks at a level stands in a table, or in a sentence about its levels."""
    found = attacks_per_round(case.entity, int(dict(case.keys)["level"]), notebook)
    return None if found is None else Fact(str(found[0]), found[1].cite)


def _is_any_row(fact: Fact, case: Case) -> bool:
    """True for a cell that no key chose, in a table whose rows are levels or bands, or that only tells a change."""
    cell = fact.cell
    if cell is None or case.keys:
        return False
    if set(phrase(cell.column)) & _CHANGES and not set(phrase(case.attribute)) & _CHANGES:
        return True
    if cell.table.is_record:
        return False
    rows = [row for row in cell.table.rows if cell.row.endswith(row[0])]
    named = set(phrase(case.entity)) & set(phrase(cell.row))
    return not named and any(read_label(row[0]).span is not None for row in rows)


def _creature_roll(case: Case, notebook: Notebook, steps: list[Step]) -> Fact | None:
    """What a creature needs to hit an armor class: by its hit dice."""
    found = creature_roll(case.entity, int(float(dict(case.keys)["armor class"])), notebook)
    if found is None:
        return None
    fact, notes = found
    steps += notes
    return fact


def _want(attribute: str, question: str = "") -> tuple[str, ...]:
    """The wordings of what is asked; *what weapons a druid may use* are the *weapons permitted*."""
    if {"hit", "roll"} & set(phrase(attribute)):
        return (attribute, *_TO_HIT)
    *words, _ = attribute.split() or [""]
    allowed = words and _MAY & set(phrase(question))
    return (attribute, f"{' '.join(words)} permitted") if allowed else (attribute,)


def _need(case: Case, comparison: Comparison, notebook: Notebook) -> None:
    keys = " ".join(f"{name} {value}" for name, value in case.keys)
    if comparison.target is None:
        text = " ".join(part for part in (case.entity, case.attribute, keys) if part)
        notebook.need(
            f"{case.attribute or 'what the book says'} of {case.name}{f' ({keys})' if keys else ''}",
            text,
            purpose=case.attribute,
            entities=(case.entity,),
        )


def _quote(case: Case, notebook: Notebook) -> tuple[str, int] | None:
    found = quotes(case.attribute, notebook.chunks, entity=case.entity, limit=2)
    found = [quote for quote in found if _is_of(case.entity, quote.chunk)]
    if not found:
        return None
    chosen = {q.text for q in found if q.chunk is found[0].chunk}
    text = " ".join(sorted(chosen, key=found[0].chunk.text.find))
    if set(phrase(case.attribute)) <= _MEASURES and not any(map(str.isdigit, text)):
        return None  # a number is asked for, and none is told
    return text, notebook.cite(found[0].chunk, text)


def _is_of(entity: str, chunk: Chunk) -> bool:
    """True where a chunk's title has the entity, or a section is called so: of *Druid Spells* each has its own name."""
    wanted = set(title_key(entity).split())
    sections = (title_key(heading) for heading in chunk.headings)
    return wanted <= set(title_key(chunk.title).split()) or title_key(entity) in sections


def _told(
    cases: Sequence[Case], quoted: Sequence[tuple[str, int] | None], comparison: Comparison, notebook: Notebook
) -> Reasoned:
    steps, values = [], []
    for case, quote in zip(cases, quoted, strict=True):
        if quote is None:
            _need(case, comparison, notebook)
        else:
            steps.append(Step(f"{case.name}: {quote[0]}" if len(cases) > 1 else quote[0], None, (quote[1],)))
        values.append({"name": case.name, "value": quote[0] if quote else None})
    claim = steps[0].text if len(steps) == 1 else f"On {comparison.attribute}, the book says:"
    finding = Finding(
        "compare", claim, tuple(steps), {"attribute": comparison.attribute, "values": values, "better": None}
    )
    return notebook.reasoned(finding)


def _asks_hit_points(comparison: Comparison) -> bool:
    words = set(phrase(comparison.attribute)) - {"average", "mean", "expected", "typical"}
    return words == {"hit points"} and "level" in dict(comparison.keys)


def _hit_points(cases: Sequence[Case], comparison: Comparison, notebook: Notebook) -> Reasoned:
    """A class's hit points at a level stand in no cell: they are its hit dice, its die and its constitution."""
    facts: list[Fact | None] = []
    steps = []
    for case in cases:
        keys = dict(case.keys)
        scores = {ability: keys[ability] for ability in ABILITIES if ability in keys}
        found = average_hit_points(
            Combatant(case.name, case.entity, int(float(keys["level"])), abilities=scores), notebook
        )
        facts.append(Fact(f"{found[0]:g}", found[1][0]) if found else None)
        if found is not None:
            steps.append(Step(found[2], found[0], found[1]))
    return _compared(cases, facts, comparison, notebook, steps)


def _compared(
    cases: Sequence[Case], facts: Sequence[Fact | None], comparison: Comparison, notebook: Notebook, steps: list[Step]
) -> Reasoned:
    several = len({case.attribute for case in cases}) > 1
    values = [
        {"name": case.name, "value": fact.text if fact else None}
        | {"number": number_of(fact.text, case.attribute) if fact else None}
        | ({"attribute": case.attribute} if several else {})
        for case, fact in zip(cases, facts, strict=True)
    ]
    for case, fact in zip(cases, facts, strict=True):
        if fact is not None:
            steps.append(Step(told_in_short(case, fact), fact.text, (fact.cite,)))
    better, claim = judge(cases, facts, comparison)
    apart = None if several else difference(facts, comparison.attribute)
    if apart is not None:
        steps.append(Step(f"the difference is {apart:g}", apart))
    data = {"attribute": comparison.attribute, "values": values, "better": better, "difference": apart}
    verdict = better or (facts[0].text if len(facts) == 1 and facts[0] else None)
    return notebook.reasoned(Finding("compare", claim, tuple(dict.fromkeys(steps)), data, verdict))
