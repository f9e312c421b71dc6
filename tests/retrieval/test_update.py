"""An index that is brought up to date by a few changes holds what one of all chunks holds."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.local.build import build
from retrieval.collections.local.integrity import damage, note_sound
from retrieval.collections.local.journal import MOST
from retrieval.collections.local.layout import CATALOG, CELLS, CHROMA, LEASE, LEXICAL, VAULT, chroma_of, current_index
from retrieval.collections.local.row_vectors import VECTORS
from retrieval.collections.local.rule_index import Row, RuleIndex
from retrieval.collections.local.store import open_local
from retrieval.collections.local.vault import Vault
from retrieval.ingest.index import embedding_text
from retrieval.lexical import LexicalIndex, vocabulary
from retrieval.stores.metadata import Where
from retrieval.stores.store import MemoryStore
from retrieval.tables.index import CellIndex
from retrieval.text.normal import Words
from retrieval.types import Chunk, QueryMust, RangeRule, Table
from tests.retrieval.store_contract import DIMENSION, stamp_of, vectors

FERRIES = ("Reed", "Rush", "Sedge", "Wren", "Rook")
ROLES = ("Fares", "Crew")
RULES = (None, QueryMust((("reed", "rush"), ("level 3",))), QueryMust(contain_range=RangeRule(1, 3, ("level",))))
QUESTIONS = ("the reed of level 3", "level 2", "who rows the rush")


def record(weight: int, label: str = "Weight") -> Table:
    return Table("", ((), ()), ((label, f"{weight} t"), ("Speed", "4 kn")))


def prices(first: str, price: int) -> Table:
    return Table("Fares", (("Ferry",), ("Fare",)), ((first, f"{price} gp"), ("Bream", "7 gp"), ("Tench", "9 gp")))


def ferry(name: str, number: int) -> Chunk:
    text = f"The {name} is a small ferry. It takes {number} guests over the Long Water (LW)."
    return Chunk(f"{name}-0", text, name, "boats/one.md", ("Boats", name), line=number, tables=(record(number),))


def role(name: str, title: str, number: int) -> Chunk:
    rule = RULES[number % len(RULES)]
    source, table = f"boats/{name}.md", prices(name, number)
    return Chunk(
        f"{name}-{title}", f"{title} of it: {number}.", title, source, ("Boats", name, title),
        chunk_type="table", line=number, query_must=rule, tables=(table,), tags=("water", title),
    )  # fmt: skip


BOOK = [
    *(ferry(name, number) for number, name in enumerate(FERRIES)),
    *(role(name, title, number) for number, name in enumerate(FERRIES) for title in ROLES),
]


def reworded(chunk: Chunk, number: int) -> Chunk:
    return replace(chunk, text=chunk.text.replace("guests", f"{number} riders") + f" And {number}.")


def of_another_value(chunk: Chunk, number: int) -> Chunk:
    return replace(chunk, tables=tuple(_with_value(table, f"{number} gp") for table in chunk.tables))


def _with_value(table: Table, value: str) -> Table:
    return replace(table, rows=((*table.rows[0][:-1], value), *table.rows[1:]))


def of_other_rows(chunk: Chunk, number: int) -> Chunk:
    return replace(chunk, tables=(*chunk.tables, prices(f"Pike {number}", number)))


def of_another_rule(chunk: Chunk, number: int) -> Chunk:
    return replace(chunk, query_must=RULES[number % len(RULES)])


CHANGES = {
    "a word": reworded,
    "a value": of_another_value,
    "rows": of_other_rows,
    "a label": lambda chunk, number: replace(chunk, tables=(record(number, "Draught"),)),
    "a rule": of_another_rule,
    "a title": lambda chunk, number: replace(chunk, title=f"Pike {number}"),
    "headings": lambda chunk, number: replace(chunk, headings=("Boats", f"Pike {number}")),
    "a line": lambda chunk, number: replace(chunk, line=1000 + number),
    "the next line": lambda chunk, number: replace(chunk, line=(chunk.line or 0) + number % 2),
    "a tag": lambda chunk, number: replace(chunk, tags=(f"tag {number}",)),
    "what it explains": lambda chunk, number: replace(chunk, text="Gross register tons (GRT) are told."),
    "what it is": lambda chunk, number: replace(chunk, text=f"The {chunk.title} is a fast ship."),
    "another id": lambda chunk, number: replace(chunk, id=f"{chunk.id}-{number}"),
    "it goes": lambda chunk, number: None,
}
"""What happens to a chunk; `None` where it goes."""
Step = list[tuple[int, str, int]]
steps = st.lists(
    st.lists(
        st.tuples(st.integers(0, 14), st.sampled_from(sorted(CHANGES)), st.integers(0, 5)), min_size=1, max_size=3
    ),
    min_size=1,
    max_size=3,
)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book as it was built in one go."""
    folder = tmp_path_factory.mktemp("pristine") / "rules"
    folder.mkdir()
    vault = Vault(folder / VAULT, model="bag-of-words")
    vault.note({"dimension": DIMENSION})
    vault.apply(BOOK, vectors(len(BOOK)), [stamp_of(chunk) for chunk in BOOK])
    vault.close()
    build(folder)
    return folder


@pytest.fixture
def folder(pristine: Path, tmp_path: Path) -> Path:
    return copied(pristine, tmp_path)


def copied(pristine: Path, place: Path) -> Path:
    """A copy whose index counts as sound."""
    shutil.copytree(pristine, place / "rules", copy_function=shutil.copy2)
    note_sound(index_of(place / "rules"))
    return place / "rules"


def index_of(folder: Path) -> Path:
    found = current_index(folder)
    assert found is not None
    return found


def changed(folder: Path, step: Step, seed: int = 1) -> None:
    """Change some chunks, and build."""
    vault = Vault(folder / VAULT)
    known = {stored.id: stored.chunk() for batch in vault.rows() for stored in batch}
    new: dict[str, Chunk] = {}
    removed: set[str] = set()
    for at, how, number in step:
        if at >= len(known):
            continue
        id_ = sorted(known)[at]
        after = CHANGES[how](known[id_], number)  # type: ignore[no-untyped-call]
        if after is None or (after.id != id_ and number % 2):
            removed.add(id_)
        if after is not None:
            new[after.id] = after
    new = {id_: chunk for id_, chunk in new.items() if id_ not in removed}
    rows = vectors(max(1, len(new)), seed)[: len(new)]
    vault.apply(list(new.values()), rows, [stamp_of(chunk) for chunk in new.values()], removed)
    vault.close()
    build(folder)


def everything(index: Path, chunks: list[Chunk], rows: list[Row]) -> Iterator[tuple[str, Any, Any]]:
    """What an index holds beside the graph, and what one of these chunks would hold."""
    with TemporaryDirectory() as place:
        afresh = Path(place)
        CellIndex.build(chunks, afresh / CELLS).close()
        texts = [embedding_text(chunk) for chunk in chunks]
        LexicalIndex.build([chunk.id for chunk in chunks], texts).save(afresh / LEXICAL)
        yield "cells", _cells(afresh / CELLS), _cells(index / CELLS)
        LexicalIndex.load(index / LEXICAL).save(afresh / "found")
        yield "words", _texts(afresh / LEXICAL), _texts(afresh / "found")
        yield "vocabulary", vocabulary(afresh / LEXICAL), vocabulary(index / LEXICAL)
    found, catalog = Catalog.from_json((index / CATALOG).read_bytes()), Catalog.from_chunks(chunks)
    yield "catalog", catalog, found
    yield "outline", catalog.outline, found.outline
    yield from _directories(RuleIndex.build(rows), RuleIndex.load(index))


def _texts(folder: Path) -> str:
    return (folder / "manifest.json").read_text()


def _cells(path: Path) -> list[Any]:
    """All rows, with the tables and names numbered through."""
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute("select id, chunk, number, body from tables order by id").fetchall()
        rank = {number: at for at, (number, *_) in enumerate(tables)} | {None: None}
        names = database.execute("select key, kind, chunk, grid, at, depth, name from names order by id").fetchall()
        chunks = database.execute("select id, source, line from chunks order by place").fetchall()
        words = [database.execute(f"select * from {table} order by 1, 2").fetchall() for table in ("words", "heads")]
        pairs = [
            database.execute(f"select word, grid from {table} order by 1, 2").fetchall() for table in ("kinds", "held")
        ]
    named = [(*row[:3], rank[row[3]], *row[4:]) for row in names]
    return [
        [row[1:] for row in tables],
        named,
        chunks,
        words,
        [[(word, rank[n]) for word, n in each] for each in pairs],
    ]


def _directories(one: RuleIndex, other: RuleIndex) -> Iterator[tuple[str, Any, Any]]:
    yield "ids", list(one.ids), list(other.ids)
    yield "digests", list(one.digests), list(other.digests)
    yield "vectors", _vectors(one), _vectors(other)
    for question in QUESTIONS:
        yield question, one.allowed(Words(question)).tolist(), other.allowed(Words(question)).tolist()
    wheres: list[Where] = [
        {"source": "boats/one.md"},
        {"tags": "water"},
        {"chunk_type": "table"},
        {"tags": ["tag 1", "Crew"]},
    ]
    for where in wheres:
        yield str(where), _ids_where(one, where), _ids_where(other, where)


def _vectors(directory: RuleIndex) -> Any:
    return directory.vectors.of(np.arange(len(directory.ids))).tolist()


def _ids_where(directory: RuleIndex, where: Where) -> list[str]:
    rows = directory.rows_where(where)
    assert rows is not None
    return [directory.ids[row] for row in rows]


@given(steps)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_index_brought_up_to_date_is_what_all_chunks_make(pristine: Path, several: list[Step]) -> None:
    with TemporaryDirectory() as place:
        folder = copied(pristine, Path(place))
        for number, step in enumerate(several):
            changed(folder, step, number + 1)
        vault = Vault(folder / VAULT)
        stored = [each for batch in vault.rows() for each in batch]
        vault.close()
        chunks = [each.chunk() for each in stored]
        rows = [Row.of(each, chunk.query_must) for each, chunk in zip(stored, chunks, strict=True)]
        for what, expected, found in everything(index_of(folder), chunks, rows):
            assert expected == found, what


@pytest.mark.parametrize("how", CHANGES)
async def test_what_is_found_is_what_is_kept(folder: Path, how: str) -> None:
    await asyncio.to_thread(changed, folder, [(1, how, 3), (6, how, 4)])
    oracle = MemoryStore()
    vault = Vault(folder / VAULT)
    stored = [each for batch in vault.rows() for each in batch]
    vault.close()
    chunks = [each.chunk() for each in stored]
    rows = np.stack([np.frombuffer(each.vector, dtype=np.float32) for each in stored])
    await oracle.upsert(chunks, rows, [stamp_of(chunk) for chunk in chunks])

    async with await open_local(folder) as store:
        assert chunks == await store.get([chunk.id for chunk in chunks])
        assert {chunk.id for chunk in chunks} == {chunk.id async for chunk in store.scan()}
        for vector in vectors(3, seed=9):
            for where in (None, {"tags": "water"}, {"line": 3}):
                expected = [(chunk.id, round(distance, 5)) for chunk, distance in await oracle.query(vector, 20, where)]
                found = [(chunk.id, round(distance, 5)) for chunk, distance in await store.query(vector, 20, where)]
                assert expected == found


def test_a_changed_word_leaves_the_graph_where_it_is_and_reads_no_other_chunk(folder: Path) -> None:
    first = index_of(folder)
    changed(folder, [(0, "a word", 3)])
    assert first / CHROMA == chroma_of(index_of(folder))
    changed(folder, [(1, "a word", 4)])
    third = index_of(folder)

    assert first / CHROMA == chroma_of(third)
    assert [third.name] == [path.name for path in folder.glob("index-*") if (path / CATALOG).exists()]
    assert [CHROMA, LEXICAL, VECTORS] == sorted(path.name for path in first.iterdir() if path.name != LEASE)
    assert damage(third) is None
    assert not (third / CHROMA).exists()
    assert not (third / VECTORS).exists()


@pytest.mark.parametrize(("how", "processes"), [("a word", 0), ("a value", 0), ("a title", 1), ("it goes", 1)])
async def test_a_process_is_started_only_where_other_chunks_have_to_be_read(
    folder: Path, how: str, processes: int
) -> None:
    built: list[Path] = []

    async def build_here(folder: Path) -> None:
        built.append(folder)
        await asyncio.to_thread(build, folder)

    after = CHANGES[how](BOOK[0], 3)  # type: ignore[no-untyped-call]
    new = [] if after is None else [after]
    async with await open_local(folder, build=build_here) as store:
        await store.upsert(new, vectors(1)[: len(new)], [stamp_of(chunk) for chunk in new], [BOOK[0].id] * (not new))
        assert new == await store.get([BOOK[0].id])

    assert [folder] * processes == built
    assert ["index-1", index_of(folder).name] == sorted(path.name for path in folder.glob("index-*"))


def test_lines_that_move_together_are_no_reason_to_read_all_chunks(tmp_path: Path) -> None:
    moved = [(chunk, replace(chunk, line=(chunk.line or 0) + 7)) for chunk in BOOK if chunk.source == "boats/one.md"]
    CellIndex.build(BOOK, tmp_path / CELLS).close()

    assert not CellIndex.rewrite(tmp_path / CELLS, [(moved[0][0], replace(moved[0][0], line=99))])
    assert CellIndex.rewrite(tmp_path / CELLS, moved)
    after = {before.id: after for before, after in moved}
    CellIndex.build([after.get(chunk.id, chunk) for chunk in BOOK], tmp_path / "afresh").close()
    assert _cells(tmp_path / "afresh") == _cells(tmp_path / CELLS)


def test_many_changes_build_the_graph_anew_and_the_old_one_goes(folder: Path) -> None:
    changed(folder, [(0, "a word", 3)])
    changed(folder, [(at, "a word", 3) for at in range(15)])
    index = index_of(folder)
    build(folder, afresh=True)

    assert index / CHROMA == folder / "index-3" / CHROMA
    assert ["index-4"] == sorted(path.name for path in folder.glob("index-*"))


def journalled(folder: Path) -> tuple[Vault, str]:
    """A vault, and the state before its last two changes, of which the first adds a chunk and the second changes it."""
    vault = Vault(folder / VAULT)
    state = str(vault.meta()["state"])
    for text in ("one", "two"):
        new = Chunk("new", text, "New")
        vault.apply([new], vectors(1), [stamp_of(new)])
    return vault, state


def test_what_has_changed_since_a_state_is_told_from_its_beginning_to_its_end(folder: Path) -> None:
    vault, state = journalled(folder)
    changes = vault.changes_since(state) or []

    assert [("new", None, "two")] == [(each.id, each.before, each.after and each.after.text) for each in changes]
    assert [] == vault.changes_since(str(vault.meta()["state"]))
    vault.close()


@pytest.mark.parametrize(
    "harm",
    [
        "update journal set body = x'00', before = 'another' where number = (select max(number) from journal)",
        "update journal set id = 'other' where number = (select max(number) from journal)",
        "delete from journal where number = (select max(number) from journal)",
        "delete from journal",
    ],
)
def test_a_journal_that_lacks_a_step_tells_nothing(folder: Path, harm: str) -> None:
    vault, state = journalled(folder)
    with closing(sqlite3.connect(folder / VAULT)) as database, database:
        database.execute(harm)

    assert None is vault.changes_since(state)
    assert None is vault.changes_since("another state")
    vault.close()


def test_vectors_that_are_noted_while_they_are_computed_take_no_room_afterwards(tmp_path: Path) -> None:
    many = [Chunk(f"many-{number:04}", f"The heron {number} stands.", "Many") for number in range(MOST)]
    rows = np.random.default_rng(5).normal(size=(len(many), 384)).astype(np.float32)
    vault = Vault(tmp_path / VAULT, model="any")
    for start in range(0, len(many), 100):
        vault.remember([embedding_text(chunk) for chunk in many[start : start + 100]], rows[start : start + 100])
    vault.apply(many, rows, [stamp_of(chunk) for chunk in many])
    vault.close()
    with closing(sqlite3.connect(tmp_path / VAULT)) as database:
        (pages,), (free,) = (database.execute(f"pragma {name}").fetchone() for name in ("page_count", "freelist_count"))

    assert free < pages / 4


def test_a_change_of_very_much_is_not_journalled(folder: Path) -> None:
    vault, state = journalled(folder)
    many = [Chunk(f"many-{number:04}", "text", "Many") for number in range(MOST + 1)]
    vault.apply(many, vectors(len(many)), [stamp_of(chunk) for chunk in many])

    assert None is vault.changes_since(state)
    vault.close()
