"""Paragraphs of one line that are a label and its value, one below another: a record, line blocks among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from retrieval.readers.documents.sections import Block, Paragraph
from retrieval.readers.labels.running_text import BRIEF_VALUE, pair_in

_FEWEST = 3
"""Two may be a *Note:* and a *Tip:*."""


def with_labelled_paragraphs(blocks: Sequence[Block]) -> list[Block]:
    """Give several such paragraphs in a row their pairs, if no label repeats, as names in a dialogue do.

    >>> lines = [Paragraph(text, n) for n, text in enumerate(("Soil: peat", "Status: rare", "Colour: white"))]
    >>> [block.pairs for block in with_labelled_paragraphs(lines)]
    [(('Soil', 'peat'),), (('Status', 'rare'),), (('Colour', 'white'),)]
    """
    out: list[Block] = []
    for is_run, run in groupby(blocks, key=_is_fact):
        own = list(run)
        out += map(_with_pair, own) if is_run and _are_record(own) else own
    return out


def _are_record(run: Sequence[Block]) -> bool:
    """True for several paragraphs with different labels."""
    pairs = [pair_in(block.text) for block in run if isinstance(block, Paragraph)]
    return len({pair[0].casefold() for pair in pairs if pair}) == len(run) >= _FEWEST


def _with_pair(block: Block) -> Block:
    """Return the paragraph with its pair, unless it has pairs already."""
    pair = pair_in(block.text) if isinstance(block, Paragraph) and not block.pairs else None
    return block if pair is None or not isinstance(block, Paragraph) else replace(block, pairs=(pair,))


def _is_fact(block: Block) -> bool:
    """True for a paragraph that is one label with a brief value."""
    pair = pair_in(block.text) if isinstance(block, Paragraph) and "\n" not in block.text else None
    return pair is not None and len(pair[1].split()) <= BRIEF_VALUE
