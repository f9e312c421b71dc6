"""JSON schemas as OpenAI's strict mode wants them: every object closed, every property required.

What is optional in Python is then always given by the model, which does no harm: a default is a value too
(https://platform.openai.com/docs/guides/structured-outputs).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def strict(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema in its strict form; `None` when it has none, because some object's names are free.

    >>> strict({"type": "object", "properties": {"n": {"type": "integer", "default": 1}}})["required"]
    ['n']
    """
    closed = _closed(schema)
    return closed if _is_closed(closed) else None


def _closed(node: Any, names: bool = False) -> Any:
    """The node with its objects closed; `names` says that its keys are names of properties, not words of the schema."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    if names:
        return {name: _closed(value) for name, value in node.items()}
    kept = {word: _closed(value, word in ("properties", "$defs")) for word, value in node.items() if word != "default"}
    if "properties" in kept and kept.get("additionalProperties", False) is False:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


def _is_closed(node: Any, names: bool = False) -> bool:
    if isinstance(node, list):
        return all(map(_is_closed, node))
    if not isinstance(node, Mapping):
        return True
    is_object = not names and node.get("type") == "object"
    if is_object and node.get("additionalProperties") is not False:
        return False
    return all(_is_closed(value, not names and word in ("properties", "$defs")) for word, value in node.items())
