"""A chunk survives being flattened, whatever it holds; odd metadata of others is read, not refused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.stores.metadata import TAG_SLOTS, decode, encode, encode_afresh, matches
from retrieval.types import Chunk, QueryMust, RangeRule, Table

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
TERM = st.text("abc", min_size=1, max_size=4)
TERMS = st.lists(TERM, max_size=3).map(tuple)
RANGES = st.builds(lambda low, width, of: RangeRule(low, low + width, of), st.integers(-9, 9), st.integers(0, 9), TERMS)
RULES = st.builds(QueryMust, st.lists(TERMS, max_size=3).map(tuple), TERMS, st.none() | TERM, st.none() | RANGES)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 3))
    cells = st.lists(TEXT, min_size=width, max_size=width).map(tuple)
    paths = st.lists(st.lists(TEXT, max_size=2).map(tuple), min_size=width, max_size=width).map(tuple)
    rows = tuple(draw(st.lists(cells, max_size=3)))
    sentences = draw(st.just(()) | st.tuples(*(TEXT for _ in rows)))
    return Table(draw(TEXT), draw(paths), rows, tuple(draw(st.lists(TEXT, max_size=2))), sentences=sentences)


CHUNKS = st.builds(
    Chunk,
    id=st.text(min_size=1, max_size=8),
    text=TEXT,
    title=st.text("abc ", min_size=1, max_size=8),
    source=TEXT,
    headings=st.lists(TEXT, max_size=3).map(tuple),
    page=st.none() | st.integers(0, 999),
    line=st.none() | st.integers(1, 9999),
    chunk_type=TERM,
    tags=st.lists(TERM, max_size=TAG_SLOTS).map(tuple),
    query_must=st.none() | RULES,
    tables=st.lists(tables(), max_size=2).map(tuple),
    own_category=TEXT,
)


@given(CHUNKS)
def test_what_is_encoded_is_decoded(chunk: Chunk) -> None:
    assert (chunk, ()) == decode(chunk.id, chunk.text, encode(chunk))
    assert (chunk, ()) == decode(chunk.id, chunk.text, encode_afresh(chunk))


@given(CHUNKS)
def test_metadata_is_flat(chunk: Chunk) -> None:
    assert all(isinstance(value, str | int | float | bool) for value in encode(chunk).values())


@given(CHUNKS, CHUNKS)
def test_writing_a_chunk_over_another_leaves_nothing_of_the_other(old: Chunk, new: Chunk) -> None:
    merged = {name: value for name, value in (encode(old) | encode_afresh(new)).items() if value is not None}

    assert (new, ()) == decode(new.id, new.text, merged)


def test_metadata_of_others_is_read_as_far_as_it_makes_sense() -> None:
    flat = {"name": "N", "page": "12", "line": float("inf"), "headings": "Combat", "tables": "[1]", "type": "rule"}
    flat["category"] = "Rules"
    chunk, odd = decode("f1", None, flat)

    assert Chunk("f1", "", "N", headings=("Combat",), page=12, chunk_type="rule", own_category="Rules") == chunk
    assert 1 == len(odd)
    assert "tables are malformed" in odd[0]


def test_tags_that_no_store_can_be_asked_for_are_told() -> None:
    many = Chunk("f1", "", "N", tags=tuple("abcdefghij"))
    chunk, odd = decode("f1", "", encode_afresh(many))
    assert many == chunk
    assert ("chunk 'f1' has 10 tags; only the first 8 can be asked for",) == odd


def test_no_metadata_at_all_is_fine() -> None:
    assert (Chunk("f1", "text", "f1"), ()) == decode("f1", "text", None)


def test_a_where_matches_any_of_the_wanted_values_in_every_field() -> None:
    flat = encode(Chunk("c", "t", "T", chunk_type="row", tags=("a", "b")))

    assert matches(flat, {})
    assert matches(flat, {"chunk_type": ["table", "row"], "tags": "b", "tag_0": "a"})
    assert not matches(flat, {"chunk_type": "row", "tags": "c"})
    assert not matches(flat, {"tag_0": "b"})
    assert not matches(flat, {"page": 3})
