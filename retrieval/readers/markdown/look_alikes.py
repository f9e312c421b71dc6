"""Name tables with the same heads under one heading by the text directly above each.

*Fees of 2023 (without tolls).* above one and *Fees of 2024 (without tolls).* above the other become their captions. If
one has no text above, or two have the same, none is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import Block, Heading, Paragraph, Placed
from retrieval.text.normal import phrase

_FEWEST = 2
_MOST_WORDS = 12
_SENTENCE = re.compile(r"(?P<said>.*?)[.:;](?=\s|$)", re.DOTALL)
_OPEN = re.compile(r"\s*\([^()]*$")
_CLOSED = re.compile(r"\s*\([^()]*\)")
_BULLET = re.compile(r"[-*•]\s")


def with_distinct_captions(blocks: Sequence[Block]) -> list[Block]:
    r"""Return the blocks, with tables that look alike captioned by the text above each.

    >>> from retrieval.types import Table
    >>> table = Placed(Table("", (("Boat",), ("Fee",)), (("reed", "3"),)), 2)
    >>> leads = Paragraph("Fees of 2023 (old).", 1), Paragraph("Fees of 2024: all.", 3)
    >>> named = with_distinct_captions([leads[0], table, leads[1], table])
    >>> [block.table.caption for block in named if isinstance(block, Placed)]
    ['Fees of 2023 (old)', 'Fees of 2024']
    """
    out = list(blocks)
    for places in _alike(blocks):
        names = [_name(blocks[place - 1]) if place else "" for place in places]
        if all(names) and len(set(map(phrase, names))) == len(names):
            for place, name in zip(places, names, strict=True):
                block = out[place]
                if isinstance(block, Placed):
                    out[place] = replace(block, table=replace(block.table, caption=name))
    return out


def _alike(blocks: Sequence[Block]) -> Iterator[list[int]]:
    """Yield the places of tables without a caption that share heads and heading."""
    found: dict[tuple[int, object], list[int]] = {}
    heading = -1
    for place, block in enumerate(blocks):
        if isinstance(block, Heading):
            heading = place
        elif isinstance(block, Placed) and any(block.table.columns) and not block.table.caption:
            found.setdefault((heading, block.table.columns), []).append(place)
    yield from (places for places in found.values() if len(places) >= _FEWEST)


def _name(block: Block) -> str:
    """Return the name that a paragraph gives the table below it: its first sentence, if short."""
    if not isinstance(block, Paragraph) or _BULLET.match(block.text):
        return ""
    sentence = _SENTENCE.match(block.text)
    said = _OPEN.sub("", " ".join((sentence["said"] if sentence else block.text).split()))
    return said if 0 < len(_CLOSED.sub("", said).split()) <= _MOST_WORDS else ""
