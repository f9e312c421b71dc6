"""Models that use their tools one after the other, and a book of ferries whose tables they read."""

from __future__ import annotations

import json
from typing import Any

from agent.llm.protocol import LLMRequest, Reply, ToolCall
from agent.llm.scripted import Line, ScriptedLLM

FERRIES = "\n\n".join(
    f"""# {name}

The {name} is a ferry. {"It crosses the lake and comes back again before the sun goes down. " * 60}

| Deck | Seats | Fare |
|---|---|---|
| Upper | {n}0 | {n} |
| Lower | {n}5 | {n + 1} |"""
    for n, name in enumerate(("Reed", "Rush", "Sedge", "Willow", "Alder", "Osier", "Iris", "Fern"), start=3)
)
NO_FERRY = "Describe where the sun goes."


def talking(*calls: tuple[str, dict[str, Any]], answer: str) -> ScriptedLLM:
    """A model that uses its tools one after the other, and then writes."""

    def line(request: LLMRequest) -> Line:
        if request.purpose == "plan":
            return json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": "the sun"}]})
        said = told(request)
        if len(said) < len(calls):
            name, arguments = calls[len(said)]
            return Reply("", (ToolCall(f"t{len(said)}", name, json.dumps(arguments)),))
        numbers = [each.partition("[")[2].partition("]")[0] for each in said]
        return answer.format(*numbers)

    return ScriptedLLM(line)


def told(request: LLMRequest) -> list[str]:
    """What tools have said to a model, without the fences."""
    return [each.content.split("\n", 1)[1].rsplit("\n", 1)[0] for each in request.messages if each.role == "tool"]


def cell(subject: str, deck: str, want: str) -> tuple[str, dict[str, Any]]:
    """A call that reads a cell."""
    return "lookup_cell", {"subject": subject, "keys": [{"name": "Deck", "value": deck}], "want": want}
