"""Check once that ONNX Runtime gives the same vectors as sentence-transformers.

The record's name contains everything that could change the result: the model's files, the graph, the runtime. Writing
it is atomic and every process would write the same, so no lock is needed; a damaged record counts as missing.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import numpy as np

from retrieval.embedding.onnx.encoder import Vectors
from retrieval.embedding.onnx.graph import VERSION
from retrieval.embedding.onnx.runtime import onnxruntime
from retrieval.errors import EmbeddingError

LEAST_COSINE = 0.9999

TEXTS: tuple[str, ...] = (
    "",
    "bear",
    "What is the boiling point of a saturated solution?",
    "TABLE OF TIDES FOR HARBORS - Lowest Water Mark -3: month 1-2 needs 20, month 3-4 needs 19.",
    "| Grade | Parts (d8) | Title |\n|---|---|---|\n| 4 | 4 | Engineer |\n| 7+ | 7 (+2) | Dean's “Delegate” |",
    "A SENTENCE IN CAPITALS, with 1,234.5 g.p., 3½ yards, 18/00 of them & a #hash; e-mail me@example.org!",
    "Ein Bär begrüßt Ægir in São Paulo — naïve café, Łódź, Ἀθηνᾶ, Москва.",
    "東京は日本の首都です。 한국어 문장. عربي \N{BEAR FACE} \u200b\u0301 e\u0301",
    "antidisestablishmentarianism " + "x" * 300,
    "The gardener waters the roses; the postman comes up the path with two parcels. " * 6,
    "Once per day, a keeper of the seventh house may feed a reptile, a bird or a mammal. " * 40,
)
"""Short and long texts, tables, numbers, other scripts: the range of inputs to a model."""


def record_path(cache: Path, name: str, digest: str) -> Path:
    """Return the path of the record for weights of this fingerprint, existing or not."""
    runtime = onnxruntime().__version__
    return cache / "onnx" / f"{name}-{digest[:16]}-graph{VERSION}-ort{runtime}.json"


def is_checked(record: Path) -> bool:
    """True if the record exists, is readable, and states equal vectors."""
    try:
        found = json.loads(record.read_bytes())
        return bool(found["least_cosine"] >= LEAST_COSINE)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def check_vectors(ours: Vectors, reference: Vectors) -> float:
    """Return the least cosine between corresponding rows; `EmbeddingError` if it is below 0.9999.

    >>> check_vectors(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32))
    1.0
    """
    if ours.shape != reference.shape:
        raise EmbeddingError(f"onnxruntime gives vectors of shape {ours.shape}, the reference {reference.shape}")
    least = float(np.min(np.sum(ours * reference, axis=1)))
    if not least >= LEAST_COSINE:
        raise EmbeddingError(
            f"onnxruntime's vectors differ from those of sentence-transformers: cosine {least:.6f} < {LEAST_COSINE}. "
            "Install the versions in constraints.txt"
        )
    return least


def write_record(record: Path, least_cosine: float) -> None:
    """Write a record atomically; `OSError` if the folder is not writable."""
    record.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=record.parent, prefix=record.name, suffix=".part")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"least_cosine": least_cosine, "texts": len(TEXTS)}, file)
        Path(temporary).replace(record)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
