"""What a shell completes: commands, flags and the values of flags, at once, since nothing heavy is imported for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
HEAVY = ("torch", "chromadb", "sentence_transformers", "numpy", "pydantic_settings", "structlog", "openai")
MAIN = "import versus\nversus.main()\n"
COMPLETING = f"""\
import sys
import versus
sys.argv = ["versus"]
try: versus.main()
finally: sys.stderr.write(",".join(m for m in {HEAVY!r} if m in sys.modules))
"""
BASH = """\
eval "$(_VERSUS_COMPLETE=source_bash versus)"
COMP_WORDS=({words}) COMP_CWORD={at}
$(complete -p versus | sed 's/.*-F \\([^ ]*\\).*/\\1/') versus
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("versus se", ["search", "serve"]),
        ("versus ask --pres", ["--preset"]),
        ("versus ask --preset b", ["balanced"]),
        ("versus batch --planner l", ["llm"]),
        ("versus ask --effort m", ["minimal", "medium"]),
        ("versus ingest --rules g", ["generated"]),
    ],
)
def test_commands_flags_and_values_are_completed_without_heavy_imports(typed: str, completed: list[str]) -> None:
    environment = os.environ | {
        "PYTHONPATH": str(REPOSITORY),
        "_VERSUS_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }
    command = [sys.executable, "-c", COMPLETING]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (completed, "") == (done.stdout.split(), done.stderr)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_what_is_typed(tmp_path: Path) -> None:
    command = tmp_path / "versus"
    command.write_text(f"#!{sys.executable}\nimport sys\nsys.path[0] = {str(REPOSITORY)!r}\n{MAIN}")
    command.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    script = BASH.format(words="versus ask --preset s", at=3)
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert ("strict\n", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", ".bash_completions/versus.sh"),
        ("zsh", ".zfunc/_versus"),
        ("fish", ".config/fish/completions/versus.fish"),
    ],
)
def test_completion_is_installed_for_the_shell_that_is_named(shell: str, file: str, tmp_path: Path) -> None:
    done = at_home(tmp_path, sys.executable, "-m", "versus", "--install-completion", shell)
    assert (0, "") == (done.returncode, done.stderr)
    assert f"{shell} completion installed in {tmp_path / file}\n" in done.stdout
    assert "_VERSUS_COMPLETE=complete_" in (tmp_path / file).read_text()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_is_installed_for_the_shell_that_asks_and_then_works(tmp_path: Path) -> None:
    installing = f"{sys.executable} -m versus --install-completion; :"  # the second command keeps the shell waiting
    assert "bash completion installed in" in at_home(tmp_path, "bash", "-c", installing).stdout
    registered = at_home(tmp_path, "bash", "-c", "source ~/.bashrc; complete -p versus").stdout
    assert registered.endswith(" versus\n")


def test_a_shell_that_is_none_is_told_with_those_that_are(tmp_path: Path) -> None:
    done = at_home(tmp_path, sys.executable, "-m", "versus", "--install-completion", "tcsh")
    assert 2 == done.returncode
    assert "'tcsh' is no shell; name one of bash, zsh, fish" in done.stderr
    assert [] == list(tmp_path.iterdir())


def at_home(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose user has this home."""
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "HOME": str(home)}
    environment.pop("XDG_CONFIG_HOME", None)
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=home, check=False)
