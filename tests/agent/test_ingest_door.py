"""`versus ingest` as it is typed again and again: what is counted, what is refused, what is told of the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from retrieval.collections.local.store import create_vault
from retrieval.collections.opening import local_folder
from tests.readers.making import cones, word

pytestmark = pytest.mark.usefixtures("empty_place")

OWL = "# Owl\n\nOwls hunt at night.\n"
BEAR = "# Bear\n\nBears sleep in winter.\n"


def versus(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--chroma", "chroma"])


def ingest(*paths: str) -> dict[str, Any]:
    result = versus("ingest", *paths, "--json")
    assert (0, "") == (result.exit_code, result.stderr)
    return dict(json.loads(result.stdout))


def counts(report: dict[str, Any]) -> tuple[int, ...]:
    return tuple(report[name] for name in ("embedded", "updated", "unchanged", "removed"))


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def record(name: str, text: str, **fields: object) -> str:
    return json.dumps({"id": name, "title": name, "text": text} | fields) + "\n"


def test_files_are_counted_as_unchanged_and_one_whose_reader_lacks_its_extra_as_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("books/owl.md", OWL)
    word(Path("books/cones.docx"), cones(3))
    first = ingest("books")
    write("books/owl.md", OWL + "\nThey hoot.\n")
    again = ingest("books")
    assert (2, 1) == (again["files"], again["files_unchanged"])

    write("lacking/mammoth.py", "raise ModuleNotFoundError")
    monkeypatch.syspath_prepend(str(Path("lacking").resolve()))
    word(Path("books/cones.docx"), cones(4))
    report = ingest("books")
    (skipped,) = report["skipped"]
    assert ("needs mammoth; say: pip install 'versus-rag[office]'", 1) == (skipped["reason"], skipped["count"])
    assert (1, 1, 0) == (report["files"], report["files_unchanged"], report["removed"])
    assert first["chunks"] == json.loads(versus("collections", "rules", "--json").stdout)["chunks"]


@pytest.mark.parametrize("paths", [("a", "b"), ("a/x.md", "b/x.md"), ("a", "b/x.md"), ("a", "b", "a")])
def test_two_files_of_one_name_are_refused_with_both_places(paths: tuple[str, ...]) -> None:
    write("a/x.md", OWL)
    write("b/x.md", BEAR)
    result = versus("ingest", *paths)

    assert 2 == result.exit_code
    assert f"{Path('b/x.md')}: {Path('a/x.md')} has the same name 'x.md'" in result.stderr
    assert not Path("chroma").exists()


def test_chunk_files_of_one_name_are_refused_when_it_is_their_source() -> None:
    write("a/x.jsonl", record("owl", "Owls hunt."))
    write("b/x.jsonl", record("bear", "Bears sleep.", source="Book of Bears"))
    assert (2, 0, 0, 0) == counts(ingest("a", "b"))

    write("b/x.jsonl", record("bear", "Bears sleep."))
    assert "a/x.jsonl has the same name 'x.jsonl'" in versus("ingest", "a", "b").stderr


def test_files_that_are_left_out_may_have_one_name() -> None:
    for folder, text in (("a", OWL), ("b", BEAR)):
        write(f"{folder}/package.json", "{}")
        write(f"{folder}/{folder}.md", text)

    assert (2, 0, 0, 0) == counts(ingest("a", "b"))


def test_an_id_of_two_files_is_refused_with_both_places_also_when_one_was_ingested_before() -> None:
    write("a.jsonl", record("owl", "Owls hunt."))
    write("b.jsonl", record("bear", "Bears sleep.") + record("owl", "Owls hoot."))
    together = versus("ingest", "a.jsonl", "b.jsonl")
    assert (2, False) == (together.exit_code, Path("chroma").exists())
    assert "b.jsonl:2: the id 'owl' is that of the chunk at a.jsonl:1; ids are unique" in together.stderr

    ingest("a.jsonl")
    later = versus("ingest", "b.jsonl")
    assert 2 == later.exit_code
    assert f"{Path('b.jsonl').resolve()}: this collection already has a chunk 'owl'" in later.stderr
    assert f"from {Path('a.jsonl').resolve()}" in later.stderr
    assert (0, 0, 1, 0) == counts(ingest("a.jsonl"))


def test_a_source_that_two_folders_declare_is_refused_with_both_places_also_when_one_was_ingested_before() -> None:
    write("a/one.jsonl", record("owl", "Owls hunt.", source="Bestiary"))
    write("b/two.jsonl", record("bear", "Bears sleep.", source="Bestiary"))
    together = versus("ingest", "a", "b")
    assert (2, False) == (together.exit_code, Path("chroma").exists())
    assert "b/two.jsonl:1: a/one.jsonl:1 has the same source 'Bestiary'" in together.stderr

    ingest("a")
    later = versus("ingest", "b")
    assert 2 == later.exit_code
    assert f"{Path('b/two.jsonl').resolve()}: this collection already has 'Bestiary'" in later.stderr
    assert f"from {Path('a/one.jsonl').resolve()}" in later.stderr

    write("a/one.jsonl", record("owl", "Owls hunt."))
    assert (1, 1, 0, 0) == counts(ingest("a", "b"))


def test_files_that_are_not_read_are_counted_and_named_in_text_json_and_log(empty_place: Path) -> None:
    for name in ("book/owl.md", "book/map.png", "book/art/cover.png", "book/.hidden/bear.md"):
        write(name, OWL)
    write("book/package.json", "{}")
    report = ingest("book")
    (log,) = (empty_place / "logs").glob("*.jsonl")

    png = {"kind": ".png", "reason": "no reader for it", "count": 2}
    assert (1, {**png, "files": ["book/map.png", "book/art/cover.png"]}) == (report["files"], report["skipped"][0])
    assert [".png", ".json", "hidden"] == [each["kind"] for each in report["skipped"]]
    assert report["skipped"] == json.loads(log.read_text().splitlines()[-1])["skipped"]
    text = versus("ingest", "book").stdout
    assert "not read: 2 .png (no reader for it): book/map.png, book/art/cover.png\n" in text
    assert "not read: 1 .json (holds no chunks, which are records with id, text and title): book/package.json\n" in text
    assert "not read: 1 hidden (the name begins with a dot): book/.hidden\n" in text


def test_every_chunk_that_was_read_is_in_a_count_and_in_that_of_the_log(empty_place: Path) -> None:
    write("book/birds.jsonl", record("owl", "Owls hunt.") + record("emu", "Emus run."))
    assert (2, 0, 0, 0) == counts(ingest("book"))
    assert (0, 2, 0, 0) == counts(ingest("book/birds.jsonl"))

    write("book/birds.jsonl", record("owl", "Owls hunt.", query_must={"contain": "owl"}) + record("emu", "Emus swim."))
    assert "1 embedded, 1 updated, 0 unchanged, 0 removed" in versus("ingest", "book/birds.jsonl").stdout
    assert (0, 0, 2, 0) == counts(ingest("book/birds.jsonl"))
    (log,) = (empty_place / "logs").glob("*.jsonl")
    logged = [counts(json.loads(line)) for line in log.read_text().splitlines()]
    assert [(2, 0, 0, 0), (0, 2, 0, 0), (1, 1, 0, 0), (0, 0, 2, 0)] == logged


def test_when_the_last_file_of_a_folder_is_gone_it_is_said_what_stays_and_how_it_leaves() -> None:
    write("birds/owl.md", OWL)
    write("bears/bear.md", BEAR)
    Path("empty").mkdir()
    never = versus("ingest", "empty")
    ingest("birds", "bears")
    Path("birds/owl.md").unlink()
    gone = versus("ingest", "birds")
    write("birds/owl.md", "<!-- nothing any more -->")
    emptied = versus("ingest", "birds")

    for result in (gone, emptied):
        assert 2 == result.exit_code
        assert "birds: nothing to read" in result.stderr
        assert "Collection 'rules' still has 1 chunk from there" in result.stderr
        assert "versus collections --chroma chroma rules --delete" in result.stderr
    for result in (never, versus("ingest", "empty")):
        assert 2 == result.exit_code
        assert "still has" not in result.stderr


@pytest.mark.parametrize("command", [("ask", "hello"), ("search", "hello"), ("ask",)])
def test_a_collection_that_was_never_filled_is_said_to_be_empty(command: tuple[str, ...]) -> None:
    create_vault(local_folder("chroma", "rules"), "all-MiniLM-L6-v2").close()
    result = versus(*command)

    assert (1, "") == (result.exit_code, result.stdout)
    assert "collection 'rules' is empty" in result.stderr
    assert "versus ingest PATH --chroma chroma --collection rules" in result.stderr


def test_an_empty_collection_is_listed_as_one() -> None:
    create_vault(local_folder("chroma", "rules"), "all-MiniLM-L6-v2").close()

    assert "ingest" in json.loads(versus("collections", "--json").stdout)["collections"][0]["problem"]
    assert "ready" not in versus("collections").stdout
    assert "noted     rules: the collection is empty" in versus("doctor").stdout


def test_standard_input_is_read_as_markdown() -> None:
    result = CliRunner().invoke(app, ["ingest", "-", "--json"], input=OWL)
    assert 0 == result.exit_code, result.stderr
    assert 1 == json.loads(result.stdout)["files"]


def test_a_file_that_failed_is_told_and_what_was_read_of_it_stays() -> None:
    write("a/x.md", OWL)
    write("a/y.md", BEAR)
    ingest("a")
    Path("a/y.md").write_bytes(b"\xff\xfe")
    result = versus("ingest", "a", "--json")
    report = json.loads(result.stdout)
    assert (3, 1, 0) == (result.exit_code, report["files"], report["removed"])
    assert [str(Path("a/y.md"))] == [each["file"] for each in report["failed"]]
