"""Attack, and tell what held; the exit code is 1 when anything did not.

python -m benchmarks.attacks            all of them
python -m benchmarks.attacks damage     only some
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from rich.console import Console
from rich.table import Table

from benchmarks.attacks.row import Row

MODULES = ("damage", "sources")
"""Modules of this package, each with a `run() -> list[Row]`."""


class Attack(Protocol):
    """What each module offers."""

    def run(self) -> list[Row]:
        """Attack in every way the module knows."""


def show(console: Console, rows: Sequence[Row]) -> None:
    """Print one line for each attack."""
    table = Table(title="Attacks", title_justify="left")
    for column in ("attack", "tried", "held", "worst"):
        table.add_column(column, justify="right" if column in ("tried", "held") else "left")
    for row in rows:
        table.add_row(row.attack, str(row.tried), str(row.held), row.worst, style=None if row.has_held else "red")
    console.print(table)


def main() -> int:
    """Read the command line, attack, print; 1 when anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description="Attacks that have to fail.")
    parser.add_argument("modules", nargs="*", choices=[*MODULES, []], metavar=f"{{{','.join(MODULES)}}}")
    names = parser.parse_args().modules or MODULES
    rows: list[Row] = []
    for name in names:
        rows += cast(Attack, import_module(f"benchmarks.attacks.{name}")).run()
    show(Console(width=140), rows)
    return int(not all(row.has_held for row in rows))


if __name__ == "__main__":
    sys.exit(main())
