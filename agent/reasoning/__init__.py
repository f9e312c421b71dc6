"""Reasoners turn evidence into findings: numbers are read from cells and computed by code, never guessed.

A question that was understood comes to `binding`, which tries the ways to answer it by cells: whoever it names is
looked up in `subjects`, the members of a kind (`kinds`) are chosen by `selection`, and `rows` has what the cells of a
row tell together. `coverage` holds what was found against every word, and `execution` writes the finding with its
citations. Below all of them `measures` says what labels and words measure, and `values` what the text of a cell is
worth. What no cell answers is answered by sentences: `lookup`, `from_prose`.
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
"""Characters in which an open question's sentences are found in a millisecond."""


def reason(
    intent: Intent,
    chunks: Sequence[Chunk],
    prefix: str = "q",
    *,
    plugins: bool = True,
    nearness: Nearness | None = None,
) -> Reasoned:
    """Let the domain that an intent is of work on these chunks; without `plugins`, of our own domains.

    It makes the most of them, and names all that more retrieval might fill, in sub-queries whose ids begin with
    `prefix`. `nearness` is that of the sentences that `sentences_of` named. Numbers beyond what is computed are a need
    that says so.
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
    """What each domain says that has something to say; in the end what the core does."""
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
    """All that the reasoner needs when it knows nothing."""
    return reason(intent, ()).looked_for
