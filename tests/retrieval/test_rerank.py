"""Reranking with a real, very small cross-encoder that is made here: two layers, random weights from a fixed seed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from retrieval.embedding.protocol import bundled_weights
from retrieval.errors import EmbeddingError
from retrieval.searching.rerank import CrossEncoderReranker, reranked
from tests.retrieval.doubles import hits_at, ids

pytestmark = pytest.mark.slow

VOCABULARY = "[PAD] [UNK] [CLS] [SEP] [MASK] a the in of bear owl wood sword fighter druid level armor class 3 4 7 9"
LONGEST = 64
QUERY = "a bear in the wood"
TEXTS = ["the owl", "bear " * 100, "a druid of level 7, armor class 3", "", "the bear of the wood"]


def make_model(folder: Path, labels: int = 1, change: Callable[[Any], None] = lambda _: None) -> str:
    """Save a cross-encoder with `labels` outputs, its weights changed by `change`, and return its path."""
    import torch

    transformers: Any = import_module("transformers")
    words = {word: number for number, word in enumerate(VOCABULARY.split())}
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=LONGEST, num_labels=labels, initializer_range=0.5,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(7)
        model = transformers.BertForSequenceClassification(config)
    with torch.no_grad():
        change(model)
    model.save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=words).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("reranker"))


@pytest.fixture(scope="module")
def reranker(folder: str) -> CrossEncoderReranker:
    return CrossEncoderReranker(folder, device="cpu", batch_size=2)


def one_by_one(folder: str) -> list[float]:
    """The same scores by transformers alone, each pair by itself."""
    import torch

    transformers: Any = import_module("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    scores = []
    with torch.no_grad():
        for text in TEXTS:
            # In lists, because a single empty text is taken for none.
            pair = tokenizer([QUERY], [text], truncation=True, max_length=LONGEST, return_tensors="pt")
            scores.append(float(torch.sigmoid(model(**pair).logits)))
    return scores


async def test_each_text_gets_its_score_whatever_its_batch(reranker: CrossEncoderReranker, folder: str) -> None:
    scores = await reranker.score(QUERY, TEXTS)

    assert one_by_one(folder) == pytest.approx(scores, abs=1e-5)
    assert len(TEXTS) == len({round(score, 4) for score in scores})
    assert scores == await reranker.score(QUERY, TEXTS)


async def test_no_texts_need_no_model() -> None:
    assert [] == await CrossEncoderReranker("/missing").score(QUERY, [])


async def test_concurrent_callers_get_their_own_scores(reranker: CrossEncoderReranker) -> None:
    queries = ["bear", "owl", "a sword of level 3", "druid"]
    alone = [await reranker.score(query, TEXTS) for query in queries]

    assert alone == await asyncio.gather(*(reranker.score(query, TEXTS) for query in queries))
    assert len(queries) == len({tuple(scores) for scores in alone})


async def test_the_event_loop_goes_on_while_the_model_works(reranker: CrossEncoderReranker) -> None:
    work = asyncio.create_task(reranker.score(QUERY, TEXTS * 20))
    ticks = 0
    while not work.done():
        await asyncio.sleep(0)
        ticks += 1

    assert ticks > 10


async def test_a_caller_that_gives_up_while_the_model_loads_hurts_nobody(
    reranker: CrossEncoderReranker, folder: str
) -> None:
    fresh = CrossEncoderReranker(folder, device="cpu", batch_size=2)
    impatient = asyncio.create_task(fresh.score(QUERY, TEXTS))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    impatient.cancel()
    scores = await fresh.score(QUERY, TEXTS)

    assert impatient.cancelled()
    assert await reranker.score(QUERY, TEXTS) == scores


async def test_loading_and_scoring_print_nothing(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    await CrossEncoderReranker(folder, device="cpu").score(QUERY, TEXTS)

    assert ("", "") == capfd.readouterr()


async def refused(model: str, device: str = "cpu") -> str:
    with pytest.raises(EmbeddingError) as caught:
        await CrossEncoderReranker(model, device=device).score(QUERY, TEXTS)
    return str(caught.value)


@pytest.mark.parametrize("name", ["missing", "."])
async def test_a_folder_without_a_model_says_what_can_be_used(name: str, tmp_path: Path) -> None:
    message = await refused(str(tmp_path / name))

    assert message.startswith(f"the reranking model {str(tmp_path / name)!r} can't be loaded: ")
    assert message.endswith("or a name such as 'cross-encoder/ms-marco-MiniLM-L-6-v2'")


async def test_weights_that_were_cut_short_are_refused(folder: str, tmp_path: Path) -> None:
    broken = Path(shutil.copytree(folder, tmp_path / "broken"))
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])

    assert "can't be loaded: its weights are damaged" in await refused(str(broken))


async def test_a_device_that_is_not_there_is_refused(folder: str) -> None:
    assert "can't be loaded" in await refused(folder, device="abacus")


async def test_an_embedding_model_is_refused_because_its_scores_would_be_random() -> None:
    assert "it is not a cross-encoder" in await refused(str(bundled_weights("all-MiniLM-L6-v2")))


async def test_a_model_with_several_numbers_for_a_text_is_refused(tmp_path: Path) -> None:
    assert "it gives 3 numbers for a text, not one score" in await refused(make_model(tmp_path, labels=3))


async def test_a_score_that_is_not_a_number_is_refused(tmp_path: Path) -> None:
    model = make_model(tmp_path, change=lambda model: model.classifier.bias.fill_(float("nan")))

    assert f"the reranking model {model!r} failed: a score is not a finite number" == await refused(model)


def test_hits_are_ordered_by_score_then_distance_then_id() -> None:
    hits = hits_at(0.1, 0.3, 0.2, 0.2)

    assert ["c4", "c3", "c2", "c1"] == ids(reranked(hits, [0.1, 0.5, 0.5, 0.9]))
    assert ["c1", "c3", "c4", "c2"] == ids(reranked(hits[::-1], [0.5] * 4))
    assert () == reranked([], [])


def test_each_hit_needs_its_score() -> None:
    with pytest.raises(ValueError, match="shorter"):
        reranked(hits_at(0.1, 0.2), [0.5])
