"""The finding of a question that prose answers: the sentences, cited, and a need where they do not answer in whole."""

from __future__ import annotations

from collections.abc import Collection

from agent.languages.phrases import found
from agent.prose.answer import Prose, Quote, Told
from agent.prose.asked import Asked, asked_of
from agent.prose.overview import section_told
from agent.reasoning.notebook import Notebook
from agent.types import Finding, Reasoned, Step
from agent.understanding.intent import Comparison
from agent.understanding.tagged import Tagged, tagged
from retrieval.text.normal import phrase

_NEAREST = "The nearest passages, which may not answer the question:"
PROSE = "prose"
"""What findings from sentences are called."""
_OF_SECTIONS = ("overview", "manner", "value")
"""The kinds of answer that a section gives that is called as what is asked."""


def from_prose(comparison: Comparison, notebook: Notebook, steps: tuple[Step, ...] = ()) -> Reasoned:
    """Answer from sentences; what is to be ranked is not answered by them."""
    question = tagged(comparison.question or comparison.described)
    told = told_of(question, notebook, next(iter(comparison.entities), ""))
    data: dict[str, object] = {"attribute": comparison.attribute, "values": [], "better": None}
    is_whole = told.is_whole and not (comparison.superlative or comparison.prefer is not None)
    if not is_whole:
        notebook.need(comparison.attribute, comparison.attribute or "?", purpose="open question")
    if not told.quotes:
        return notebook.reasoned(Finding(PROSE, f"Not found: {comparison.attribute}.", (), data))
    steps_ = tuple(Step(quote.text, None, (cited(quote, notebook),)) for quote in told.quotes)
    claim = steps_[0].text if is_whole else _NEAREST
    return notebook.reasoned(Finding(PROSE, claim, (*steps, *steps_), data))


def told_of(question: Tagged, notebook: Notebook, subject: str = "", others: Collection[str] = ()) -> Told:
    """What the evidence says of a subject in words: its section as a whole, or sentences."""
    asked = asked_of(question, subject, others)
    prose = Prose(asked, notebook.chunks, question.language)
    section = section_told(asked, notebook.chunks) if _wants_section(asked) else Told()
    return section if section.is_whole else prose.answer()


def _wants_section(asked: Asked) -> bool:
    return asked.kind in _OF_SECTIONS


def cited(quote: Quote, notebook: Notebook) -> int:
    """The number of the citation of a quote."""
    return notebook.cite(quote.chunk, quote.text)


def is_description(question: str) -> bool:
    """True for *describe a troll*, which asks for all that is said of it."""
    return asked_of(tagged(question)).kind == "overview"


def is_owned(name: str, question: str) -> bool:
    """True for the *abilities* of *a troll and its abilities*: what is asked of the one before."""
    asked = tagged(question)
    place = found(asked.tokens, phrase(name))
    return bool(place) and (asked.tokens[(place or 0) - 1],) in asked.language.told_by.get("pronouns", ())
