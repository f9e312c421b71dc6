"""Labels with their values in running text become the record of their section, in Markdown and in chunk JSONL."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.readers.labels.running_text import pairs_of

FORMS = {
    "bold": "**Keel Depth** 3 m\n\n**Crew** 12 hands\n",
    "bold with colons": "**Keel Depth:** 3 m\n\n**Crew:** 12 hands\n",
    "bold lines of one paragraph": "**Keel Depth** 3 m\n**Crew** 12 hands\n",
    "bold side by side": "**Keel Depth** 3 m **Crew** 12 hands\n",
    "bullets": "- Keel Depth: 3 m\n- Crew: 12 hands\n",
    "bold bullets": "- **Keel Depth**: 3 m\n- **Crew**: 12 hands\n",
    "lines": "Keel Depth: 3 m\nCrew: 12 hands\n",
    "emoji": "- ⚓ Keel Depth: 3 m\n- 🧑‍✈️Crew: 12 hands\n",
    "round bullets": "• Keel Depth: 3 m\n• Crew: 12 hands\n",
    "checkmarks": "✔ Keel Depth: 3 m\n✔ Crew: 12 hands\n",
    "among prose": "- Keel Depth: 3 m\n- It sails well\n- And fast\n- Crew: 12 hands\n- Nobody sinks\n",
    "html definitions": "<dl><dt>Keel Depth</dt><dd>3 m</dd><dt>Crew</dt>\n<dd>12 hands</dd></dl>\n",
    "html table": "<table><tr><td>Keel Depth</td><td>3 m</td></tr><tr><td>Crew</td><td>12 hands</td></tr></table>\n",
    "html heads": "<table><tr><th>Keel Depth<td>3 m</td></tr><tr><th>Crew<td>12 hands</td></tr></table>\n",
    "definitions": "Keel Depth\n: 3 m\n\nCrew\n: 12 hands\n",
    "values below bold lines": "**Keel Depth:**\n3 m\n\n**Crew:**\n12 hands\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_labels_and_values_of_a_section_are_its_record(form: str, tmp_path: Path) -> None:
    path = tmp_path / "boats.md"
    path.write_text(f"# Skiff\n\nA small boat.\n\n{FORMS[form]}", encoding="utf-8")

    rows = [row for chunk in read_sources([path]).chunks for table in chunk.tables for row in table.rows]
    assert [("Keel Depth", "3 m"), ("Crew", "12 hands")] == rows


def test_labels_below_a_label_are_told_with_it(tmp_path: Path) -> None:
    path = tmp_path / "boats.md"
    text = "# Skiff\n\n**Sail:**\n**total:** 40 ha\n**main:** 24 ha\n\n**Motor:**\nnone\n"
    path.write_text(text, encoding="utf-8")

    (chunk,) = read_sources([path]).chunks
    assert (("Sail: total", "40 ha"), ("Sail: main", "24 ha"), ("Motor", "none")) == chunk.tables[0].rows


def test_the_lines_of_a_chunk_are_its_record(tmp_path: Path) -> None:
    path = tmp_path / "chunks.jsonl"
    record = {"id": "c1", "title": "OWLBEAR", "text": "HIT DICE: 5+2\nARMOR CLASS: 5"}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")

    (chunk,) = read_sources([path]).chunks
    assert "record" == chunk.chunk_type
    assert (("HIT DICE", "5+2"), ("ARMOR CLASS", "5")) == chunk.tables[0].rows


@pytest.mark.parametrize(
    "prose",
    [
        ["A boat is **very** small, and so is its **crew** of two."],
        ["Remember this: a boat that leaks is no boat at all."],
        ["First we sail. Then: we rest.", "Nobody knows why, and nobody asks."],
        ["- one", "- two", "- three"],
        ["- [ ] Buy: a sail", "- [x] Sell: the mast"],
        ["- ☐ Buy: a sail", "- ☐ Sell: the mast"],
        ["- Fold the sail", "- Note: it is wet", "- Row", "- Note: it leaks", "- Rest"],
        ["- Fold the sail.", "- Warning: wet.", "- Row.", "- Note: it leaks.", "- Rest."],
        ["He said to her", "Then: wet", "and more of it", "Now: dry", "and so on"],
    ],
)
def test_prose_has_no_labels(prose: list[str]) -> None:
    assert () == pairs_of(prose)
