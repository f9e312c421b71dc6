"""One registry for every kind of plug-in: a name leads to an entry point, which is imported on request.

Built-in parts are in a table of the same values, `module:name`, so that a checkout needs no installation. Another
distribution adds to a kind by an entry point of its group:

    [project.entry-points."versus.stores"]
    qdrant = "my_package:Qdrant"

Every value is a function or a class. A plug-in can't take a built-in name. Installed distributions are searched only
for a name that is not built in, or to list all names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from retrieval.errors import BrokenPlugin, RetrievalError, UnknownPlugin

T = TypeVar("T")


class Registry(Generic[T]):
    """The plug-ins of one kind, by name. `noun` names one of them in messages.

    `passing` are errors that a plug-in may raise on purpose, besides `RetrievalError`.

    >>> parsers = Registry("example.parsers", "parser", {"json": "json:loads"})
    >>> parsers.get("json")("[1]")
    [1]
    >>> parsers.names()
    ('json',)
    >>> "json" in parsers
    True
    """

    def __init__(
        self, group: str, noun: str, built_in: Mapping[str, str], passing: tuple[type[Exception], ...] = ()
    ) -> None:
        self.group, self.noun = group, noun
        self._built_in = dict(built_in)
        self._passing: tuple[type[Exception], ...] = (RetrievalError, *passing)

    def names(self) -> tuple[str, ...]:
        """Return all names, sorted."""
        return tuple(sorted({*self._built_in, *(point.name for point in entry_points(group=self.group))}))

    def __contains__(self, name: str) -> bool:
        return name in self._built_in or bool(entry_points(group=self.group, name=name))

    def is_built_in(self, name: str) -> bool:
        """True if a name is a built-in part of versus and not a plug-in."""
        return name in self._built_in

    def require(self, name: str) -> None:
        """Raise `UnknownPlugin`, which lists the known names, for an unknown name. Nothing is imported."""
        self._point(name)

    def get(self, name: str) -> T:
        """Import and return the plug-in of this name.

        Raises `UnknownPlugin`, and `BrokenPlugin` if it can't be imported or two distributions claim the name.
        """
        with self.telling(name):
            loaded = self._point(name).load()
            if not callable(loaded):
                raise TypeError("it is neither a function nor a class")
        return cast(T, loaded)

    @contextmanager
    def telling(self, name: str) -> Iterator[None]:
        """Turn unexpected exceptions of the plug-in with this name into a `BrokenPlugin` that names it."""
        try:
            yield
        except self._passing:
            raise
        except Exception as error:
            point = self._point(name)
            reason = f"{type(error).__name__}: {error}"
            raise BrokenPlugin(self.noun, name, point.value, _package(point), reason) from error

    def _point(self, name: str) -> EntryPoint:
        if name in self._built_in:
            return EntryPoint(name, self._built_in[name], self.group)
        found = tuple(entry_points(group=self.group, name=name))
        if not found:
            raise UnknownPlugin(self.noun, name, self.names(), self.group)
        if len(found) > 1:
            packages = " and ".join(sorted(map(_package, found)))
            raise BrokenPlugin(self.noun, name, found[0].value, packages, "more than one package brings it")
        return found[0]


def _package(point: EntryPoint) -> str:
    return "versus" if point.dist is None else point.dist.name
