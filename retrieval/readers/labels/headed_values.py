"""Empty headings that are a label and its value, *Length: 9 m*: they form the record of the heading above."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.readers.documents.sections import Block, Heading, Paragraph
from retrieval.readers.labels.running_text import BRIEF_VALUE, pair_in, pairs_of

_FEWEST = 2


def with_headed_values(blocks: Sequence[Block]) -> list[Block]:
    """Merge several such headings directly below another heading into a paragraph of it.

    >>> headings = Heading("Reed", 1, 1), Heading("Crew: 3", 2, 2), Heading("Fee: 5", 2, 3)
    >>> with_headed_values(headings)[1].pairs
    (('Crew', '3'), ('Fee', '5'))
    """
    out: list[Block] = []
    above: Heading | None = None
    at = 0
    while at < len(blocks):
        block = blocks[at]
        run = _run(blocks, at)
        rows = [heading.text for heading in run]
        pairs = pairs_of(rows) if len(run) >= _FEWEST and above and above.depth < run[0].depth else ()
        if len(pairs) == len(run) > 0:
            out.append(Paragraph("\n".join(rows), run[0].line, pairs=pairs))
            at += len(run)
            continue
        out.append(block)
        above = block if isinstance(block, Heading) else above
        at += 1
    return out


def _run(blocks: Sequence[Block], start: int) -> list[Heading]:
    """Return the headings of one depth from a place on that are a label with a value and have nothing below them."""
    found: list[Heading] = []
    for at in range(start, len(blocks)):
        block, behind = blocks[at], blocks[at + 1] if at + 1 < len(blocks) else None
        if not isinstance(block, Heading) or not _is_fact(block.text) or block.depth != (found or [block])[0].depth:
            break
        if behind is not None and not (isinstance(behind, Heading) and behind.depth <= block.depth):
            break
        found.append(block)
    return found


def _is_fact(text: str) -> bool:
    pair = pair_in(text)
    return pair is not None and len(pair[1].split()) <= BRIEF_VALUE
