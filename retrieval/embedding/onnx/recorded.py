"""The vectors of sentence-transformers for the texts of the check, recorded once and shipped with this package.

With the recording, neither torch nor its loading time is needed to check the vectors of ONNX Runtime. A recording's
name contains the fingerprint of its weights, so it is never compared with others. `retrieval.embedding.onnx.record`
makes it; a test compares it with sentence-transformers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from retrieval.embedding.onnx.encoder import Vectors
from retrieval.errors import EmbeddingError

RECORDINGS = Path(__file__).parent / "recordings"
"""The folder of the recordings in this package."""


def recording_path(recordings: Path, name: str, digest: str) -> Path:
    """Return the path of the recording for weights of this fingerprint, existing or not.

    >>> recording_path(Path("recordings"), "tiny", "0123456789abcdef0123").name
    'tiny-0123456789abcdef.npy'
    """
    return recordings / f"{name}-{digest[:16]}.npy"


def recorded_vectors(recordings: Path, name: str, digest: str) -> Vectors | None:
    """Return the recorded unit vectors, shape (texts of the check, dimension); `None` if these weights have none.

    An unreadable recording is an `EmbeddingError`.
    """
    path = recording_path(recordings, name, digest)
    if not path.is_file():
        return None
    try:
        return np.asarray(np.load(path, allow_pickle=False), dtype=np.float32)
    except (OSError, ValueError, EOFError) as error:
        raise EmbeddingError(f"{path} can't be read: {error}. Install versus-rag again") from error
