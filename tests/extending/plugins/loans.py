"""A domain: what loans cost over some years, which is the fee and the yearly interest, read from the cells of a book.

[project.entry-points."versus.domains"]
loans = "loans:Loans"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from versus import CellQuery, Chunk, Domain, Finding, Intent, Lexicon, Notebook, Reasoned, Step, Tagged

BORROWED = 1000
ATTRIBUTES = ("opening fee", "yearly rate")


@dataclass(frozen=True, slots=True)
class LoanCosts:
    """What a question means that this domain answers."""

    loans: tuple[str, ...]
    years: int

    @property
    def described(self) -> str:
        return f"cost over {self.years} years of {' and '.join(self.loans)}"


class Loans(Domain):
    """Questions that name several things of the collection and a number of years."""

    name = "loans"

    def recognise(self, asked: Tagged, lexicon: Lexicon) -> LoanCosts | None:
        years = years_in(asked)
        names = dict.fromkeys(mention.name for mention in lexicon.mentions(asked.tokens))
        return LoanCosts(tuple(names), years) if years and len(names) > 1 else None

    def continued(self, previous: Intent, asked: Tagged, lexicon: Lexicon) -> LoanCosts | None:
        years = years_in(asked)
        return replace(previous, years=years) if isinstance(previous, LoanCosts) and years else None

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        if not isinstance(intent, LoanCosts):
            return None
        notebook = Notebook(chunks, prefix)
        costs, steps = dict[str, float](), list[Step]()
        for loan in intent.loans:
            if (step := cost_of(loan, intent.years, notebook)) is not None:
                costs[loan] = float(step.value or 0)
                steps.append(step)
        values = {"loans": [{"name": loan, "value": costs.get(loan)} for loan in intent.loans], "years": intent.years}
        claim, verdict = "Not all of the costs are known.", None
        if len(costs) == len(intent.loans):
            verdict = min(costs, key=costs.__getitem__)
            claim = f"Over {intent.years} years the {verdict} is the cheapest."
        return notebook.reasoned(Finding(self.name, claim, tuple(steps), values, verdict))

    def claims(self, finding: Finding) -> Cheapest:
        return Cheapest(finding)


def years_in(asked: Tagged) -> int | None:
    """The number that stands before *years*."""
    behind = {number.value: asked.tokens[number.place + 1] for number in asked.numbers}
    return next((int(value) for value, token in behind.items() if token == "year"), None)


class Cheapest:
    """What a model may say of the finding: nobody else is the cheapest."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding

    def contradiction(self, sentence: str) -> str | None:
        others = [loan["name"] for loan in self.finding.values["loans"] if loan["name"] != self.finding.verdict]
        wrong = any(f"{name} is the cheapest" in sentence for name in others)
        return f"it was computed that the {self.finding.verdict} is cheaper" if wrong else None

    def told(self, text: str) -> bool:
        return str(self.finding.verdict) in text


def cost_of(loan: str, years: int, notebook: Notebook) -> Step | None:
    """What one loan costs, with the cells that say so; None while a cell is missing, which is then looked for."""
    fee, rate = (notebook.read(CellQuery(loan, (), (attribute,))) for attribute in ATTRIBUTES)
    for attribute, fact in zip(ATTRIBUTES, (fee, rate), strict=True):
        if fact is None:
            notebook.need(f"the {attribute} of the {loan}", f"{loan} {attribute}", entities=(loan,))
    if fee is None or rate is None:
        return None
    cost = float(fee.text) + years * BORROWED * float(rate.text.rstrip("% ")) / 100
    text = f"{loan}: {fee.text} + {years} years x {rate.text} of {BORROWED} = {cost:g}"
    return Step(text, cost, (fee.cite, rate.cite))
