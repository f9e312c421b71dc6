"""A model folder that brings code of its own: the code is never run, whatever names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from retrieval.embedding.model_code import CodeOfItsOwn, require_no_code
from retrieval.embedding.protocol import SentenceTransformerEmbedder
from retrieval.errors import EmbeddingError
from retrieval.searching.rerank import CrossEncoderReranker

pytestmark = pytest.mark.slow
BERT = {"model_type": "bert", "architectures": ["BertModel"]}
OWN = [{"idx": 0, "name": "0", "path": "", "type": "evil.Module"}]
ROUTER = [{"idx": 0, "name": "0", "path": "0_Router", "type": "sentence_transformers.models.Router"}]
LIBRARY = "sentence_transformers.base.modules.transformer.Transformer"
BRINGS_CODE: dict[str, dict[str, Any]] = {
    "modules.json": {"modules.json": OWN, "config.json": BERT},
    "config.json": {"config.json": {**BERT, "auto_map": {"AutoModel": "evil.Module", "AutoConfig": "evil.Module"}}},
    "tokenizer_config.json": {
        "config.json": BERT,
        "tokenizer_config.json": {"auto_map": {"AutoTokenizer": ["evil.Module", None]}},
    },
    "router_config.json": {
        "modules.json": ROUTER,
        "0_Router/router_config.json": {"types": {"query_0": "evil.Module"}, "structure": {"query": ["query_0"]}},
    },
    "an inner router": {
        "modules.json": ROUTER,
        "0_Router/router_config.json": {"types": {"inner": "sentence_transformers.models.Router"}},
        "0_Router/inner/config.json": {"types": {"a": LIBRARY, "b": "evil.Module"}},
    },
}


def evil(folder: Path, files: dict[str, Any]) -> Path:
    """A model folder with these files, and a module that leaves a canary when it is imported; returns the canary."""
    canary = folder.parent / "canary"
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    module = f"import pathlib\npathlib.Path({str(canary)!r}).touch()\nclass Module: pass\n"
    (folder / "evil.py").write_text(module, encoding="utf-8")
    return canary


@pytest.mark.parametrize("files", BRINGS_CODE.values(), ids=BRINGS_CODE)
@pytest.mark.parametrize("kind", ["embedding", "reranking"])
async def test_a_model_with_code_of_its_own_is_refused_and_the_code_never_run(
    kind: str, files: dict[str, Any], tmp_path: Path
) -> None:
    canary = evil(tmp_path / "evil", files)
    place = str(tmp_path / "evil")
    with pytest.raises(
        EmbeddingError, match=rf"the {kind} model '.*evil' can't be loaded: its .*'?evil\.Module.*no code"
    ):
        if kind == "embedding":
            await SentenceTransformerEmbedder(place, device="cpu").embed(["a bear"])
        else:
            await CrossEncoderReranker(place, device="cpu").score("a bear", ["an owl"])

    assert not canary.exists()


def test_a_model_of_the_library_alone_is_not_refused(tmp_path: Path) -> None:
    modules = [{"idx": 0, "name": "0", "path": "", "type": LIBRARY}]
    evil(tmp_path / "good", {"modules.json": modules, "config.json": BERT})

    require_no_code(str(tmp_path / "good"), offline=True)


def test_a_list_of_modules_that_nobody_can_look_through_is_refused(tmp_path: Path) -> None:
    evil(tmp_path / "long", {"modules.json": [{"path": f"{number}", "type": LIBRARY} for number in range(300)]})

    with pytest.raises(CodeOfItsOwn, match="more than 100 modules"):
        require_no_code(str(tmp_path / "long"), offline=True)
