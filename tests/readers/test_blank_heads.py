"""Below a blank header, two columns are labels and values, unless one of them has only numbers."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_LOUGHS = {
    "Ardan": ("lake", "Large", "84 (8x10+4)"),
    "Beg": ("pond", "Tiny", "22 (9x4)"),
    "Corr": ("lake", "Small", "16"),
}
BLANK = "| | |\n|-|-|\n"


def _record(name: str, kind: str, size: str, depth: str) -> str:
    return f"## {name}\n\n{BLANK}| Type | {kind} |\n| Size | {size} |\n| Depth | {depth} |\n| Shore | open |\n"


LOUGHS = book("# Loughs\n\n" + "\n".join(_record(name, *told) for name, told in _LOUGHS.items()))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("What is the size of Beg?", "Tiny"), ("Which lough has the greatest depth?", "Ardan")],
)
def test_the_first_line_is_one_more_label(question: str, verdict: str) -> None:
    assert verdict == answer(question, LOUGHS).finding.verdict


@pytest.mark.parametrize("heads", ["| Name | Price |", "| **Name** | **Price** |"])
def test_the_first_line_over_prices_is_the_header(heads: str) -> None:
    (chunk,) = book(f"# Wood\n\n{BLANK}{heads}\n| Oak | 3 gp |\n| Elm | 84 gp |\n").chunks

    assert (("Name",), ("Price",)) == chunk.tables[0].columns
