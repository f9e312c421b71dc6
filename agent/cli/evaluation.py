"""`versus eval`: judge retrieval on a file of questions and wanted titles, or tune the cuts on it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent.ask import Agent
from agent.cli.context import OK, CommandContext
from agent.cli.paths import require_file
from agent.cli.progress import progress
from agent.cli.views.evaluation import Evaluated, evaluation_data, evaluation_view
from agent.cli.views.tuning import tuned_data, tuned_view
from agent.errors import SettingsError
from agent.evaluation.cases import read_cases
from agent.evaluation.evaluate import evaluate
from agent.evaluation.scores import Evaluation
from agent.evaluation.tuning import Tuned, Tuning
from agent.evaluation.ways import switches_of, ways_of


def evaluate_file(context: CommandContext, path: Path, depth: int, switches: str) -> int:
    """Judge every question of a file and show the means; an unusable file or switch is wrong usage."""
    require_file(path)
    ways = ways_of(context.settings.policy(), switches_of(switches))
    case_file = read_cases(path, context.settings.max_question_chars)

    async def run() -> Evaluation:
        async with Agent.open(context.settings) as agent:
            with progress(context.notes) as on_progress:
                return await evaluate(agent, case_file.cases, ways, depth, on_progress)

    done = Evaluated(asyncio.run(run()), case_file.path, context.settings.collection, depth, case_file.skipped)
    if context.json:
        context.show_json(evaluation_data(done))
    else:
        context.show(evaluation_view(done))
    return OK


def tune_on_file(context: CommandContext, path: Path) -> int:
    """Search better thresholds on one half of a file's questions, and show their effect on the other half."""
    require_file(path)
    policy = context.settings.policy()
    if not policy.filters:
        raise SettingsError("--tune looks for numbers for the cuts, and --no-filter turns them off; leave one out")
    case_file = read_cases(path, context.settings.max_question_chars)

    async def run() -> Tuned:
        async with Agent.open(context.settings) as agent:
            with progress(context.notes) as on_progress:
                return await Tuning(agent, policy, on_progress).tune(case_file.cases)

    tuned = asyncio.run(run())
    if context.json:
        context.show_json(tuned_data(tuned, case_file.path, context.settings.collection))
    else:
        context.show(tuned_view(tuned, case_file.path, context.settings.collection))
    return OK
