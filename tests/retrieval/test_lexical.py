"""BM25: the same scores as plain Python gives, by the project's normal form, and the same again from a saved index."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import StoreError
from retrieval.lexical import K1, B, LexicalIndex, save_since, vocabulary

WORDS = ("bear", "owl", "sword", "druid", "fighter", "level", "7", "-3")
"""Each is its own normal form, so that the oracle can split at spaces."""

texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
corpora = st.lists(texts, max_size=12)


def oracle(corpus: Sequence[str], query: str) -> dict[str, float]:
    """Robertson and Zaragoza's BM25 with Lucene's idf: the positive score of each `c<number>`."""
    chunks = [text.split() for text in corpus]
    average = sum(map(len, chunks)) / max(1, len(chunks))
    scores = {f"c{number:02}": 0.0 for number in range(len(chunks))}
    for word in set(query.split()):
        having = sum(word in chunk for chunk in chunks)
        idf = math.log(1 + (len(chunks) - having + 0.5) / (having + 0.5))
        for id_, chunk in zip(scores, chunks, strict=True):
            if times := chunk.count(word):
                scores[id_] += idf * times / (times + K1 * (1 - B + B * len(chunk) / average))
    return {id_: score for id_, score in scores.items() if score > 0}


def numbered(corpus: Sequence[str]) -> LexicalIndex:
    return LexicalIndex.build([f"c{number:02}" for number in range(len(corpus))], corpus)


def run_python(code: str, *arguments: str, seed: str = "0") -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


@given(corpora, st.lists(st.sampled_from((*WORDS, "wyvern")), max_size=6).map(" ".join))
def test_scores_are_those_of_plain_python(corpus: list[str], query: str) -> None:
    found = numbered(corpus).search(query, limit=100)

    assert oracle(corpus, query) == pytest.approx(dict(found), rel=1e-5)
    assert sorted(found, key=lambda pair: (-pair[1], pair[0])) == found


@given(corpora, texts, st.integers(0, 12))
def test_a_limit_keeps_the_best(corpus: list[str], query: str, limit: int) -> None:
    index = numbered(corpus)

    assert index.search(query, limit=100)[:limit] == index.search(query, limit)


@given(corpora, texts, st.randoms(use_true_random=False))
def test_the_order_of_chunks_does_not_matter(corpus: list[str], query: str, random: Random) -> None:
    ids = [f"c{number:02}" for number in range(len(corpus))]
    pairs = list(zip(ids, corpus, strict=True))
    random.shuffle(pairs)
    shuffled = LexicalIndex.build([id_ for id_, _ in pairs], [text for _, text in pairs])

    assert numbered(corpus).search(query, 100) == shuffled.search(query, 100)


def test_spelling_and_abbreviations_do_not_matter_but_numbers_do() -> None:
    index = numbered(["An armour class of 3", "AC 13", "A.C. of −3", "level 3 Fighters", "the bear"])
    by_variant = [index.search(query, 5) for query in ("AC 3", "armor class: 3", "opponent armour class of three")]

    assert ["c00", "c03"] == [id_ for id_, _ in by_variant[0] if id_ in ("c00", "c03")]
    assert "c00" == by_variant[0][0][0]
    assert by_variant[0] == by_variant[1] == by_variant[2]


def test_equal_scores_are_in_the_order_of_ids() -> None:
    index = LexicalIndex.build(["c", "a", "b"], ["a bear", "the bear", "bears"])

    assert ["a", "b"] == [id_ for id_, _ in index.search("bear", limit=2)]


@pytest.mark.parametrize("corpus", [[], [""], ["the of a", ""], ["a bear"]])
@pytest.mark.parametrize("query", ["", "  ", "the of a", "wyvern"])
def test_nothing_in_common_finds_nothing(corpus: list[str], query: str, tmp_path: Path) -> None:
    index = numbered(corpus)
    index.save(tmp_path)

    assert [] == index.search(query, 5)
    assert [] == LexicalIndex.load(tmp_path).search(query, 5)


def test_each_id_needs_its_text() -> None:
    with pytest.raises(ValueError, match="shorter"):
        LexicalIndex.build(["c1", "c2"], ["a bear"])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    LexicalIndex.build(["bär", "eule"], ["a brown bear of level 7", "an owl of level 7"]).save(tmp_path / "index")
    return tmp_path / "index"


def test_a_saved_index_gives_the_same_answers(saved: Path) -> None:
    built = LexicalIndex.build(["bär", "eule"], ["a brown bear of level 7", "an owl of level 7"])

    for query in ("bear", "level 7", "an owl and a bear"):
        assert built.search(query, 5) == LexicalIndex.load(saved).search(query, 5)


def test_an_open_index_goes_on_when_another_is_saved_in_its_place(saved: Path) -> None:
    opened = LexicalIndex.load(saved)
    before = opened.search("level 7", 5)
    LexicalIndex.build(["c1"], ["a wyvern of level 9"]).save(saved)

    assert before == opened.search("level 7", 5)
    assert ["c1"] == [id_ for id_, _ in LexicalIndex.load(saved).search("wyvern", 5)]


def test_a_loaded_index_can_be_saved_where_it_came_from(saved: Path) -> None:
    loaded = LexicalIndex.load(saved)
    loaded.save(saved)

    assert loaded.search("bear", 5) == LexicalIndex.load(saved).search("bear", 5) != []


def test_saving_leaves_only_the_index(saved: Path) -> None:
    names = sorted(path.name for path in saved.iterdir())
    LexicalIndex.load(saved).save(saved)

    assert names == sorted(path.name for path in saved.iterdir())
    assert all(path.is_file() for path in saved.iterdir())


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("damage", [Path.unlink, flip, cut, lambda path: path.write_bytes(b"")])
def test_an_index_with_any_file_damaged_is_refused(damage: Callable[[Path], object], saved: Path) -> None:
    for path in sorted(saved.iterdir()):
        content = path.read_bytes()
        damage(path)
        with pytest.raises(StoreError, match=r"index.* can't be used: .*build the index again"):
            LexicalIndex.load(saved)
        path.write_bytes(content)

    assert [] != LexicalIndex.load(saved).search("bear", 5)


def test_a_missing_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"missing.* can't be used"):
        LexicalIndex.load(tmp_path / "missing")


def test_a_folder_that_can_not_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")

    with pytest.raises(StoreError, match=r"can't be saved in .*taken"):
        numbered(["a bear"]).save(tmp_path / "taken")


@pytest.fixture
def since(tmp_path: Path) -> Path:
    """What has changed since an index was saved: one chunk has gone, and another has other words."""
    numbered(["a bear", "an owl", "a bear and a fox"]).save(tmp_path / "base")
    save_since(tmp_path / "since", tmp_path / "base", ["c01"], {"c00": "a wyvern"})
    return tmp_path / "since"


def test_what_has_changed_since_another_index_is_read_with_that(since: Path) -> None:
    assert [["c00"], [], ["c02"]] == [
        [id_ for id_, _ in LexicalIndex.load(since).search(query, 5)] for query in ("wyvern", "owl", "bear")
    ]
    assert {"wyvern", "bear", "fox"} == vocabulary(since)


@pytest.mark.parametrize("damage", [flip, cut, lambda path: path.write_bytes(b"[]")])
def test_what_has_changed_since_another_index_is_refused_when_damaged(
    damage: Callable[[Path], object], since: Path
) -> None:
    damage(since / "since.json")

    for read in (LexicalIndex.load, vocabulary):
        with pytest.raises(StoreError, match=r"index.* can't be used"):
            read(since)


def test_nothing_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    numbered(["a bear", ""]).save(tmp_path)
    LexicalIndex.load(tmp_path).search("bear", 5)

    assert ("", "") == capfd.readouterr()


@given(corpora, st.dictionaries(st.integers(0, 14), texts | st.none(), max_size=5), texts)
def test_a_changed_index_is_what_building_gives(corpus: list[str], changes: dict[int, str | None], query: str) -> None:
    before = {f"c{number:02}": text for number, text in enumerate(corpus)}
    texts_ = {f"c{number:02}": text for number, text in changes.items() if text is not None}
    removed = [f"c{number:02}" for number, text in changes.items() if text is None]
    after = {id_: text for id_, text in {**before, **texts_}.items() if id_ not in removed}
    found = numbered(corpus).changed(removed, texts_)
    built = LexicalIndex.build(list(after), list(after.values()))

    assert built.search(query, 100) == found.search(query, 100)
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        built.save(Path(one))
        found.save(Path(other))
        assert (Path(one) / "manifest.json").read_text() == (Path(other) / "manifest.json").read_text()


def test_the_saved_files_are_the_same_in_every_process(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from retrieval.lexical import LexicalIndex
LexicalIndex.build(["c1", "c2"], ["a bear in the woods", "an owl of level 7"]).save(Path(sys.argv[1]))
"""
    for seed in "12":
        run_python(code, str(tmp_path / seed), seed=seed)

    assert (tmp_path / "1" / "manifest.json").read_text() == (tmp_path / "2" / "manifest.json").read_text()
