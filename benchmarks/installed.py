"""How large what is installed for some packages is, with all that they ask for.

Nothing of versus is imported, for peers are measured by it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement


def installed_size(packages: Iterable[str]) -> int:
    """Bytes of the files of some packages and of those that they ask for, each once; compiled ones are left out.

    >>> installed_size(["packaging"]) > 100_000, installed_size(["no-such-package"])
    (True, 0)
    """
    waiting, seen, size = [(name, "") for name in packages], set[str](), 0
    while waiting:
        name, extra = waiting.pop()
        found = _distribution(name)
        if found is None:
            continue
        if _normal(name) not in seen:
            seen.add(_normal(name))
            size += _size(found)
        further = [each for each in _asked_for(found, extra) if _normal(each[0]) not in seen or each[1]]
        waiting += [each for each in further if f"{_normal(each[0])}[{each[1]}]" not in seen]
        seen |= {f"{_normal(each)}[{which}]" for each, which in further}
    return size


def _distribution(name: str) -> Distribution | None:
    """What is installed by a name; None where nothing is, as of what is for another system."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _asked_for(found: Distribution, extra: str) -> Iterable[tuple[str, str]]:
    """What a package asks for here, each with an extra or none."""
    for text in found.requires or ():
        asked = Requirement(text)
        if asked.marker is None or asked.marker.evaluate({"extra": extra}):
            yield from ((asked.name, each) for each in ("", *asked.extras))


def _size(found: Distribution) -> int:
    files = (Path(str(each.locate())) for each in found.files or () if each.suffix != ".pyc")
    return sum(path.stat().st_size for path in files if path.is_file())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
