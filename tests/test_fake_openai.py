"""The fake server is as strict as the real one, or tests that pass against it would prove nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.llm.schemas import strict
from tests.chat_schema import complaint_about

USER = {"role": "user", "content": "Who?"}
CALL = {"id": "1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "content": "15", "tool_call_id": "1"}
CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False, "required": ["a"]}


def chat(*messages: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"model": "small", "messages": messages or [USER], **more}).encode()


def schema(schema: dict[str, Any], name: str = "answer") -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


@pytest.mark.parametrize(
    "body",
    [
        chat(),
        chat({"role": "system", "content": "Judge."}, USER),
        chat(USER, CALLING, RESULT),
        chat(stream=True, stream_options={"include_usage": True}),
        chat(response_format=schema(CLOSED)),
        chat({"role": "user", "content": "Say it in JSON."}, response_format={"type": "json_object"}),
    ],
)
def test_what_the_reference_allows_is_no_reason_to_complain(body: bytes) -> None:
    assert complaint_about(body) is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"not JSON", "Invalid JSON"),
        (chat(max_token=5), "max_token: Extra inputs"),
        (chat(max_tokens=0), "greater than or equal to 1"),
        (chat(max_tokens=5, max_completion_tokens=5), "exclude each other"),
        (chat({"role": "bard", "content": "La"}), "does not match any of the expected tags"),
        (chat({"role": "user", "content": None}), "valid string"),
        (chat({"role": "assistant", "content": None}), "content is required unless"),
        (chat(USER, CALLING, USER), "not answered: ['1']"),
        (chat(USER, CALLING), "not answered: ['1']"),
        (chat(USER, RESULT), "must answer a preceding tool call"),
        (chat(USER, CALLING, RESULT, RESULT), "must answer a preceding tool call"),
        (chat(stream_options={"include_usage": True}), "only allowed when stream"),
        (chat(tools=[]), "at least 1 item"),
        (chat(response_format={"type": "json_object"}), "must contain the word 'json'"),
        (chat(response_format=schema({"type": "array"})), "must be of type object"),
        (chat(response_format=schema(CLOSED, "an answer")), "should match pattern"),
        (chat(response_format=schema({**CLOSED, "additionalProperties": True})), "must be false"),
        (chat(response_format=schema({**CLOSED, "required": []})), "must name every property"),
        (chat(response_format=schema({**CLOSED, "$defs": {"X": {"type": "object"}}})), "must be false"),
        (chat(response_format=schema({**CLOSED, "properties": {"a": {"default": 1}}})), "'default' is not permitted"),
    ],
)
def test_what_it_does_not_allow_is_named(body: bytes, said: str) -> None:
    assert said in (complaint_about(body) or "nothing")


@pytest.mark.parametrize(
    "open_schema",
    [
        {"type": "object", "properties": {"default": {"type": "integer", "default": 1}}},
        {
            "type": "object",
            "properties": {"sides": {"type": "array", "items": {"$ref": "#/$defs/Side"}}},
            "$defs": {"Side": {"type": "object", "properties": {"name": {"anyOf": [{"type": "null"}, CLOSED]}}}},
        },
        {"type": "object", "properties": {}},
    ],
)
def test_our_strict_form_of_a_schema_is_strict_to_the_server(open_schema: dict[str, Any]) -> None:
    closed = strict(open_schema)

    assert closed is not None
    assert complaint_about(chat(response_format=schema(closed))) is None
    assert closed == strict(closed)


@pytest.mark.parametrize("free", [{"type": "object"}, {"type": "object", "additionalProperties": {"type": "string"}}])
def test_a_schema_with_free_names_has_no_strict_form(free: dict[str, Any]) -> None:
    assert strict({"type": "object", "properties": {"a": free}}) is None
