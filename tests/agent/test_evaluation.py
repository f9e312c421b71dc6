"""`versus eval`: what entries mean, what each stage had, which lines can't be used, and what comes out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from agent.ask import Agent
from agent.cli.app import app
from agent.cli.views.evaluation import Evaluated, evaluation_data, evaluation_view
from agent.errors import QuestionError, SettingsError
from agent.evaluation.cases import Case, read_cases
from agent.evaluation.evaluate import evaluate
from agent.evaluation.matching import ChunkIndex
from agent.evaluation.measures import f1, precision_at_k, recall_at_k
from agent.evaluation.scores import Evaluation, Judged, Score
from agent.evaluation.stages import STAGES, Loss, loss_of, pools_of
from agent.evaluation.ways import IN_FORCE, switches_of, ways_of
from agent.questions import classic
from agent.render import to_json, to_text
from agent.settings.settings import Settings
from agent.types import Evidence
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.ingest.index import index
from retrieval.stores.store import MemoryStore
from retrieval.types import Chunk, Drop, Hit, Passage, Policy, QueryMust, Retrieved, SubQuery, Table
from tests.retrieval.doubles import BagOfWords

CLASSIC_FILE = Path(__file__).parents[2] / "benchmarks" / "questions" / "classic.jsonl"


def row(number: int, caption: str = "Fighter Attack Table", rule: QueryMust | None = None) -> Chunk:
    title = f"{caption} - Level {number}"
    table = Table(caption, (("Level",), ("AC 9",)), ((str(number), "12"),))
    return Chunk(f"row-{number}", "…", title, headings=("Classes", "Fighter"), query_must=rule, tables=(table,))


def level(number: int) -> QueryMust:
    return QueryMust(contain_one_of=((f"level {number}",),))


BOOK = (
    Chunk("fighter", "…", "Fighter", headings=("Classes", "Fighter")),
    row(1),
    row(4),
    Chunk("orc", "…", "Orc", headings=("Monsters", "Orc")),
    Chunk("orc-2", "…", "Orc (2)", headings=("Monsters", "Orc")),
    Chunk("half-orc", "…", "Half-Orc", headings=("Races", "Half-Orc")),
    Chunk("dragon", "…", "Dragon, Black", headings=("Monsters", "Dragon, Black")),
    Chunk("strength", "…", "Strength", headings=("Abilities", "Strength")),
    Chunk("strength-table", "…", "Ability Adjustments", headings=("Abilities", "Strength")),
    Chunk("ac-6", "…", "Matrix for Clerics - Armor Class 6"),
    Chunk("ac--6", "…", "Matrix for Clerics - Armor Class -6"),
    Chunk(
        "weapons",
        "…",
        "Arms (1 of 2)",
        tables=(Table("Arms", (("Weapon",), ("Damage",)), (("Sword, long", "1d8"),)),),
    ),
)


@pytest.mark.parametrize(
    ("entry", "ids"),
    [
        ("orc", {"orc"}),  # an id goes before a title
        ("Orc", {"orc", "orc-2"}),
        ("Monsters > Orc", {"orc", "orc-2"}),
        ("monsters > orcs", {"orc", "orc-2"}),
        ("Orc (2)", {"orc-2"}),
        ("Races > Orc", set()),
        ("Black Dragons", {"dragon"}),
        ("Strength", {"strength", "strength-table"}),
        ("Abilities > Strength > Ability Adjustments", {"strength-table"}),
        ("Fighter Attack Table", {"row-1", "row-4"}),
        ("Classes > Fighter > Fighter Attack Table", {"row-1", "row-4"}),
        ("Fighter Attack Table - Level 4", {"row-4"}),
        ("Arms", {"weapons"}),
        ("/^half|^orc/", {"half-orc", "orc", "orc-2"}),
        ("/ARMOR class 6$/", {"ac-6"}),
        ("/nothing/", set()),
        ("the clerics' matrix for AC 6", {"ac-6"}),
        ("cleric matrix, armour class of −6", {"ac--6"}),
        ("cleric matrix, armor class 5", set()),
        ("fighter class (for its hit die)", {"fighter", "row-1", "row-4"}),
        ("strength: the bonus to damage", {"strength", "strength-table"}),
        ("long sword damage", {"weapons"}),
        ("of the", set()),
        ("?", set()),
        ("//", set()),
    ],
)
def test_an_entry_means_these_chunks(entry: str, ids: set[str]) -> None:
    assert ids == ChunkIndex(BOOK).find(entry)


def test_of_a_table_the_row_that_the_question_is_about_is_wanted() -> None:
    rows = ChunkIndex([row(number, rule=level(number)) for number in (1, 4, 7)])
    assert {"row-4"} == rows.find("Fighter Attack Table", "A fighter of 4th level?")
    assert {"row-1", "row-4", "row-7"} == rows.find("Fighter Attack Table", "A fighter of 20th level?")
    assert {"row-1"} == rows.find("Fighter Attack Table - Level 1", "A fighter of 4th level?")
    assert {"row-7"} == rows.find("/level 7/", "A fighter of 4th level?")


IDS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@given(found=IDS, facts=st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=4), k=st.integers(0, 8))
def test_the_measures_agree_with_their_definition(found: list[str], facts: list[set[str]], k: int) -> None:
    top = set(found[:k])
    relevant = set().union(*facts)
    assert precision_at_k(found, relevant, k) == (len(top & relevant) / len(top) if top else 0.0)
    assert recall_at_k(found, facts, k) == sum(bool(top & fact) for fact in facts) / len(facts)


@pytest.mark.parametrize(
    ("precision", "recall", "expected"), [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.4, 1.0, 0.571), (0.5, 0.0, 0.0)]
)
def test_f1_is_the_harmonic_mean(precision: float, recall: float, expected: float) -> None:
    assert expected == pytest.approx(f1(precision, recall), abs=0.001)


def file_of(folder: Path, *lines: str | bytes) -> Path:
    path = folder / "questions.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return path


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        b'\xef\xbb\xbf{"question": "Who?", "wanted": ["Orc"], "answer": "7"}\r',
        "",
        '{"id": "q9", "question": "What?", "gold_titles": [" A > B "], "useful": ["Elf"]}',
        '{"id": 3, "question": "Why?"}',
    )
    read = read_cases(path)
    assert (Case("1", 1, "Who?", ("Orc",)), Case("q9", 3, "What?", ("A > B",), ("Elf",))) == read.cases
    assert 1 == read.skipped


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "JSON"),
        (b'{"question": "caf\xe9", "wanted": ["x"]}', "JSON"),
        ("[]", "object"),
        ('{"wanted": ["x"]}', "question"),
        ('{"question": " ", "wanted": ["x"]}', "empty"),
        ('{"question": "' + "x" * 101 + '", "wanted": ["x"]}', "longer than 100"),
        ('{"question": "Who?", "wanted": "Orc"}', "wanted"),
        ('{"question": "Who?", "wanted": ["Orc", 7]}', "wanted.1"),
        ('{"question": "Who?", "wanted": [" "]}', "wanted.0"),
        ('{"question": "Who?", "wanted": ["Orc"], "useful": ["/(/"]}', "/(/ is not a regular expression"),
    ],
)
def test_a_line_that_can_not_be_used_is_named(line: str | bytes, complaint: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, '{"question": "Who?", "wanted": ["Orc"]}', line)
    with pytest.raises(QuestionError) as caught:
        read_cases(path, max_question_chars=100)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert complaint in str(caught.value)


@pytest.mark.parametrize("lines", [(), ('{"question": "Who?"}',)])
def test_a_file_that_wants_nothing_is_an_error(lines: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="what is wanted"):
        read_cases(file_of(tmp_path, *lines))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r"none\.jsonl can't be read"):
        read_cases(tmp_path / "none.jsonl")


def retrieved(id_: str, kept: str, **dropped: str) -> Retrieved:
    hits = tuple(Hit(Chunk(c, "…", c), 0.2, 0.8) for c in kept)
    drops = tuple(Drop(c, c, rule, "…") for rule, ids in dropped.items() for c in ids)
    return Retrieved(SubQuery(id_, id_), hits, drops)


def test_stages_are_rebuilt_from_hits_and_drops() -> None:
    found = (
        retrieved(
            "q1", "a", query_must="z", duplicate="y", max_chunks="x", threshold="b", gap="c", keyword_overlap="d"
        ),
        retrieved("q2", "ae", min_score="b", distance="f"),
        retrieved("f1.1", "bg"),
    )
    passages = tuple(Passage(Chunk(c, "…", c), 0.8, 0.1, ("q1",)) for c in "ga")
    planned = Evidence((retrieved("q1", "az"), retrieved("f1.1", "w")))
    pools = pools_of(retrieved("plain", "zx"), planned, Evidence(found, passages), Policy())
    expected = {
        "plain": "zx",
        "planned": "za",
        "screen": "abcdef",
        "threshold": "acdef",
        "gap": "ae",
        "follow-up": "abeg",
        "fusion": "ag",
    }
    assert STAGES == tuple(pools)
    assert expected == {stage: "".join(sorted(ids, key="zxwabcdefg".index)) for stage, ids in pools.items()}


ALL = dict.fromkeys(STAGES, ("a",))


@pytest.mark.parametrize(
    ("without", "loss"),
    [
        ((), None),
        (STAGES, Loss("x", None)),
        (STAGES[:2], None),
        (STAGES[:5], None),
        (("screen", "threshold", "gap", "follow-up", "fusion"), Loss("x", "screen")),
        (("gap", "follow-up", "fusion"), Loss("x", "gap")),
        (("fusion",), Loss("x", "fusion")),
        (("threshold", "gap"), Loss("x", "threshold", found_again=True)),
        (("planned",), None),
    ],
)
def test_a_loss_is_blamed_on_the_stage_after_the_last_that_had_it(without: tuple[str, ...], loss: Loss | None) -> None:
    assert loss == loss_of(ALL | dict.fromkeys(without, ()), "x", {"a", "b"})


def test_each_way_turns_one_switch() -> None:
    policy = Policy()
    ways = ways_of(policy)
    assert [IN_FORCE, "hybrid on", "gap off", "thresholds off", "filters off"] == list(ways)
    assert (policy, replace(policy, hybrid=True)) == (ways[IN_FORCE], ways["hybrid on"])
    assert ["hybrid off", "filters on"] == list(
        ways_of(replace(policy, hybrid=True, filters=False), ["hybrid", "filters"])
    )[1:]


def test_an_unknown_switch_is_named() -> None:
    with pytest.raises(SettingsError, match="'gaps'"):
        switches_of("hybrid,gaps")


BLADES = [
    Chunk(
        f"{name}-{n}",
        f"{name} table for level {n}: the roll is {n + 5}",
        f"{name} table - Level {n}",
        query_must=level(n),
    )
    for name in ("reaver", "hexer")
    for n in range(1, 7)
]
QUESTION = "Does a reaver or a hexer of level 4 need the lower roll?"


@pytest.fixture(scope="module")
async def agent() -> AsyncIterator[Agent]:
    store = MemoryStore("small")
    await index(BLADES, store, BagOfWords(), sources={})
    yield Agent(Settings(collection="small"), store, BagOfWords(), Lexicon.from_catalog(Catalog.from_chunks(BLADES)))
    await store.close()


async def evaluated(agent: Agent, *wanted: str) -> Evaluation:
    return await evaluate(agent, [Case("q1", 1, QUESTION, wanted)], ways_of(Policy()), depth=6)


async def test_screening_raises_precision_and_keeps_recall(agent: Agent) -> None:
    stages = (await evaluated(agent, "reaver-4", "hexer-4")).stages
    assert 6 == stages["plain"].chunks
    assert stages["planned"].precision < stages["screen"].precision
    assert (1.0, 1.0, 1.0) == (stages["screen"].recall, stages["fusion"].recall, stages["fusion"].precision)


async def test_each_way_is_judged_by_its_passages(agent: Agent) -> None:
    done = await evaluated(agent, "reaver-4", "hexer-4")
    assert done.stages["fusion"] == done.ways[IN_FORCE]
    assert done.ways["filters off"].precision < done.ways[IN_FORCE].precision
    assert all(ms > 0 for ms in done.ms.values())


async def test_a_search_under_another_policy_leaves_the_agent_as_it_was(agent: Agent) -> None:
    before = await agent.search(QUESTION)
    other = await agent.search(QUESTION, replace(Policy(), filters=False, max_chunks=1))
    assert [1] == [len(one.hits) for one in other.retrieved]
    assert [one.hits for one in before.retrieved] == [one.hits for one in (await agent.search(QUESTION)).retrieved]


async def test_an_entry_that_fits_no_chunk_is_told_and_counts_as_not_found(agent: Agent) -> None:
    done = await evaluated(agent, "reaver-4", "the dragon's hoard")
    (one,) = done.judged
    assert (("the dragon's hoard",), ()) == (one.unmatched, one.losses)
    assert 0.5 == done.stages["fusion"].recall
    assert "the dragon's hoard" in to_text(evaluation_view(Evaluated(done, "q.jsonl", "small", 6)))


async def test_what_the_screens_lose_is_blamed_on_them(agent: Agent) -> None:
    (one,) = (await evaluated(agent, "reaver-4", "reaver-2")).judged
    assert (Loss("reaver-2", "screen"),) == one.losses


async def test_the_json_has_exactly_these_names(agent: Agent) -> None:
    done = Evaluated(await evaluated(agent, "reaver-4", "reaver-2"), "q.jsonl", "small", 6, skipped=2)
    data = json.loads(to_json(evaluation_data(done)))
    names = {"questions_file", "collection", "depth", "questions", "skipped", "stages", "ways", "results"}
    assert names == set(data)
    assert ("q.jsonl", "small", 6, 1, 2) == tuple(
        data[n] for n in ("questions_file", "collection", "depth", "questions", "skipped")
    )
    assert list(STAGES) == list(data["stages"])
    assert {"chunks", "precision", "recall", "f1"} == set(data["stages"]["plain"])
    assert {"chunks", "precision", "recall", "f1", "ms"} == set(data["ways"][IN_FORCE])
    (result,) = data["results"]
    assert {"id", "line", "question", "stages", "ways", "lost", "unmatched", "failed_sub_queries"} == set(result)
    assert [{"wanted": "reaver-2", "stage": "screen", "found_again": False}] == result["lost"]


def scored(chunks: float, precision: float, recall: float) -> Judged:
    score = Score(chunks, precision, recall, f1(precision, recall))
    return Judged(Case("q", 1, "Who?", ("x",)), {"fusion": score}, {IN_FORCE: score}, {IN_FORCE: chunks})


def test_means_are_of_questions_and_times_are_medians() -> None:
    done = Evaluation((scored(1, 1.0, 1.0), scored(2, 0.5, 0.0), scored(9, 0.0, 0.5)))
    assert Score(4.0, 0.5, 0.5, 1 / 3) == done.stages["fusion"]
    assert {IN_FORCE: 2} == done.ms


def test_the_bundled_questions_are_the_classic_ones() -> None:
    assert list(classic()) == [case.question for case in read_cases(CLASSIC_FILE).cases]


@pytest.fixture
def versus_eval(sample_chroma: str, empty_place: Path) -> Any:
    def call(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["eval", *arguments, "--chroma", sample_chroma])

    return call


def test_the_classic_questions_are_found_whole_in_the_sample(versus_eval: Any) -> None:
    result = versus_eval(str(CLASSIC_FILE), "--json", "--ways", "filters")
    data = json.loads(result.stdout)
    assert (0, 3) == (result.exit_code, data["questions"]), result.stderr
    assert 1.0 == data["stages"]["fusion"]["recall"]
    assert [] == [entry for one in data["results"] for entry in one["unmatched"]]
    assert data["ways"]["filters off"]["f1"] < data["ways"][IN_FORCE]["f1"]


def test_the_classic_questions_as_tables(versus_eval: Any) -> None:
    lines = versus_eval(str(CLASSIC_FILE), "--ways", "gap", "--depth", "7").stdout.splitlines()
    assert "3 questions of classic.jsonl, collection rules" == lines[0]
    assert ["plain", "7.0"] == next(line for line in lines if line.startswith("plain")).split()[:2]
    assert any(line.startswith("gap off") for line in lines)


@pytest.mark.parametrize("arguments", [("none.jsonl",), (str(CLASSIC_FILE), "--ways", "gaps")])
def test_what_can_not_be_evaluated_is_wrong_usage(arguments: tuple[str, ...], versus_eval: Any) -> None:
    result = versus_eval(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert "error:" in result.stderr
