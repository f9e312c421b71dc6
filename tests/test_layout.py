"""The layout: which package may know which, drawn from the imports of the code itself."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_AT_THE_ROOT = 9
MOST_LINES = 400
MOST_IN_A_PACKAGE = 15
MOST_COMPREHENSIONS = {
    "agent": 7,
    "agent/planning": 11,
    "agent/prose": 10,
    "agent/reasoning": 10,
    "agent/understanding": 8,
}
"""For every hundred lines; httpx has one. More of them is denser than a stranger reads, and each package may only get
fewer."""
COMPLEXITY = {"C90", "PLR0911", "PLR0912", "PLR0916"}
FLOORS = """
retrieval.keys retrieval.tabular retrieval.text
retrieval.errors retrieval.types
retrieval.lexical retrieval.paths retrieval.processes retrieval.registry
retrieval.embedding retrieval.filters
retrieval.stores
retrieval.catalogs retrieval.tables
retrieval.readers
retrieval.ingest
retrieval.collections
retrieval.searching
retrieval
agent agent.errors agent.escape
agent.languages agent.questions
agent.understanding
agent.prose agent.types
agent.plugins agent.settings
agent.events agent.reasoning
agent.llm
agent.planning agent.writing
agent.domains agent.render
agent.batch agent.ingesting agent.stages
agent.ask agent.monitoring
agent.application agent.evaluation
agent.doors
agent.cli
"""
"""Each package and each module beside them: it may import what stands on a lower floor, and nothing else."""
WITHIN = {
    "agent.writing": "texts | cells | derived against | checking | wording",
    "agent.domains.combat": "totals | types | question rulebook | fighting | domain",
    "agent.understanding": "words | question | linking | rewording",
    "agent.reasoning": "values notebook | measures side_by_side | kinds from_prose | coverage lookup nearest_passages"
    " | rows series | subjects | selection | derived | execution | binding",
    "retrieval.readers": "documents | labels | data lists | html | markdown | plain | markup | office pdf"
    " | read_before | cage",
}
"""The floors of the packages that are large: what stands in them knows only what is on a lower floor."""
FLOOR = {name: number for number, line in enumerate(FLOORS.split("\n")) for name in line.split()}


def modules() -> dict[str, Path]:
    """Every module of the two packages, by its name."""
    paths = [path.relative_to(ROOT) for top in ("agent", "retrieval") for path in (ROOT / top).rglob("*.py")]
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): ROOT / path for path in paths}


MODULES = modules()


def only_for_types(tree: ast.AST) -> set[ast.AST]:
    """All that stands under `if TYPE_CHECKING`."""
    guarded = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {inner for node in guarded for statement in node.body for inner in ast.walk(statement)}


def imported(path: Path) -> Iterator[str]:
    """The modules that a module imports, wherever in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = only_for_types(tree)
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in MODULES else node.module


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports."""
    return {name: set(imported(path)) - {name} for name, path in MODULES.items()}


def room(module: str) -> str:
    """The package of a module, or the module where it stands beside the packages."""
    return ".".join(module.split(".")[:2])


def test_every_room_has_its_floor() -> None:
    assert {room(module) for module in MODULES} == set(FLOOR)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_nothing_imports_what_is_above_it(module: str) -> None:
    rooms = {room(other) for other in imports()[module]} - {room(module)}

    assert [] == sorted(other for other in rooms if other != "agent" and FLOOR[other] >= FLOOR[room(module)])


@pytest.mark.parametrize("package", sorted(WITHIN))
def test_large_packages_have_floors_too(package: str) -> None:
    floor = {name: number for number, names in enumerate(WITHIN[package].split("|")) for name in names.split()}
    depth = package.count(".") + 1
    knows = [(name.split(".")[depth], other.split(".")[depth]) for name, other in _within(f"{package}.")]

    assert [] == sorted({(one, other) for one, other in knows if one != other and floor[other] >= floor[one]})


def _within(package: str) -> Iterator[tuple[str, str]]:
    """Which modules of a package import which of it."""
    inside = [name for name in MODULES if name.startswith(package)]
    return ((name, other) for name in inside for other in imports()[name] if other.startswith(package))


@pytest.mark.parametrize("package", sorted(WITHIN))
def test_no_package_is_a_long_list_of_modules(package: str) -> None:
    folders = {path.parent for name, path in MODULES.items() if name.startswith(package)}

    assert [] == sorted(str(folder) for folder in folders if len(list(folder.glob("*.py"))) > MOST_IN_A_PACKAGE)


def test_no_door_knows_another() -> None:
    doors = {path.name for path in (ROOT / "agent" / "doors").iterdir() if (path / "__init__.py").exists()}
    knows = [(name, other) for name in MODULES for other in imports()[name] if {door_of(name), door_of(other)} <= doors]

    assert [] == sorted((name, other) for name, other in knows if door_of(name) != door_of(other))


def door_of(module: str) -> str:
    """The door that a module is of, or what else stands third in its name."""
    return ".".join(module.split(".")[2:3]) if module.startswith("agent.doors.") else ""


def test_no_modules_import_each_other_in_a_circle() -> None:
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("package", ["agent", "retrieval"])
def test_few_modules_stand_beside_the_packages(package: str) -> None:
    assert len(list((ROOT / package).glob("*.py"))) <= MOST_AT_THE_ROOT


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_is_read_in_one_sitting(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("folder", sorted(MOST_COMPREHENSIONS))
def test_a_line_holds_little_at_once(folder: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py")]
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    found = sum(isinstance(node, kinds) for text in texts for node in ast.walk(ast.parse(text)))

    assert found * 100 <= MOST_COMPREHENSIONS[folder] * sum(text.count("\n") for text in texts)


def test_no_function_is_excused_from_the_rules_of_complexity() -> None:
    linting = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    excused = [path for path, rules in linting["per-file-ignores"].items() if COMPLEXITY & set(rules)]
    said = {path for path in MODULES.values() if re.search(r"# noqa:.*\b(PLR|C90)", path.read_text(encoding="utf-8"))}

    assert COMPLEXITY <= set(linting["select"])
    assert ([], set()) == (excused, said)
