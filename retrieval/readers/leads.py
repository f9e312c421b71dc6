"""A line above a list of names says what they are: *Ports:* above *Kiel* and *Rostock* is their label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.readers.labels import VALUES_BETWEEN, Pair, is_name, plain_label
from retrieval.readers.sections import Block, Paragraph

_BULLET = "- "
_FEWEST = 2
"""Names of a list."""


def with_leads(blocks: Sequence[Block]) -> list[Block]:
    r"""The blocks; a list of names with the line that leads to it is one paragraph, and that line its label.

    >>> with_leads([Paragraph("Ports:", 1), Paragraph("- Kiel\n- Rostock", 3)])[0].pairs
    (('Ports', 'Kiel; Rostock'),)
    """
    out: list[Block] = []
    for block in blocks:
        before = out[-1] if out else None
        if isinstance(block, Paragraph) and isinstance(before, Paragraph) and (pair := _pair(before, block)):
            text = f"{before.text}\n{block.text}"
            out[-1] = replace(before, text=text, pairs=(*before.pairs, pair))
        else:
            out.append(block)
    return out


def _pair(lead: Paragraph, names: Paragraph) -> Pair | None:
    """The label and the names of a list below it."""
    items = names.text.split("\n")
    bare = [item.removeprefix(_BULLET) for item in items]
    is_list = len(items) >= _FEWEST and all(item.startswith(_BULLET) for item in items)
    if not is_list or names.pairs or not all(map(is_name, bare)):
        return None
    *above, label = lead.text.split("\n")
    follows = names.line - lead.line <= len(above) + 1
    is_lead = label.endswith(":") or (not above and follows and not label[:1].islower())
    is_meant = is_lead and not label.startswith(_BULLET) and is_name(label)
    return (plain_label(label), VALUES_BETWEEN.join(bare)) if is_meant else None
