"""A list in a cell of an HTML table is a list of values."""

from __future__ import annotations

from pathlib import Path

from retrieval.ingest.read import read_sources

PAGE = """<html><body><h1>Owls</h1><table>
<tr><th>Owl</th><th>Habitat</th><th>Note</th></tr>
<tr><td>Little owl</td><td>farmland</td><td>small</td></tr>
<tr><td>Barn owl</td><td><ul><li>farmland</li><li>old villages</li></ul></td><td>in
<ul><li>barns, towers</li></ul></td></tr>
</table></body></html>"""


def test_the_items_are_apart(tmp_path: Path) -> None:
    (tmp_path / "owls.html").write_text(PAGE)

    (table,) = [table for chunk in read_sources([tmp_path]).chunks for table in chunk.tables]

    assert table.rows[1][1] == "farmland, old villages"
    assert table.rows[1][2] == "in barns, towers"
