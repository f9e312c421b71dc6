"""An answer as Markdown: for a file, a ticket, a chat.

Text from a model or a book is escaped: it can't draw an image, link, open a heading or write HTML. So it can't show one
address and lead to another, or report to a server through an image that it was read. All markup is ours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from agent.escape import one_line, printable
from agent.render.words import where
from agent.types import Answer, Citation

_MARKUP = re.compile(
    r"[\\`*_{}<>#|~$&@\[\]]"
    r"|!(?=\[)"
    r"|(?<=:)/(?=/)"  # many readers turn any address into a link
    r"|(?<=\bwww)\.",
    re.IGNORECASE,
)
_UNDERLINE = re.compile(r"=|-[- ]*$")
"""A line that turns the line above it into a heading, or is a rule."""
_CITED = re.compile(r"(\[\d+\])(?![(:])")
_ITEM = re.compile(r"^(\d*)([-+.)])")
_DEEPEST_INDENT = 3
"""Most spaces at the start of a line; one more makes it code."""


def to_markdown(answer: Answer) -> str:
    """Return the question as heading, the text with its working and what is missing, and the sources.

    >>> from agent.types import Evidence, Plan
    >>> from agent.understanding.question.intent import Lookup
    >>> print(to_markdown(Answer("How many?", "Seven.", Plan("How many?", (), Lookup("How many?")), Evidence())))
    ## How many?
    <BLANKLINE>
    Seven.
    """
    blocks = [f"## {_escaped(one_line(answer.question))}", answer_text(answer), sources_list(answer)]
    return "\n\n".join(block for block in blocks if block.strip())


def answer_text(answer: Answer) -> str:
    """Return the text alone, with its working and what is missing."""
    marks = {f"[{citation.n}]" for citation in answer.citations}
    return "\n".join(_line(line, marks) for line in printable(answer.text).split("\n"))


def sources_list(answer: Answer, links: Mapping[int, str] | None = None) -> str:
    """Return the citations under a heading, or nothing without citations; `links` are addresses by citation number."""
    if not answer.citations:
        return ""
    lines = [_citation(citation, (links or {}).get(citation.n)) for citation in answer.citations]
    return "\n".join(["### Sources", "", *lines])


def _citation(citation: Citation, link: str | None) -> str:
    place = f"{citation.title} ({where(citation)})"
    if link is None:
        text = _escaped(one_line(f"{place}: {citation.quote}"))
        return f"{citation.n}. " + _ITEM.sub(r"\1\\\2", text)
    return f"{citation.n}. [{_escaped(one_line(place))}]({link}): {_escaped(one_line(citation.quote))}"


def _line(line: str, marks: Collection[str]) -> str:
    """Return a line of the answer, escaped except for its indent and citation marks."""
    begin = line.lstrip()
    indent = " " * min(len(line) - len(begin), _DEEPEST_INDENT)
    text = "".join(part if part in marks else _escaped(part) for part in _CITED.split(begin))
    return indent + ("\\" if _UNDERLINE.match(text) else "") + text


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", text)
