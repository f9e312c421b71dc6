"""The finding of a question that prose answers: the sentences, cited, and a need where they do not answer in whole."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.languages.phrases import found
from agent.prose.answer import Prose, Quote, Told
from agent.prose.asked import Asked, asked_of
from agent.prose.overview import section_told
from agent.prose.subjects import subjects_of
from agent.reasoning.notebook import Notebook
from agent.types import Finding, Reasoned, Step
from agent.understanding.clauses import in_own_words
from agent.understanding.tagged import Tagged, tagged
from retrieval.text.normal import phrase

_NEAREST = "The nearest passages, which may not answer the question:"
PROSE = "prose"
"""What findings from sentences are called."""
_OF_SECTIONS = ("overview", "manner", "value")
"""The kinds of answer that a section gives that is called as what is asked."""


def from_prose(question: Tagged, notebook: Notebook, steps: tuple[Step, ...] = ()) -> Reasoned:
    """Answer a question from the sentences of the evidence, each of several that it names by a sentence of its own.

        Whom it is about is told by the names that the evidence stands under. What is to be ranked or computed is not
        answered by sentences.

        >>> from agent.understanding.clauses import in_own_words
    from agent.understanding.tagged import tagged
        >>> from retrieval.types import Chunk
        >>> oil = Chunk("c1", "Change the oil once a year.", "Oil")
        >>> from_prose(tagged("How often should I change the oil?"), Notebook([oil])).finding.claim
        'Change the oil once a year.'
    """
    subjects = subjects_of(question, notebook.chunks)
    if len(subjects) > 1 and (reasoned := _of_several(question, subjects, notebook, steps)) is not None:
        return reasoned
    return _of_one(question, next(iter(subjects), ""), notebook, steps)


def _of_one(question: Tagged, subject: str, notebook: Notebook, steps: tuple[Step, ...]) -> Reasoned:
    """The sentences that answer; else those that are near, and the question is open."""
    told = told_of(question, notebook, subject)
    is_whole = told.is_whole and not _ranks(question)
    asked = _wording(question)
    data: dict[str, object] = {"attribute": asked, "values": [], "better": None}
    if not is_whole:
        notebook.need(asked, question.question or "?", purpose="open question")
    if not told.quotes:
        return notebook.reasoned(Finding(PROSE, f"Not found: {asked}.", (), data))
    quoted = tuple(Step(quote.text, None, (cited(quote, notebook),)) for quote in told.quotes)
    claim = quoted[0].text if is_whole else _NEAREST
    return notebook.reasoned(Finding(PROSE, claim, (*steps, *quoted), data))


def _of_several(
    question: Tagged, subjects: Sequence[str], notebook: Notebook, steps: tuple[Step, ...]
) -> Reasoned | None:
    """What is said of each, by name; None where nothing is said of any."""
    all_told = {name: told_of(question, notebook, name, subjects) for name in subjects}
    if not any(told.is_whole for told in all_told.values()):
        return None
    said = list(steps)
    values: list[dict[str, str | None]] = []
    asked = _wording(question)
    for name, told in all_told.items():
        if told.is_whole:
            quote = _joined(told)
            said.append(Step(f"{name}: {quote.text}", None, (cited(quote, notebook),)))
        else:
            notebook.need(f"{name}: {asked}", f"{name} {asked}", purpose="open question", entities=(name,))
        values.append({"name": name, "value": quote.text if told.is_whole else None})
    if _ranks(question):
        notebook.need(f"which of them: {asked}", asked)
    data: dict[str, object] = {"attribute": asked, "values": values, "better": None}
    return notebook.reasoned(Finding(PROSE, f"On {' and '.join(subjects)}, the book says:", tuple(said), data))


def _wording(question: Tagged) -> str:
    """What is asked, without the words that only ask, as the asker wrote them."""
    stretches: list[list[str]] = []
    last = -1
    for place, token in question.words():
        if not stretches or place > last + 1:
            stretches.append([])
        stretches[-1].append(token)
        last = place
    said = " ".join(in_own_words(stretch, question.question) for stretch in stretches)
    return said or question.question.strip().rstrip("?!. ")


def _joined(told: Told) -> Quote:
    """All that the first of the quoted passages says."""
    first = told.quotes[0]
    return Quote(" ".join(quote.text for quote in told.quotes if quote.chunk is first.chunk), first.chunk)


def _ranks(question: Tagged) -> bool:
    """True where values are held against each other, or something is computed from several."""
    if question.operation not in (None, "count", "compare"):
        return True
    end = None if question.end is None else question.tokens[question.end]
    return end is not None and question.language.degree_of(end) in ("comparative", "superlative")


def told_of(question: Tagged, notebook: Notebook, subject: str = "", others: Collection[str] = ()) -> Told:
    """What the evidence says of a subject in words: its section as a whole, or sentences."""
    asked = asked_of(question, subject, others)
    section = section_told(asked, notebook.chunks) if _wants_section(asked) else Told()
    return section if section.is_whole else Prose(asked, notebook.chunks, question.language).answer()


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
