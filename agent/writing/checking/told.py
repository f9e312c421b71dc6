"""The numbers of findings by side: of one side of a fight or a comparison, or of none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from agent.types import Finding
from agent.writing.checking.sides import Sides, lines_of
from agent.writing.texts.numbers import Number, numbers_of_plain
from agent.writing.texts.offered import SourceNumbers
from agent.writing.texts.plain import plain
from retrieval.text.normal import normal


class FindingNumbers:
    """The numbers of one finding by its sides; numbers of no side are under the empty name."""

    def __init__(self, finding: Finding) -> None:
        self._sides = Sides(finding)
        found = {"": [Number(str(len(self._sides.names)))] if self._sides.names else []}
        for line in lines_of(finding):
            for clause in self._sides.clauses(plain(line)):
                for side in clause.speakers or ("",):
                    found.setdefault(side, []).extend(_numbers_of_wholes(clause.text))
        self._held = {side: SourceNumbers(numbers) for side, numbers in found.items()}

    def lacking(self, wanted: Iterable[Sequence[Number]], text: str) -> list[Sequence[Number]]:
        """Return the numbers of a text that the finding does not give to the subjects of each clause that has them."""
        clauses = [
            (
                {"", *each.speakers} & self._held.keys() if each.speakers else self._held.keys(),
                numbers_of_plain(each.text),
            )
            for each in self._sides.clauses(text)
        ]
        return [each for each in wanted if not self._hold(each, clauses)]

    def _hold(self, wanted: Sequence[Number], clauses: Iterable[tuple[Set[str], Sequence[Number]]]) -> bool:
        having = [sides for sides, numbers in clauses if any(each.value == wanted[0].value for each in numbers)]
        return bool(having) and all(any(self._held[side].hold(wanted) for side in sides) for sides in having)


def _numbers_of_wholes(text: str) -> Iterator[Number]:
    """Yield the numbers of a text; a number behind *all* counts a whole, *all 48*, and has the unit `all`."""
    tokens = normal(text)
    for each in numbers_of_plain(text):
        is_whole = each.place > 0 and tokens[each.place - 1] == "all"
        yield replace(each, unit="all") if is_whole and not each.unit else each
