"""What the lists of a section say of the names that they begin with."""

from __future__ import annotations

from collections.abc import Iterator

from agent.reasoning.notebook import Fact, Notebook
from retrieval.text.normal import phrase, title_key


def listed_items(owner: str, name: str, notebook: Notebook) -> Iterator[tuple[str, Fact]]:
    """What the lists of a section say behind a name, each with what it is called: *Level limits: - Fighter 9*."""
    for chunk in notebook.chunks:
        label = chunk.title
        own = title_key(owner) in map(title_key, (chunk.title, *chunk.headings))
        for line in chunk.text.split("\n")[1:] if own and chunk.chunk_type == "section" else ():
            words, size = line.split(), len(name.split()) + 1
            if not line.startswith("- "):
                label = line.rstrip(":") or label
            elif phrase(" ".join(words[1:size])) == phrase(name) and words[size:]:
                yield label, Fact(" ".join(words[size:]), notebook.cite(chunk, line[2:]))
