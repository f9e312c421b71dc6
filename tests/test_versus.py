"""The menu over both packages, and the command as a module."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import agent
import retrieval
import versus
from versus import Agent, MemoryStore

REPOSITORY = Path(__file__).parents[1]


def python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with a package `agent` that is not ours."""
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "__init__.py").touch()
    return tmp_path


def test_the_menu_has_what_both_packages_export() -> None:
    assert sorted([*agent.__all__, *retrieval.__all__]) == dir(versus)
    assert (agent.Agent, retrieval.MemoryStore) == (Agent, MemoryStore)


def test_what_stands_outside_takes_from_the_menu_what_the_menu_has() -> None:
    outside = [*(REPOSITORY / "benchmarks").rglob("*.py"), *(REPOSITORY / "tests" / "extending" / "plugins").glob("*")]
    texts = {path: path.read_text(encoding="utf-8") for path in outside if path.suffix == ".py"}
    examples = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    texts |= {Path(f"README.md, example {number}"): text for number, text in enumerate(examples, 1)}
    past = {str(path): names for path, text in texts.items() if (names := past_the_menu(text))}
    assert {} == past


def past_the_menu(program: str) -> list[str]:
    """What a program imports from our packages although the menu has it."""
    imports = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if str(node.module).split(".")[0] in ("agent", "retrieval")]
    return [name.name for node in ours for name in node.names if name.name in dir(versus)]


def test_a_name_that_neither_exports_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'versus' has no attribute 'Oracle'"):
        _ = versus.Oracle  # type: ignore[attr-defined]


def test_the_menu_loads_nothing_before_it_is_used(tmp_path: Path) -> None:
    said = python("-c", "import sys, versus; print([m for m in ('agent', 'numpy') if m in sys.modules])", cwd=tmp_path)
    assert "[]\n" == said.stdout


def test_the_command_is_a_module_too(tmp_path: Path) -> None:
    said = python("-m", "versus", "--version", cwd=tmp_path)
    assert (0, f"versus {agent.__version__}\n") == (said.returncode, said.stdout)


def test_somebody_elses_agent_is_named_where_it_lies(elsewhere: Path) -> None:
    command = python("-m", "versus", "--version", cwd=elsewhere)
    assert (1, "") == (command.returncode, command.stdout)
    assert command.stderr.startswith("error: the package 'agent' of versus is ")
    assert str(elsewhere.resolve() / "agent") in command.stderr
    assert "Traceback" not in command.stderr
    imported = python("-c", "from versus import Agent", cwd=elsewhere)
    assert "ImportError: the package 'agent' of versus is " in imported.stderr


def test_a_file_of_that_name_is_named_too_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("Agent = None\n")
    (tmp_path / "mine.py").write_text("from versus import Agent\n")
    told = python("mine.py", cwd=tmp_path).stderr.splitlines()[-1]
    assert f"finds another one before it: {tmp_path.resolve() / 'agent.py'}. Rename that one" in told
