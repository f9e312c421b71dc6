"""What stands below an item of a list is told of that item."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Chunk, Table
from tests.kit import answer, book_of

STOPS = """\
# The northern tour

## Stops

*   **Reed House (Kiel)**:
    *   **Nights**: 2
    *   **Price**: 232 Mark
*   **Lodge Sedge** [quiet]
    *   *Price*: **90 Mark** a night
    *   *Way*: on foot
*   **Ferry**: the Rush
    *   **Depart**: 9:00
        *   **Check-in**: 8:15
    *   **Arrive**: 10:30
*   **Money**: bring *coins*
"""


def read(text: str, tmp_path: Path) -> list[Chunk]:
    path = tmp_path / "tour.md"
    path.write_text(text, encoding="utf-8")
    return list(read_sources([path]).chunks)


def records(text: str, tmp_path: Path) -> dict[str, tuple[tuple[str, ...], ...]]:
    tables: list[Table] = [table for chunk in read(text, tmp_path) for table in chunk.tables]
    return {table.caption: table.rows for table in tables}


def test_labels_below_an_item_are_told_of_it(tmp_path: Path) -> None:
    assert {
        "": (("Lodge Sedge", "[quiet]"), ("Ferry", "the Rush"), ("Money", "bring coins")),
        "Reed House (Kiel)": (("Nights", "2"), ("Price", "232 Mark")),
        "Lodge Sedge": (("Price", "90 Mark a night"), ("Way", "on foot")),
        "Ferry": (("Depart", "9:00"), ("Arrive", "10:30")),
        "Ferry: Depart": (("Check-in", "8:15"),),
    } == records(STOPS, tmp_path)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the price of the Reed House?", "232 Mark"),
        ("Price of Lodge Sedge?", "90 Mark a night"),
        ("When does the ferry arrive?", "10:30"),
    ],
)
def test_who_asks_for_the_item_is_told_its_value(question: str, value: str, tmp_path: Path) -> None:
    assert value == answer(question, book_of(read(STOPS, tmp_path))).finding.verdict


def test_below_a_sentence_labels_are_of_what_the_list_is_about(tmp_path: Path) -> None:
    labels = "    - Crew: 3\n    - Fee: 5 Mark\n    - Speed: 9 kn\n"
    text = f"# Reed\n\n- It is a boat that was built in Kiel for us.\n{labels}"

    assert {"": (("Crew", "3"), ("Fee", "5 Mark"), ("Speed", "9 kn"))} == records(text, tmp_path)


DOSES = """\
# Calm seas

## What to give

Rushroot
- 1 - 2 mg of the dried root
- Repeat at noon if required
- Instead: Sedge, 5 mg

Sedge
- 5 mg at the most
- Not for: sailors, cooks
- Way: by mouth

**Pros:**
- Cheap and quick to make
- Keeps for many months in a dry place
"""


def test_a_line_above_a_list_is_its_label_or_whose_its_labels_are(tmp_path: Path) -> None:
    found = records(DOSES, tmp_path)

    assert (("Not for", "sailors, cooks"), ("Way", "by mouth")) == found["Sedge"]
    assert ("Pros", "Cheap and quick to make; Keeps for many months in a dry place") in found[""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Hearing:** **May 1, 2018**\n", ("Hearing", "May 1, 2018")),
        ("*Way:* on foot, or by the ferry\n", ("Way", "on foot, or by the ferry")),
        ("_Way_: on foot, or by the ferry\n", ("Way", "on foot, or by the ferry")),
        ("b. **Answer.** The harbour answers in five days.\n", ("Answer", "The harbour answers in five days.")),
        ("(b) **Answer.** The harbour answers in five days.\n", ("Answer", "The harbour answers in five days.")),
        ("- 81 planks\n- 4 lamps of brass\n", ("lamps of brass", "4")),
        ("- Rushroot 2.5 mg\n- Sedge 5 - 10 mg; never more\n", ("Sedge", "5 - 10 mg; never more")),
        ("- No - 0\n- Yes - 4\n", ("Yes", "4")),
        ("- 4 or above: a storm\n- 1-3: perhaps a gale\n", ("1-3", "perhaps a gale")),
    ],
)
def test_labels_are_read_in_the_forms_that_writers_give_them(
    text: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    assert expected in records(f"# Reed\n\n{text}", tmp_path)[""]


@pytest.mark.parametrize(
    "text", ["- Lark 10\n- Lark 11\n", "*Reed* sails at nine: be there.\n", "- Reed - slow\n- Reed - old\n"]
)
def test_numbers_of_names_and_sentences_are_no_labels(text: str, tmp_path: Path) -> None:
    assert not any(chunk.tables for chunk in read(f"# Boats\n\n{text}", tmp_path))


def test_a_page_that_is_read_in_a_process_of_its_own_tells_the_same(tmp_path: Path) -> None:
    long = f"{STOPS}\n# Log\n\n{'We sailed on. ' * 4_000}\n"

    assert {name: records(STOPS, tmp_path)[name] for name in ("Ferry", "Ferry: Depart")}.items() <= (
        records(long, tmp_path).items()
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("- **Rig** [boat_rig] (**Sloop**|Ketch|Yawl)", ("Rig", "[boat_rig] (Sloop|Ketch|Yawl)")),
        ("- **Pump** (**off**/on)", ("Pump", "(off/on)")),
        ("- **Crew** 3, **Fee** 5 Mark", ("Fee", "5 Mark")),
    ],
)
def test_a_bold_word_in_brackets_is_no_label_of_its_own(row: str, expected: tuple[str, str], tmp_path: Path) -> None:
    assert expected in records(f"# Reed\n\n{row}\n", tmp_path)[""]


def test_bold_names_that_are_joined_by_words_are_no_labels(tmp_path: Path) -> None:
    assert not any(chunk.tables for chunk in read("# Crew\n\n- **Ann** and **Bo** to mend the sails.\n", tmp_path))


def test_words_that_only_lead_to_a_list_are_no_thing(tmp_path: Path) -> None:
    text = "# Reed\n\nThese are as follows\n- Crew: 3\n- Fee: 5 Mark\n"

    assert {"": (("Crew", "3"), ("Fee", "5 Mark"))} == records(text, tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- `--home <port>`: where it lies\n- `--fast`: as fast as it can\n", ("--home <port>", "where it lies")),
        ("- `-s`, `--sail`  - up or down\n- `-o`: oars\n", ("-s, --sail", "up or down")),
        ("- Weight = 3 kg\n- Height = 9 cm\n", ("Height", "9 cm")),
        ("- Kiel → Rostock harbour\n- Wismar → Lübeck\n", ("Kiel", "Rostock harbour")),
        ("Serves: 4 | Time: 10 min\n", ("Time", "10 min")),
        ("**Serves** 4 · **Time** 10 min\n", ("Serves", "4")),
        ("- 500 g flour\n- 2 eggs\n- 1/2 cup milk\n- ½ tsp salt\n", ("flour", "500 g")),
        ("Crew\n: 3 hands\n: and a boy\n", ("Crew", "3 hands; and a boy")),
    ],
)
def test_labels_in_code_beside_each_other_and_behind_amounts(
    text: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    assert expected in records(f"# Reed\n\n{text}", tmp_path)[""]


@pytest.mark.parametrize(
    "text",
    ["- 1 Of boats\n- 2 Of sails\n", "- 1.020 Repeal\n- 1.030 Names\n", "See `reed` and `rush` - both are here.\n"],
)
def test_what_counts_chapters_and_code_within_sentences_are_no_values(text: str, tmp_path: Path) -> None:
    assert not any(chunk.tables for chunk in read(f"# Boats\n\n{text}", tmp_path))


def test_a_table_of_contents_tells_nothing_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "reed.md"
    links = "- [Crew](#crew)\n- [Fees](#fees)\n  - [Winter](#winter)\n"
    posts = "Posts:\n\n- [Cook](#cook)\n- [Mate](#mate)\n"
    page.write_text(f"# Reed\n\nJump to:\n\n{links}\n## Crew\n\n{posts}\n## Fees\n\nNone.\n")

    book = book_of(list(read_sources([page]).chunks))

    assert [("Posts", "Cook; Mate")] == [row for chunk in book.chunks for table in chunk.tables for row in table.rows]
