"""An examination: one line per finding, with its meaning and advice; sound checks share one line per subject."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from agent.escape import one_line
from agent.render.words import counted
from retrieval.collections.chroma.location import place
from retrieval.collections.health_report import Diagnosis

_COLOURS = {"sound": "green", "noted": "cyan", "repaired": "green", "wrong": "red"}


def diagnoses_data(found: Sequence[Diagnosis], where: str) -> dict[str, Any]:
    """Return `{"place", "sound", "diagnoses": [{"collection", "check", "state", "message", "advice"}]}`.

    `state` is "sound", "noted", "wrong" or "repaired"; `collection` is null for findings on the whole place; `sound` is
    true if nothing is wrong, or all is repaired.

    >>> diagnoses_data([Diagnosis("disk", "sound", "2.0 GB free")], "data/chroma")["sound"]
    True
    """
    sound = not any(one.state == "wrong" for one in found)
    return {"place": place(where), "sound": sound, "diagnoses": [asdict(one) for one in found]}


def diagnoses_view(found: Sequence[Diagnosis]) -> RenderableType:
    """Return every finding by subject, then the number of wrong ones."""
    lines = [line for _, group in groupby(found, key=lambda one: one.collection) for line in _subject(list(group))]
    wrong = sum(one.state == "wrong" for one in found)
    summary = Text(f"{counted(wrong, 'thing')} wrong", style="red") if wrong else Text("nothing is wrong", style="dim")
    return Group(*lines, summary)


def _subject(found: Sequence[Diagnosis]) -> Iterable[Text]:
    sound = [one.message for one in found if one.state == "sound"]
    if sound:
        yield _line("sound", found[0].collection, "; ".join(sound), "")
    for one in found:
        if one.state != "sound":
            yield _line(one.state, one.collection, one.message, one.advice)


def _line(state: str, collection: str | None, message: str, advice: str) -> Text:
    subject = "" if collection is None else f"{one_line(collection)}: "
    line = Text.assemble((f"{state:<10}", _COLOURS[state]), (subject, "bold"), one_line(message))
    return line.append(f". Next: {one_line(advice)}" if advice else "")
