"""A completion, whole or streamed, with the citations as annotations and as a list that any client shows."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Any

from agent.doors.openai.addresses import Addresses
from agent.render import answer_data, to_json
from agent.render.data import as_object
from agent.render.markdown import answer_text, sources_list
from agent.types import Answer, Event

Data = dict[str, Any]
_MARK = re.compile(r"\[(\d+)\]")
_TITLE = "A question to versus"
_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class CompletionContent:
    """The content of a completion: the text with its list of sources, and the position of each citation."""

    text: str
    annotations: list[Data]
    finish_reason: str
    usage: Data
    answer: Data | None = None

    @classmethod
    def of(cls, answer: Answer, addresses: Addresses) -> CompletionContent:
        """Return the answer as Markdown, each citation with the address of its chunk."""
        links = {citation.n: addresses.of(citation) for citation in answer.citations}
        parts = [answer_text(answer), sources_list(answer, links)]
        text = "\n\n".join(part for part in parts if part)
        titles = {citation.n: citation.title for citation in answer.citations}
        return cls(
            text,
            list(_annotations(text, links, titles)),
            "length" if answer.stop_reason == "budget" else "stop",
            _usage(answer.usage.prompt_tokens, answer.usage.completion_tokens),
            as_object(answer_data(answer)),
        )

    @classmethod
    def of_task(cls, first_asked: str) -> CompletionContent:
        """Return the answer to a prompt for a title, tags or the like: an object with all that such prompts ask for.

        The title of a chat is its first question.
        """
        title = shorten(first_asked, _TITLE_CHARS, placeholder=" …") or _TITLE
        told = {"title": title, "tags": [], "follow_ups": [], "queries": [], "text": ""}
        return cls(to_json(told), [], "stop", _usage(0, 0))


def _usage(prompt: int, completion: int) -> Data:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _annotations(text: str, links: Mapping[int, str], titles: Mapping[int, str]) -> Iterator[Data]:
    """Yield one annotation for each citation, at its first position."""
    seen = set[int]()
    for found in _MARK.finditer(text):
        n = int(found[1])
        if n in links and n not in seen:
            seen.add(n)
            cited = {"url": links[n], "title": titles[n], "start_index": found.start(), "end_index": found.end()}
            yield {"type": "url_citation", "url_citation": cited}


@dataclass(frozen=True, slots=True)
class Completion:
    """The objects of one completion, which share its id, time and model."""

    id: str
    model: str
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, told: CompletionContent) -> Data:
        """Return the response without a stream; the full answer is beside it, under `versus`."""
        message = {"role": "assistant", "content": told.text, "refusal": None, "annotations": told.annotations}
        choice = {"index": 0, "message": message, "finish_reason": told.finish_reason, "logprobs": None}
        return {**self._head("chat.completion"), "choices": [choice], "usage": told.usage, "versus": told.answer}

    def piece(self, delta: Data, finish_reason: str | None = None) -> Data:
        """Return a chunk of a stream."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def pieces(self, told: CompletionContent, with_usage: bool) -> Iterator[Data]:
        """Yield the text line by line, then all annotations, the end, and optionally the usage."""
        for line in told.text.splitlines(keepends=True):
            yield self.piece({"content": line})
        if told.annotations:
            yield self.piece({"annotations": told.annotations})
        yield self.piece({}, told.finish_reason)
        if with_usage:
            yield {**self._head("chat.completion.chunk"), "choices": [], "usage": told.usage}

    def _head(self, kind: str) -> Data:
        return {"id": f"chatcmpl-{self.id}", "object": kind, "created": self.created, "model": self.model}


def reasoning(event: Event) -> str | None:
    """Return a line about the progress if the event is a step, else None."""
    if event.name == "plan.created":
        lines = [f"{each.id}: {each.text}" for each in event.data["plan"].sub_queries]
        return "\n".join([f"Planned by {event.data['plan'].planner}", *lines]) + "\n"
    if event.name == "subquery.retrieved":
        found = event.data["retrieved"]
        ended = found.error or f"{len(found.hits)} of {found.fetched} chunks kept"
        return f"{found.sub_query.id}: {ended}\n"
    return None
