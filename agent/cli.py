"""The command line: each command names its flags, then hands over. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import agent
from agent.doors.choices import FORMATS, RULES, completing, given_rules
from agent.doors.flags import DemoFlags, Flags, StoreFlags, given_name, given_path, with_flags
from agent.doors.usage import Commands, QuestionCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.doors.desk import Desk

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
        typer.Argument(metavar="PATH...", parser=given_path, help="Markdown, JSONL or JSON files, or folders."),
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

    def job(desk: Desk) -> int:
        from agent.doors.work import estimate_paths, ingest_paths

        return estimate_paths(desk, paths) if dry_run else ingest_paths(desk, paths, rules)

    _run(flags, job, {"model": model} if model is not None else None)


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

    def job(desk: Desk) -> int:
        from agent.doors.work import ask_built_in, ask_question, in_format

        shaped = in_format(desk, format_)
        return ask_built_in(shaped) if test else ask_question(shaped, question)

    _run(replace(flags, json=flags.json or format_ == "json"), job)


@app.command(cls=QuestionCommand)
@with_flags
def search(question: Question, flags: Flags) -> None:
    """Plan and retrieve, without an answer."""

    def job(desk: Desk) -> int:
        from agent.doors.work import search_question

        return search_question(desk, question)

    _run(flags, job)


@app.command(cls=QuestionCommand)
@with_flags
def plan(question: Question, flags: Flags) -> None:
    """Show how a question is split, and nothing more."""

    def job(desk: Desk) -> int:
        from agent.doors.work import plan_question

        return plan_question(desk, question)

    _run(flags, job)


@app.command(cls=QuestionCommand)
@with_flags
def check(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query, as a plan would contain it.")],
    chunk: Annotated[str, typer.Option("--chunk", metavar="ID", help="The chunk whose rule is judged.")],
    flags: Flags,
) -> None:
    """Tell why a chunk's rule holds, or what lacks."""

    def job(desk: Desk) -> int:
        from agent.doors.work import check_chunk

        return check_chunk(desk, query, chunk)

    _run(flags, job)


@app.command("eval")
@with_flags
def eval_command(
    questions: Annotated[
        Path,
        typer.Argument(metavar="QUESTIONS.jsonl", parser=given_path, help="One question a line, with what it wants."),
    ],
    flags: Flags,
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", min=1, max=1000, help="How many chunks plain retrieval takes.")
    ] = 15,
    ways: Annotated[
        str, typer.Option("--ways", metavar="SWITCH,...", help="Which switches to turn the other way.")
    ] = "hybrid,gap,thresholds,filters",
    tune: Annotated[
        bool, typer.Option("--tune", help="Look for better numbers for the cuts instead, with one half held out.")
    ] = False,
) -> None:
    """Measure precision and recall by stage, and with each switch on and off; or tune the cuts."""

    def job(desk: Desk) -> int:
        from agent.doors.evaluation import evaluate_file, tune_on_file

        return tune_on_file(desk, questions) if tune else evaluate_file(desk, questions, depth, ways)

    _run(flags, job)


@app.command("batch")
@with_flags
def batch_command(
    questions: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            parser=given_name,
            help='Questions: .txt (one a line), .jsonl (`question`, `id`), .csv (column `question`); "-" is stdin.',
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="OUT.jsonl", parser=given_path, help="One record for each question, resumable."
        ),
    ],
    flags: Flags,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Go on where an earlier run stopped, or overwrite its output.")
    ] = True,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask the failed ones again.")] = False,
    shuffle: Annotated[
        int | None,
        typer.Option("--shuffle", metavar="SEED", help="Ask in random order; a seed is always the same one."),
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", metavar="N", help="Questions, or calls of the model, at a time [default: 16]."),
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="DOLLARS", help="Stop before the whole batch costs more.")
    ] = None,
    max_questions: Annotated[
        int | None, typer.Option("--max-questions", metavar="N", help="Stop when the output has N records.")
    ] = None,
    deadline: Annotated[
        float | None, typer.Option("--deadline", metavar="SECONDS", help="Time for one question [default: 60].")
    ] = None,
    requests_per_minute: Annotated[
        int | None, typer.Option("--requests-per-minute", metavar="N", help="Most requests to the language model.")
    ] = None,
    tokens_per_minute: Annotated[
        int | None, typer.Option("--tokens-per-minute", metavar="N", help="Most tokens of the language model.")
    ] = None,
) -> None:
    """Answer a file of questions; what is stopped or killed goes on with the same command."""

    def job(desk: Desk) -> int:
        from agent.doors.batch import Wanted, run_batch

        return run_batch(desk, Wanted(questions, output, resume, retry_failed, shuffle))

    limits: dict[str, object] = {
        "batch_concurrency": concurrency,
        "batch_max_cost": max_cost,
        "batch_max_questions": max_questions,
        "deadline": deadline,
        "requests_per_minute": requests_per_minute,
        "tokens_per_minute": tokens_per_minute,
    }
    _run(flags, job, limits)


@app.command("logs")
def logs_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[show ID] [FILE...]",
            parser=given_name,
            help="Log files or folders, also .gz [default: the log folder].",
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="2h|DAY|TIME", help="Only what happened since then.")
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="ID", help="Only runs or batches whose id begins so.")
    ] = None,
    question: Annotated[
        str | None, typer.Option("--question", metavar="TEXT", help="Only questions that contain this.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on watching until Ctrl-C.")] = False,
    prometheus: Annotated[bool, typer.Option("--prometheus", help="Print metrics for Prometheus.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout and nothing else.")] = False,
) -> None:
    """Sum up the log and judge it.

    `versus logs show ID` tells the story of one question. Exit code 2: a check is critical.
    """
    if prometheus and as_json:
        raise typer.BadParameter("--prometheus has a format of its own; leave --json out")

    def job(desk: Desk) -> int:
        from agent.doors.logs import read_logs

        return read_logs(desk, files or [], since, run, question, follow, prometheus)

    _run(StoreFlags(json=as_json), job)


@app.command("replay")
@with_flags
def replay_command(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The beginning of a question's run_id.")],
    flags: Flags,
    log: Annotated[
        list[Path] | None,
        typer.Option("--log", metavar="FILE", parser=given_path, help="Log file or folder [default: the log folder]."),
    ] = None,
) -> None:
    """Run a logged plan again, and show what changed.

    No language model is asked. The collection and the store are those that were asked, as they are today, unless a flag
    names others; the limits are today's. Shows which chunks came, went and moved.
    """

    def job(desk: Desk) -> int:
        from agent.doors.replay import replay

        return replay(desk, log or [], id_)

    _run(flags, job)


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

    def job(desk: Desk) -> int:
        from agent.doors.collections import remove_collection, show_collection, show_collections

        if chosen is None:
            return show_collections(desk)
        return remove_collection(desk, chosen, yes) if delete else show_collection(desk, chosen)

    _run(flags, job)


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

    def job(desk: Desk) -> int:
        from agent.doors.doctor import run_doctor

        return run_doctor(desk, name or flags.collection, repair)

    _run(flags, job)


@app.command("demo")
@with_flags
def demo_command(flags: DemoFlags) -> None:
    """Answer three questions from a bundled book."""

    def job(desk: Desk) -> int:
        from agent.doors.work import run_demo

        return run_demo(desk)

    _run(flags, job, {"collection": "versus-demo"}, {"chroma": ".versus/demo"})


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

    def job(desk: Desk) -> int:
        from agent.doors.config import show_config, trust_folder, untrust_folder

        if trust is None:
            return show_config(desk)
        return trust_folder(desk) if trust else untrust_folder(desk)

    _run(flags, job)


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
    app()


def _run(
    flags: StoreFlags,
    job: Callable[[Desk], int],
    own: dict[str, object] | None = None,
    defaults: dict[str, object] | None = None,
) -> None:
    """Do the job with the settings: the flags, a command's `own`, the other places, and then its `defaults`."""
    from agent.doors.desk import desk_of, run

    given = {name: value for name, value in flags.settings().items() if value is not None}
    shown = (flags.debug, flags.show_context) if isinstance(flags, Flags) else (False, False)
    run(lambda: desk_of({**(own or {}), **given}, defaults or {}, flags.json, *shown), job, flags.json)


if __name__ == "__main__":
    main()
