"""The collection behind a question, as the tools of a model look into it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agent.plugins.domain import ModelTool
from retrieval.types import Chunk

Look = Callable[[str], Awaitable[Sequence[Chunk]]]


async def nowhere(text: str) -> Sequence[Chunk]:
    """Look where there is nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Library:
    """The passages of a collection `near` a text, and those `beyond` them; those whose tables have what a text has
    `named`; the closest first. Those with the tables that are `titled` so, all parts of each in their order, and those
    with the tables that have a `labelled` column or label.

    `computing` are the tools of the domains that are at home in it.
    """

    near: Look
    named: Look
    beyond: Look = nowhere
    titled: Look = nowhere
    labelled: Look = nowhere
    computing: tuple[ModelTool, ...] = ()
