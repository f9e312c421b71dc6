"""Wrong usage as an error message with a suggestion, or as an object with `--json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from agent.cli.completion import complete_for

# Typer exports no name for usage errors; depending on the version they are Click's or its own.
_UsageError: Any = typer.BadParameter.__mro__[1]
_JSON = "agent.cli.usage.json"


class Commands(TyperGroup):
    """The commands; errors in their flags and arguments are reported here."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the flags before the command."""
        ctx.meta[_JSON] = _wants_json(args)
        with _explained(ctx):
            complete_for(ctx, args)
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _explained(ctx):
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the named command."""
        try:
            return super().resolve_command(ctx, args)
        except _UsageError as error:
            error.message = error.message.rstrip(".") + "." + _suggestion(args[0], self.list_commands(ctx))
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands, each with the first paragraph of its help; Click would cut it off at the line's end."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, _summary(one.help or "")) for name, one in commands if one is not None and not one.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class QuestionCommand(TyperCommand):
    """A command whose one argument is a text of several words; without quotes it arrives as several arguments."""

    allow_extra_args = True

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the flags and the question; more than one argument is a question without quotes."""
        rest: list[str] = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            name = next(one.name for one in self.params if one.param_type_name == "argument")
            words = " ".join([ctx.params[name], *rest])
            ctx.fail(f'{name.upper()} is one argument; put it in quotes: {ctx.command_path} "{words}"')
        return rest


@contextmanager
def _explained(context: Any) -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        _suggest(error)
        if not context.meta[_JSON]:
            raise
        from agent.cli.context import USAGE, complain

        command = (error.ctx or context).command_path
        message = error.format_message().rstrip(".")
        end = "" if message.endswith("?") else "."
        complain("UsageError", f"{message}{end} Try '{command} --help'", as_json=True)
        raise typer.Exit(USAGE) from None


def _suggest(error: Any) -> None:
    """Add a suggestion for the option to the error."""
    if getattr(error, "option_name", None) and hasattr(error, "possibilities") and error.ctx is not None:
        options = [name for param in error.ctx.command.get_params(error.ctx) for name in param.opts]
        error.message = f"{error.message}.{_suggestion(error.option_name, options)}"
        error.possibilities = None


def _suggestion(word: str, known: Sequence[str]) -> str:
    from retrieval.text.suggestion import did_you_mean  # here, since help and completion need nothing of `retrieval`

    return did_you_mean(word, known)


def _summary(text: str) -> str:
    """Return the first paragraph of a help text, as one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def _wants_json(args: Sequence[str]) -> bool:
    """Return True if `--json` is among the flags; after `--` everything is text.

    >>> _wants_json(["ask", "--json", "q"]), _wants_json(["ask", "--", "--json"])
    (True, False)
    """
    return "--json" in takewhile(lambda word: word != "--", args)
