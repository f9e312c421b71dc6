"""A line above a list says what its items are, or whose: *Ports:* above *Kiel* and *Rostock* is their label, and *Reed*
above *Crew: 3* and *Fee: 5* has these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import PSEUDO_DEPTH, Block, Heading, Paragraph
from retrieval.readers.labels.running_text import VALUES_BETWEEN, Pair, is_name, is_phrase, pair_in, plain_label
from retrieval.readers.lists.members import called_by
from retrieval.readers.lists.nested import Part
from retrieval.text.normal import STOP_WORDS

_BULLET = "- "
_FEWEST = 2
"""Items of a list."""


def with_leads(blocks: Sequence[Block]) -> list[Block]:
    r"""The blocks; a list with the line that leads to it is one paragraph: that line is the label of items that have
    none, and what the labels that they have are told of.

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
            block = replace(block, members=called_by(before.text, block.members))
        if isinstance(block, Paragraph) and before is not None and (joined := _joined(before, block)):
            out[-1] = joined
        else:
            out.append(block)
    return out


def _lead(block: Block) -> Paragraph | None:
    """A paragraph that may lead to a list; so may a line in bold with a colon, which heads nothing."""
    if isinstance(block, Heading) and block.depth == PSEUDO_DEPTH and block.text.endswith(":"):
        return Paragraph(block.text, block.line)
    return block if isinstance(block, Paragraph) else None


def _joined(lead: Paragraph, below: Paragraph) -> Paragraph | None:
    """A list and the line above it as one paragraph, where that is its label or whose it is."""
    *above, label = lead.text.split("\n")
    follows = below.line - lead.line <= len(above) + 1
    is_lead = label.endswith(":") or (not above and follows and not label[:1].islower())
    if not is_lead or label.startswith(_BULLET) or not is_name(label):
        return None
    is_thing = not label.endswith(":") and label.split()[0].casefold() not in STOP_WORDS
    pairs, parts = _told(plain_label(label), below, is_whose=follows and is_thing)
    if not pairs and not parts:
        return None
    whole = f"{lead.text}\n{below.text}"
    return replace(lead, text=whole, pairs=(*lead.pairs, *pairs), parts=(*lead.parts, *parts), members=below.members)


def _told(name: str, below: Paragraph, *, is_whose: bool) -> tuple[Sequence[Pair], Sequence[Part]]:
    """What a list says with the name that stands above it: of a label its items, of a thing also their labels."""
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
