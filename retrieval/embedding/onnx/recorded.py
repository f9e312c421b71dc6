"""What sentence-transformers makes of the texts of the check, recorded once and shipped with this package.

Whoever has the recording needs neither torch nor its seconds to know that ONNX Runtime gives the same vectors. A
recording's name holds the fingerprint of the weights that it was made with, so it is never held against others.
`retrieval.embedding.onnx.record` makes it; a test compares it with sentence-transformers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from retrieval.embedding.onnx.encoder import Vectors
from retrieval.errors import EmbeddingError

RECORDINGS = Path(__file__).parent / "recordings"
"""The folder of the recordings that come with this package."""


def recording_path(recordings: Path, name: str, digest: str) -> Path:
    """Return where the recording for weights of this fingerprint lies, whether it exists or not.

    >>> recording_path(Path("recordings"), "tiny", "0123456789abcdef0123").name
    'tiny-0123456789abcdef.npy'
    """
    return recordings / f"{name}-{digest[:16]}.npy"


def recorded_vectors(recordings: Path, name: str, digest: str) -> Vectors | None:
    """Return the recorded unit vectors, shape (texts of the check, dimension); `None` when these weights have none.

    A recording that can't be read is an `EmbeddingError`.
    """
    path = recording_path(recordings, name, digest)
    if not path.is_file():
        return None
    try:
        return np.asarray(np.load(path, allow_pickle=False), dtype=np.float32)
    except (OSError, ValueError, EOFError) as error:
        raise EmbeddingError(f"{path} can't be read: {error}. Install versus-rag again") from error
