"""Records of plain text: blocks of lines of a label and its value, with dots, blanks or a colon between, whose labels
come back in other blocks. A record is named by the line above it, or by its first value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.readers.html.text_columns import WIDE_GAP
from retrieval.readers.plain.text_heads import is_rule
from retrieval.text.spelling import fold

_FACT = re.compile(
    r"(?P<indent> *)(?P<label>[^\W\d_](?:[^\t:.·…|]|\.(?![. ]))*?)"
    r"(?: *: +| *(?:[.·] ?){3,} *| *…+ *| {2,})(?P<value>\S.*)"
)
_LONGEST_LABEL, _LONGEST_NAME = 40, 60
_FEWEST = 2
"""The fewest lines of a block, and the fewest blocks with a label in common."""
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class Record:
    """A block: the line with its name, -1 if its first value is that, its lines from `begin` on, and what they say."""

    name: str
    name_place: int
    begin: int
    facts: tuple[tuple[str, str], ...]

    @property
    def places(self) -> set[int]:
        """Its lines, with that of its name."""
        return {*range(self.begin, self.begin + len(self.facts)), self.name_place} - {-1}


def records_in(lines: Sequence[str]) -> list[Record]:
    """Return the records of a text, in order.

    >>> records_in(["Reed", "  Crew .... 3", "  Port .... Hull", "Sedge", "  Crew .... 8", "  Port .... York"])[1]
    Record(name='Sedge', name_place=3, begin=4, facts=(('Crew', '8'), ('Port', 'York')))
    """
    blocks = list(_blocks(lines))
    counted = Counter(label for _, facts in blocks for label in {fold(label) for label, _ in facts})
    alike = [(begin, facts) for begin, facts in blocks if _comes_back(facts, counted)]
    are_apart = all(_follows_block(lines, begin) for begin, _ in alike[1:])
    are_named = are_apart and _are_named([facts for _, facts in alike])
    return [record for begin, facts in alike if (record := _record(lines, begin, facts, are_named))]


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """Yield each run of facts at one margin, with its first line."""
    begin, margin, run = 0, -1, list[tuple[str, str]]()
    for place, line in enumerate([*lines, ""]):
        fact = _fact(line)
        if run and (fact is None or len(fact["indent"]) != margin):
            if len(run) >= _FEWEST:
                yield begin, tuple(run)
            run = []
        if fact is not None:
            begin, margin = (begin, margin) if run else (place, len(fact["indent"]))
            run.append((fact["label"].strip(), fact["value"].strip()))


def _fact(line: str) -> re.Match[str] | None:
    found = _FACT.fullmatch(line.rstrip())
    is_fact = found is not None and len(found["label"]) <= _LONGEST_LABEL and not WIDE_GAP.search(found["value"])
    return found if is_fact else None


def _comes_back(facts: Sequence[tuple[str, str]], counted: Mapping[str, int]) -> bool:
    shared = sum(counted[fold(label)] >= _FEWEST for label, _ in facts)
    return shared >= max(_FEWEST, _MOSTLY * len(facts))


def _are_named(blocks: Sequence[Sequence[tuple[str, str]]]) -> bool:
    """True if the first label of all blocks is the same, and its values tell them apart."""
    firsts = [facts[0] for facts in blocks]
    return len({fold(label) for label, _ in firsts}) == 1 and len({fold(value) for _, value in firsts}) == len(firsts)


def _follows_block(lines: Sequence[str], begin: int) -> bool:
    """True if nothing but a rule or blank lines stands between a block and the one above it. A rule right below a line
    that is no fact underlines a heading.
    """
    at = next((at for at in range(begin - 1, -1, -1) if lines[at].strip()), 0)
    above, over = lines[at], lines[at - 1].strip() if at else ""
    fact, own = _fact(above), _fact(lines[begin])
    return (is_rule(above) and (not over or _fact(lines[at - 1]) is not None)) or (
        fact is not None and own is not None and fact["indent"] == own["indent"]
    )


def _record(
    lines: Sequence[str], begin: int, facts: tuple[tuple[str, str], ...], are_named: bool
) -> Record | None:  # fmt: skip
    """Return a record with its name; None if nothing names it, as below a heading with a rule."""
    above = lines[begin - 1].strip() if begin else ""
    is_name = above and len(above) <= _LONGEST_NAME and not is_rule(above) and above[-1] not in ".:;,"
    if is_name and _fact(lines[begin - 1]) is None:
        return Record(above, begin - 1, begin, facts)
    return Record(facts[0][1], -1, begin, facts) if are_named else None
