"""Output formats of an answer by name, for `--format`; a plug-in's format is a function of the answer.

[project.entry-points."versus.formats"]
html = "my_package:to_html"
"""

from __future__ import annotations

from collections.abc import Callable

from agent.errors import AgentError
from agent.render.terminal import answer_view, to_text
from agent.types import Answer
from retrieval.registry import Registry

TEXT, JSON = "text", "json"
FORMATS = Registry[Callable[[Answer], str]](
    "versus.formats",
    "output format",
    {
        TEXT: "agent.render.formats:as_text",
        JSON: "agent.render.data:to_json",
        "markdown": "agent.render.markdown:to_markdown",
    },
    (AgentError,),
)


def as_text(answer: Answer) -> str:
    """Return the answer as a terminal without colours shows it."""
    return to_text(answer_view(answer))


def formatted(answer: Answer, name: str) -> str:
    """Return the answer in the format of this name, ending with a line feed.

    `UnknownPlugin` lists the known formats; `BrokenPlugin` names one that fails.
    """
    make = FORMATS.get(name)
    with FORMATS.telling(name):
        text = make(answer)
        if not isinstance(text, str):
            raise TypeError(f"it returned {type(text).__name__} where a text is wanted")
    return text.rstrip("\n") + "\n"
