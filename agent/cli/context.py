"""The frame of every command: settings in, output out, and each error as one message.

Results go to stdout; progress, notes and errors to stderr. The traceback of an unexpected error goes to the log only.
"""

from __future__ import annotations

import gc
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import typer
from rich.console import Console, RenderableType
from rich.text import Text

from agent.errors import AgentError, FileError, QuestionError, SettingsError
from agent.escape import encodable, one_line, printable
from agent.events import configure_logging, emit_failure
from agent.render import to_json, to_text
from agent.render.formats import TEXT
from agent.settings.folder_trust import not_taken_note
from agent.settings.settings import FLAG, Settings, load
from agent.settings.unknown_variables import unknown_variable_note, unknown_variables
from retrieval.errors import RetrievalError, SourceError, UnknownPlugin
from retrieval.keys import shown

OK, FAILED, USAGE, IN_PART, INTERRUPTED = 0, 1, 2, 3, 130
_ADVISED = re.compile(r"\bversus (?:collections|doctor|ingest PATH)(?![\w-])")
_WRONG_USAGE = (QuestionError, SettingsError, FileError, SourceError, UnknownPlugin)


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The settings and output options of a command."""

    settings: Settings
    json: bool = False
    debug: bool = False
    show_context: bool = False
    format: str = TEXT

    def show(self, view: RenderableType) -> None:
        """Print a view to stdout: in colour on a terminal, else as plain lines that are never wrapped."""
        console = Console()
        if console.is_terminal:
            console.print(view)
        else:
            sys.stdout.write(to_text(view))
            sys.stdout.flush()

    def show_json(self, data: Mapping[str, Any]) -> None:
        """Print one JSON object on one line."""
        sys.stdout.write(to_json(data) + "\n")
        sys.stdout.flush()

    def show_text(self, text: str) -> None:
        """Print a text as it is."""
        sys.stdout.write(encodable(text))
        sys.stdout.flush()

    def complain(self, error: Exception) -> int:
        """Print an error to stderr, as text or with `--json` as an object; the traceback goes to the log.

        Return the exit code.
        """
        emit_failure(error)
        complain(type(error).__name__, self._explanation(error), self.json)
        return USAGE if isinstance(error, _WRONG_USAGE) else FAILED

    def with_store_flag(self, advice: str) -> str:
        """Return the advice with `--chroma` added to its commands, if they would not find this store without it."""
        if dict(self.settings.origins).get("chroma") != FLAG:
            return advice
        flag = f"--chroma {shlex.quote(shown(self.settings.chroma))}"
        return _ADVISED.sub(lambda command: f"{command[0]} {flag}", advice)

    def _explanation(self, error: Exception) -> str:
        if isinstance(error, AgentError | RetrievalError):
            return self.with_store_flag(str(error))
        return _surprise(error, self.settings)

    @property
    def notes(self) -> Console:
        """The console for progress and notes."""
        return Console(stderr=True)


def run(context: Callable[[], CommandContext], job: Callable[[CommandContext], int], as_json: bool) -> None:
    """Run a command's job and leave with its exit code; every error becomes a message."""
    for name in unknown_variables():
        _note(one_line(unknown_variable_note(name)), as_json)
    try:
        ready = context()
    except AgentError as error:
        complain(type(error).__name__, str(error), as_json)
        raise typer.Exit(USAGE) from None
    if ready.settings.not_taken:
        _note(not_taken_note(ready.settings.not_taken), as_json)
    with configure_logging(ready.settings):
        gc.enable()  # it was off during the start; see `agent.cli.garbage`
        raise typer.Exit(_guarded(job, ready))


def context_of(
    flags: Mapping[str, object],
    defaults: Mapping[str, object],
    json: bool,
    debug: bool = False,
    show_context: bool = False,
) -> CommandContext:
    """Return a context for these flags, with the defaults for settings that nothing sets; a wrong setting is a
    `SettingsError`."""
    settings = load(flags)
    unset = {name: value for name, value in defaults.items() if name not in dict(settings.origins)}
    return CommandContext(load({**flags, **unset}) if unset else settings, json, debug, show_context)


def _guarded(job: Callable[[CommandContext], int], context: CommandContext) -> int:
    try:
        return job(context)
    except KeyboardInterrupt as stopped:
        left = f": {stopped}" if stopped.args else ""
        context.notes.print(Text(f"interrupted{left}"), soft_wrap=True)
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the last handler: logged in full, shown in one line
        return context.complain(error)


def _surprise(error: Exception, settings: Settings) -> str:
    if isinstance(error, OSError):
        return f"{error}. Details are in {settings.log_dir}."
    what = f"unexpected {type(error).__name__}: {error}"
    return f"{what}. This is a bug; its traceback is in {settings.log_dir}. Please report it."


def _note(message: str, as_json: bool) -> None:
    if as_json:
        sys.stderr.write(to_json({"note": message}) + "\n")
        return
    console = Console(stderr=True)
    console.print(Text(f"note: {message}"), soft_wrap=not console.is_terminal)


def complain(kind: str, message: str, as_json: bool) -> None:
    """Print an error to stderr, as text or as an object."""
    if as_json:
        sys.stderr.write(to_json({"error": {"type": kind, "message": message}}) + "\n")
        return
    console = Console(stderr=True)
    console.print(Text.assemble(("error: ", "bold red"), printable(message)), soft_wrap=not console.is_terminal)
