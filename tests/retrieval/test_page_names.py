"""What pages and tables are called that others stand beside: stoves no code knows."""

from __future__ import annotations

from tests.kit import answer, book, library

STOVE = "## Parts\n\n| Part | Maker |\n|---|---|\n| Grate | {grate} |\n| Hood | {hood} |\n"
STOVES = library(
    {
        "stove-HX-20.md": "# HX-20\n\n- [Overview](#overview)\n\n# Overview\n\n"
        + STOVE.format(grate="Ember & Co", hood="Lund"),
        "stove-kite.md": "# Kite\n\n" + STOVE.format(grate="Voss", hood="Aalto"),
    }
)
BARGES = book(
    """# Barges

## Known barges

| Barge | Length | Crew |
|-------|--------|------|
| Tern  | 31 m   | 3    |
| Swift | 28 m   | 2    |

PUMPS:

| Barge | Inlet | Outlet |
|-------|-------|--------|
| Tern  | 7     | 9      |
| Swift | 8     | 4      |

The inlet is measured like this:

| Step | Tool |
|------|------|
| One  | Rule |
"""
)


def test_a_page_is_called_as_the_heading_that_its_file_is_called_by() -> None:
    assert "Ember & Co" == answer("Who is the maker of the grate of the HX-20?", STOVES).finding.verdict
    assert "Voss" == answer("Who is the maker of the grate of the Kite?", STOVES).finding.verdict


def test_a_label_above_one_of_several_tables_is_its_caption() -> None:
    captions = [table.caption for chunk in BARGES.chunks for table in chunk.tables]
    assert ["Known barges", "PUMPS", "Known barges"] == captions
    assert "9" == answer("Outlet of the pumps of the Tern?", BARGES).finding.verdict
