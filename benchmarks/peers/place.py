"""Where the book and the model are, what is asked, and the few sentences with which every peer asks its model."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.two_classes import PLANNING

Ask = Callable[[str], Awaitable[int]]
"""Plans a question, searches four sub-queries, has the answer worded; returns how many passages were found."""

PASSAGES = 12
"""How many are found for a sub-query: what versus keeps at most."""
SHOWN = 12
"""How many of all of them the model is shown."""
INSTRUCTIONS = f"{PLANNING} into four sub-queries; answer with JSON."
WRITING = "You answer a question from the numbered passages."


@dataclass(frozen=True, slots=True)
class Place:
    """The book in plain Chroma and in versus' own collection, the embedding model's folder, and the fake model."""

    plain: str
    kept: str
    logs: str
    collection: str
    model: str
    base_url: str

    def written(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))


def read_place(text: str) -> Place:
    """A place that was written.

    >>> place = Place("plain", "kept", "logs", "book", "model", "http://127.0.0.1:1/v1")
    >>> read_place(place.written()) == place
    True
    """
    return Place(**json.loads(text))


def sub_queries_in(reply: str) -> list[str]:
    """The texts of a plan's sub-queries.

    >>> sub_queries_in('{"sub_queries": [{"id": "a", "text": "hit dice of a druid"}]}')
    ['hit dice of a druid']
    """
    return [entry["text"] for entry in json.loads(reply)["sub_queries"]]


def writing(question: str, passages: Sequence[str]) -> str:
    """What the model is sent to word an answer: the question, and as many passages as are shown."""
    numbered = [f"[{n}] {text}" for n, text in enumerate(passages[:SHOWN], start=1)]
    return "\n\n".join([question, *numbered])


def chroma_of(place: Place) -> str:
    """The folder of the plain collection, which has to exist."""
    if not Path(place.plain).is_dir():
        raise FileNotFoundError(place.plain)
    return place.plain
