"""Answer a question from prose: the sentences, cited, and a need if they don't answer it completely.

If the question names several entities and the sentences give an amount of each, the amounts are compared, subtracted or
added up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agent.prose.answer import Prose
from agent.prose.asked import is_ranking, prose_question, superlatives_in
from agent.prose.candidates import ProseAnswer, Quote
from agent.prose.described import DescriptionSearch
from agent.prose.entries import Entry, Value, entries_of
from agent.prose.kinds import KindGate
from agent.prose.nearest import Nearness
from agent.prose.overview import section_overview
from agent.prose.subjects import prose_subjects
from agent.prose.words import stem, stems
from agent.reasoning.notebook import Notebook
from agent.reasoning.values.comparing import computed, judged, told_first
from agent.reasoning.values.quantities import quantities_of
from agent.types import IN_DOUBT, CellRef, Finding, Reasoned, Step
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import in_own_words
from retrieval.text.normal import normal
from retrieval.types import Chunk

NEAREST = "The nearest passages, which may not answer the question:"
_SEVERAL = 2
_LAST = 2
"""The tokens at which a question ends: its last word and its end."""
_BRIEF = 4
"""The most words of a value that is shown beside a description."""
PROSE = "prose"
"""The kind of findings from sentences."""
_OF_SECTIONS = ("overview", "manner", "value")
"""The kinds of answer that a whole section may give, if its name is what is asked for."""
_DESCRIBED = ("overview", "value", "person", "whether")
"""The kinds of answer that a description of the subject may give."""


def from_prose(question: Tagged, notebook: Notebook, nearness: Nearness | None = None) -> Reasoned:
    """Answer a question from the sentences of the evidence; if it names several entities, each by its own sentence.

    The names above a passage say which entity it is about. Sentences don't answer a question for a ranking or a
    computation.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.types import Chunk
    >>> oil = Chunk("c1", "Change the oil once a year.", "Oil")
    >>> from_prose(tagged("How often should I change the oil?"), Notebook([oil])).finding.claim
    'Change the oil once a year.'
    """
    subjects = prose_subjects(question, notebook.chunks)
    reasoned = _of_several(question, subjects, notebook) if len(subjects) >= _SEVERAL else None
    if reasoned is None:
        reasoned = _of_one(_of_nobody_else(question, subjects), next(iter(subjects), ""), notebook, nearness)
    return reasoned


def to_compare(question: Tagged, chunks: Sequence[Chunk], *, is_open: bool = False) -> tuple[str, ...]:
    """Return the sentences whose similarity to the question `from_prose` needs. If the question `is_open`, because no
    sentence answers it by its words, descriptions of entities are included.
    """
    subjects = prose_subjects(question, chunks)
    question = _of_nobody_else(question, subjects)
    if len(subjects) >= _SEVERAL:
        return ()  # no sentence answers these in whole, and comparing takes its time
    subject = next(iter(subjects), "")
    asked = prose_question(question, subject)
    described = DescriptionSearch(asked, question, entries_of(chunks)).to_compare() if is_open else ()
    return tuple(dict.fromkeys((*Prose(asked, chunks, question.language).to_compare(), *described)))


def _of_nobody_else(question: Tagged, subjects: Sequence[str]) -> Tagged:
    """Return the question without its operation if there is no second subject to compute with. *How many times may it
    be washed* asks for no ratio, and a sentence that says *average* answers *at what average heat*.
    """
    if question.end is not None or len(subjects) >= _SEVERAL:
        return question
    plain = question.as_words()
    names_it = not question.operation_places.isdisjoint(dict(plain.words()))
    return plain if question.operation == "ratio" or names_it else question


def _of_one(question: Tagged, subject: str, notebook: Notebook, nearness: Nearness | None) -> Reasoned:
    """Return the sentences that answer; otherwise the nearest ones, with a need for the open question."""
    told = told_of(question, notebook, subject, nearness=nearness)
    is_whole = told.is_whole and (not is_ranking(question) or _is_ranked_there(question, told))
    is_whole = is_whole and not _filters(question)
    near: tuple[Entry, ...] = ()
    if not is_whole and nearness is not None:
        described = DescriptionSearch(prose_question(question, subject), question, entries_of(notebook.chunks))
        if (entry := described.best_entry(nearness)) is not None:
            notebook.need(f"whether {entry.name} is meant", question.question, purpose=IN_DOUBT)
            return _of_described(entry, described.values(entry), question, notebook)
        near = described.nearest_entries(nearness)
    asked = _wording(question)
    if not is_whole:
        notebook.need(asked, question.question or "?", purpose="open question")
    is_nobody = is_description(question) and not is_whole  # the nearest sentence describes another subject
    if is_nobody or not (told.quotes or near):
        return _reasoned(notebook, asked, f"Not found: {asked}.")
    steps = [_passage(entry, notebook) for entry in near]
    for quote in told.quotes:
        if not any(entry.description.text in quote.text for entry in near):
            steps.append(Step(quote.text, None, (cited(quote, notebook),)))
    return _reasoned(notebook, asked, steps[0].text if is_whole else NEAREST, steps)


def _filters(question: Tagged) -> bool:
    """True for *which centres have a stock below 30*: a sentence about such centres names none. *What do guests under
    12 need* filters nothing.
    """
    first, second = question.tokens[:2]
    is_filter = first in question.language.kinds and second not in question.language.support
    return is_filter and any(n.limit for n in question.numbers)


def _is_ranked_there(question: Tagged, told: ProseAnswer) -> bool:
    """True if the sentence itself has the words that rank: *Highest flow on record: 312 m3/s*."""
    said = normal(told.quotes[0].text)
    degrees = {question.degree, *superlatives_in(question)} - {""}
    return question.operation is None and bool(degrees) and degrees.issubset(said)


def _reasoned(
    notebook: Notebook,
    asked: str,
    claim: str,
    steps: Sequence[Step] = (),
    values: Sequence[Mapping[str, str | None]] = (),
    judged: Judged | None = None,
) -> Reasoned:
    """Return the finding, with the value of each subject and the result of their comparison."""
    data: dict[str, object] = {"attribute": asked, "values": list(values), "better": None}
    if judged is not None:
        data |= {"better": judged.better, "difference": judged.result}
    return notebook.reasoned(Finding(PROSE, claim, tuple(steps), data, None if judged is None else judged.verdict))


def _of_described(entry: Entry, values: Sequence[Value], question: Tagged, notebook: Notebook) -> Reasoned:
    """Return the value asked for of the entity whose description matches, or else its name and description."""
    others = (each for each in entry.other_cells if len(each.text.split()) <= _BRIEF)
    told = dict.fromkeys((*values, entry.description, *others))
    steps = [_value_of(value, entry, notebook) for value in told]
    assumed = Step(f"assumed: {entry.name} is meant, which is described so")
    data = [{"name": entry.name, "value": value.text} for value in values]
    return _reasoned(notebook, _wording(question), steps[0].text, [assumed, *steps], data)


def _passage(entry: Entry, notebook: Notebook) -> Step:
    """Return a possibly meant entry, with all values beside it."""
    text = entry.description.text
    told = (f"{value.head}: {value.text}" if value.head else value.text for value in entry.other_cells)
    cell = None if entry.description.cell is None else CellRef(*entry.description.cell)
    return Step("; ".join((f"{entry.name}: {text}", *told)), None, (notebook.cite(entry.chunk, text, cell),))


def _value_of(value: Value, entry: Entry, notebook: Notebook) -> Step:
    """Return a value of an entry, with a citation of its cell."""
    where = f" ({value.head})" if value.head else ""
    label = f"{entry.name} / {value.head}" if value.head else entry.name
    quote = value.text if value.cell is None else f"{label} = {value.text}"
    cite = notebook.cite(entry.chunk, quote, None if value.cell is None else CellRef(*value.cell))
    return Step(f"{entry.name}: {value.text}{where}", value.text, (cite,))


def _of_several(question: Tagged, subjects: Sequence[str], notebook: Notebook) -> Reasoned | None:
    """Return the sentences about each subject, by name; None if there are none for any."""
    all_told = {name: told_of(question, notebook, name, subjects) for name in subjects}
    if not any(told.is_whole for told in all_told.values()):
        return _near(question, [quote for told in all_told.values() for quote in told.quotes[:1]], notebook)
    said: list[Step] = []
    asked = _wording(question)
    quotes = {name: _joined(told) if told.is_whole else None for name, told in all_told.items()}
    for name, quote in quotes.items():
        if quote is None:
            notebook.need(f"{name}: {asked}", f"{name} {asked}", purpose="open question", entities=(name,))
        else:
            said.append(Step(f"{name}: {quote.text}", None, (cited(quote, notebook),)))
    values = [{"name": name, "value": quote.text if quote else None} for name, quote in quotes.items()]
    if is_ranking(question):
        texts = {name: quote.text for name, quote in quotes.items() if quote is not None}
        judged = held_against(question, texts) if _is_measured(question, subjects) else None
        if judged is not None and len(judged.amounts) == len(subjects):
            return _reasoned(notebook, asked, judged.claim, [*said, *judged.steps], values, judged)
        notebook.need(f"which of them: {asked}", question.question)
    return _reasoned(notebook, asked, f"On {' and '.join(subjects)}, the book says:", said, values)


def _is_measured(question: Tagged, subjects: Sequence[str]) -> bool:
    """False for *the difference between a lamp and a torch*, which names no measure to compare."""
    named = stems(" ".join(subjects))
    return question.end is not None or any(stem(word) not in named for _, word in question.words())


def _near(question: Tagged, quotes: Sequence[Quote], notebook: Notebook) -> Reasoned | None:
    """Return the nearest passages for each of several subjects, which may not answer; None if fewer than two differ."""
    asked = _wording(question)
    said = tuple(dict.fromkeys(Step(quote.text, None, (cited(quote, notebook),)) for quote in quotes))
    if len(said) < _SEVERAL:
        return None
    notebook.need(asked, question.question, purpose="open question")
    return _reasoned(notebook, asked, NEAREST, said)


def _joined(told: ProseAnswer) -> Quote:
    """Return all quotes from the chunk of the first quote as one."""
    first = told.quotes[0]
    return Quote(" ".join(quote.text for quote in told.quotes if quote.chunk is first.chunk), first.chunk)


def _wording(question: Tagged) -> str:
    """Return what is asked in the asker's words, without the words that only ask."""
    named = {place for place, _ in question.words()} | {number.place for number in question.numbers}
    stretches: list[list[str]] = []
    for place in sorted(named - question.asking):
        if not stretches or place - 1 not in named:
            stretches.append([])
        stretches[-1].append(question.tokens[place])
    said = " ".join(in_own_words(stretch, question.question) for stretch in stretches)
    return said or question.question.strip().rstrip("?!. ")


def told_of(
    question: Tagged,
    notebook: Notebook,
    subject: str = "",
    others: Collection[str] = (),
    nearness: Nearness | None = None,
) -> ProseAnswer:
    """Return what the evidence says about a subject: its section as a whole, or sentences."""
    asked = prose_question(question, subject, others)
    may_be_section = asked.kind in _OF_SECTIONS and not asks_by_verb(question)
    section = section_overview(asked, notebook.chunks) if may_be_section else ProseAnswer()
    return section if section.is_whole else Prose(asked, notebook.chunks, question.language, nearness).answer()


def asks_by_verb(question: Tagged) -> bool:
    """True for *what does it go with*, which asks for more than what it is; but *what does it do* asks for no more, and
    *what does an adult pay* for all amounts.
    """
    language, last = question.language, len(question.tokens) - _LAST
    is_measured = any(question.tokens[last] in each.verbs for each in language.dimensions)
    places = question.places(language.support)
    return question.tokens[0] in language.kinds and bool(places) and places[-1] < last and not is_measured


def cited(quote: Quote, notebook: Notebook) -> int:
    """Return the number of the citation of a quote."""
    return notebook.cite(quote.chunk, quote.text)


def is_description(question: Tagged) -> bool:
    """True for *describe a troll*, which asks for a description."""
    return prose_question(question).kind == "overview"


def may_describe(question: Tagged) -> bool:
    """False if a time, a place, a reason or an amount of no known dimension is asked for: a description of the subject
    doesn't answer that. What one *pays* may be among the values.
    """
    asked = prose_question(question)
    return asked.kind in _DESCRIBED or bool(asked.dimensions)


@dataclass(frozen=True, slots=True)
class Judged:
    """The comparison or sum of amounts, by the names that they belong to. `better` is the name whose amount is at the
    end that is asked for.
    """

    amounts: Mapping[str, str]
    claim: str
    better: str | None = None
    verdict: str | None = None
    result: float | None = None
    steps: tuple[Step, ...] = ()


def held_against(question: Tagged, texts: Mapping[str, str]) -> Judged | None:
    """Compare, subtract or add the amounts that the texts give for each name; None if a text gives no amount, or
    several.

    >>> from agent.understanding.question.tagged import tagged
    >>> question = tagged("Which lamp burns longer, the red or the blue?")
    >>> found = held_against(question, {"red": "The red lamp burns for 3 hours.", "blue": "The blue one, for 5 hours."})
    >>> (found.verdict, found.claim) if found else None
    ('blue', 'blue (red 3 hours, blue 5 hours; higher is asked for).')
    >>> text = "The yard has 8 oak boats and 12 elm boats."
    >>> found = held_against(tagged("Are there more oak boats or elm boats?"), {"oak boats": text, "elm boats": text})
    >>> found.verdict if found else None
    'elm boats'
    """
    amounts = {name: _amount(question, name, texts) for name in texts}
    if len(amounts) > len(set(texts.values())) == len(set(amounts.values())):
        return None  # one sentence for several, of which it gives only one amount
    quantities = quantities_of(list(amounts.values())) if all(amounts.values()) else None
    if quantities is None or len({quantity.unit for quantity in quantities}) > 1:
        return None
    listing = ", ".join(f"{name} {amount}" for name, amount in amounts.items())
    if question.operation in ("difference", "total"):
        result = computed(question.operation, quantities, list(amounts.values()))
        if result is None:
            return None
        told = f"{result:,.10g} {quantities[0].written_unit}".strip()
        step = Step(f"the {question.operation} is {told}", result)
        claim = f"The {question.operation} is {told} ({listing})."
        return Judged(amounts, claim, None, told, result, (step,))
    end = question.end_for(question.language.measures_of(quantities[0].unit))
    if end not in ("low", "high"):
        return None
    better, claim = judged(list(amounts), quantities, listing, end)
    claim = told_first(question, list(amounts), list(amounts.values()), better) + claim
    return Judged(amounts, claim, better, better)


def _amount(question: Tagged, name: str, texts: Mapping[str, str]) -> str:
    """Return the amount that a text gives. A word of the subject's own name is not taken for its unit: *8 oak
    boats*.
    """
    told = KindGate(prose_question(question, name, texts), question.language).amount_of(texts[name])
    number, _, unit = told.rpartition(" ")
    return number if number and stem(unit.casefold()) in stems(name) else f"{number} {unit}".strip()
