"""Reasoners turn evidence into findings: numbers are read from cells and computed by code, never guessed.

`binding` takes a linked question and tries the ways to answer it from cells. `subjects` looks up the entities that the
question names, `kinds` finds the rows or records that are entities of one kind, `selection` filters or ranks them, and
`rows` matches words of the question with several cells of one row. `coverage` checks that the found cells account for
every word of the question, and `execution` writes the finding with its citations. All of them rest on `measures`, the
dimensions and units of labels and words, and on `values`, the parsing of cell texts. A question that no cell answers is
answered from sentences by `lookup` and `from_prose`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.plugins.domains import installed, own_of
from agent.prose.nearest import Nearness
from agent.reasoning.lookup import look_up, sentences_of
from agent.reasoning.notebook import Notebook
from agent.reasoning.values.dice import NotComputed
from agent.types import Finding, Need, Reasoned
from agent.understanding.question.intent import Intent, Lacking, Lookup
from retrieval.types import Chunk

__all__ = ["first_needs", "is_brief", "reason", "sentences_of"]

_SHORT_EVIDENCE = 20_000
"""Characters of evidence in which the sentences for an open question are found in a millisecond."""


def reason(
    intent: Intent,
    chunks: Sequence[Chunk],
    prefix: str = "q",
    *,
    plugins: bool = True,
    nearness: Nearness | None = None,
) -> Reasoned:
    """Let the domain of an intent reason over these chunks; without `plugins`, only the project's own domains.

    The result is as complete as the chunks allow, and lists the sub-queries that might fill the gaps; their ids begin
    with `prefix`. `nearness` holds the similarities of the sentences that `sentences_of` returned. A number beyond the
    limits of computation becomes a need that says so.
    """
    if isinstance(intent, Lacking):
        return _unable(intent, chunks, prefix, intent.described)
    try:
        return next(_reasoned(intent, chunks, prefix, nearness, plugins=plugins))
    except NotComputed as error:
        return _unable(intent, chunks, prefix, f"what is asked, for it was not computed: {error}")
    except StopIteration:
        return _unable(intent, chunks, prefix, "what is asked, for no domain that is installed computes it")


def _reasoned(
    intent: Intent, chunks: Sequence[Chunk], prefix: str, nearness: Nearness | None, *, plugins: bool
) -> Iterator[Reasoned]:
    """Yield the result of each domain that handles the intent, and last that of the core."""
    for domain in installed() if plugins else own_of(installed()):
        found = domain.reason(intent, chunks, prefix)
        if found is not None:
            yield found
    if isinstance(intent, Lookup):
        yield look_up(intent, chunks, prefix, nearness)


def _unable(intent: Intent, chunks: Sequence[Chunk], prefix: str, need: str) -> Reasoned:
    notebook = Notebook(chunks, prefix)
    notebook.need(need, intent.described)
    return notebook.reasoned(Finding("bounds", ""))


def is_brief(intent: Intent, chunks: Sequence[Chunk]) -> bool:
    """Return whether reasoning takes about a millisecond: an open question, little to read, and no plug-in."""
    little = sum(len(chunk.text) for chunk in chunks) <= _SHORT_EVIDENCE
    return isinstance(intent, Lookup) and little and own_of(installed()) == installed()


def first_needs(intent: Intent) -> tuple[Need, ...]:
    """Return all that the reasoner needs if it has no evidence."""
    return reason(intent, ()).looked_for
