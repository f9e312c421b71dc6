"""Looked-up values side by side, with the better one and the difference; or what the book says in words.

One entity makes a lookup, several a comparison, none an open question that is answered by quotation. What has no
cell and no sentence is a need, and in the end unanswered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.reasoners.combatant import average_hit_points
from agent.reasoners.facts import Fact, Notebook, Reasoned
from agent.reasoners.passages import quotes, unseen_words
from agent.reasoners.side_by_side import side_by_side
from agent.types import Combatant, Comparison, Finding, Step
from retrieval.ingest.rules import ordinal
from retrieval.lookup import CellQuery, want_score
from retrieval.spans import read_label
from retrieval.text import ABILITIES, content_words, normal, phrase
from retrieval.types import Chunk

_ALL = frozenset(
    {"stat", "statistic", "attribute", "characteristic", "property", "profile", "value", "number", "everything"}
)
_TO_HIT = ("roll to hit", "to hit", "attack matrix")
_JUDGED = ("better", "worse")
_NEAREST = "The nearest passages, which may not answer the question:"
_LOW_IS_BETTER = (
    "saving throw",
    "save",
    "armor class",
    "armored",
    "to hit",
    "roll",
    "thac0",
    "experience points",
    "cost",
    "price",
)


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to look up: an entity under certain keys, and what to call it."""

    name: str
    entity: str
    keys: tuple[tuple[str, str], ...]


def reason(comparison: Comparison, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Look up what is asked on what `chunks` say. `final` allows quoting prose where no cell answers."""
    notebook = Notebook(chunks, prefix)
    steps: list[Step] = []
    comparison = _with_target(comparison, notebook, steps)
    if not comparison.entities or comparison.superlative:
        return _open_question(comparison, notebook, steps)
    if _wants_everything(comparison.attribute):
        return side_by_side(comparison.entities, notebook)
    cases = list(cases_of(comparison))
    if _asks_hit_points(comparison):
        return _hit_points(cases, comparison, notebook)
    facts = [_look_up(case, comparison, notebook) for case in cases]
    if final and not any(facts) and not comparison.keys:
        quoted = [_quote(case, comparison, notebook) for case in cases]
        if any(quoted):
            return _told(cases, quoted, comparison, notebook)
    for case, fact in zip(cases, facts, strict=True):
        if fact is None:
            _need(case, comparison, notebook)
    return _compared(cases, facts, comparison, notebook, steps)


def cases_of(comparison: Comparison) -> Iterator[Case]:
    """Pair entities with keys: a key with one value is for all, one with as many values as entities is dealt out."""
    values: dict[str, list[str]] = {}
    for name, value in comparison.keys:
        if value not in values.setdefault(name, []):
            values[name].append(value)
    count = max(len(comparison.entities), *(len(v) for v in values.values())) if values else len(comparison.entities)
    for i in range(count):
        entity = comparison.entities[i % len(comparison.entities)]
        keys = tuple((name, v[i] if len(v) == count else v[0]) for name, v in values.items())
        distinct = [k for k in keys if len(values[k[0]]) > 1]
        yield Case(" ".join([*(_key_words(k) for k in distinct), entity]), entity, keys)


def _key_words(key: tuple[str, str]) -> str:
    name, value = key
    return f"{ordinal(int(value))} level" if name == "level" and value.isdigit() else f"{name} {value}"


def _with_target(comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Comparison:
    """Look the target's armor class up and make it a key."""
    if comparison.target is None:
        return comparison
    target = comparison.target
    found = notebook.read_whole(CellQuery(target, (), ("armor class",)))
    if found is None:
        notebook.need(
            f"the armor class of the {target}",
            f"{target} armor class hit dice",
            purpose="armor class",
            entities=(target,),
        )
        return comparison
    armor_class, fact = found
    steps.append(Step(f"{target} has armor class {armor_class}", armor_class, (fact.cite,)))
    keys = (*comparison.keys, ("armor class", str(armor_class)))
    return Comparison(comparison.entities, comparison.attribute, keys, comparison.prefer)


def _wants_everything(attribute: str) -> bool:
    words = set(phrase(attribute))
    return not words or words <= _ALL


def _look_up(case: Case, comparison: Comparison, notebook: Notebook) -> Fact | None:
    if comparison.target is not None:
        return None
    want = _want(comparison.attribute)
    scores = tuple(key for key in case.keys if key[0] in ABILITIES)
    others = tuple(key for key in case.keys if key[0] not in ABILITIES)
    fact = notebook.read(CellQuery(case.entity, case.keys, want))
    if fact is None and scores and others:
        # An ability score adjusts a roll; it does not select the row.
        fact = notebook.read(CellQuery(case.entity, others, want))
    if fact is None and scores and not others:
        # The table of an ability is everybody's.
        fact = notebook.read(CellQuery("", scores, want))
    return fact


def _want(attribute: str) -> tuple[str, ...]:
    return (attribute, *_TO_HIT) if {"hit", "roll"} & set(phrase(attribute)) else (attribute,)


def _need(case: Case, comparison: Comparison, notebook: Notebook) -> None:
    keys = " ".join(f"{name} {value}" for name, value in case.keys)
    attribute = comparison.attribute
    if comparison.target is None:
        text = " ".join(part for part in (case.entity, attribute, keys) if part)
        notebook.need(
            f"{attribute or 'what the book says'} of {case.name}{f' ({keys})' if keys else ''}",
            text,
            purpose=attribute,
            entities=(case.entity,),
        )


def _quote(case: Case, comparison: Comparison, notebook: Notebook) -> tuple[str, int] | None:
    found = quotes(comparison.attribute, notebook.chunks, entity=case.entity, limit=2)
    if not found:
        return None
    chosen = {q.text for q in found if q.chunk is found[0].chunk}
    text = " ".join(sorted(chosen, key=found[0].chunk.text.find))
    return text, notebook.cite(found[0].chunk, text)


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
    return phrase(comparison.attribute) == ("hit points",) and "level" in dict(comparison.keys)


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
    numbers = [_number(fact.text) if fact else None for fact in facts]
    values = [
        {"name": case.name, "value": fact.text if fact else None, "number": n}
        for case, fact, n in zip(cases, facts, numbers, strict=True)
    ]
    for case, fact in zip(cases, facts, strict=True):
        if fact is not None and fact.cell is not None:
            steps.append(Step(_told_in_short(case, fact), fact.text, (fact.cite,)))
    better, claim = _judge(cases, facts, numbers, comparison)
    found = [n for n in numbers if n is not None]
    difference = abs(found[0] - found[1]) if len(found) == len(numbers) == 2 else None
    if difference is not None:
        steps.append(Step(f"the difference is {difference:g}", difference))
    data = {"attribute": comparison.attribute, "values": values, "better": better, "difference": difference}
    finding = Finding(
        "compare", claim, tuple(steps), data, better or (facts[0].text if len(facts) == 1 and facts[0] else None)
    )
    return notebook.reasoned(finding)


def _told_in_short(case: Case, fact: Fact) -> str:
    return f"{case.name}: {fact.text} ({_where(fact)})"


def _where(fact: Fact) -> str:
    assert fact.cell is not None
    return ", ".join(part for part in (fact.cell.row, fact.cell.column) if part)


def _judge(
    cases: Sequence[Case], facts: Sequence[Fact | None], numbers: Sequence[float | None], comparison: Comparison
) -> tuple[str | None, str]:
    if len(cases) == 1:
        fact = facts[0]
        return None, _told_in_short(
            cases[0], fact
        ) if fact else f"Not found: {comparison.attribute} of {cases[0].name}."
    known = [(n, case.name) for n, case in zip(numbers, cases, strict=True) if n is not None]
    listing = ", ".join(
        f"{case.name} {fact.text if fact else 'not found'}" for case, fact in zip(cases, facts, strict=True)
    )
    if len(known) < len(cases):
        return None, f"{listing}."
    scale = lower_is_better(comparison.attribute)
    low = {"low": True, "better": scale, "worse": not scale}.get(comparison.prefer or "high", False)
    best = (min if low else max)(known)
    ties = [name for n, name in known if n == best[0]]
    if len(ties) > 1:
        return None, f"{' and '.join(ties)} are equal: {listing}."
    if comparison.prefer is None:
        return None, f"{listing}."
    why = f"{'lower' if low else 'higher'} is {comparison.prefer if comparison.prefer in _JUDGED else 'asked for'}"
    return best[1], f"{best[1]} ({listing}; {why})."


def lower_is_better(attribute: str) -> bool:
    """True for armor class, saving throws, rolls to hit and costs, where the lower number is the better one."""
    words = set(normal(attribute))
    return any(set(phrase(measure)) <= words for measure in _LOW_IS_BETTER)


def _number(text: str) -> float | None:
    """The number a cell begins with: *8+3* hit dice are 8.03, *250,000* is a quarter million."""
    match = re.match(r"\s*([+-]?[\d,]*\d(?:[+]\d+|\.\d+)?)", text)
    span = read_label(match[1]).span if match else None
    return span.minimum if span else None


def _open_question(comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Reasoned:
    """No entity is named: read the row whose name the question holds, else quote what comes nearest.

    A quotation is an answer only where every word that matters occurs in the evidence, and nothing was to be ranked
    or looked up; otherwise it is shown as the nearest passage, and the question stays open.
    """
    data: dict[str, object] = {"attribute": comparison.attribute, "values": [], "better": None}
    fact = None if comparison.superlative else _free_lookup(comparison, notebook)
    if fact is not None and fact.cell is not None:
        step = Step(f"{fact.text} ({_where(fact)})", fact.text, (fact.cite,))
        return notebook.reasoned(Finding("compare", step.text, (step,), data, fact.text))
    found = quotes(comparison.attribute, notebook.chunks) if not comparison.keys else []
    unseen = unseen_words(comparison.attribute, notebook.chunks)
    if not found or unseen or comparison.prefer is not None:
        need = f"{comparison.attribute} (nowhere: {', '.join(unseen)})" if found and unseen else comparison.attribute
        notebook.need(need, comparison.attribute or "?", purpose="open question")
    steps += [Step(q.text, None, (notebook.cite(q.chunk, q.text),)) for q in found]
    if not found:
        return notebook.reasoned(Finding("compare", f"Not found: {comparison.attribute}.", (), data))
    return notebook.reasoned(Finding("compare", _NEAREST if notebook.needs else found[0].text, tuple(steps), data))


def _free_lookup(comparison: Comparison, notebook: Notebook) -> Fact | None:
    """*What does a long sword cost?* names a row and a column of some table."""
    if comparison.keys:
        fact = notebook.read(CellQuery("", comparison.keys, _want(comparison.attribute)))
        if fact is not None:
            return fact
    words = frozenset(content_words(comparison.attribute))
    for chunk in notebook.chunks:
        for table in chunk.tables:
            for row in table.rows:
                name = frozenset(phrase(row[0]))
                rest = " ".join(sorted(words - name))
                if name and name < words and any(want_score((rest,), " ".join(path)) > 0 for path in table.columns[1:]):
                    return notebook.read(CellQuery(row[0], (), (rest,)), among=[chunk])
    return None
