"""Phrases that the terminal and Markdown share."""

from __future__ import annotations

from agent.types import Citation

_HISSING = ("s", "x", "z", "ch", "sh")


def where(citation: Citation) -> str:
    """Return the place of a citation: its source, and the page or spreadsheet address, if known."""
    page = page_words(citation.page, citation.page_label)
    inferred = "table structure inferred" if citation.is_inferred else ""
    return ", ".join(filter(None, (citation.source, page, citation.address, inferred)))


def page_words(page: int | None, label: str) -> str:
    """Return a page by its number, and by its printed label if that differs.

    >>> page_words(4, "iv"), page_words(12, "")
    ('page 4 (printed iv)', 'page 12')
    """
    printed = f" (printed {label})" if label else ""
    return "" if page is None else f"page {page}{printed}"


def counted(number: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "chunk"), counted(3, "sub-query"), counted(2, "batch")
    ('1 chunk', '3 sub-queries', '2 batches')
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(_HISSING) else 's'}"
