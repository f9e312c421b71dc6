"""A reader of a format: a `.psv` file is one table, headed by its name; its first row has the heads.

[project.entry-points."versus.readers"]
psv = "psv_tables:read_psv"
"""

from __future__ import annotations

import csv
from pathlib import Path

from versus import Document, Placed, Section, SourceError, Table


def read_psv(path: Path) -> Document:
    """Read the file; `SourceError` names the line of a row that has more or fewer cells than there are heads."""
    with path.open(encoding="utf-8", newline="") as file:
        heads, *rows = csv.reader(file, delimiter="|")
    for line, row in enumerate(rows, start=2):
        if len(row) != len(heads):
            raise SourceError(f"{len(row)} cells under {len(heads)} heads", f"{path}:{line}")
    title = path.stem.replace("-", " ").title()
    table = Table(title, tuple((head,) for head in heads), tuple(map(tuple, rows)))
    return Document((Section((title,), line=1, blocks=[Placed(table, line=1)]),))
