"""The quick road must lead where sentence-transformers leads, be proved once, and never be taken in silence."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from agent.ingesting.ingest import ingest
from agent.settings.settings import Settings
from retrieval.embedding.models import QuickEmbedder, embedder_for
from retrieval.embedding.onnx.check import LEAST_COSINE, TEXTS, check_vectors, is_checked, record_path, write_record
from retrieval.embedding.onnx.embedder import OnnxEmbedder
from retrieval.embedding.onnx.encoder import Encoder, batches
from retrieval.embedding.onnx.recorded import RECORDINGS, recorded_vectors, recording_path
from retrieval.embedding.onnx.weights import fingerprint
from retrieval.embedding.protocol import DEFAULT_MODEL, SentenceTransformerEmbedder, bundled_weights, embed_all
from retrieval.errors import EmbeddingError
from retrieval.ingest.index import embedding_text
from retrieval.ingest.read import read_sources
from tests.retrieval.doubles import BagOfWords

WEIGHTS = bundled_weights(DEFAULT_MODEL) or Path()
NOWHERE = Path("no-recordings")
SAMPLE = Path(__file__).parents[2] / "agent" / "sample"
ODD = (
    "\t\n ",
    "\x00\x07",
    "\N{BEAR FACE}" * 400,
    "é" * 3000,
    "a" * 100_000,
    "ⅣⅦ ½ ﬁ ＡＣ",
    "-3 − –3 +3",
    "[CLS] [SEP] [PAD]",
)


class Reference:
    """A reference that has its answer ready and counts how often it is asked."""

    name, dimension = DEFAULT_MODEL, 384

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors, self.calls = vectors, 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        return self.vectors


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(WEIGHTS)


@pytest.fixture(scope="module")
def reference() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(device="cpu")


@pytest.fixture(scope="module")
def right(encoder: Encoder) -> NDArray[np.float32]:
    return encoder.encode(TEXTS)


def quick(
    right: NDArray[np.float32], cache: Path, told: list[str] | None = None, recordings: Path = NOWHERE
) -> tuple[OnnxEmbedder, Reference]:
    """An embedder with no recording unless one is given, and the reference that it then asks."""
    reference, notify = Reference(right), ([] if told is None else told).append
    return OnnxEmbedder(reference, WEIGHTS, cache, notify, workers=2, recordings=recordings), reference


@pytest.mark.slow
@pytest.mark.parametrize("texts", [TEXTS, ODD], ids=["check", "odd"])
async def test_both_roads_give_the_same_vectors(
    encoder: Encoder, reference: SentenceTransformerEmbedder, texts: Sequence[str]
) -> None:
    assert LEAST_COSINE <= check_vectors(encoder.encode(texts), await reference.embed(texts))


@pytest.mark.slow
async def test_both_roads_give_the_same_vectors_for_the_sample_book(
    right: NDArray[np.float32], reference: SentenceTransformerEmbedder, tmp_path: Path
) -> None:
    chunks = (await asyncio.to_thread(read_sources, [SAMPLE])).chunks[::8]
    texts = [embedding_text(chunk) for chunk in chunks]
    ours, theirs = await embed_all(quick(right, tmp_path)[0], texts), await embed_all(reference, texts)

    assert LEAST_COSINE <= check_vectors(ours, theirs)
    assert np.array_equal(np.argsort(-(ours[:20] @ ours.T))[:, :5], np.argsort(-(theirs[:20] @ theirs.T))[:, :5])


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(texts=st.lists(st.text(max_size=80), min_size=1, max_size=6))
async def test_no_text_is_read_differently(
    encoder: Encoder, reference: SentenceTransformerEmbedder, texts: list[str]
) -> None:
    assert LEAST_COSINE <= check_vectors(encoder.encode(texts), await reference.embed(texts))


async def test_company_in_a_batch_does_not_change_a_vector(right: NDArray[np.float32], tmp_path: Path) -> None:
    embedder, _ = quick(right, tmp_path)
    together = await embedder.embed([*TEXTS, *ODD])
    alone = np.concatenate([await embedder.embed([text]) for text in (*TEXTS, *ODD)])

    assert np.allclose(alone, together, atol=1e-5)
    assert ((0, 384), 384) == ((await embedder.embed([])).shape, embedder.dimension)


async def test_half_a_surrogate_pair_is_a_typed_error(right: NDArray[np.float32], tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="Unicode"):
        await quick(right, tmp_path)[0].embed(["bear \ud83d"])


@given(lengths=st.lists(st.integers(2, 256), max_size=60), most=st.integers(1, 2000))
def test_batches_hold_every_text_once_and_no_more_tokens_than_allowed(lengths: list[int], most: int) -> None:
    found = list(batches(lengths, most))

    assert list(range(len(lengths))) == sorted(index for batch in found for index in batch)
    assert all(len(batch) * max(lengths[index] for index in batch) <= most or len(batch) == 1 for batch in found)


async def test_without_a_recording_the_comparison_is_made_once_and_told(
    right: NDArray[np.float32], tmp_path: Path
) -> None:
    told: list[str] = []
    first, asked_first = quick(right, tmp_path, told)
    await asyncio.gather(first.embed(["bear"]), first.embed(["owl"]))
    second, asked_second = quick(right, tmp_path, told)
    await second.embed(["bear"])

    assert (1, 0, 1) == (asked_first.calls, asked_second.calls, len(told))
    assert "comparing the quick form of all-MiniLM-L6-v2" in told[0]


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"least_cosine": 0.5}', '{"least_cosine": "x"}', "\0" * 40])
def test_a_damaged_record_is_no_proof(tmp_path: Path, damage: str) -> None:
    record = tmp_path / "record.json"
    record.write_text(damage)

    assert not is_checked(record)


async def test_a_damaged_record_is_replaced(right: NDArray[np.float32], tmp_path: Path) -> None:
    record = record_path(tmp_path, DEFAULT_MODEL, fingerprint(WEIGHTS))
    record.parent.mkdir(parents=True)
    record.write_text("{")
    embedder, asked = quick(right, tmp_path)
    await embedder.embed(["bear"])

    assert (1, True) == (asked.calls, is_checked(record))


async def test_a_cache_that_cannot_be_written_is_told_once_and_the_work_goes_on(
    right: NDArray[np.float32], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where a folder is wanted")
    told: list[str] = []
    embedder, asked = quick(right, tmp_path / "cache", told, RECORDINGS)
    await asyncio.gather(*(embedder.embed([text]) for text in ("bear", "owl", "orc")))

    assert (0, 1) == (asked.calls, len(told))
    assert "are checked again in the next process, since" in told[0]


@pytest.mark.slow
async def test_the_recording_is_what_sentence_transformers_gives(reference: SentenceTransformerEmbedder) -> None:
    recorded = recorded_vectors(RECORDINGS, DEFAULT_MODEL, fingerprint(WEIGHTS))
    assert recorded is not None, "the weights are new; run python -m retrieval.embedding.onnx.record"
    assert LEAST_COSINE <= check_vectors(recorded, await reference.embed(TEXTS))


async def test_with_a_recording_the_check_asks_no_reference_and_says_nothing(
    right: NDArray[np.float32], tmp_path: Path
) -> None:
    told: list[str] = []
    embedder, asked = quick(right, tmp_path, told, RECORDINGS)
    await embedder.embed(["bear"])

    assert (0, []) == (asked.calls, told)
    assert is_checked(record_path(tmp_path, DEFAULT_MODEL, fingerprint(WEIGHTS)))


async def test_vectors_that_differ_from_the_recording_are_refused(right: NDArray[np.float32], tmp_path: Path) -> None:
    np.save(recording_path(tmp_path, DEFAULT_MODEL, fingerprint(WEIGHTS)), right[::-1])

    with pytest.raises(EmbeddingError, match="differ from those of sentence-transformers: cosine"):
        await quick(right, tmp_path, recordings=tmp_path)[0].embed(["bear"])


@pytest.mark.parametrize("content", [b"", b"no vectors", b"\x93NUMPY\x01\x00"])
async def test_a_damaged_recording_is_a_typed_error(right: NDArray[np.float32], tmp_path: Path, content: bytes) -> None:
    recording_path(tmp_path, DEFAULT_MODEL, fingerprint(WEIGHTS)).write_bytes(content)

    with pytest.raises(EmbeddingError, match="Install versus-rag again"):
        await quick(right, tmp_path, recordings=tmp_path)[0].embed(["bear"])


async def test_vectors_that_differ_are_refused(right: NDArray[np.float32], tmp_path: Path) -> None:
    embedder, _ = quick(right[::-1].copy(), tmp_path)

    with pytest.raises(EmbeddingError, match="differ from those of sentence-transformers: cosine"):
        await embedder.embed(["bear"])
    assert [] == list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json", "sentence_bert_config.json"])
async def test_damaged_weights_are_a_typed_error(right: NDArray[np.float32], tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(WEIGHTS, folder, copy_function=os.symlink)
    content = (folder / name).read_bytes()
    (folder / name).unlink()
    (folder / name).write_bytes(content[: len(content) // 2])

    with pytest.raises(EmbeddingError, match="can't be used"):
        await OnnxEmbedder(Reference(right), folder, tmp_path, print).embed(["bear"])


async def test_the_embedders_of_a_process_share_a_model_until_its_files_change(
    right: NDArray[np.float32], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(WEIGHTS, folder, copy_function=os.symlink)
    shutil.copy(WEIGHTS / "config.json", aside := tmp_path / "config.json")
    first, second, third = (OnnxEmbedder(Reference(right), folder, tmp_path, print) for _ in range(3))
    loaded = await first.load()
    assert loaded is await second.load()
    aside.replace(folder / "config.json")
    assert loaded is not await third.load()


def test_many_writers_leave_one_whole_record(tmp_path: Path) -> None:
    record = tmp_path / "onnx" / "record.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: write_record(record, 1.0), range(64)))

    assert is_checked(record)
    assert [record] == list(record.parent.iterdir())


async def test_a_closed_quick_road_is_told_once_and_the_reference_serves(tmp_path: Path) -> None:
    told: list[str] = []
    reference = BagOfWords()
    embedder = QuickEmbedder(OnnxEmbedder(reference, tmp_path / "gone", tmp_path, told.append), reference, told.append)
    vectors = await asyncio.gather(embedder.embed(["bear"]), embedder.embed(["bear"]))

    assert np.array_equal(await reference.embed(["bear"]), vectors[0])
    assert ((reference.name, reference.dimension), 1) == ((embedder.name, embedder.dimension), len(told))
    assert "sentence-transformers is used" in told[0]


def test_a_note_goes_to_stderr_and_to_the_log_once_each(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    from retrieval.embedding.models import note

    note("100% slow")

    assert ("note: 100% slow\n", ["100% slow"]) == (capsys.readouterr().err, caplog.messages)


def test_only_the_bundled_model_takes_the_quick_road(tmp_path: Path) -> None:
    assert isinstance(embedder_for("all-MiniLM-L6-v2"), QuickEmbedder)
    assert isinstance(embedder_for("sentence-transformers/all-MiniLM-L6-v2"), QuickEmbedder)
    assert isinstance(embedder_for("all-mpnet-base-v2"), SentenceTransformerEmbedder)
    assert isinstance(embedder_for(str(tmp_path)), SentenceTransformerEmbedder)


COLD_ASK = """
import sys
from agent.cli.app import app
app(sys.argv[1:], standalone_mode=False)
sys.stderr.write(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
"""


@pytest.mark.slow
@pytest.mark.parametrize("cache", ["cache", "file"])
async def test_a_cold_ask_imports_no_torch_and_onnxruntime_keeps_to_itself(psionics: Path, cache: str) -> None:
    """The check of the vectors was not made before; where its result can't be kept, that is said."""
    environment = os.environ | {"PYTHONPATH": str(SAMPLE.parents[1]), "XDG_CACHE_HOME": str(psionics / cache)}
    for name in ("ORT_DISABLE_TELEMETRY", "CI"):
        environment.pop(name, None)
    command = ["ask", "--planner", "rules", "--collection", "psionics", "--chroma", "chroma", "What is psionic blast?"]
    ran = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", COLD_ASK, *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=psionics,
    )

    loaded = set(ran.stderr.splitlines()[-1].split())
    assert {"chromadb", "onnxruntime", "tokenizers"} <= loaded, ran.stderr
    assert set() == loaded & {"torch", "transformers", "sentence_transformers", "sklearn"}
    assert (cache == "file") == ("are checked again in the next process" in ran.stderr)
    assert ["versus"] == [path.name for path in psionics.glob("cache/*")] or cache == "file"


@pytest.fixture(scope="module")
async def psionics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a collection, and a file where a cache folder may be wanted."""
    place = tmp_path_factory.mktemp("psionics")
    (place / "file").touch()
    await ingest([SAMPLE / "05-psionics.md"], Settings(collection="psionics", chroma=str(place / "chroma")))
    return place
