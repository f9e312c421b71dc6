"""reStructuredText and AsciiDoc are read as their authors meant them, with the lines of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import Read, read_sources
from tests.kit import answer, book_of

SPHINX = """\
Kilns
=====

See :ref:`the cones <cones>` and :doc:`lids`.

.. toctree::
   :maxdepth: 2

   lids

.. list-table:: Weights
   :header-rows: 1

   * - Kiln
     - Weight
   * - Clinker 20
     - 48 kg
   * - Clinker 30
     - 71 kg

.. confval:: fan_speed
   :type: int

   How fast the fan turns. Default: 40

.. note:: Never open a hot kiln.

.. versionadded:: 3.2
   A second fan.

.. include:: secret.txt

.. code-block:: sh
   :emphasize-lines: 1

   kiln --hot
"""

ASCIIDOC = """\
= Kilns
:maker: Clinker

Read <<cones,the cones>> of the {maker} *first*.

== Sizes

.Weights
[cols="1,2*"]
|===
|Kiln |Weight |Lid

|{maker} 20
|48 kg
|brick

|{maker} 30 |71 kg |steel
|===

[%header]
|===
.2+h|Cone 2+h|Heat
h|slow h|fast
|1 |900 |950
2+|2 |955
|===

,===
Fan,Speed
small,"1,200"
,===

Voltage:: 230 V
Power::
  3 kW

----
|= not a table
----

include::secret.adoc[]
ifdef::secret[]
hidden
endif::[]
"""


def read(folder: Path, name: str, text: str) -> Read:
    (folder / "secret.txt").write_text("the secret")
    (folder / name).write_text(text)
    return read_sources([folder / name])


def test_tables_definitions_and_roles_of_restructured_text(tmp_path: Path) -> None:
    found = read(tmp_path, "kilns.rst", SPHINX)
    told = answer("What is the weight of the Clinker 30?", book_of(found.chunks))
    assert "71 kg" == told.finding.verdict
    assert [("table", 11), ("record", 1)] == [(chunk.chunk_type, chunk.line) for chunk in found.chunks]
    text = "\n".join(chunk.text for chunk in found.chunks)
    for said in ("See the cones and lids.", "How fast the fan turns", "Never open", "version 3.2", "kiln --hot"):
        assert said in text
    assert "maxdepth" not in text


def test_restructured_text_includes_no_file_and_what_is_not_read_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, "kilns.rst", SPHINX)
    assert not any("the secret" in chunk.text for chunk in found.chunks)
    assert [f'{tmp_path / "kilns.rst"}:31: "include" directive disabled. Kept as text.'] == list(found.warnings)


@pytest.mark.parametrize(
    ("head", "title"), [("", "kiln notes"), (".. title: Kilns & Lids\n.. slug: k\n\n", "Kilns & Lids")]
)
def test_restructured_text_without_a_heading_has_the_title_of_its_page_or_file(
    head: str, title: str, tmp_path: Path
) -> None:
    (chunk,) = read(tmp_path, "kiln_notes.rst", f"{head}Never open a kiln that is hot.\n").chunks
    assert title == chunk.title


def test_a_page_without_a_heading_has_its_title_as_it_is_read(tmp_path: Path) -> None:
    page = "<title>Kilns &amp; Lids</title><p>Never open a kiln that is hot.</p>"
    (chunk,) = read(tmp_path, "k.html", page).chunks
    assert "Kilns & Lids" == chunk.title


def test_tables_lists_and_attributes_of_asciidoc(tmp_path: Path) -> None:
    found = read(tmp_path, "kilns.adoc", ASCIIDOC)
    book = book_of(found.chunks)
    assert "71 kg" == answer("What is the weight of the Clinker 30?", book).finding.verdict
    assert "1,200" == answer("What is the speed of the small fan?", book).finding.verdict
    assert (("Voltage", "230 V"), ("Power", "3 kW")) == found.chunks[-1].tables[0].rows
    heat = next(table for chunk in found.chunks for table in chunk.tables if ("Cone",) == table.columns[0])
    assert (("Cone",), ("Heat", "slow"), ("Heat", "fast")) == heat.columns
    assert (("1", "900", "950"), ("2", "2", "955")) == heat.rows
    assert "Read the cones of the Clinker first." in found.chunks[0].text
    assert {1, 6, 10, 21, 28} == {chunk.line for chunk in found.chunks}


def test_what_asciidoc_includes_or_makes_conditional_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, "kilns.adoc", ASCIIDOC)
    place = tmp_path / "kilns.adoc"
    assert [
        f"{place}:41: includes secret.adoc, which is not followed; ingest that file too",
        f"{place}:42: text for a condition that this file does not meet: ifdef::secret[]",
    ] == list(found.warnings)
    assert not any("hidden" in chunk.text for chunk in found.chunks)


DIALECTS = """\
# Kilns {#kilns .wide}

!!! warning "Heat"

    Never open a *hot* kiln.

    | Kiln | Weight |
    |------|--------|
    | Clinker 20 | 48 kg[^1] |

=== "Gas"

    ```sh
    !!! not a head
    ```

::: {.callout-note}
## Fans
They turn.
:::

:::tip[Lids]
Brick is best.
:::

> [!NOTE]
> Keep it dry.

{{< tab header="Cones" >}}

+------+---------+
| Cone | Heat    |
+======+=========+
| 1    | 900 °C, |
|      | slow    |
+------+---------+

Voltage

:   230 V

    - at home

{{< include secret.txt >}}

[^1]: https://example.org
"""


def test_what_dialects_of_markdown_add_is_text_like_any_other_on_its_own_line(tmp_path: Path) -> None:
    found = read(tmp_path, "kilns.md", DIALECTS)
    assert {("Kilns",)} == {chunk.headings for chunk in found.chunks}
    tables = {table.columns: (chunk.line, table.rows) for chunk in found.chunks for table in chunk.tables}
    assert (7, (("Clinker 20", "48 kg"),)) == tables[("Kiln",), ("Weight",)]
    assert (31, (("1", "900 °C, slow"),)) == tables[("Cone",), ("Heat",)]
    text = "\n".join(chunk.text for chunk in found.chunks)
    for said in ("Heat:", "Never open a hot kiln", "!!! not a head", "Fans: They turn", "Lids: Brick", "Keep it dry"):
        assert said in text
    assert not any(mark in text for mark in ("{", ":::", "[!", "=== "))
    assert (1, (("Voltage", "230 V"),)) == tables[(), ()]
    assert [f"{tmp_path / 'kilns.md'}:44: includes secret.txt, which is not followed; ingest that file too"] == list(
        found.warnings
    )


MDX = """\
---
maker: Clinker
---

import Tabs from "@theme/Tabs"

export const kiln = {

  secret: 1,
}

# Kilns

<Tabs onClick={() => go(1 > 2)}>
  <Tab title="Gas">

    | Kiln | Weight |
    |------|--------|
    | Clinker 20 | 48 kg |

    ```jsx
    import x
    <Tab title="code">
    ```

  </Tab>
</Tabs>

<table className="wide">
  <tr><th>Cone</th><th>Heat</th></tr>
  <tr><td style={{color: "red"}}>{"1"}</td><td onClick={() => go(2)}>900 °C {/* hot */}</td></tr>
</table>

<ParamField path="fan_speed" type="number" default="40">How fast it turns.</ParamField>

:::note Lids
Use `<Lid>`.
:::
"""


def test_components_of_mdx_leave_what_they_hold_on_its_own_line(tmp_path: Path) -> None:
    found = read(tmp_path, "kilns.mdx", MDX)
    assert () == found.warnings
    tables = {table.columns: (chunk.line, table) for chunk in found.chunks for table in chunk.tables}
    line, table = tables[("Kiln",), ("Weight",)]
    assert (17, "Gas", (("Clinker 20", "48 kg"),)) == (line, table.caption, table.rows)
    line, table = tables[("Cone",), ("Heat",)]
    assert (29, (("1", "900 °C"),)) == (line, table.rows)
    text = "\n".join(chunk.text for chunk in found.chunks)
    assert "secret" not in text and "@theme" not in text and "go(" not in text
    for said in ('<Tab title="code">', "fan_speed: number, default 40 How fast", "Lids: Use <Lid>", "Clinker"):
        assert said in text


SETTINGS = """\
Kiln settings
=============

``fan``
  Turns the air.

  :strong:`Default value`: 40 (0, 100)

.. _lid:

``lid``
  - Default value: open
  - Note that a hot lid stays where it is, whatever somebody says of it, and that nobody should lift it then.

``glow``
  Lights the cone.

- ``slow`` --- Heats for a day.
- ``fast`` --- Heats for an hour.
- ``cold`` --- Heats nothing.
"""


def test_labels_that_the_meanings_of_terms_share_are_a_table(tmp_path: Path) -> None:
    tables = [table for chunk in read(tmp_path, "kiln.rst", SETTINGS).chunks for table in chunk.tables]

    assert [(("fan", "40 (0, 100)"), ("lid", "open"))] == [each.rows for each in tables if not each.is_record]
    assert ("slow", "Heats for a day.") in [row for table in tables for row in table.rows]


def test_an_option_keeps_its_dashes(tmp_path: Path) -> None:
    page = "Options\n=======\n\n``--cone <NUMBER>``\n  Which cone.\n\n``-l``\n  Which lid.\n"

    rows = [row for chunk in read(tmp_path, "kiln.rst", page).chunks for table in chunk.tables for row in table.rows]
    assert ["--cone <NUMBER>", "-l"] == [row[0] for row in rows]


@pytest.mark.parametrize(
    ("name", "head", "mark", "tick"),
    [("kiln.md", "# Kiln", "-", "`"), ("kiln.rst", "Kiln\n====", "-", "``"), ("kiln.adoc", "= Kiln", "*", "`")],
)
def test_an_item_that_begins_with_code_tells_of_that(
    name: str, head: str, mark: str, tick: str, tmp_path: Path
) -> None:
    items = ("`fan`, `-f` (number) Turns the air.", "`heat = 40` - In degrees (most: 90).", "`lid` is heavy.")
    page = "\n".join([head, "", *(f"{mark} {item}".replace("`", tick) for item in items), ""])

    rows = [row for chunk in read(tmp_path, name, page).chunks for table in chunk.tables for row in table.rows]
    assert [("fan, -f", "(number) Turns the air."), ("heat", "40 - In degrees (most: 90).")] == rows[:2]
    assert [("heat: most", "90")] == rows[2:]


def test_a_table_of_asciidoc_has_the_heads_that_it_says(tmp_path: Path) -> None:
    page = '= Kiln\n\n[cols="1,2"]\n|===\n|fan |Turns the air\n|lid |2 of them\n|===\n\nHeat in all: 1,280 °C\n'

    tables = [table for chunk in read(tmp_path, "kiln.adoc", page).chunks for table in chunk.tables]
    assert [("fan", "Turns the air"), ("lid", "2 of them")] == [row for table in tables for row in table.rows][:2]
    assert ("Heat in all", "1,280 °C") in [row for table in tables for row in table.rows]


@pytest.mark.parametrize(
    "drawn",
    [
        (
            "+------------+--------+-----------------------------------+\n"
            "| Kiln       | Weight | Cones                             |\n"
            "+============+========+===================================+\n"
            "| Clinker 20 | 48 kg  | See :ref:`the small cones <cone>` |\n"
            "+------------+--------+-----------------------------------+\n"
            "| Clinker 30 | 71 kg  | none                              |\n"
            "+------------+--------+-----------------------------------+\n"
        ),
        (
            "================================ ========\n"
            "Kiln                             Weight\n"
            "================================ ========\n"
            ":doc:`Clinker 20 <kilns/small>`  48 kg\n"
            "Clinker 30                       71 kg\n"
            "================================ ========\n"
        ),
    ],
)
def test_roles_leave_the_columns_of_a_drawn_table_where_they_are(drawn: str, tmp_path: Path) -> None:
    page = tmp_path / "kilns.rst"
    page.write_text(f"Kilns\n=====\n\n{drawn}", encoding="utf-8")
    read = read_sources([page])

    assert read.warnings == ()
    (table,) = [table for chunk in read.chunks for table in chunk.tables]
    assert [row[:2] for row in table.rows] == [("Clinker 20", "48 kg"), ("Clinker 30", "71 kg")]
