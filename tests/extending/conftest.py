"""Distributions in a folder of their own, as `pip install --target` leaves them, and processes that see that folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app

REPOSITORY = Path(__file__).parents[2]
PLUGINS = Path(__file__).parent / "plugins"
BOOK = """\
# Weapons

| Weapon | Damage | Weight |
|---|---|---|
| Maul | 2d6 | 9 |
| Flail | 1d8 | 8 |

# Flail

A flail is a short pole with a ball on a chain. It is hard to parry. It is heavy.

# Maul

A maul is a great hammer.
"""


@dataclass(frozen=True)
class Site:
    """A folder of installed distributions, and a working folder beside it."""

    folder: Path
    work: Path

    def install(self, module: str, group: str, name: str, value: str) -> None:
        """Install a distribution of one module of `plugins`, with one entry point."""
        self.declare(f"versus-{module.replace('_', '-')}", group, name, f"{module}:{value}")
        shutil.copy(PLUGINS / f"{module}.py", self.folder)

    def declare(self, distribution: str, group: str, name: str, value: str) -> None:
        """Write what an installed distribution says of itself."""
        info = self.folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")

    def versus(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run the command in the working folder."""
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("VERSUS_", "OPENAI_"))},
            "PYTHONPATH": os.pathsep.join((str(self.folder), str(REPOSITORY))),
            "HF_HUB_OFFLINE": "1",
            **{f"VERSUS_{name.upper()}": value for name, value in settings.items()},
        }
        command = [sys.executable, "-m", "versus", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", cwd=self.work, env=environment, timeout=120,
            check=False,
        )  # fmt: skip

    def here(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run the command in this process, which has words of its own already: a new one takes seconds to start."""
        with pytest.MonkeyPatch.context() as patch:
            for name in [name for name in os.environ if name.startswith(("VERSUS_", "OPENAI_"))]:
                patch.delenv(name)
            for name, value in settings.items():
                patch.setenv(f"VERSUS_{name.upper()}", value)
            patch.syspath_prepend(str(self.folder))
            patch.chdir(self.work)
            result = CliRunner().invoke(app, list(arguments))
        return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def site_in(folder: Path) -> Site:
    """A folder for distributions, and a working folder with the book in it."""
    (folder / "work").mkdir()
    (folder / "work" / "book.md").write_text(BOOK, encoding="utf-8")
    return Site(folder / "site", folder / "work")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return site_in(tmp_path)


@pytest.fixture(scope="package")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the book, for tests that only ask."""
    site = site_in(tmp_path_factory.mktemp("shelf"))
    done = site.here("ingest", "book.md")
    assert 0 == done.returncode, done.stderr
    return site.work / ".versus" / "chroma"
