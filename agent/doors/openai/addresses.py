"""The addresses of cited chunks."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from agent.types import Citation


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses on this server, for one collection or several that are asked as one.

    >>> Addresses("http://localhost:8321/", "rules").of(Citation(1, "a/b c", "Orc", "book.md", None, "AC = 6"))
    'http://localhost:8321/v1/collections/rules/chunks/a/b%20c'
    """

    base: str
    collection: str

    def of(self, citation: Citation) -> str:
        """Return the address of a citation's chunk; with a cell, a browser scrolls to that cell and marks it."""
        path = f"{quote(self.collection, safe=',')}/chunks/{quote(citation.chunk_id)}"
        cell = citation.cell
        places = {} if cell is None else {"table": cell.table, "row": cell.row, "column": cell.column}
        return f"{self.base}v1/collections/{path}" + (f"?{urlencode(places)}#marked" if places else "")
