"""Sources that took seconds or minutes to read, each as a text that grows with a number.

The CPU time of reading one of a kind is compared with that of one four times as large: about 4 times as much is
linear, 16 times as much quadratic, whatever the machine. Times too short to tell are no evidence, so sources grow until
one can.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import process_time

from retrieval.ingest.chunks import build_chunks
from retrieval.readers.documents.sections import Source
from retrieval.readers.markdown.dialects import plain_markdown
from retrieval.readers.markdown.reader import parse
from versus import Chunk

Kind = Callable[[int], str]
ENOUGH_SECONDS = 0.01
"""CPU time from which on two readings are compared."""
AMPLE_SECONDS = 0.3
"""CPU time of a reading that grew too fast from which on no larger one is tried."""
LINEAR = 8.0
"""A growth below this is that of a linear reading with noise; the mean, by ratio, of 4 and 16."""
_TRIES = 2
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
    "wide spans": lambda n: (
        "<table><tr>" + "<td rowspan=200 colspan=200>x</td>" * n + "</tr><tr><td>y</td></tr></table>"
    ),
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
    "numbered captions": lambda n: f"# 1.{'1' * 200}x\n\n{_PIPE}" * n,
    "lists in lists": lambda n: "- " * n + "a\n",
    "quotations in quotations": lambda n: "> " * n + "a\n",
    "open comments": lambda n: "<!--\n\n" * n,
    "comments open in lists": lambda n: "- a\n" + "  <!--\n\n" * n + "\n-->\n",
    "comments open in a quotation": lambda n: "> <!--\n>\n" * n + "\n-->\n",
    "open scripts": lambda n: "<script>\n\n" * n,
    "open tags": lambda n: '<div a="' * n,
    "openers in quotes": lambda n: "<div>" + '<a b="<a " b="' * n + '<b>"<b>',
    "lazy quotations": lambda n: "|-|-|\n>===\n" * n,
    "empty code": lambda n: "```\n" * n,
    "containers in containers": lambda n: "".join(f"{'    ' * (d % 40)}!!! a\n" for d in range(n)) + "\n" * n,
    "heads of containers": lambda n: "!!! a\n\n" * n,
    "open divs": lambda n: "::: {.a\n" * n,
    "borders of grids": lambda n: "+-+\n" * n,
    "rows of a grid": lambda n: "+-+-+\n" + "| a\n" * n,
    "marks of notes": lambda n: "[^a]: b\n\n" + "[^" * n,
    "open attributes": lambda n: "# a" + " {.a" * n,
    "runs of backticks": lambda n: "`" * (20 * n) + "\n" + "`{" * n,
    "open shortcodes": lambda n: "{{< a\n" * n + "{% " * n,
    "one line": lambda n: "word " * n,
    "one word": lambda n: "w" * (20 * n),
}
"""Kinds of hostile sources by name."""

MDX_KINDS: Mapping[str, Kind] = {
    "open comments": lambda n: "{/* " * n,
    "open values": lambda n: "<A b={" * n,
    "values in values": lambda n: "<A b={{{" * n,
    "open quotes": lambda n: '<A b="' * n,
    "open components": lambda n: "<A " * n,
    "statements without an end": lambda n: "\n\nexport const x = {\n\n" * n,
    "runs of backticks": lambda n: "`" * (20 * n),
}
"""Kinds of hostile sources of MDX by name."""

OPENERS = (
    "<!-- open", "<?php open", "<!X open", "<![CDATA[ open", "<script>", "<style>", "<pre>", "<textarea>",
    "<script src='x'>", "<div", "<sup>", "<table>", "<title>", "- " * 60 + "deep", "> " * 120 + "deep",
    '<div a="', "<!--<!--", "<plaintext>", "<template>", "<ruby><rt>", "<noframes>", "<select>", "<p>\n</", "<p>\n<!",
)  # fmt: skip
"""What may swallow the lines behind it, where nothing closes it."""


def read(text: str) -> tuple[list[Chunk], list[tuple[int, str]]]:
    """Return the chunks of a Markdown text, and what was odd with its lines."""
    warnings: list[tuple[int, str]] = []
    sections = parse(plain_markdown(text, warnings), warnings)
    return build_chunks([Source("hostile.md", sections)]), warnings


def growth(kind: Kind, n: int = 50, reading: Callable[[str], object] = read) -> float:
    """Return by how much the CPU time of reading grows when a source of this kind becomes four times as large.

    What is held to a limit may grow faster than its source until it is reached (a table of spans that overlap, until
    it repeats too much), so where a source grows too fast one twice as large is tried, as long as that takes less than
    `AMPLE_SECONDS`. Work without a limit grows too fast at every size.
    """
    while _seconds(kind(n), reading) < ENOUGH_SECONDS:
        n *= 2
    while True:
        grown, seconds = _growth_at(n, kind, reading)
        if grown < LINEAR or seconds > AMPLE_SECONDS:
            return grown
        n *= 2


def _growth_at(n: int, kind: Kind, reading: Callable[[str], object]) -> tuple[float, float]:
    """The growth from `n` to `4 * n`, and the seconds of the larger reading.

    What disturbs a measurement makes it longer, so the shortest of a few tries counts.
    """
    small, large = kind(n), kind(4 * n)
    least, most = _seconds(small, reading), _seconds(large, reading)
    for _ in range(_TRIES):
        if most < LINEAR * least:
            break
        least, most = min(least, _seconds(small, reading)), min(most, _seconds(large, reading))
    return most / least, most


def _seconds(text: str, reading: Callable[[str], object]) -> float:
    gc.disable()
    try:
        start = process_time()
        reading(text)
        return process_time() - start
    finally:
        gc.enable()


def _word(number: int) -> str:
    """A word for each number: *ba*, *da*, *fa* ..."""
    letters = ""
    while number or not letters:
        number, digit = divmod(number, 16)
        letters += "bdfghjklmnprstvz"[digit] + "a"
    return letters
