"""The line above a list: *Ports:* above *Kiel* and *Rostock* is their label, and *Reed* above *Crew: 3* and *Fee: 5* is
their subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import PSEUDO_DEPTH, Block, Heading, Paragraph
from retrieval.readers.labels.running_text import VALUES_BETWEEN, Pair, is_name, is_phrase, pair_in, plain_label
from retrieval.readers.lists.members import captioned_by_lead
from retrieval.readers.lists.nested import Part
from retrieval.text.normal import STOP_WORDS

_BULLET = "- "
_FEWEST = 2
"""The fewest items of a list."""


def with_leads(blocks: Sequence[Block]) -> list[Block]:
    r"""Merge each list with the line that leads to it into one paragraph.

    The line is the label of items without labels, and the subject of the labels that items have.

    >>> with_leads([Paragraph("Ports:", 1), Paragraph("- Kiel\n- Rostock", 3)])[0].pairs
    (('Ports', 'Kiel; Rostock'),)
    >>> crew = Paragraph("- Crew: 3\n- Fee: 5", 2, pairs=(("Crew", "3"), ("Fee", "5")))
    >>> with_leads([Paragraph("Reed", 1), crew])[0].parts
    (('Reed', (('Crew', '3'), ('Fee', '5'))),)
    """
    out: list[Block] = []
    for block in blocks:
        before = _lead(out[-1]) if out else None
        if isinstance(block, Paragraph) and block.members is not None and before is not None:
            block = replace(block, members=captioned_by_lead(before.text, block.members))
        if isinstance(block, Paragraph) and before is not None and (joined := _joined(before, block)):
            out[-1] = joined
        else:
            out.append(block)
    return out


def _lead(block: Block) -> Paragraph | None:
    """Return a paragraph that may lead to a list; a bold line with a colon may lead too, as it is no heading."""
    if isinstance(block, Heading) and block.depth == PSEUDO_DEPTH and block.text.endswith(":"):
        return Paragraph(block.text, block.line)
    return block if isinstance(block, Paragraph) else None


def _joined(lead: Paragraph, below: Paragraph) -> Paragraph | None:
    """Merge a list and the line above it, if that is its label or its subject; else None."""
    *above, label = lead.text.split("\n")
    follows = below.line - lead.line <= len(above) + 1
    is_lead = label.endswith(":") or (not above and follows and not label[:1].islower())
    if not is_lead or label.startswith(_BULLET) or not is_name(label):
        return None
    is_thing = not label.endswith(":") and label.split()[0].casefold() not in STOP_WORDS
    pairs, parts = _facts_under_lead(plain_label(label), below, is_whose=follows and is_thing)
    if not pairs and not parts:
        return None
    whole = f"{lead.text}\n{below.text}"
    return replace(lead, text=whole, pairs=(*lead.pairs, *pairs), parts=(*lead.parts, *parts), members=below.members)


def _facts_under_lead(name: str, below: Paragraph, *, is_whose: bool) -> tuple[Sequence[Pair], Sequence[Part]]:
    """Return the pairs and parts of a list under the name above it: a label has the items, a thing also their
    labels.
    """
    items = below.text.split("\n")
    bare = [item.removeprefix(_BULLET) for item in items]
    if len(items) < _FEWEST or not all(item.startswith(_BULLET) for item in items):
        return (), ()
    own = below.pairs or tuple(pair for item in bare if (pair := pair_in(item)))
    values = [item for item in bare if is_phrase(item)]
    if not own and not below.parts and len(values) == len(items):
        return [(name, VALUES_BETWEEN.join(bare))], ()
    if is_whose and below.pairs:
        return (), [(name, own), *below.parts]
    if is_whose and not below.parts and len(values) + len(own) == len(items):
        return [(name, VALUES_BETWEEN.join(values))], [(name, own)]
    return (), ()
