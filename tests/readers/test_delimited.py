"""Files of delimited values are read as people see them: what stands above the heads, heads in rows, and letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import SourceError
from retrieval.ingest.read import Read, read_sources
from retrieval.types import Table


def read(content: str | bytes, tmp_path: Path, name: str = "boats.csv") -> Read:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_sources([path])


def table(content: str | bytes, tmp_path: Path, name: str = "boats.csv") -> Table:
    (found,) = (table for chunk in read(content, tmp_path, name).chunks for table in chunk.tables)
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("fill", ["", ",", ",,"])
def test_lines_of_one_cell_above_the_heads_name_the_table(fill: str, end: str, tmp_path: Path) -> None:
    rows = [f"Ferries of the north{fill}", f"All lengths in metres{fill}", "Boat,Length,Crew", "Reed,31,4", "Rush,24,3"]
    read_of = read(end.join(rows) + end, tmp_path)
    (found,) = (table for chunk in read_of.chunks for table in chunk.tables)

    assert "Ferries of the north" == found.caption
    assert ((("Boat",), ("Length",), ("Crew",)), ("Reed", "31", "4")) == (found.columns, found.rows[0])
    assert any("All lengths in metres" in chunk.text for chunk in read_of.chunks)


def test_a_title_of_several_lines_names_the_table_by_its_first(tmp_path: Path) -> None:
    found = table('"Ferries of the north\nAll lengths in metres",\nBoat,Length\nReed,31\nRush,24\n', tmp_path)

    assert ("Ferries of the north", (("Boat",), ("Length",))) == (found.caption, found.columns)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Boat,1ST,2ND\nReed,Tarn,Holm\nRush,Holm,Tarn\n", (("Boat",), ("1ST",), ("2ND",))),
        ("Boat,2008,2009,2010\nReed,31,33,38\n", (("Boat",), ("2008",), ("2009",), ("2010",))),
        ("Boat,Crew,\nReed,4,\nRush,3,\n", (("Boat",), ("Crew",))),
        ("Boat,Crew,Fare,\nReed,4,3,9\nRush,3,5,8\n", (("Boat",), ("Crew",), ("Fare",), ())),
        (
            "Boat,Length,Crew\n,[m],(persons)\nReed,31,4\nRush,24,3\n",
            (("Boat",), ("Length", "[m]"), ("Crew", "(persons)")),
        ),
        ("Boat,Length,Crew\n,m,\nReed,31,4\nRush,24,3\n", (("Boat",), ("Length", "m"), ("Crew",))),
        (
            ",Summer,,Winter,\nBoat,Trips,Fare,Trips,Fare\nReed,31,4,8,9\n",
            (("Boat",), ("Summer", "Trips"), ("Summer", "Fare"), ("Winter", "Trips"), ("Winter", "Fare")),
        ),
    ],
)
def test_the_heads_of_a_file(text: str, columns: tuple[tuple[str, ...], ...], tmp_path: Path) -> None:
    assert columns == table(text, tmp_path).columns


@pytest.mark.parametrize("text", ["Reed,48 kg\nRush,71 kg\nSedge,90 kg\n", "Reed,1931\nRush,1935\nSedge,1940\n"])
def test_values_are_no_heads(text: str, tmp_path: Path) -> None:
    assert "Reed" == table(text, tmp_path).rows[0][0]


@pytest.mark.parametrize("encoding", ["cp1252", "mac-roman", "utf-16", "utf-8-sig"])
def test_the_letters_of_the_west_are_read_however_they_are_written(encoding: str, tmp_path: Path) -> None:
    text = "Município;Área\nSão Tomé;12\nConceição;31\nAperibé;24\nNova Iguaçu;7\nBelém – Norte;5\n"
    found = read(text.encode(encoding), tmp_path)
    rows = [row for chunk in found.chunks for table in chunk.tables for row in table.rows]

    assert ("Conceição", "31") in rows and ("Belém – Norte", "5") in rows
    said = [warning for warning in found.warnings if "not UTF-8" in warning]
    assert bool(said) == (encoding != "utf-8-sig")


def test_a_page_says_itself_how_it_is_written(tmp_path: Path) -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><h1>Łódź</h1><p>Żyje tu dużo ludzi.</p></body></html>'
    (chunk,) = read(page.encode("iso-8859-2"), tmp_path, "page.html").chunks

    assert "Łódź" == chunk.title


def test_a_letter_that_cannot_be_told_is_no_other_one(tmp_path: Path) -> None:
    rows = "".join(f"Boat {n},{n}\n" for n in range(40))
    found = read(b"Boat,Crew\nCura\x87ao,4\n" + rows.encode(), tmp_path)

    assert any("Cura\ufffdao" in chunk.text for chunk in found.chunks)
    assert "letters beyond ASCII stand as" in found.warnings[0]


@pytest.mark.parametrize("content", [b"\xff\xfe", "Привет мир".encode("cp1251"), b"a\x00\xe9b"])
def test_what_is_no_text_of_the_west_is_refused(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not UTF-8"):
        read(content, tmp_path)


def test_lines_of_one_cell_below_a_table_are_its_notes_and_their_marks_no_part_of_names(tmp_path: Path) -> None:
    rows = "Boat,Length,Crew\nReed*,31,4\nRush[1],24,3\nSedge,28,3\n"
    found = table(f"{rows}* in winter,,\n[1] sold in 1931,,\nSource: the harbour,,\n", tmp_path)

    assert ["Reed*", "Rush", "Sedge"] == [row[0] for row in found.rows]
    assert ("* in winter", "[1] sold in 1931", "Source: the harbour") == found.notes


def test_a_row_that_ends_early_is_filled_up_unless_its_values_would_stand_below_others(tmp_path: Path) -> None:
    rows = "Boat,Length,Home,Note\nReed,31,Tarn,old\nRush,24,Holm,new\nSedge,28,Tarn,old\n"
    found = read(f"{rows}Wren,19,Holm\nRook,Holm,new\n", tmp_path)
    (told,) = (table for chunk in found.chunks for table in chunk.tables)

    assert ("Wren", "19", "Holm", "") == told.rows[-1]
    assert ["6"] == [warning.split(":")[-2] for warning in found.warnings]
