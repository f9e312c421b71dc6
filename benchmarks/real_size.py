"""A book of a real size: OSRIC where its folder is, else one that is generated, of 3,000 titles with tables and rules.

The generated one has the classes of `two_classes` with their tables by level, which look alike and so get rules, and
creatures with records, tables of gear and sections of prose.

    with book(Path("../shared")) as path: ...
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.two_classes import CLASSES

BESIDE = Path(__file__).resolve().parents[2] / "shared"
"""Where the folder of books is, if it is not given."""
TITLES = 3000
_LEVELS = 20
_A_FILE = 500
_RECORDS = 2
"""Of five creatures those that have a record."""
_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"
_PROSE = (
    "They are met in {place} and seldom come out by day.",
    "Nobody who saw a {name} at {place} has told of it without fear.",
    "In the cold months the {name} goes to {place}, where it finds what it eats.",
    "A {name} that is fed becomes tame in about {number} weeks.",
)


def osric_in(shared: Path | None) -> Path | None:
    """OSRIC in a folder of books; None where it is not there."""
    found = None if shared is None else shared / "corpora" / "osric"
    return found if found is not None and found.is_dir() else None


@contextmanager
def book(shared: Path | None = BESIDE) -> Iterator[Path]:
    """Where a book of a real size is read from, as long as the block lasts."""
    kept = osric_in(shared)
    if kept is not None:
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="versus-book-") as folder:
        generated(Path(folder))
        yield Path(folder)


def generated(folder: Path, titles: int = TITLES) -> None:
    """Write a book of about so many titles; it is always the same one.

    >>> with tempfile.TemporaryDirectory() as place:
    ...     generated(Path(place), 60)
    ...     text = "".join(path.read_text() for path in sorted(Path(place).iterdir()))
    >>> text.count("\\n## ") + text.count("\\n### "), text.count("Saving Throw Table")
    (60, 8)
    """
    chance = random.Random(0)
    classes = [section for name in CLASSES for section in _class(name, chance)]
    others = [_creature(chance, number) for number in range(titles - len(classes))]
    (folder / "classes.md").write_text("# Classes\n\n" + "\n\n".join(classes) + "\n", "utf-8")
    for start in range(0, len(others), _A_FILE):
        text = "\n\n".join(others[start : start + _A_FILE])
        (folder / f"creatures-{start:04}.md").write_text(
            f"# Creatures, part {start // _A_FILE + 1}\n\n{text}\n", "utf-8"
        )


def _class(name: str, chance: random.Random) -> list[str]:
    """The sections of a class: what it is, and its tables by level."""
    title = name.capitalize()
    prose = f"## {title}\n\nA {name} lives by what a {name} has learnt. Each level asks for more of it than the last."
    experience = [[level, 1000 * 2**level // 3, f"{level}d{chance.choice((4, 6, 8, 10))}"] for level in _levels()]
    saves = [[level, *(chance.randint(8, 18) - level // 3 for _ in range(4))] for level in _levels()]
    hits = [[level, *(20 - level // 2 - armor for armor in range(10))] for level in _levels()]
    return [
        prose,
        f"### {title} Level Table\n\n" + _table(["Level", "Experience points", "Hit dice (d8)"], experience),
        f"### {title} Saving Throw Table\n\n" + _table(["Level", "Breath weapons", "Death", "Rods", "Spells"], saves),
        f"### {title} Attack Matrix\n\n" + _table(["Level", *(f"Armor class {n}" for n in range(10))], hits),
    ]


def _levels() -> range:
    return range(1, _LEVELS + 1)


def _creature(chance: random.Random, number: int) -> str:
    """A section: of five a record, a table or two of prose."""
    name, place = _name(chance), _name(chance)
    told = " ".join(each.format(name=name, place=place, number=chance.randint(2, 40)) for each in _PROSE)
    head = f"## {name} {number}"
    if number % 5 < _RECORDS:
        return f"{head}\n\n{_record(chance)}\n\n{told}"
    if number % 5 == _RECORDS:
        rows = [[_name(chance), chance.randint(1, 90), f"{chance.randint(1, 9)} gp"] for _ in range(8)]
        return f"{head}\n\n{told}\n\n" + _table(["Item", "Weight", "Cost"], rows)
    return f"{head}\n\n{told}"


def _record(chance: random.Random) -> str:
    armor, dice, move = chance.randint(-2, 9), chance.randint(1, 16), chance.randint(3, 24)
    return f'**Armor class:** {armor}  \n**Hit dice:** {dice}  \n**Move:** {move}"'


def _name(chance: random.Random) -> str:
    syllables = range(chance.randint(2, 4))
    return "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in syllables).capitalize()


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines: list[Sequence[object]] = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
