"""Definition lists whose meanings may have labels of their own; labels that several terms share become a table.

*reed* with *Default: 3* in its meaning and *sedge* with *Default: 5* are two things with the label *Default*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from retrieval.readers.documents.tables import clean
from retrieval.readers.html.tree import Element, strings
from retrieval.readers.labels.running_text import BRIEF_VALUE, is_only_label, pair_in, plain_label
from retrieval.types import Table

_PARTS = frozenset({"dd", "dt"})
_BLOCKS = frozenset({"dd", "div", "dl", "dt", "li", "ol", "p", "pre", "ul"})
_BOLD = frozenset({"b", "strong"})
_FEWEST = 2
"""The fewest terms that share a label."""


@dataclass(slots=True)
class _Term:
    name: str
    facts: dict[str, str] = field(default_factory=dict)


def definition_lines(element: Element) -> Iterator[str]:
    """Yield the lines of a list, *term* and *: meaning*; other text in the list is a line of its own."""
    beside: list[str] = []
    for part in strings(element.children, _is_part):
        if isinstance(part, str):
            beside.append(part)
        elif text := _text(part):
            yield f": {text}" if part.tag == "dd" else text
    if text := clean("".join(beside)):
        yield text


def shared_labels(element: Element) -> Table | None:
    """Return a table of the terms with their brief values for labels that several of them have; None if there is none.

    >>> from retrieval.readers.html.tree import read_html
    >>> dl = "<dl><dt>reed<dd><p>A boat.<p>Crew: 3<dt>sedge<dd>Crew: 4<dt>rush<dd>A punt.</dl>"
    >>> shared_labels(read_html(dl)[0].children[0].children[0]).rows
    (('reed', '3'), ('sedge', '4'))
    """
    terms: list[_Term] = []
    for part in strings(element.children, _is_part):
        if isinstance(part, str):
            continue
        if part.tag == "dt":
            terms.append(_Term(_text(part)))
        elif terms:
            terms[-1].facts |= dict(_facts(list(_rows(part))))
    having = Counter(label for term in terms for label in term.facts)
    labels = [label for label, count in having.items() if count >= _FEWEST]
    told = [term for term in terms if term.name and any(label in term.facts for label in labels)]
    if not labels or len({term.name for term in told}) < len(told):
        return None
    rows = tuple((term.name, *(term.facts.get(label, "") for label in labels)) for term in told)
    return Table("", ((), *((label,) for label in labels)), rows)


def _facts(rows: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the labels of a meaning that have a brief value."""
    for row in rows:
        pair = None if is_only_label(row) else pair_in(row)
        if pair and len(pair[1].split()) <= BRIEF_VALUE:
            yield plain_label(pair[0]), pair[1]


def _rows(element: Element) -> Iterator[str]:
    """Yield the text of an element by paragraph and item, with `**` around bold text."""
    parts: list[str] = []
    stack: list[Element | str | None] = [None, *reversed(element.children)]
    while stack:
        item = stack.pop()
        if item is None or (isinstance(item, Element) and item.tag in _BLOCKS):
            if row := clean("".join(parts)):
                yield row
            parts = []
        if isinstance(item, str):
            parts.append(item)
        elif item is not None:
            is_bold = item.tag in _BOLD
            parts += ["**"] if is_bold else []
            stack += ["**" if is_bold else None if item.tag in _BLOCKS else "", *reversed(item.children)]


def _is_part(element: Element) -> bool:
    return element.tag in _PARTS


def _text(element: Element) -> str:
    return clean("".join(each for each in strings(element.children, lambda _: False) if isinstance(each, str)))
