"""Small turns of phrase that the terminal and Markdown share."""

from __future__ import annotations

from agent.types import Citation


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
