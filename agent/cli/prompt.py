"""The prompt of `versus ask`: it reads the next question, or a command in place of one."""

from __future__ import annotations

import sys

from rich.text import Text

from agent.cli.context import CommandContext
from agent.render import to_json

PROMPT = "versus> "
HELP = """\
Type a question; it is answered with its working and its sources.
A follow-up says only what changes since the last question, for instance:
  and if it had SOMETHING ELSE?
  what about ANOTHER NUMBER?
  and ANOTHER NAME?
  which of them has more OF SOMETHING?
It opens with "and", "but", "if", "what about" or "what if", or says "it" or "them", or gives no more than a number. \
A line above the answer tells how it was understood. A question that stands alone starts anew.
  help          shows this
  quit, Ctrl-D  leaves
  Ctrl-C        clears the line, or cancels a question"""

_LEAVE = ("quit", "exit")


class Prompt:
    """Lines from a terminal, with line editing, or from a pipe, where no prompt mixes with the output."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context
        self._on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not context.json
        if self._on_terminal:
            import readline  # noqa: F401 - gives input() its line editing

            context.notes.print(
                Text("Ask a question; `help` tells what else may be typed, `quit` leaves.", style="dim")
            )

    def read(self) -> str | None:
        """Return the next line; "" if there is nothing to answer, None at the end of input or after `quit`."""
        line = self._typed() if self._on_terminal else sys.stdin.readline() or None
        if line is None or line.strip().lower() in _LEAVE:
            return None
        if line.strip().lower() == "help":
            self._help()
            return ""
        return line.strip()

    def _typed(self) -> str | None:
        """Return a line from the terminal; Ctrl-C begins a new one."""
        try:
            return input(PROMPT)
        except KeyboardInterrupt:
            self._context.notes.print()
            return ""
        except EOFError:
            self._context.notes.print()
            return None

    def _help(self) -> None:
        if self._context.json:
            sys.stderr.write(to_json({"note": HELP}) + "\n")
        else:
            self._context.notes.print(Text(HELP))
