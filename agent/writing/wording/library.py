"""The collection behind a question, as the model's tools search it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agent.plugins.domain import ModelTool
from retrieval.types import Chunk

Look = Callable[[str], Awaitable[Sequence[Chunk]]]


async def nowhere(text: str) -> Sequence[Chunk]:
    """Return no chunks."""
    return ()


@dataclass(frozen=True, slots=True)
class Library:
    """Searches in a collection, the closest chunks first: passages `near` a text, and those `beyond` them; those whose
    tables have the names in a text (`named`); all parts of the tables with a title (`titled`), in their order; and
    those with a column or label (`labelled`).

    `computing` are the tools of the domains that fit this collection.
    """

    near: Look
    named: Look
    beyond: Look = nowhere
    titled: Look = nowhere
    labelled: Look = nowhere
    computing: tuple[ModelTool, ...] = ()
