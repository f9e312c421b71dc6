"""Sources that took seconds or minutes to read, each as a text that grows with a number.

Work is counted by the CPU time of reading `n` of a kind and of reading twice as many: where that doubles, reading is
linear, whatever the machine. Times too short to tell are no evidence either way, so `n` grows until one can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time

from retrieval.ingest.chunks import Source, build_chunks
from retrieval.ingest.markdown import parse
from retrieval.types import Chunk

Kind = Callable[[int], str]
ENOUGH_SECONDS = 0.05
"""CPU time from which on two readings are compared."""
_TRIES = 3
_PIPE = "|Level|b|\n|-|-|\n|1|2|\n|2|3|\n\n"

KINDS: Mapping[str, Kind] = {
    "labels and values": lambda n: "a: b, " * n,
    "armor classes": lambda n: "AC 5, " * n,
    "stat blocks on a line": lambda n: "Bog Troll: " + "AC 4; HD 6; " * n,
    "brackets in a stat block": lambda n: "AC 5, HD 3, " + "x, (a " * n,
    "commas before brackets": lambda n: "AC 5, HD 3, " + ", " * n + "(" * n,
    "pieces without labels": lambda n: "AC 5, HD 3, " + "x, " * n,
    "lines of percent signs": lambda n: "%a\n" * n,
    "percent signs": lambda n: "%" * (20 * n),
    "lines of labels": lambda n: "a: b\n" * n,
    "sentences": lambda n: "a; b. " * n,
    "wide spans": lambda n: "<table><tr>" + "<td rowspan=200 colspan=200>x</td>" * n + "</tr><tr><td>y</td></tr></table>",
    "spans below spans": lambda n: "<table>" + "<tr><td rowspan=200 colspan=200>x</td></tr>" * n + "</table>",
    "staggered spans": lambda n: "<table>" + "<tr><td rowspan=200>x</td><td>y</td></tr>" * n + "</table>",
    "long cells that span": lambda n: "<table><tr>" + f"<td colspan=200>{'long ' * n}</td>" * 9 + "</tr></table>",
    "ragged rows": lambda n: "<table><tr>" + "<td>a</td>" * n + "</tr>" + "<tr><td>1</td></tr>" * n + "</table>",
    "nested tables": lambda n: "<table><tr><td>" * n + "x" + "</td></tr></table>" * n,
    "open tables": lambda n: "<table>\n# a\n" * n,
    "nested rows": lambda n: "<table>" + "<tr><td><span>" * n + "x</table>",
    "nested heads": lambda n: "<table>" + "<thead><tr><th>1</th></tr>" * n + "</table>",
    "nested blocks": lambda n: "<div>" * n + "x",
    "raised marks": lambda n: "<div>" + "<sup>1</sup>x" * n + "</div>",
    "nested raised marks": lambda n: "<div>" + "<sup>" * n + "x</div>",
    "columns": lambda n: "|" + "a|" * n + "\n|" + "-|" * n + "\n|" + "1|" * n + "\n",
    "rows of one cell": lambda n: "|" + "a|" * 20 + "\n|" + "-|" * 20 + "\n" + "|1\n" * n,
    "indented cells": lambda n: "- |a|b|\n  |-|-|\n  " + "\xa0" * (20 * n) + "1|2|3\n",
    "footnotes": lambda n: _PIPE + "† x\n\n" * n,
    "tables of a long head": lambda n: f"|{'long ' * n}|b|\n|-|-|\n" + "|1|2|\n" * n,
    "tables under a long heading": lambda n: f"# {'long ' * n}\n\n" + _PIPE * n,
    "members of a long name": lambda n: f"|a|b|c|\n|-|-|-|\n|{'x' * n}|||\n" + "|- y|1|2|\n" * n,
    "captions": lambda n: f"**Table of x**\n\n{_PIPE}" * n,
    "kinds of tables": lambda n: "".join(f"**Table {i} of x**\n\n|Level|{_word(i)}|\n{_PIPE[10:]}" for i in range(n)),
    "numbered captions": lambda n: f"# 1.{'1' * min(n, 250)}x\n\n{_PIPE}",
    "lists in lists": lambda n: "- " * n + "a\n",
    "quotations in quotations": lambda n: "> " * n + "a\n",
    "open comments": lambda n: "<!--\n\n" * n,
    "comments open in lists": lambda n: "- a\n" + "  <!--\n\n" * n + "\n-->\n",
    "comments open in a quotation": lambda n: "> <!--\n>\n" * n + "\n-->\n",
    "open scripts": lambda n: "<script>\n\n" * n,
    "open tags": lambda n: '<div a="' * n,
    "one line": lambda n: "word " * n,
    "one word": lambda n: "w" * (20 * n),
}
"""Kinds of hostile sources by name."""


def read(text: str) -> tuple[list[Chunk], list[tuple[int, str]]]:
    """Return the chunks of a Markdown text, and what was odd with its lines."""
    warnings: list[tuple[int, str]] = []
    return build_chunks([Source("hostile.md", parse(text, warnings))]), warnings


def seconds(text: str) -> float:
    """Return the CPU time that reading takes: the least of a few tries."""
    return min(_once(text) for _ in range(_TRIES))


def growth(kind: Kind, n: int = 250) -> float:
    """Return by how much the time grows when a source of this kind does twice: about 2 where reading is linear.

    The smaller source is large enough to take `ENOUGH_SECONDS`, and is told from one of half its size first.
    """
    while (before := _once(kind(n))) < ENOUGH_SECONDS:
        n *= 2
    del before
    return seconds(kind(2 * n)) / seconds(kind(n))


def _once(text: str) -> float:
    start = process_time()
    read(text)
    return process_time() - start


def _word(number: int) -> str:
    """A word for each number: *ba*, *da*, *fa* ..."""
    letters = ""
    while number or not letters:
        number, digit = divmod(number, 16)
        letters += "bdfghjklmnprstvz"[digit] + "a"
    return letters
