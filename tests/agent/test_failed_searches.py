"""A search that failed is told as one at every door, and never as something that the book lacks."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from agent.cli.asking import exit_code
from agent.llm.scripted import ScriptedLLM
from agent.render import answer_view, to_text
from agent.settings.settings import Settings
from agent.stages.event_fields import answer_fields
from agent.types import Answer
from retrieval.errors import StoreError
from retrieval.stores.metadata import Where
from retrieval.stores.store import MemoryStore, Vectors
from retrieval.types import Chunk
from tests.agent.shelf import BOOK, agent_on
from tests.fake_openai import FakeOpenAI, failure
from tests.retrieval.doubles import BagOfWords

pytestmark = pytest.mark.usefixtures("empty_place")
QUESTION = "What is the armor class of a bog ogre?"
IMP = "\n# Mire Imp\n\n|||\n|---|---|\n| Armor Class | 3 |\n| Hit Dice | 2 |\n"
ABSENCE = ("not found", "not stated")


def versus(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, FakeOpenAI]]:
    """A folder with a collection and a question's answer, and what embedded their texts."""
    folder = tmp_path_factory.mktemp("embedded")
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    with FakeOpenAI().running() as server:
        known = {"VERSUS_EMBEDDING_MODEL": "openai:small", "VERSUS_EMBEDDING_BASE_URL": server.base_url}
        for command in (["ingest", str(folder / "book.md")], ["ask", QUESTION]):
            arguments = [*command, "--chroma", str(folder / "chroma"), "--log-dir", str(folder / "logs")]
            result = CliRunner().invoke(app, arguments, env=known)
            assert 0 == result.exit_code, result.output
        yield folder / "chroma", server


@pytest.fixture
def endpoint(
    embedded: tuple[Path, FakeOpenAI], empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FakeOpenAI]:
    """What embedded the texts of a collection that is there; it refuses everything from now on."""
    chroma, server = embedded
    (empty_place / ".versus").mkdir()
    (empty_place / ".versus" / "chroma").symlink_to(chroma)
    monkeypatch.setenv("VERSUS_EMBEDDING_MODEL", "openai:small")
    monkeypatch.setenv("VERSUS_EMBEDDING_BASE_URL", server.base_url)
    server.then(*[failure(401, "this key was taken back")] * 100)
    yield server


@pytest.mark.usefixtures("endpoint")
class TestAnEmbeddingThatFails:
    @pytest.mark.parametrize("question", [QUESTION, "Compare the stats of a reaver and a bog ogre", "Who fears fire?"])
    def test_is_told_in_the_text_and_is_a_failure(self, question: str) -> None:
        result = versus("ask", question)
        assert 1 == result.exit_code
        assert "Not looked up in 'rules': " in result.stdout
        assert "this key was taken back" in result.stdout
        assert "failed: nothing could be looked up" in result.stdout
        assert not [word for word in ABSENCE if word in result.stdout.lower()]

    def test_is_told_in_json(self) -> None:
        result = versus("ask", QUESTION, "--json")
        answer = json.loads(result.stdout)
        assert (1, "failed") == (result.exit_code, answer["stop_reason"])
        assert {"error"} == {each["stop"] for each in answer["retrieved"]}
        assert all("this key was taken back" in each["error"] for each in answer["unanswered"])

    def test_is_told_by_a_search(self) -> None:
        result, data = versus("search", QUESTION), versus("search", QUESTION, "--json")
        assert (1, 1, "failed") == (result.exit_code, data.exit_code, json.loads(data.stdout)["stop_reason"])
        assert "failed: " in result.stdout
        assert "0 chunks from 2 sub-queries, 2 failed" in result.stdout

    def test_is_told_at_the_prompt(self) -> None:
        result = versus("ask", stdin=f"{QUESTION}\nquit\n")
        assert "Not looked up in 'rules': " in result.stdout
        assert "Not found" not in result.stdout

    def test_is_the_error_of_a_batch_s_record(self, empty_place: Path) -> None:
        (empty_place / "questions.txt").write_text(f"{QUESTION}\n")
        assert 0 != versus("batch", "questions.txt", "-o", "out.jsonl").exit_code
        record = json.loads((empty_place / "out.jsonl").read_text())
        assert "RetrievalError" == record["error"]["type"]

    def test_counts_more_than_an_answer_in_part_among_several(self) -> None:
        assert 1 == versus("ask", "--test").exit_code


@pytest.mark.parametrize("json_flag", [[], ["--json"]], ids=["text", "json"])
def test_a_deadline_in_which_nothing_was_searched_is_no_absence(
    sample_chroma: str, json_flag: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERSUS_DEADLINE", "0.000001")
    common = ["--chroma", sample_chroma, "--collection", "rules", "--planner", "rules"]
    for command in ("ask", "search"):
        result = versus(command, "What is the armor class of an orc?", *common, *json_flag)
        assert 1 == result.exit_code
        assert "the time was up; raise VERSUS_DEADLINE" in result.stdout
        assert "not found" not in result.stdout.lower()
        assert not json_flag or "deadline" == json.loads(result.stdout)["stop_reason"]


class Faulty(MemoryStore):
    """A store that fails for queries near one of `bad`; for all where it is None."""

    bad: Vectors | None = None

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        if self.bad is None or float(np.max(self.bad @ vector)) > 0.999:
            raise StoreError("the shelf fell over")
        return await super().query(vector, n_results, where, exclude)


async def answered(tmp_path: Path, question: str, *bad: str, llm: Any = None, **settings: Any) -> Answer:
    """The answer from a store that fails for these texts; for all where there are none."""
    store = Faulty()
    made = Settings(collection="small", planner="llm" if llm else "rules", **settings)
    agent = await agent_on(tmp_path, llm, made, BOOK + IMP, store)
    store.bad = await BagOfWords().embed(bad) if bad else None
    return await agent.ask(question)


async def test_where_some_searches_failed_the_rest_is_told_and_the_fault_named(tmp_path: Path) -> None:
    question = "Compare the stats of a bog ogre and a mire imp"
    answer = await answered(tmp_path, question, question, max_chunks=1)
    assert ("partial", 3) == (answer.stop_reason, exit_code(answer.evidence, answer.stop_reason))
    assert "Armor Class: Bog Ogre 5" in answer.text
    assert f"Not looked up in 'small': {question} (the search failed: the shelf fell over)." in answer.text
    assert ["the shelf fell over"] == [each.error for each in answer.unanswered]
    assert "failed" in to_text(answer_view(answer)).split("\n")[-2]


async def test_a_fight_of_which_no_search_succeeds_has_no_verdict_and_no_absence(tmp_path: Path) -> None:
    answer = await answered(tmp_path, "Who wins, a bog ogre or a mire imp?")
    assert ("failed", None, 1) == (
        answer.stop_reason,
        answer.verdict,
        exit_code(answer.evidence, answer.stop_reason),
    )
    assert 1 == answer.text.count("the shelf fell over")
    assert "Not found" not in answer.text


@pytest.mark.parametrize("effort", ["low", "medium"])
async def test_no_model_is_asked_to_word_what_could_not_be_looked_up(tmp_path: Path, effort: str) -> None:
    plan = json.dumps({"sub_queries": [{"id": "a", "text": "how long must a hexer rest"}]})
    llm = ScriptedLLM(lambda request: plan if request.purpose == "plan" else "The passages do not say.")
    answer = await answered(tmp_path, "How long must a hexer rest before casting again?", llm=llm, effort=effort)
    assert "synthesize" not in [request.purpose for request in llm.requests]
    assert "failed" == answer.stop_reason
    assert "Not looked up in 'small': " in answer.text
    assert not [word for word in (*ABSENCE, "do not say") if word in answer.text.lower()]


async def test_what_a_model_s_sub_query_was_to_bring_is_named_in_the_answer_that_it_words(tmp_path: Path) -> None:
    plan = json.dumps({"sub_queries": [{"id": "a", "text": "hexer rest"}, {"id": "b", "text": "bog ogre fears"}]})
    llm = ScriptedLLM(lambda request: plan if request.purpose == "plan" else "A hexer rests for 8 hours [1].")
    answer = await answered(tmp_path, "How do hexers rest and what do ogres fear?", "bog ogre fears", llm=llm)
    assert "partial" == answer.stop_reason
    assert "Not looked up in 'small': bog ogre fears (the search failed: the shelf fell over)." in answer.text


async def test_a_search_that_depends_on_a_failed_one_failed_with_it(tmp_path: Path) -> None:
    reads = {"subject": "bog ogre", "attribute": "armor class", "type": "integer"}
    subs = [
        {"id": "a", "text": "bog ogre armor class", "reads": reads},
        {"id": "b", "text": "traveller armor class {a}", "depends_on": ["a"]},
    ]
    plan = json.dumps({"kind": "open", "sub_queries": subs})
    llm = ScriptedLLM(lambda request: plan if request.purpose == "plan" else "Nothing to add.")
    question = "What does the armor class of a bog ogre mean for a traveller, tell me all about it?"
    answer = await answered(tmp_path, question, "bog ogre armor class", llm=llm, effort="low")
    last = answer.evidence.retrieved[-1]
    assert ("error", True) == (last.stop, last.is_failed)
    assert "the armor class of bog ogre could not be looked up: the shelf fell over" == last.error


async def test_the_log_tells_what_was_not_looked_up_apart_from_what_was_not_found(tmp_path: Path) -> None:
    question = "Compare the stats of a mire imp and a bog ogre"
    fields = answer_fields(await answered(tmp_path, question, question))
    assert [question] == fields["not_looked_up"]
    fields = answer_fields(await answered(tmp_path, "How tall is a smurf?", "nothing like it"))
    assert ["tall smurf"] == fields["unanswered"]
