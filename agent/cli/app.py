"""The command line: each command names its flags, then hands over. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import agent
from agent.cli.choices import FORMATS, RULES, completing, given_rules
from agent.cli.file_commands import batch_command, eval_command, logs_command, replay_command
from agent.cli.flags import DemoFlags, Flags, StoreFlags, given_path, with_flags
from agent.cli.garbage import short_lived
from agent.cli.jobs import run_job
from agent.cli.server_commands import mcp_command, serve_command
from agent.cli.usage import Commands, QuestionCommand

if TYPE_CHECKING:
    from agent.cli.context import CommandContext

app = typer.Typer(
    cls=Commands,
    name="versus",
    help="Answers questions that one-shot retrieval gets wrong: plan, screen, cut, compute, cite.",
    epilog="Exit codes: 0 answered, 1 failed (it says why), 2 wrong usage, 3 answered in part, 130 interrupted.",
    no_args_is_help=True,
    suggest_commands=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Question = Annotated[str, typer.Argument(metavar="QUESTION", help='The question; "-" reads standard input.')]


@app.command("ingest")
@with_flags
def ingest_command(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", parser=given_path, help="Files or folders; - is standard input."),
    ],
    flags: StoreFlags,
    rules: Annotated[
        Literal["generated", "llm"],
        typer.Option(
            "--rules",
            metavar="generated|llm",
            parser=given_rules,
            autocompletion=completing(*RULES),
            help="Who makes the rules of tables that look alike.",
        ),
    ] = "generated",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --rules llm: only tell what it would cost; send and write nothing.")
    ] = False,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="Language model for --rules llm.")
    ] = None,
) -> None:
    """Read files into a collection, incrementally."""
    if dry_run and rules != "llm":
        raise typer.BadParameter("--dry-run tells what a language model would cost; add --rules llm")

    def job(context: CommandContext) -> int:
        from agent.cli.commands import estimate_paths, ingest_paths

        return estimate_paths(context, paths) if dry_run else ingest_paths(context, paths, rules)

    run_job(flags, job, {"model": model} if model is not None else None)


@app.command(cls=QuestionCommand)
@with_flags
def ask(
    flags: Flags,
    question: Annotated[
        str | None,
        typer.Argument(metavar="QUESTION", help='The question; "-" reads standard input; none opens a prompt.'),
    ] = None,
    test: Annotated[bool, typer.Option("--test", help="Answer the built-in questions.")] = False,
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(FORMATS),
            autocompletion=completing(*FORMATS),
            show_default=False,
            help="How the answer is written; also an installed format [default: text].",
        ),
    ] = "text",
) -> None:
    """Answer a question, with its working and its sources."""
    if test and question is not None:
        raise typer.BadParameter("--test has its own questions; leave QUESTION out")
    if flags.json and format_ not in ("text", "json"):
        raise typer.BadParameter("--json is a format; leave --json or --format out")

    def job(context: CommandContext) -> int:
        from agent.cli.commands import ask_built_in, ask_question, in_format

        shaped = in_format(context, format_)
        return ask_built_in(shaped) if test else ask_question(shaped, question)

    run_job(replace(flags, json=flags.json or format_ == "json"), job)


@app.command(cls=QuestionCommand)
@with_flags
def search(question: Question, flags: Flags) -> None:
    """Plan and retrieve, without an answer."""

    def job(context: CommandContext) -> int:
        from agent.cli.commands import search_question

        return search_question(context, question)

    run_job(flags, job)


@app.command(cls=QuestionCommand)
@with_flags
def plan(question: Question, flags: Flags) -> None:
    """Show how a question is split, and nothing more."""

    def job(context: CommandContext) -> int:
        from agent.cli.commands import plan_question

        return plan_question(context, question)

    run_job(flags, job)


@app.command(cls=QuestionCommand)
@with_flags
def check(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query, as a plan would contain it.")],
    chunk: Annotated[str, typer.Option("--chunk", metavar="ID", help="The chunk whose rule is judged.")],
    flags: Flags,
) -> None:
    """Tell why a chunk's rule holds for a query, or what the query lacks."""

    def job(context: CommandContext) -> int:
        from agent.cli.commands import check_chunk

        return check_chunk(context, query, chunk)

    run_job(flags, job)


app.command("eval")(eval_command)
app.command("batch")(batch_command)
app.command("logs")(logs_command)
app.command("replay")(replay_command)
app.command("serve")(serve_command)
app.command("mcp")(mcp_command)


@app.command("collections")
@with_flags
def collections_command(
    flags: StoreFlags,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Describe this one instead of listing all.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
) -> None:
    """List the collections, describe one, or delete one."""
    chosen = name or flags.collection
    if delete and chosen is None:
        raise typer.BadParameter("--delete needs the NAME of a collection")

    def job(context: CommandContext) -> int:
        from agent.cli.collections import remove_collection, show_collection, show_collections

        if chosen is None:
            return show_collections(context)
        return remove_collection(context, chosen, yes) if delete else show_collection(context, chosen)

    run_job(flags, job)


@app.command("doctor")
@with_flags
def doctor_command(
    flags: StoreFlags,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Examine only this collection.")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what can be mended; nothing is embedded again.")
    ] = False,
) -> None:
    """Tell what is wrong with the collections, and mend it."""

    def job(context: CommandContext) -> int:
        from agent.cli.doctor import run_doctor

        return run_doctor(context, name or flags.collection, repair)

    run_job(flags, job)


@app.command("demo")
@with_flags
def demo_command(flags: DemoFlags) -> None:
    """Answer three questions from a bundled book."""

    def job(context: CommandContext) -> int:
        from agent.cli.commands import run_demo

        return run_demo(context)

    run_job(flags, job, {"collection": "versus-demo"}, {"chroma": ".versus/demo"})


@app.command("config")
@with_flags
def config_command(
    flags: Flags,
    trust: Annotated[
        bool | None,
        typer.Option(
            "--trust/--untrust",
            help="Take addresses, keys and places from this folder as it is now; or take that back.",
        ),
    ] = None,
) -> None:
    """Show each setting, and where it came from."""

    def job(context: CommandContext) -> int:
        from agent.cli.config import show_config, trust_folder, untrust_folder

        if trust is None:
            return show_config(context)
        return trust_folder(context) if trust else untrust_folder(context)

    run_job(flags, job)


@app.callback(invoke_without_command=True)
def version_flag(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Answers questions that one-shot retrieval gets wrong: plan, screen, cut, compute, cite."""
    if version:
        typer.echo(f"versus {agent.__version__}")
        raise typer.Exit


def main() -> None:
    """The `versus` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that knows no "✗" gets an escape instead of an error.
            stream.reconfigure(errors="backslashreplace")
    with short_lived():
        app()


if __name__ == "__main__":
    main()
