"""`versus eval`: a file of questions with what they want, judged on the collection at hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent.ask import Agent
from agent.doors.desk import OK, Desk
from agent.doors.paths import require_file
from agent.doors.progress import progress
from agent.evaluation.cases import read_cases
from agent.evaluation.evaluate import evaluate
from agent.evaluation.scores import Evaluation
from agent.evaluation.ways import switches_of, ways_of
from agent.render.evaluation import Evaluated, evaluation_data, evaluation_view


def evaluate_file(desk: Desk, path: Path, depth: int, switches: str) -> int:
    """Judge every question of a file, and show the means; a file or switch that can't be used is wrong usage."""
    require_file(path)
    ways = ways_of(desk.settings.policy(), switches_of(switches))
    read = read_cases(path, desk.settings.max_question_chars)

    async def run() -> Evaluation:
        async with Agent.open(desk.settings) as agent:
            with progress(desk.notes) as on_progress:
                return await evaluate(agent, read.cases, ways, depth, on_progress)

    done = Evaluated(asyncio.run(run()), read.path, desk.settings.collection, depth, read.skipped)
    if desk.json:
        desk.show_json(evaluation_data(done))
    else:
        desk.show(evaluation_view(done))
    return OK
