"""How many tokens a text has, guessed: a tokenizer for every model there may be is not worth its weight here.

About four characters make a token of English (https://help.openai.com/en/articles/4936856). The guess serves rate
limits and budgets, and usage where a server does not report any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from agent.llm.protocol import LLMRequest

_CHARACTERS = 4


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has, rounded up.

    >>> estimated_tokens("Who wins?")
    3
    """
    return -(-len(text) // _CHARACTERS)


def prompt_tokens(request: LLMRequest) -> int:
    """Return about how many tokens a request has before any is answered: messages, tools and schema."""
    calls = [call for message in request.messages for call in message.tool_calls]
    parts = [message.content for message in request.messages]
    parts += [call.name + call.arguments for call in calls]
    parts += [tool.name + tool.description + _json(tool.parameters) for tool in request.tools]
    parts += [_json(request.schema)] if request.schema is not None else []
    return sum(map(estimated_tokens, parts))


def _json(schema: Mapping[str, Any]) -> str:
    return orjson.dumps(schema).decode()
