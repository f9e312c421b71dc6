"""Choose the embedder of a model: a provider's for names such as `openai:NAME`, else a local one.

Providers are plug-ins, entry points of the group `versus.embedders`. Locally, ONNX Runtime serves the default model
fast, and sentence-transformers everything else. Both give the same vectors under the same name, so a collection works
with either.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import platformdirs

from retrieval.embedding.model_loader import is_path
from retrieval.embedding.onnx.embedder import Notify, OnnxEmbedder
from retrieval.embedding.onnx.encoder import Vectors
from retrieval.embedding.protocol import DEFAULT_MODEL, Embedder, SentenceTransformerEmbedder, bundled_weights
from retrieval.errors import EmbeddingError
from retrieval.registry import Registry

log = logging.getLogger(__name__)
# Notices go to stderr anyway; without this, logging would print them there again.
log.addHandler(logging.NullHandler())
_PROVIDER = re.compile(r"([a-z][a-z0-9_.-]+):(.*)", re.DOTALL)


class OpensEmbedder(Protocol):
    """Makes the embedder of a provider's model; providers without address or key ignore these."""

    def __call__(self, model: str, *, base_url: str | None, api_key: str | None) -> Embedder:
        """Return the embedder; nothing is loaded or sent before it is used."""
        ...


EMBEDDERS = Registry[OpensEmbedder](
    "versus.embedders", "embedder", {"openai": "retrieval.embedding.remote:OpenAIEmbedder"}
)


@runtime_checkable
class Closable(Protocol):
    """An embedder with resources to release, such as connections."""

    async def close(self) -> None:
        """Release it; closing twice is no error."""
        ...


def provider_of(model: str) -> tuple[str, str] | None:
    """Return the provider and its model's name; `None` for a local model, by name or folder.

    >>> provider_of("openai:text-embedding-3-small")
    ('openai', 'text-embedding-3-small')
    >>> provider_of("all-mpnet-base-v2") is None
    True
    """
    match = _PROVIDER.fullmatch(model)
    return None if match is None or is_path(model) else (match[1], match[2])


def embedder_for(
    model: str = DEFAULT_MODEL,
    *,
    cache: Path | None = None,
    notify: Notify | None = None,
    eager: bool = False,
    base_url: str | None = None,
    api_key: str | None = None,
) -> Embedder:
    """Return the embedder of a model, by name or local folder; nothing is loaded before it is used.

    `openai:NAME` is the model NAME at `base_url`, authorized by `api_key`; close it with `close_embedder`. Other
    providers are plug-ins: `UnknownPlugin` for one that is not installed, `BrokenPlugin` for one that fails. With
    `eager` the default model loads in the background at once, while the caller opens its collection. The default model
    runs without torch. `cache` stores reusable checks (default: the user's cache folder, because they belong to the
    installed weights and not to a collection, which may be on a server). `notify` gets notices for the user (default: a
    line on stderr and in the log).

    >>> embedder_for("sentence-transformers/all-MiniLM-L6-v2").name
    'all-MiniLM-L6-v2'
    """
    if (named := provider_of(model)) is not None:
        provider, own_name = named
        opens = EMBEDDERS.get(provider)
        with EMBEDDERS.telling(provider):
            return opens(own_name, base_url=base_url, api_key=api_key)
    reference = SentenceTransformerEmbedder(model)
    folder = bundled_weights(reference.name)
    if folder is None:
        return reference
    tell = notify or note
    quick = OnnxEmbedder(reference, folder, cache or platformdirs.user_cache_path("versus"), tell)
    if eager:
        quick.begin()
    return QuickEmbedder(quick, reference, tell)


async def close_embedder(embedder: Embedder) -> None:
    """Release the connections of an embedder that has any."""
    if isinstance(embedder, Closable):
        await embedder.close()


class QuickEmbedder:
    """Uses ONNX Runtime; if that fails to load, it notifies and uses the reference: slow, but never wrong."""

    def __init__(self, quick: OnnxEmbedder, reference: Embedder, notify: Notify) -> None:
        self._quick, self._reference, self._notify = quick, reference, notify
        self._chosen: Embedder | None = None
        self._choosing = asyncio.Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._reference.name

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` until the model is loaded."""
        return None if self._chosen is None else self._chosen.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension); `EmbeddingError` if neither embedder works."""
        async with self._choosing:
            chosen = self._chosen = self._chosen or await self._choose()
        return await chosen.embed(texts)

    async def _choose(self) -> Embedder:
        try:
            await self._quick.load()
        except EmbeddingError as error:
            self._notify(f"sentence-transformers is used, which takes longer to start: {error}")
            return self._reference
        return self._quick


def note(message: str) -> None:
    """Notify the user on stderr and in the log."""
    log.warning("%s", message)
    sys.stderr.write(f"note: {message}\n")
