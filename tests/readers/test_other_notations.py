"""The same facts in notations of other formats than Markdown, or of no format at all; all are read alike."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Table
from tests.kit import Book, answer, book
from tests.readers.test_layouts import ASKED, BOATS, HEADS


def facts(values: Sequence[str], form: str) -> str:
    return "\n".join(form.format(label, value) for label, value in zip(HEADS, values, strict=True))


def blocks(form: str, name: str, between: str = "\n\n") -> str:
    return between.join(f"{name.format(boat)}{facts(values, form)}" for boat, values in BOATS.items())


def long_form() -> str:
    rows = (
        f"{boat},{label},{value.removesuffix(' m')},{'m' if value.endswith(' m') else ''}"
        for boat, values in BOATS.items()
        for label, value in zip(HEADS, values, strict=True)
    )
    return "Boat,What,Value,Unit\n" + "\n".join(rows)


def legend() -> str:
    rows = "\n".join(f"| {boat} | {' | '.join(values)} |" for boat, values in BOATS.items())
    told = "; ".join(f"{label[:2]} = {label[:1].lower()}{label[1:]}" for label in HEADS)
    heads = " | ".join(label[:2] for label in HEADS)
    return f"# Boats\n\n| Boat | {heads} |\n|{'-|' * 6}\n{rows}\n\nIn this table {told}.\n"


def side_by_side() -> str:
    told, names = "# Boats\n", list(BOATS)
    for one, other in zip(names[::2], names[1::2], strict=True):
        pairs = zip(HEADS, BOATS[one], BOATS[other], strict=True)
        rows = "\n".join(f"| {label} | {left} | {label} | {right} |" for label, left, right in pairs)
        told += f"\n| {one} | | {other} | |\n|-|-|-|-|\n{rows}\n"
    return told


def xml() -> str:
    def parts(values: Sequence[str]) -> Iterator[str]:
        for label, value in zip(HEADS, values, strict=True):
            tag, (amount, _, unit) = label.lower().replace(" ", "_"), value.partition(" ")
            yield f'<{tag} unit="{unit}">{amount}</{tag}>' if unit else f"<{tag}>{value}</{tag}>"

    told = (f'<boat name="{boat}">{"".join(parts(values))}</boat>' for boat, values in BOATS.items())
    return f"<harbour>{''.join(told)}</harbour>"


def wiki() -> str:
    """A table with heads in two rows, most of which span both."""
    spanning = " !! ".join(f"rowspan=2 | {head}" for head in ("Boat", *HEADS[:3]))
    heads = f"! {spanning} !! colspan=2 | Harbour\n|-\n! {' !! '.join(HEADS[3:])}"
    rows = "\n|-\n".join(f"| [[{boat}]] || {' || '.join(values)}" for boat, values in BOATS.items())
    return f"== Boats ==\n{{| class=wikitable\n{heads}\n|-\n{rows}\n|}}\n"


def two_pages() -> str:
    """A table whose heads come back in its middle, below a word that says so."""
    heads, told = f"| Boat | {' | '.join(HEADS)} |", [f"| {boat} | {' | '.join(own)} |" for boat, own in BOATS.items()]
    again = f"| continued | {' | ' * 4} |\n{heads}"
    return "\n".join(["# Boats\n", heads, "|-" * 6 + "|", *told[:2], again, *told[2:]])


def dittos() -> str:
    """A table sorted by home port, in which a mark repeats the port above."""
    rows = sorted(BOATS.items(), key=lambda each: each[1][3])
    ports = ["", *(own[3] for _, own in rows)]
    told = [(boat, *own[:3], '"' if own[3] == ports[at] else own[3], own[4]) for at, (boat, own) in enumerate(rows)]
    return "\n".join("\t".join(row) for row in [("Boat", *HEADS), *told])


def items() -> str:
    told = blocks("   | {0} | {1} |", "1. {0}\n\n   | Property | Value |\n   |---|---|\n")
    return f"# Boats\n\n{told}\n"


def amounts() -> str:
    def amount(value: str) -> str | dict[str, str]:
        number, _, unit = value.partition(" ")
        return {"value": number, "unit": unit} if unit else value

    told = {
        boat: {label: amount(value) for label, value in zip(HEADS, own, strict=True)} for boat, own in BOATS.items()
    }
    return json.dumps({"boats": told})


def documents() -> str:
    return "---\n".join(f"name: {boat}\n{facts(values, '{0}: {1}')}\n" for boat, values in BOATS.items())


def solid_rule() -> str:
    """Columns below a rule without gaps; some values have a space at the same place."""
    told = [("Boat", *HEADS), *((boat, *own) for boat, own in BOATS.items())]
    lines = ["".join(f"{cell:<16}" for cell in row).rstrip() for row in told]
    return "\n".join(
        ["Boats of the harbour", "====================", "", lines[0], "-" * 92, *lines[1:], "", "Ask us."]
    )


FILES = {
    "a solid rule": ("boats.txt", solid_rule()),
    "MediaWiki": ("boats.wiki", wiki()),
    "heads that come back": ("boats.md", two_pages()),
    "marks that repeat": ("boats.tsv", dittos()),
    "tables in a list": ("boats.md", items()),
    "amounts with units": ("boats.json", amounts()),
    "a document each": ("boats.yaml", documents()),
    "dots": ("boats.txt", "Boats\n=====\n\n" + blocks("  {0:.<20} {1}", "{0}\n")),
    "columns": ("boats.txt", "BOATS\n" + blocks("       {0:<14}{1}", "   {0}\n")),
    "line blocks": ("boats.rst", "Boats\n=====\n\n" + blocks("| {0}: {1}", "{0}\n-------\n\n")),
    "a paragraph each": ("boats.md", "# Boats\n\n" + blocks("{0}: {1}\n", "## {0}\n\n")),
    "headings with rules": ("boats.txt", "BOATS\n=====\n\n" + blocks("{0}: {1}", "{0}\n-------\n")),
    "rules": ("boats.txt", blocks("{0:<12}: {1}", "-----------\nName        : {0}\n", "\n")),
    "one fact a row": ("boats.csv", long_form()),
    "heads with a legend": ("boats.md", legend()),
    "side by side": ("boats.md", side_by_side()),
    "TOML": ("boats.toml", blocks('"{0}" = "{1}"', "[boats.{0}]\n")),
    "XML": ("boats.xml", xml()),
    "Org": ("boats.org", "* Boats\n" + blocks(":{0}: {1}", "** {0}\n:PROPERTIES:\n", "\n:END:\n") + "\n:END:\n"),
    "LaTeX": (
        "boats.tex",
        r"\section{Boats}" + "\n"
        + blocks(r"\item[{0}] {1}", r"\subsection{{{0}}}\begin{{description}}" + "\n", "\n\\end{description}\n")
        + "\n\\end{description}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("notation", FILES)
def test_the_same_is_told_in_every_notation(notation: str, tmp_path: Path) -> None:
    name, text = FILES[notation]
    (tmp_path / name).write_text(text, encoding="utf-8")
    boats, wrong = Book(lambda: read_sources([tmp_path / name]).chunks), {}
    for question, told in ASKED.items():
        found = answer(question, boats)
        said = f"{found.finding.verdict or ''} {found.finding.claim}"
        if found.needs or not all(each in said for each in told):
            wrong[question] = said
    assert not wrong


PRICES = """\
| Region | Season | Price |
|-|-|-|
| north | low season | 12 |
| north | high season | 19 |
| north | winter | 14 |
| south | low season | 10 |
| south | high season | 17 |
| south | winter | 11 |
"""
DESCRIBED = (
    "| Kite | Tail | Silk |\n|-|-|-|\n| Dusk | 1 | 0 |\n\n- Tail: Has it a tail?\n- Silk: The silk of the kite\n"
)


def tables(path: Path) -> list[Table]:
    return [table for chunk in read_sources([path]).chunks for table in chunk.tables]


@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [
        ("prices.md", PRICES, [(("Region",), ("Season",), ("Price",))]),
        ("kites.md", DESCRIBED, [(("Kite",), ("Tail",), ("Silk",))]),
    ],
)
def test_what_only_looks_like_one_stays(
    name: str, text: str, columns: list[tuple[tuple[str, ...], ...]], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert columns == [table.columns for table in tables(tmp_path / name) if not table.is_record]


PUMPS = book(
    "# Pumps\n\n| Model | Power (W) | Soft start | Since |\n|-|-|-|-|\n| Marlow 40 | 410 | no | 1998 |\n"
    "| Marlow 55 | 560 | yes | 2004 |\n| Otter | 205 | no | 1987 |\n| Heron | 280 | yes | 2011 |\n"
    "| Wren | 90 | no | 2015 |\n"
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which pumps have a soft start?", "Marlow 55, Heron"),
        ("How many pumps have a power of more than 250 W?", "3"),
        ("Give me all pumps with a soft start.", "Marlow 55, Heron"),
        ("The Marlow 40's power?", "410"),
        ("Which has more power, the Marlow 40's or the Marlow 55's?", "Marlow 55"),
        ("Which pump has been sold longest since it came?", "Otter"),
    ],
)
def test_names_may_end_in_numbers(question: str, told: str) -> None:
    found = answer(question, PUMPS)
    assert told in (found.finding.verdict or "")


def test_a_short_last_piece_of_a_long_list_is_not_lost() -> None:
    names = ("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel")
    places = ("by the weir", "on the hill", "in the lane")
    told = "\n\n".join(
        f"{name}\n:   *Yearly growth* – {9 + at}.5 cm\n:   *Greatest height* – {95 - at} m\n"
        f":   *Age* – {at + 3}–92 years\n:   *Price of a plank* – £{215 + 7 * at}\n"
        f":   *Evergreen* – {'no' if at % 3 else 'yes'}\n:   *Grows* – {places[at % 3]}\n"
        f":   *Uses* – boats / {('tools', 'bows', 'dye')[at % 3]}\n:   *Planted* – {1908 + at}"
        for at, name in enumerate(names)
    )
    trees = book(f"# Trees at a glance\n\nEvery tree below stands at the mill this year.\n\n{told}\n")
    assert len(trees.chunks) > 1
    assert "Hazel" == answer("Which tree has the highest yearly growth?", trees).finding.verdict


RENTS = """\
GARDEN CLUB

RENTS FOR THE YEAR 2024
Plot type         Size       Rent     Water
--------------------------------------------
Full plot         250 m2     £62      £19
Half plot         125 m2     £34      £11
Raised bed         12 m2     £9       £3

RENTS FOR THE YEAR 2025
Plot type         Size       Rent     Water
--------------------------------------------
Full plot         250 m2     £68      £23
Half plot         125 m2     £37      £13
Raised bed         12 m2     £10      £4
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the rent of a half plot for the year 2025?", "£37"),
        ("What was the water charge for a full plot in the year 2024?", "£19"),
        ("Which plot type had the highest rent in 2024?", "Full plot"),
    ],
)
def test_a_title_above_the_heads_is_none_of_them(question: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(RENTS, encoding="utf-8")
    found = answer(question, Book(lambda: read_sources([tmp_path]).chunks))
    assert told in f"{found.finding.verdict} {found.finding.claim}"
    assert not found.needs
