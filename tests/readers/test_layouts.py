"""The same facts in many layouts, as people write them: a table, a box, lists, lines of labels. All are read alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.kit import answer, book

HEADS = ("Length", "Built", "Crew", "Home port", "Harbour fee")
BOATS: Mapping[str, tuple[str, ...]] = {
    "Reed": ("9 m", "1912", "3", "Hull", "40 crowns"),
    "Sedge": ("12 m", "1931", "8", "York", "75 crowns"),
    "Rush": ("7 m", "1898", "2", "Hull", "25 crowns"),
    "Tern": ("15 m", "1904", "11", "Leith", "90 crowns"),
}
ASKED = {
    "What is the length of the Tern?": ("15 m",),
    "When was the Rush built?": ("1898",),
    "How large is the crew of the Sedge?": ("8",),
    "What is the home port of the Tern?": ("Leith",),
    "Which has the higher harbour fee, the Reed or the Sedge?": ("Sedge",),
    "Which was built earlier, the Tern or the Reed?": ("Tern",),
    "Which boat has the largest crew?": ("Tern",),
    "Which boat was built first?": ("Rush",),
    "How many boats have Hull as their home port?": ("2",),
    "Which boats have a length of more than 10 m?": ("Sedge", "Tern"),
    "How many boats are from Hull?": ("2",),
    "Which boats are not from Hull?": ("Sedge", "Tern"),
    "Which boat is the oldest?": ("Rush",),
    "What is the highest harbour fee of the boats?": ("90",),
}


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "# Boats\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _sections(facts: Callable[[tuple[str, ...]], str], heading: str = "## {name}") -> str:
    told = (f"{heading.format(name=name)}\n\n{facts(values)}\n" for name, values in BOATS.items())
    return "# Boats\n\nThe boats of the harbour.\n\n" + "\n".join(told)


def _lines(form: str) -> Callable[[tuple[str, ...]], str]:
    return lambda values: "\n".join(form.format(label=label, value=value) for label, value in _told(values))


def _told(values: tuple[str, ...]) -> list[tuple[str, str]]:
    return list(zip(HEADS, values, strict=True))


def _items(form: str, between: str, own: str = "{label}: {value}") -> str:
    told = (
        form.format(
            name=name, facts=between.join(own.format(label=label, value=value) for label, value in _told(values))
        )
        for name, values in BOATS.items()
    )
    return "# Boats\n\n" + "\n".join(told)


def _in_pairs(values: tuple[str, ...]) -> str:
    length, built, crew, port, fee = (f"**{label}** | {value}" for label, value in _told(values))
    return f"| | | | |\n|-|-|-|-|\n| {length} | {built} |\n| {crew} | {port} |\n| {fee} | | |"


_ROWS = [(name, *values) for name, values in BOATS.items()]
_COLUMNS = [(label, *told) for label, *told in zip(HEADS, *BOATS.values(), strict=True)]
_LAYOUTS = {
    "a table": _table(("Boat", *HEADS), _ROWS),
    "a table with an empty corner": _table(("", *HEADS), [(f"**{row[0]}**", *row[1:]) for row in _ROWS]),
    "a table that counts its rows": _table(("#", "Boat", *HEADS), [(str(n), *row) for n, row in enumerate(_ROWS, 1)]),
    "a table with several rows of a key": _table(
        ("Class", "Boat", *HEADS),
        [("Large" if len(row[1]) > 3 else "Small", *row) for row in sorted(_ROWS, key=lambda row: len(row[1]))],
    ),
    "a turned table": _table(("", *BOATS), _COLUMNS),
    "a turned table with a head": _table(("Attribute", *BOATS), _COLUMNS),
    "tables of one measure": "# Boats\n\n"
    + "\n\n".join(
        _table(("Boat", label), list(zip(BOATS, told, strict=True))).replace("# Boats", f"## {label}")
        for label, *told in _COLUMNS
    ),
    "a table of one row each": _sections(lambda values: _table(HEADS, [values]).removeprefix("# Boats\n\n")),
    "a box without heads": _sections(lambda values: "| | |\n|-|-|\n" + _lines("| {label} | {value} |")(values)),
    "a box of properties": _sections(
        lambda values: "| Property | Value |\n|-|-|\n" + _lines("| {label} | {value} |")(values)
    ),
    "a box of two pairs to a row": _sections(_in_pairs),
    "bold labels": _sections(_lines("**{label}:** {value}  ")),
    "bold labels, the colon behind": _sections(_lines("**{label}**: {value}  ")),
    "italic labels": _sections(_lines("*{label}:* {value}  ")),
    "plain labels": _sections(_lines("{label}: {value}  ")),
    "bullets": _sections(_lines("- {label}: {value}")),
    "bullets with bold labels": _sections(_lines("* **{label}** {value}")),
    "bullets with dashes": _sections(_lines("- **{label}** – {value}")),
    "bullets with equals signs": _sections(_lines("- {label} = {value}")),
    "bullets with arrows": _sections(_lines("- {label} → {value}")),
    "a quoted box": _sections(_lines("> **{label}:** {value}  ")),
    "one line with bars": _sections(lambda values: _lines("**{label}:** {value}")(values).replace("\n", " | ")),
    "definitions": _sections(_lines("{label}\n:   {value}\n")),
    "headings with the kind": _sections(_lines("- {label}: {value}"), "## Boat: {name}"),
    "numbered headings": _sections(_lines("- {label}: {value}"), "## 3. {name}"),
    "nested bullets": _items("- {name}\n    - {facts}", "\n    - "),
    "nested bullets with colons": _items("- **{name}**:\n  - {facts}", "\n  - "),
    "items of one line": _items("- **{name}**: {facts}", ", "),
    "items in brackets": _items("- {name} ({facts})", "; "),
    "items with a dash": _items("1. **{name}** - {facts}", ", "),
    "items with semicolons": _items("**{name}.** {facts}.\n", "; ", "{label} {value}"),
    "definitions of things": _items("{name}\n:   {facts}\n", ", "),
}


@pytest.mark.parametrize("layout", _LAYOUTS)
def test_the_same_is_told_in_every_layout(layout: str) -> None:
    boats = book(_LAYOUTS[layout])
    wrong = {}
    for question, told in ASKED.items():
        found = answer(question, boats)
        said = f"{found.finding.verdict or ''} {found.finding.claim}"
        if found.needs or not all(each in said for each in told):
            wrong[question] = said
    assert not wrong
