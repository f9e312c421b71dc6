"""An answer as Markdown: for a file, a ticket, a chat."""

from __future__ import annotations

import re

from agent.escape import one_line, printable
from agent.render.words import where
from agent.types import Answer, Citation

_MARKUP = re.compile(r"([\\`*_{}<>#|~]|\[(?!\d+\])|(?<!\d)\])")


def to_markdown(answer: Answer) -> str:
    """The question as heading, the text with its working and what is missing, and the sources.

    >>> from agent.types import Comparison, Evidence, Plan
    >>> print(to_markdown(Answer("How many?", "Seven.", Plan("How many?", (), Comparison((), "")), Evidence())))
    ## How many?
    <BLANKLINE>
    Seven.
    """
    blocks = [f"## {_escaped(answer.question)}", printable(answer.text)]
    if answer.citations:
        blocks.append("\n".join(["### Sources", "", *map(_citation, answer.citations)]))
    return "\n\n".join(block for block in blocks if block.strip())


def _citation(citation: Citation) -> str:
    place = f"{_escaped(citation.title)} ({_escaped(where(citation))})"
    return f"{citation.n}. {place}: {_escaped(citation.quote)}"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", one_line(text))
