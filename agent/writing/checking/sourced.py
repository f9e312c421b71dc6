"""Find the source of a sentence that cites none: small models forget the marks, and what they say has a place anyway.

Only a sentence with a number can be placed: a passage is its source if the number has support there and nowhere
without it, by the check that every cited sentence passes (`agent.writing.checking.support`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agent.types import Finding
from agent.writing.checking.prose import uncited
from agent.writing.checking.support import Support
from retrieval.text.normal import content_words
from retrieval.types import Chunk

_END = re.compile(r"[.!?]*\s*$")


def with_sources(text: str, findings: Sequence[Finding], chunks: Mapping[int, Chunk], question: str) -> str:
    """Return a text with the mark of its source behind each sentence that cites none, where one has its numbers.

    Of several sources it is the one with the most words of the sentence. Nothing is added to an answer that has
    computed findings to rest on.

    >>> owls = {2: Chunk("c", "An owl lays 3 eggs.", "Owl"), 5: Chunk("d", "A crow lays 5 eggs.", "Crow")}
    >>> with_sources("An owl lays 3 eggs.\\nIt sees well.", (), owls, "How many eggs does an owl lay?")
    'An owl lays 3 eggs [2].\\nIt sees well.'
    """
    support = Support(findings, chunks, question)
    for sentence in dict.fromkeys(uncited(text, findings)):
        number = _source_of(sentence, chunks, support)
        if number is not None:
            text = text.replace(sentence, _END.sub(rf" [{number}]\g<0>", sentence, count=1), 1)
    return text


def _source_of(sentence: str, chunks: Mapping[int, Chunk], support: Support) -> int | None:
    """Return the number of the source that supports a sentence's numbers; None if it has none, or no source does."""
    if not support.lacking(sentence, ()):
        return None
    words = frozenset(content_words(sentence))
    having = [number for number in chunks if not support.lacking(sentence, (number,))]
    return max(having, key=lambda number: len(words & _words_of(chunks[number])), default=None)


def _words_of(chunk: Chunk) -> frozenset[str]:
    return frozenset(content_words(f"{chunk.title} {chunk.text}"))
