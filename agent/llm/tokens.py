"""Estimates of token counts: a tokenizer for every possible model is not worth its weight here.

English has about four characters per token (https://help.openai.com/en/articles/4936856). The estimate serves rate
limits and budgets, and usage if a server does not report any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from agent.llm.protocol import LLMRequest

_CHARACTERS = 4


def estimated_tokens(text: str) -> int:
    """Return the estimated tokens of a text, rounded up.

    >>> estimated_tokens("Who wins?")
    3
    """
    return -(-len(text) // _CHARACTERS)


def prompt_tokens(request: LLMRequest) -> int:
    """Return the estimated tokens of a request's prompt: messages, tools and schema."""
    calls = [call for message in request.messages for call in message.tool_calls]
    parts = [message.content for message in request.messages]
    parts += [call.name + call.arguments for call in calls]
    parts += [tool.name + tool.description + _json(tool.parameters) for tool in request.tools]
    parts += [_json(request.schema)] if request.schema is not None else []
    return sum(map(estimated_tokens, parts))


def _json(schema: Mapping[str, Any]) -> str:
    return orjson.dumps(schema).decode()
