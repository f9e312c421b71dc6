"""Small turns of phrase that the terminal and Markdown share."""

from __future__ import annotations

import re

from agent.types import Citation, Step


def step_line(step: Step) -> str:
    """A line of working: its text, its value unless the text already says it, and its citations.

    >>> step_line(Step("needs on a d20", 8, (1, 2)))
    'needs on a d20: 8 [1][2]'
    >>> step_line(Step("needs 8 on a d20", 8))
    'needs 8 on a d20'
    """
    value = "" if step.value is None else shown(step.value)
    said = not value or re.search(rf"(?<![\w.]){re.escape(value)}(?![\w%]|\.\d)", step.text)
    cites = "".join(f"[{n}]" for n in step.cites if f"[{n}]" not in step.text)
    return step.text + ("" if said else f": {value}") + (f" {cites}" if cites else "")


def shown(value: float | int | str) -> str:
    """A value as a reader wants it: at most four digits after the point, no trailing zeros.

    >>> shown(0.123456), shown(5.0), shown("3/2")
    ('0.1235', '5', '3/2')
    """
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def where(citation: Citation) -> str:
    """The place of a citation: its source, and the page where one is known."""
    return citation.source if citation.page is None else f"{citation.source}, page {citation.page}"


def counted(number: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "chunk"), counted(3, "sub-query")
    ('1 chunk', '3 sub-queries')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"
