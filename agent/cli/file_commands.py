"""The commands that read a file of questions or a log: `eval`, `batch`, `logs` and `replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.cli.flags import Flags, StoreFlags, given_name, given_path, with_flags
from agent.cli.jobs import run_job

if TYPE_CHECKING:
    from agent.cli.context import CommandContext


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

    def job(context: CommandContext) -> int:
        from agent.cli.evaluation import evaluate_file, tune_on_file

        return tune_on_file(context, questions) if tune else evaluate_file(context, questions, depth, ways)

    run_job(flags, job)


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
    processes: Annotated[
        int | None,
        typer.Option("--processes", metavar="N", help="Processes that answer by rules [default: one for each core]."),
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

    def job(context: CommandContext) -> int:
        from agent.cli.batch import BatchOptions, run_batch

        return run_batch(context, BatchOptions(questions, output, resume, retry_failed, shuffle))

    limits: dict[str, object] = {
        "batch_concurrency": concurrency,
        "batch_processes": processes,
        "batch_max_cost": max_cost,
        "batch_max_questions": max_questions,
        "deadline": deadline,
        "requests_per_minute": requests_per_minute,
        "tokens_per_minute": tokens_per_minute,
    }
    run_job(flags, job, limits)


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
    as_html: Annotated[bool, typer.Option("--html", help="With show: the page of the answer as one file.")] = False,
) -> None:
    """Sum up the log and judge it.

    `versus logs show ID` tells the story of one question. Exit code 2: a check is critical.
    """
    if prometheus + as_html + as_json > 1:
        raise typer.BadParameter("choose one format of --prometheus, --html and --json")

    def job(context: CommandContext) -> int:
        from agent.cli.answer_page import write_answer_page
        from agent.cli.logs import read_logs

        if as_html:
            return write_answer_page(context, files or [])
        return read_logs(context, files or [], since, run, question, follow, prometheus)

    run_job(StoreFlags(json=as_json), job)


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

    def job(context: CommandContext) -> int:
        from agent.cli.replay import replay

        return replay(context, log or [], id_)

    run_job(flags, job)
