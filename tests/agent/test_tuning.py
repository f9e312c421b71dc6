"""`versus eval --tune`: numbers for the cuts learned on one half of the questions, and judged on the other."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.ask import Agent
from agent.cli.app import app
from agent.cli.views.tuning import toml_lines, tuned_data, verdict
from agent.errors import QuestionError
from agent.evaluation.cases import Case
from agent.evaluation.scores import Gold, Score
from agent.evaluation.tuning import GRID, Candidates, Cost, Halves, Tuned, Tuning, changes
from agent.settings.settings import Settings
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.ingest.index import index
from retrieval.stores.store import MemoryStore
from retrieval.types import Chunk, Hit, Policy, Retrieved, SubQuery
from tests.retrieval.doubles import BagOfWords

pytestmark = pytest.mark.usefixtures("empty_place")
QUESTION = "How does a {} fight?"
BEASTS = ("wolf", "bear", "lynx", "crow", "toad", "newt")


def candidates(relevances: Sequence[float], wanted: int) -> Candidates:
    """A question whose first `wanted` hits are the relevant ones."""
    chunks = [Chunk(f"c{number}", "…", "…") for number in range(len(relevances))]
    hits = tuple(Hit(chunk, 1 - near, near) for chunk, near in zip(chunks, relevances, strict=True))
    right = frozenset(chunk.id for chunk in chunks[:wanted])
    return Candidates(Case("q", 1, "…", ("…",)), Gold({"…": right}, right), (Retrieved(SubQuery("q1", "…"), hits),))


def test_the_cuts_are_tried_on_candidates_that_are_at_hand() -> None:
    one = candidates([0.9, 0.8, 0.45, 0.42], wanted=2)
    assert 4 == one.cut(Policy(gap_threshold=2.0, distance_offset=2.0)).chunks
    assert Score(2, 1.0, 1.0, 1.0) == one.cut(Policy(relative_threshold=0.6))


def tuned(learned: tuple[float, float], held_out: tuple[float, float], recall: float = 1.0) -> Tuned:
    """F1 on both halves, of the numbers in force and of the best."""
    before, after = (Score(5, 0.5, 1.0, f1) for f1 in (learned[0], held_out[0]))
    better = [Score(3, 0.7, each_recall, f1) for f1, each_recall in ((learned[1], 1.0), (held_out[1], recall))]
    policy = Policy(gap_threshold=0.05, distance_offset=0.2)
    return Tuned(Halves(Policy(), before, after), Halves(policy, *better), (3, 3), Cost(12, 90, 1.5))


def test_better_numbers_are_given_as_lines_that_the_settings_read(empty_place: Path) -> None:
    found = tuned((0.5, 0.7), (0.5, 0.6))
    assert found.is_better
    assert "Better on both halves. For versus.toml:" == verdict(found)
    assert {"gap_threshold": 0.05, "distance_threshold": 0.2} == tomllib.loads("\n".join(toml_lines(found)))
    (empty_place / "versus.toml").write_text(tuned_data(found, "q.jsonl", "rules")["versus_toml"])
    assert found.best.policy == Settings().policy()


@pytest.mark.parametrize(("held_out", "recall"), [((0.5, 0.5), 1.0), ((0.5, 0.4), 1.0), ((0.5, 0.9), 0.8)])
def test_numbers_that_do_not_hold_on_the_half_held_out_are_said_to_be_no_better(
    held_out: tuple[float, float], recall: float
) -> None:
    found = tuned((0.5, 0.7), held_out, recall)
    assert not found.is_better
    assert verdict(found).startswith("On the questions held out the settings in force are as good: keep them.")


def test_every_number_that_is_tried_is_a_number_of_the_policy() -> None:
    assert {} == changes(Policy(), Policy())
    assert set(GRID) == set(changes(Policy(), Policy(2, 3, 0.9, 0.9, 0.9, 9, 0.9)))
    assert all(getattr(Policy(), name) in values for name, values in GRID.items())


def menagerie() -> list[Chunk]:
    """Of each beast a chunk that fights, and some that share a word with the question."""
    told = [Chunk(f"{b}-fight", f"A {b} does fight with the {b} claw, as every {b}.", f"The {b} fight") for b in BEASTS]
    noise = [Chunk(f"noise-{n}", f"Number {n} does sleep, dream and wander far away.", f"Sleep {n}") for n in range(9)]
    return [*told, *noise]


async def agent_on_beasts() -> Agent:
    store, catalog = MemoryStore("beasts"), Catalog.from_chunks(menagerie())
    await index(menagerie(), store, BagOfWords(), sources={})
    settings = Settings(collection="beasts", planner="rules")
    return Agent(settings, store, BagOfWords(), Lexicon.from_catalog(catalog), catalog)


async def test_a_file_of_questions_is_split_searched_and_its_cost_is_told() -> None:
    cases = [Case(b, n, QUESTION.format(b), (f"{b}-fight",)) for n, b in enumerate(BEASTS, 1)]
    agent = await agent_on_beasts()
    done: list[tuple[int, int]] = []
    found = await Tuning(agent, Policy(), lambda what, at, most: done.append((at, most))).tune(cases)
    assert (3, 3) == found.questions
    assert 1.0 == found.in_force.learned.recall
    assert found.best.learned.recall >= found.in_force.learned.recall
    assert found.best.learned.f1 >= found.in_force.learned.f1
    assert len(BEASTS) + 2 * 3 <= found.cost.searches <= done[-1][1]
    assert found.cost.searches == done[-1][0] == len(done)
    assert found.cost.tried > sum(map(len, GRID.values())) - len(GRID)
    assert 0 == found.failed == found.unmatched


async def test_too_few_questions_to_hold_some_out_are_wrong_usage() -> None:
    agent = await agent_on_beasts()
    with pytest.raises(QuestionError, match="3 that want something are too few, 4 are the least"):
        await Tuning(agent, Policy()).tune([Case(b, 1, b, (f"{b}-fight",)) for b in BEASTS[:3]])


ASKED = [
    ("How many hit points does an orc have?", "Orc"),
    ("What is the armor class of an owlbear?", "Owlbear"),
    ("What is the breath weapon of a black dragon?", "Black Dragon"),
    ("What does a long sword cost?", "/^weapons|^arms|cost/"),
    ("What does a 7th level cleric need to hit armor class 6?", "/attack matrix for clerics.*armor class 6$/"),
]


@pytest.fixture
def questions(empty_place: Path) -> str:
    lines = [json.dumps({"question": question, "wanted": [entry]}) for question, entry in ASKED]
    (empty_place / "questions.jsonl").write_text("\n".join(lines))
    return "questions.jsonl"


def versus(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def test_the_command_shows_both_halves_the_verdict_and_the_cost(questions: str, sample_chroma: str) -> None:
    result = versus("eval", questions, "--tune", "--chroma", sample_chroma, "--json")
    assert 0 == result.exit_code, result.stderr
    data = json.loads(result.stdout)
    assert {"learned": 3, "held_out": 2} == data["questions"]
    assert {"chunks", "precision", "recall", "f1"} == set(data["in_force"]["held_out"]) == set(data["best"]["learned"])
    assert 0.3 == data["in_force"]["settings"]["absolute_min"]
    assert data["best"]["learned"]["f1"] >= data["in_force"]["learned"]["f1"]
    assert tomllib.loads(data["versus_toml"]) == data["changes"]
    assert data["cost"]["searches"] >= 10
    text = versus("eval", questions, "--tune", "--chroma", sample_chroma).stdout
    assert all(part in text for part in ("in force", "best found", "held out", data["verdict"], "cost: "))


def test_there_is_nothing_to_tune_without_filters(questions: str, sample_chroma: str) -> None:
    result = versus("eval", questions, "--tune", "--no-filter", "--chroma", sample_chroma)
    assert (2, "") == (result.exit_code, result.stdout)
    assert "leave one out" in result.stderr
