"""Labels with values in a PDF: in larger letters than the text, on full lines, side by side, over the end of a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from retrieval.ingest.read import read_sources
from retrieval.readers.markdown.reader import parse
from versus import Chunk

Written = tuple[float, str]
"""How far from the left what is written stands; a first star makes it bold."""


def printed(path: Path, pages: Sequence[Sequence[tuple[float, Sequence[Written]]]]) -> tuple[Chunk, ...]:
    """What is read from pages of lines, each in a size, that stand below each other."""
    canvas = Canvas(str(path))
    for lines in pages:
        at = 790.0
        for size, words in lines:
            at -= 1.3 * size
            for left, text in words:
                canvas.setFont("Helvetica-Bold" if text.startswith("*") else "Helvetica", size)
                canvas.drawString(left, at, text.removeprefix("*"))
        canvas.showPage()
    canvas.save()
    return read_sources([path]).chunks


def pairs(chunks: Sequence[Chunk]) -> dict[str, str]:
    """The values of all records by their labels."""
    return {row[0]: row[1] for chunk in chunks for table in chunk.tables if table.is_record for row in table.rows}


def prose(*lines: str) -> list[tuple[float, list[Written]]]:
    """Lines of plain text."""
    return [(10.0, [(60.0, line)]) for line in lines]


def record(*lines: tuple[str, str], size: float = 10.0, at: float = 150.0) -> list[tuple[float, list[Written]]]:
    """Lines with a bold label and its value."""
    return [(size, [(60.0, f"*{label}"), (at, value)]) for label, value in lines]


LONG = ["The warden of the reeds walks the dyke by night and counts the lanterns of the boats that pass below it."] * 6


def test_a_record_in_larger_letters_than_the_text_is_no_heading(tmp_path: Path) -> None:
    told = [("Gait", "Wading"), ("Wage", "12 gp")]
    page = [(16.0, [(60.0, "*Reed Warden")]), *record(*told, size=12), *prose(*LONG)]
    chunks = printed(tmp_path / "reeds.pdf", [page, prose(*LONG, *LONG)])
    assert dict(told) == pairs(chunks)
    assert {"Reed Warden"} == {chunk.headings[-1] for chunk in chunks}


def test_a_label_begins_a_line_below_a_value_that_fills_its_own(tmp_path: Path) -> None:
    full = "Boots, a pole of ash, a lantern with a horn pane, a whistle, and a coat that is tarred twice"
    told = {"Gait": "Wading", "Gear": full, "Wage": "12 gp"}
    assert told == pairs(printed(tmp_path / "reeds.pdf", [record(*told.items())]))


def test_a_sentence_and_a_value_go_on_over_the_end_of_their_page(tmp_path: Path) -> None:
    gear = ("Boots, a pole of ash, a lantern with a horn pane, a whistle, and a coat of", "sailcloth.")
    first = [*prose(*LONG), *record(("Gait", "Wading"), ("Gear", gear[0]))]
    (chunk, *_) = chunks = printed(tmp_path / "reeds.pdf", [first, [(10.0, [(150.0, gear[1])]), *prose("", "End.")]])
    assert " ".join(gear) == pairs(chunks)["Gear"]
    assert 1 == chunk.page
    parted = [*prose(*LONG, "They count the lanterns of all the boats that pass below the dyke, and of those that an-")]
    (chunk,) = printed(tmp_path / "parted.pdf", [parted, prose("chor there.")])
    assert "and of those that anchor there." in chunk.text
    ended = [*prose(*LONG), *record(("Gait", "Wading"), ("Wage", "12 gp"))]
    chunks = printed(tmp_path / "ended.pdf", [ended, prose("Wages rise in spring", "each year.")])
    assert "12 gp" == pairs(chunks)["Wage"]


def test_values_of_two_things_side_by_side_are_no_value_of_one(tmp_path: Path) -> None:
    beside = [(60.0, "Gait:"), (110.0, "Wading"), (150.0, "Swift")], [(60.0, "No. met:"), (110.0, "2d6 men")]
    page = [*((10.0, words) for words in beside), *prose("The wage: 12 gp.")]
    chunks = printed(tmp_path / "reeds.pdf", [page])
    assert "Gait" not in pairs(chunks)
    assert any("Gait | Wading | Swift" in chunk.text for chunk in chunks)
    assert "No. met: 2d6 men" in chunks[0].text


def test_each_value_of_a_record_that_runs_over_a_page_has_its_own_page(tmp_path: Path) -> None:
    first = [(16.0, [(60.0, "*Reed Warden")]), *record(("Gait", "Wading"), ("Watch", "6 hours"))]
    second = record(("Wage", "12 gp"), ("Mind", "Keen")), record(("Armor Class", "4"), ("Hit Dice", "3"), ("Move", "9"))
    chunks = printed(tmp_path / "reeds.pdf", [first, [*second[0], *prose(*LONG, ""), (22.0, []), *second[1]]])
    found = {row[0]: chunk.page_of(n, at) for chunk in chunks for n, table in enumerate(chunk.tables)
             for at, row in enumerate(table.rows)}  # fmt: skip
    assert {"Gait": 1, "Watch": 1, "Wage": 2, "Mind": 2, "Armor Class": 2, "Hit Dice": 2, "Move": 2} == found


def test_pages_of_one_line_and_sentences_that_begin_are_no_paragraph_that_goes_on(tmp_path: Path) -> None:
    (chunk,) = printed(tmp_path / "cards.pdf", [prose("Keep the lantern low"), prose("walk by the dyke")])
    assert "Keep the lantern low\n\nwalk by the dyke" in chunk.text


def test_items_of_a_list_are_no_rows_and_a_justified_line_has_one_value(tmp_path: Path) -> None:
    items = [(10.0, [(60.0, f"{n}."), (90.0, said)]) for n, said in enumerate(("Light it", "Walk on"), start=1)]
    wide = [(60.0, "Gear:"), (94.0, "boots"), (127.0, "pole"), (154.0, "and"), (179.0, "bell")]
    chunks = printed(tmp_path / "reeds.pdf", [[*items, *prose("They walk in the reeds."), (10.0, wide)]])
    assert "|" not in "".join(chunk.text for chunk in chunks)


def test_a_value_of_a_stat_block_that_is_no_number_is_of_its_own_label() -> None:
    lines = "**Armor Class** 4\\\n**Hit Dice** 3+1\\\n**Move** 9\\\n**Special Attacks** See below\\\n**Mind** Keen"
    (section,) = parse(f"# Reed Warden\n\n{lines}", [])
    told = {("Move", "9"), ("Special Attacks", "See below"), ("Mind", "Keen")}
    assert told <= {*section.blocks[0].table.rows}
