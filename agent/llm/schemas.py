"""JSON schemas for the strict modes of OpenAI and Azure: closed objects, and only keywords that both accept.

Every property is required: the model then always sets properties that are optional in Python, which does no harm.
Bounds of lengths and numbers are omitted, and checked where the answer is parsed
(https://platform.openai.com/docs/guides/structured-outputs,
https://learn.microsoft.com/azure/ai-services/openai/how-to/structured-outputs).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_ACCEPTED_KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref", "$defs", "description"}
)
"""The schema keywords that both accept."""
_NARROWING = frozenset({"allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "prefixItems"})
"""Keywords whose removal would change a schema's meaning: with one of them it has no strict form."""
_MOST_PROPERTIES, _DEEPEST = 100, 5
"""Azure's limits, which are the stricter ones; the root is the first level."""
_OF_NAMES = ("properties", "$defs")


def strict(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema in its strict form; `None` if it has none, for example with free property names.

    >>> strict({"type": "object", "title": "N", "properties": {"n": {"type": "integer", "default": 1}}})
    {'type': 'object', 'properties': {'n': {'type': 'integer'}}, 'additionalProperties': False, 'required': ['n']}
    """
    if any(_NARROWING & node.keys() for node in _nodes(schema)):
        return None
    closed: dict[str, Any] = _closed(schema)
    nodes = list(_nodes(closed))
    is_open = any(node.get("type") == "object" and node.get("additionalProperties") is not False for node in nodes)
    if is_open or schema.get("type") != "object":
        return None
    is_large = sum(len(node.get("properties", ())) for node in nodes) > _MOST_PROPERTIES or _depth(closed) > _DEEPEST
    return None if is_large else closed


def brief(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool without titles, which only repeat names, and without its own description, which the
    tool has already.

    >>> brief({"type": "object", "title": "N", "description": "Say.", "properties": {"title": {"type": "string"}}})
    {'type': 'object', 'properties': {'title': {'type': 'string'}}}
    """
    told: dict[str, Any] = _untitled(schema)
    told.pop("description", None)
    return told


def _untitled(node: Any) -> Any:
    """Return the schema without titles; properties named `title` stay."""
    if not isinstance(node, Mapping):
        return node
    kept = {word: value for word, value in node.items() if word != "title"}
    for word in _OF_NAMES:
        if word in kept:
            kept[word] = {name: _untitled(value) for name, value in kept[word].items()}
    return {word: value if word in _OF_NAMES else _untitled(value) for word, value in kept.items()}


def _nodes(node: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a schema and all schemas in it; property names are not keywords."""
    if isinstance(node, list):
        for item in node:
            yield from _nodes(item)
    if not isinstance(node, Mapping):
        return
    yield node
    for word, value in node.items():
        for part in value.values() if word in _OF_NAMES else [value]:
            yield from _nodes(part)


def _closed(node: Any) -> Any:
    """Return the schema with its objects closed and without keywords that are not accepted."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    kept = {word: _value(word, value) for word, value in _accepted_keywords(node) if word in _ACCEPTED_KEYWORDS}
    if "properties" in kept and kept.get("additionalProperties", False) is False:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


def _accepted_keywords(node: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the keywords with their values; `const` becomes an `enum` of one, `oneOf` becomes `anyOf`."""
    for word, value in node.items():
        if word == "const":
            yield "enum", [value]
        else:
            yield "anyOf" if word == "oneOf" else word, value


def _value(word: str, value: Any) -> Any:
    if word in _OF_NAMES:
        return {name: _closed(each) for name, each in value.items()}
    return value if word == "enum" else _closed(value)


def _depth(schema: Mapping[str, Any]) -> int:
    """Return the greatest nesting of objects; a recursive object counts once."""
    defined = schema.get("$defs", {})

    def depth(node: Any, inside: frozenset[str]) -> int:
        if isinstance(node, list):
            return max((depth(item, inside) for item in node), default=0)
        if not isinstance(node, Mapping):
            return 0
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if name in defined and name not in inside:
            return depth(defined[name], inside | {name})
        below = [depth(each, inside) for each in node.get("properties", {}).values()]
        besides = [depth(node[word], inside) for word in ("items", "anyOf") if word in node]
        own = 1 if "properties" in node else 0
        return max([own + max(below, default=0), *besides])

    return depth(schema, frozenset())
