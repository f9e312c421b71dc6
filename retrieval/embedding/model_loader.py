"""Models of sentence-transformers, by name or folder: loaded on first use, then used by one thread at a time.

They are slow to load and hold the interpreter while they work, so both happen in threads. Local files are tried first;
the network is asked only for a name that is not found.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from retrieval.errors import EmbeddingError

T = TypeVar("T")

_CANT_LOAD = (ImportError, OSError, ValueError, RuntimeError, LookupError, AssertionError)
"""What torch and transformers raise for damaged or missing files, and for a missing device."""
_CANT_WORK = (RuntimeError, ValueError, TypeError, IndexError)

_bars = threading.Lock()


class LazyModel:
    """A model that `load` returns; `title` and `advice` begin and end its error messages."""

    def __init__(self, title: str, load: Callable[[], Any], advice: str) -> None:
        self._title, self._load, self._advice = title, load, advice
        self._model: Any = None
        self._turn = asyncio.Lock()
        # A cancelled caller releases its turn while its thread still works; this lock is held by the thread.
        self._in_use = threading.Lock()

    async def run(self, work: Callable[[Any], T]) -> T:
        """Return the result of `work` on the model, run in a thread; `EmbeddingError` if it can't be loaded or
        fails.
        """
        async with self._turn:
            return await asyncio.to_thread(self._run, work)

    def _run(self, work: Callable[[Any], T]) -> T:
        with self._in_use:
            if self._model is None:
                self._model = self._loaded()
            try:
                return work(self._model)
            except _CANT_WORK as error:
                raise EmbeddingError(f"{self._title} failed: {error}") from error

    def _loaded(self) -> Any:
        if find_spec("sentence_transformers") is None:
            raise EmbeddingError(
                f"{self._title} needs sentence-transformers, which is not installed here. Install it with "
                f"`pip install sentence-transformers`. {self._advice}"
            )
        try:
            from safetensors import SafetensorError

            try:
                with _no_progress_bars():
                    return self._load()
            except SafetensorError as error:  # a truncated file; SafetensorError is in no hierarchy of errors
                raise ValueError(f"its weights are damaged: {error}") from error
        except _CANT_LOAD as error:
            raise EmbeddingError(f"{self._title} can't be loaded: {error}. {self._advice}") from error


def local_first(open_model: Callable[[str, bool], T], model: str, folder: Path | None = None) -> T:
    """Open a model from `folder`, its own path or earlier downloads; from the network only if it is in none of them.

    `open_model` gets the name or path, and whether only local files may be used.
    """
    try:
        return open_model(str(folder or model), True)
    except (OSError, ValueError):
        if folder or is_path(model):
            raise
        return open_model(model, False)


def is_path(model: str) -> bool:
    return Path(model).is_absolute() or model.startswith(("./", "../", "~")) or Path(model).exists()


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    """Keep transformers from drawing a progress bar on the terminal while weights load.

    It has one switch for the whole process, so two models must not use it at once.
    """
    from transformers.utils import logging

    bars: Any = logging
    with _bars:
        shown = bars.is_progress_bar_enabled()
        bars.disable_progress_bar()
        try:
            yield
        finally:
            if shown:
                bars.enable_progress_bar()
