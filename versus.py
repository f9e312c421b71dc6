"""One menu over `agent` and `retrieval`: everything that either exports, by its own name.

    from versus import Agent, Settings

    async with Agent.open(Settings(collection="rules")) as agent:
        answer = await agent.ask("Who wins: ...?")

`python -m versus` is the command. Names are loaded when they are first used. Other projects have packages called
`agent` too; where one of those is found in place of ours, that is an `ImportError` that says where it lies.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent import *
    from retrieval import *

_HERE = Path(__file__).resolve().parent
_PACKAGES = ("agent", "retrieval")


def main() -> None:
    """The `versus` command."""
    try:
        _require_ours()
    except ImportError as error:
        raise SystemExit(f"error: {error}") from None
    from agent.cli.app import main as command

    command()


def _require_ours() -> None:
    """`ImportError` when Python finds another package before one of ours; nothing is imported for that."""
    for name in _PACKAGES:
        found = _found(name)
        if found != [_HERE / name]:
            raise ImportError(
                f"the package {name!r} of versus is {_HERE / name}, but Python finds another one before it: "
                f"{', '.join(map(str, found)) or 'nothing'}. Rename that one, start Python in another folder, or take "
                "it out of PYTHONPATH or of this environment"
            )


def _found(name: str) -> list[Path]:
    """Where Python finds a package of this name, be it a folder or a file."""
    spec = find_spec(name)
    if spec is None:
        return []
    places = spec.submodule_search_locations or [spec.origin or ""]
    return [Path(place).resolve() for place in places]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__all__":  # asked for by `from versus import *`
            return __dir__()
        _require_ours()
        for package in () if name.startswith("_") else map(import_module, _PACKAGES):
            if name in package.__all__:
                return getattr(package, name)
        raise AttributeError(f"module 'versus' has no attribute {name!r}")

    def __dir__() -> list[str]:
        _require_ours()
        return sorted(name for package in map(import_module, _PACKAGES) for name in package.__all__)


if __name__ == "__main__":
    main()
