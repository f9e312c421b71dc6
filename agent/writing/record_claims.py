"""What a sentence says of a label of a stat block: the number has to stand in the row of that label.

A number is said of the label before it where no more than a word parts them: *a range of 20 feet*, *a challenge rating
of 5*. It may also stand beside the label's words elsewhere in the text: *DC 16 saving throw*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.languages.language import english
from agent.writing.claims import Mention, Said, named, words_of
from agent.writing.numbers import Number, numbers_of_plain, plain, readings
from agent.writing.offered import Offered
from retrieval.types import Table

_JOINING = frozenset({"of", "is", "are", "was", "the", "a", "an", "at", "with"})


@lru_cache(maxsize=256)
def record_claims(table: Table, text: str) -> RecordClaims:
    """The claims of a stat block in its text; one is read once."""
    return RecordClaims(table, text)


class RecordClaims:
    """The rows of one stat block, and the numbers of the text that it stands in."""

    def __init__(self, table: Table, text: str) -> None:
        self._labels = [(r, "", row[0]) for r, row in enumerate(table.rows)]
        self._words = [words_of(row[0]) for row in table.rows]
        self._rows = [Offered(_numbers(": ".join(row)), prose=True) for row in table.rows]
        self._others = [each for line in text.split("\n") for each in numbers_of_plain(plain(line))]

    def elsewhere(self, sentence: Said) -> frozenset[int]:
        """The places of the numbers that the sentence says of a label that does not have them."""
        mentions = [each for each in named(self._labels, sentence) if each.is_whole and each.key is None]
        return frozenset(each[0].place for each in sentence.numbers if self._is_elsewhere(each, mentions, sentence))

    def _is_elsewhere(self, wanted: Sequence[Number], mentions: Sequence[Mention], sentence: Said) -> bool:
        if wanted[0].measure:
            return False
        rows = {row for each in mentions if _leads(each.place, wanted[0].place, sentence) for row in each.meant}
        if not rows or any(self._rows[row].hold(wanted) for row in rows):
            return False
        words = frozenset[str]().union(*(self._words[row] for row in rows))
        same = (each for each in self._others if each.value == wanted[0].value)
        return not any(words & (each.near | each.adjoining) for each in same)


def _leads(label: int, place: int, sentence: Said) -> bool:
    """Whether the label that ends there is what a number is said of; or one right before it: *11 (2d6+4)*."""
    while place - 1 > label and not sentence.tokens[place - 1].isalpha():
        place -= 1
    language = english()
    between = [token for token in sentence.tokens[label + 1 : place] if token not in _JOINING | language.helpers]
    is_near = len(between) < 2 and language.pronouns.isdisjoint(between)
    return label < place and is_near and all(map(str.isalpha, between))


def _numbers(row: str) -> Iterator[Number]:
    yield from (each for one in readings(plain(row)) for each in one)
