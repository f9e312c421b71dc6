"""The pages that people read: what they link to is there, and what they say of the command is what the command says."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from agent.cli.app import app
from retrieval.registry import Registry

ROOT = Path(__file__).parents[1]
DOCS = tuple(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *DOCS)
TOP = ("agent", "retrieval", "tests", "benchmarks", "logs")
ASKING = ("ask", "search", "plan", "check", "eval", "batch")


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(markdown: str) -> set[str]:
    """What its headings are called in an address."""
    headings = re.findall(r"^#+ (.+)$", markdown, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def in_code(markdown: str) -> list[str]:
    """All that stands between single backticks."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", markdown)


def commands() -> TyperGroup:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


def flags_of(command: str) -> set[str]:
    options = (parameter for parameter in commands().commands[command].params if parameter.param_type_name == "option")
    return {spelling for option in options for spelling in (*option.opts, *option.secondary_opts)}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", page(name)) if "://" not in target]

    assert [] == [target for target in targets if not leads_somewhere(name, target)]


def leads_somewhere(name: str, target: str) -> bool:
    """Whether a link of a page leads to a file, and to a heading of it where it names one."""
    file, _, anchor = target.partition("#")
    path = (ROOT / name).parent / file if file else ROOT / name
    if not path.exists():
        return False
    return not anchor or anchor in anchors(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_every_path_and_module_that_is_named_is_there(name: str) -> None:
    quoted = in_code(page(name))
    paths = [text for text in quoted if re.fullmatch(rf"(?:{'|'.join(TOP)})/[\w./-]*", text)]
    modules = [match[1] for text in quoted if (match := re.match(r"(?:python -m )?((?:[a-z_]+\.)+[a-z_]+)\b", text))]
    ours = [module for module in modules if module.split(".")[0] in TOP]

    # What a log is called is decided when it is written.
    assert [] == [path for path in paths if not (ROOT / path).exists() and "YYYYMMDD" not in path]
    assert [] == [module for module in ours if not names_something(module)]


def names_something(dotted: str) -> bool:
    """Whether a dotted name is a module, or a name in one."""
    module, _, attribute = dotted.rpartition(".")
    if is_module(dotted):
        return True
    return is_module(module) and hasattr(__import__(module, fromlist=[attribute]), attribute)


def is_module(dotted: str) -> bool:
    try:
        return find_spec(dotted) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("name", ["README.md", "docs/command.md"])
def test_every_command_is_listed(name: str) -> None:
    listed = re.findall(r"^\| `versus ([a-z]+)", page(name), re.MULTILINE)

    assert set(commands().commands) == set(listed)


def test_every_flag_of_asking_is_listed() -> None:
    paragraph = re.search(r"\*\*Flags\*\* of .*?\n\n", page("docs/command.md"), re.DOTALL)
    assert paragraph is not None
    listed = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", paragraph[0]))
    shared = set.intersection(*map(flags_of, ASKING))

    assert {flag for flag in shared if flag.startswith("--")} - {"--no-hybrid"} == listed


@pytest.mark.parametrize("name", [name for name in PAGES if name != "CHANGELOG.md"])
def test_every_flag_that_is_named_is_one_of_some_command(name: str) -> None:
    known = {flag for command in commands().commands for flag in flags_of(command)}
    lines = [line for line in page(name).splitlines() if "versus " in line and "benchmarks" not in line]
    named = {flag for line in lines for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)}

    assert set() == named - known - {"--install-completion", "--help", "--index-url"}


def test_contributing_has_every_kind_of_part() -> None:
    groups = {f"`{registry.group}`" for registry in registries()}
    table = [line for line in page("CONTRIBUTING.md").splitlines() if line.startswith("|")]

    assert set() == {group for group in groups if not any(group in line for line in table)}


def registries() -> list[Registry[object]]:
    """Every registry of the two packages."""
    sources = [path for top in ("agent", "retrieval") for path in (ROOT / top).rglob("*.py")]
    having = [path for path in sources if re.search(r"^[A-Z_]+\b.*= Registry\[", path.read_text(), re.MULTILINE)]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in having]
    found = [vars(__import__(name, fromlist=["_"])).values() for name in names]
    return [value for values in found for value in values if isinstance(value, Registry)]
