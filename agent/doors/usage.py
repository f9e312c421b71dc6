"""Wrong usage, told as every other error is: with `--json` as an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

import typer
from typer.core import TyperGroup

# Typer shows no name for the errors of usage; in some versions they are Click's, in others its own.
_UsageError: Any = typer.BadParameter.__mro__[1]
_JSON = "agent.doors.usage.json"


class Commands(TyperGroup):
    """The commands; what is wrong with their flags and arguments is told here."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the flags that stand before the command."""
        ctx.meta[_JSON] = _wants_json(args)
        with _told(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Do what is asked."""
        with _told(ctx):
            return super().invoke(ctx)


@contextmanager
def _told(context: Any) -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if not context.meta[_JSON]:
            raise
        from agent.doors.desk import USAGE, complain

        command = (error.ctx or context).command_path
        message = error.format_message().rstrip(".")
        complain("UsageError", f"{message}. Try '{command} --help'", as_json=True)
        raise typer.Exit(USAGE) from None


def _wants_json(args: Sequence[str]) -> bool:
    """Whether `--json` is among the flags; after `--` all are words.

    >>> _wants_json(["ask", "--json", "q"]), _wants_json(["ask", "--", "--json"])
    (True, False)
    """
    return "--json" in takewhile(lambda word: word != "--", args)
