"""Questions about two classes of a rulebook, and a fake model that plans them: what the benchmarks of models ask.

Nothing of versus is imported, for peers ask it too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

CLASSES = ("fighter", "cleric", "druid", "monk", "thief", "paladin", "ranger", "bard")
PLANNING = "You split a question"
"""How the instructions of every request for a plan begin."""


def questions(count: int) -> list[str]:
    """So many different questions about two classes each.

    >>> questions(2)[1]
    'Tell me how a level 1 fighter and a level 1 druid are alike, and what sets the two apart in general?'
    """
    pairs = [(a, b, level) for level in range(1, 10) for a in CLASSES for b in CLASSES if a != b]
    return [
        f"Tell me how a level {level} {a} and a level {level} {b} are alike, and what sets the two apart in general?"
        for a, b, level in pairs[:count]
    ]


def respond(chat: Mapping[str, Any]) -> str:
    """A plan of four sub-queries about the classes of the question, and a short answer that cites a passage."""
    asked = chat["messages"][1]["content"]
    if PLANNING not in chat["messages"][0]["content"]:
        return "They are alike in what they are and differ in what they do [1]."
    words = next(line for line in asked.split("\n") if line.startswith("Tell me")).split()
    named = [(word, words[i - 1]) for i, word in enumerate(words) if word in CLASSES]
    texts = [text for who, level in named for text in (f"hit dice of a level {level} {who}", f"abilities of a {who}")]
    return json.dumps({"sub_queries": [{"id": f"s{n}", "text": text} for n, text in enumerate(texts)]})
