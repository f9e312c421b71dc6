"""Names that are written as formulas, and what stands over a whole row of a drawn table."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from tests.kit import Book, answer, book_of

DRAWN = r"""
Kilns
=====

.. table:: Firing

   +--------+------------------+------------------+
   | Kiln   | :math:`T_{\rm m}`| Fired            |
   |        | [°C]             | bricks           |
   +========+==================+==================+
   | .. centered:: **Single chamber**             |
   +--------+------------------+------------------+
   | Ash    | 1280             | 300              |
   +--------+------------------+------------------+
   | Elm    | 900              | 700              |
   +--------+------------------+------------------+
   | .. centered:: **Two chambers**               |
   +--------+------------------+------------------+
   | Yew    | 1100             | 800              |
   +--------+------------------+------------------+

Keep the chamber :math:`\ge` 60 °C.
"""
IN_BARS = r"""# Kilns

| Kiln | $T_{\mathrm{m}}$ [°C] |
|------|-----------------------|
| Ash  | 1280                  |
| Elm  | 900                   |

A brick costs $5 to $6_a, and the `$T_{m}$` of it is $3 \times 10^{2}$ in all.
"""


def _book(text: str, name: str, folder: Path) -> Book:
    (folder / name).write_text(text, encoding="utf-8")
    return book_of(read_sources([folder / name]).chunks)


@pytest.mark.parametrize(("name", "text"), [("kilns.rst", DRAWN), ("kilns.md", IN_BARS)])
def test_a_formula_is_asked_for_as_people_write_it(name: str, text: str, tmp_path: Path) -> None:
    said = answer("Which has the higher T_m, the Ash or the Elm?", _book(text, name, tmp_path))

    assert "Ash" == said.finding.verdict
    assert not said.needs


def test_signs_are_their_characters_and_prices_and_code_stay(tmp_path: Path) -> None:
    drawn = "".join(chunk.text for chunk in _book(DRAWN, "kilns.rst", tmp_path).chunks)
    in_bars = "".join(chunk.text for chunk in _book(IN_BARS, "kilns.md", tmp_path).chunks)

    assert "Keep the chamber ≥ 60 °C." in drawn
    assert "A brick costs $5 to $6_a, and the $T_{m}$ of it is 3 × 10^2 in all." in in_bars


def test_a_name_over_a_whole_row_below_the_heads_is_of_the_rows_below_it(tmp_path: Path) -> None:
    [table] = [table for chunk in _book(DRAWN, "kilns.rst", tmp_path).chunks for table in chunk.tables]

    assert ["Kiln", "T_m [°C]", "Fired bricks"] == [" ".join(path) for path in table.columns]
    assert ["Single chamber", "Ash", "Elm", "Two chambers", "Yew"] == [row[0] for row in table.rows]


CROSSED = """
.. table:: Kilns

   +-------------------+-------+-------+
   | Kiln              | Stage | Heat  |
   +===================+=======+=======+
   |                   | first | 600   |
   + :doc:`Ash <x:Ash>`+-------+-------+
   |                   | last  | 1280  |
   +-------------------+-------+-------+
"""


def test_a_role_beside_the_border_of_other_cells_leaves_the_table_one(tmp_path: Path) -> None:
    [table] = [table for chunk in _book(CROSSED, "kilns.rst", tmp_path).chunks for table in chunk.tables]

    assert (("Ash", "first", "600"), ("Ash", "last", "1280")) == table.rows
