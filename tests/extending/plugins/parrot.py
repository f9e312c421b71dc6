"""A language model provider: `llm_provider = "parrot"`. This one only repeats the first passage that it is shown.

[project.entry-points."versus.llms"]
parrot = "parrot:Parrot"
"""

from __future__ import annotations

import re
from collections.abc import Callable

from versus import LLMRequest, Reply, Settings, Usage

_PASSAGE = re.compile(r"<<passage.*?\[(\d+)\].*?\n(?:.*\n)*?(?P<text>[^\n<>]+\.)\n")


class Parrot:
    """Says what it was told; the model's name is its own."""

    def __init__(self, settings: Settings) -> None:
        self.model = settings.model

    async def complete(self, request: LLMRequest, on_text: Callable[[str | None], None] | None = None) -> Reply:
        """Answer one request."""
        passage = _PASSAGE.search(request.messages[-1].content)
        text = "…" if passage is None else f"It says: {passage['text'].rstrip('.')} [{passage[1]}]."
        return Reply(text, usage=Usage(llm_calls=1), model=self.model)

    async def close(self) -> None:
        """Nothing is open."""
