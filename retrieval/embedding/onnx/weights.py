"""A model's folder, read without copying: tensors are views into the mapped `model.safetensors`.

The file begins with the length of a JSON header with each tensor's type, shape and place; the rest is numbers. Source:
https://github.com/huggingface/safetensors#format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.embedding.onnx.wire import Array

_DTYPES = {"F32": "<f4", "I64": "<i8"}
_FILES = ("config.json", "sentence_bert_config.json", "tokenizer.json", "model.safetensors")


@dataclass(frozen=True, slots=True)
class Weights:
    """The tensors of a BERT by name, its configuration, and the most tokens of a text that it reads."""

    tensors: Mapping[str, Array]
    config: Mapping[str, Any]
    longest: int


def read_weights(folder: Path) -> Weights:
    """Map the weights of a sentence-transformers folder; raises any exception if it is invalid or damaged."""
    config = json.loads((folder / "config.json").read_bytes())
    longest = json.loads((folder / "sentence_bert_config.json").read_bytes())["max_seq_length"]
    return Weights(_tensors(folder / "model.safetensors"), config, int(longest))


def fingerprint(folder: Path) -> str:
    """Return the SHA-256, in hexadecimal, of all files that determine the vectors."""
    digest = hashlib.sha256()
    for name in _FILES:
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def stamps(folder: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """Return for each of those files its inode, size and time, which change when it is rewritten; `None` if missing."""
    return tuple(_stamp(folder / name) for name in _FILES)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _tensors(path: Path) -> dict[str, Array]:
    content = np.memmap(path, dtype=np.uint8, mode="r")
    start = 8 + int(content[:8].view("<u8")[0])
    header = json.loads(content[8:start].tobytes())
    return {name: _tensor(content[start:], entry) for name, entry in header.items() if name != "__metadata__"}


def _tensor(content: Array, entry: Mapping[str, Any]) -> Array:
    begin, end = entry["data_offsets"]
    array: Array = content[begin:end].view(_DTYPES[entry["dtype"]])
    return array.reshape(entry["shape"])
