"""MDX, Markdown with JavaScript components: the content of components is text, their tags are not.

Statements, comments and component tags are dropped; the title of a component (`<Tab title="Linux">`) stays in bold,
with its type and default. Every line keeps its number for citations. See https://mdxjs.com/docs/what-is-mdx/.
"""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import dedent

from retrieval.readers.markdown.dialects import NAME, titled, without_code

_LONGEST_TAG = 2_000
_LONGEST_STATEMENT = 300
"""The most lines of a statement."""
_MISSED = 20
"""How many unterminated statements are searched; later ones end with their paragraph."""
_DEEPEST_VALUE = 5
"""The deepest nesting of brackets in an attribute value."""
_FENCE = r"^[ \t]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)"
_CODE = r"(?<!`)(?P<ticks>`++)[^`\n]++(?P=ticks)"
_STATEMENT = r"(?:\A|(?<=\n\n)|(?<=^---\n)|(?<=;\n))(?:import|export)[ ]+(?=[\w{*'\"])"
"""The beginning of a statement, at the start of a paragraph or behind another statement."""
_COMMENT = r"\{/\*(?:[^*{]|\*(?!/\})|\{(?!/\*))*\*/\}"
"""A comment. Its repeat is not possessive: Python before 3.11.5 gives up such a repeat too early (gh-106052)."""
_TEXT = r"\{(?:\"(?P<double>[^\"\n]*+)\"|'(?P<single>[^'\n]*+)'|`(?P<template>[^`\n]*+)`)\}"
"""An expression that is only a string."""
_PART = re.compile(
    f"(?P<code>{_FENCE}|{_CODE})|(?P<comment>{_COMMENT})|(?P<text>{_TEXT})|(?P<statement>{_STATEMENT})|(?P<tag><)",
    re.MULTILINE | re.DOTALL,
)
_IMPORT = re.compile(r"import[ ]+[\w{*][^\"';]*[ }]from[ ]+[\"'][^\"'\n]+[\"'];?[ \t]*$")
_SENTENCE = re.compile(r"\b[\w-]+=(?P<quote>[\"'])(?P<value>[^\W\d_a-z][^\"'\n]*[^\W_](?: [^\"'\n ]+){2,})(?P=quote)")
"""An attribute whose value reads as a sentence or title and so is visible, whatever its name."""
_KIND = re.compile(r"\b(?P<key>type|default)=(?P<quote>[\"'])(?P<value>[^\"'\n]+)(?P=quote)")


def _value(depth: int) -> str:
    """Return the pattern of an attribute value in braces, with nested braces to a depth."""
    inner = f"|{_value(depth - 1)}" if depth else ""
    return rf"\{{(?:[^{{}}]{inner})*+\}}"


_EXPRESSION = _value(_DEEPEST_VALUE)
_ATTRIBUTES = rf"(?:[^<>=\"'{{}}/]|/(?!>)|=\s*+(?:\"[^\"]*+\"|'[^']*+'|{_EXPRESSION})|{_EXPRESSION})*+"
_TAG = re.compile(rf"<(?P<closes>/?)(?P<component>[A-Z][\w.]*+(?P<attributes>{_ATTRIBUTES}))?(?P<is_empty>/?)>")
"""The tag of a component, or of a fragment (`<>`)."""
_PLAIN_TAG = re.compile(rf"<[a-z][\w-]*+{_ATTRIBUTES}/?>")
_COMPUTED = re.compile(rf"\s*+[\w:-]++=\s*+{_EXPRESSION}")
"""An element's attribute whose value is an expression, which may contain a `>`."""


def is_mdx(text: str) -> bool:
    r"""True for a Markdown page that imports components, which several programs allow on any page: it is MDX.

    >>> is_mdx('# Oak\n\nimport Tab from "@theme/Tab"\n'), is_mdx('```js\nimport Tab from "tab"\n```\n')
    (True, False)
    """
    return any(_IMPORT.match(row) for row in without_code(text.split("\n")))


def as_markdown(text: str) -> str:
    r"""Return the Markdown of an MDX page, line by line.

    >>> as_markdown('import A from "a"\n\n<Tab title="Linux">\n    At most `<N>` files.\n</Tab>\n')
    '\n\n**Linux:** \nAt most `<N>` files.\n\n'
    """
    page = _Page(text)
    runs = groupby(zip(page.bare().split("\n"), page.depths, strict=True), key=lambda line: line[1])
    return "\n".join(_outdented("\n".join(line for line, _ in run), depth) for depth, run in runs)


def _outdented(lines: str, depth: int) -> str:
    """Remove the common indent of lines inside a component."""
    return dedent(lines) if depth else lines


class _Page:
    """An MDX page; `depths` has the component depth of each line, complete once `bare` has run."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.depths = [0]
        self._depth = 0
        self._may_miss = _MISSED

    def bare(self) -> str:
        """Return the text without program parts."""
        parts: list[str] = []
        done = 0
        while part := _PART.search(self._text, done):
            parts.append(self._with_depths(self._text[done : part.start()]))
            done = part.end()
            if part["tag"]:
                said, done = self._tag(part.start())
            elif part["statement"]:
                said, done = "", self._statement_end(done)
            elif part["text"]:
                said = part["double"] or part["single"] or part["template"] or ""
            else:
                said = part[0] if part["code"] else ""
            parts.append(
                self._with_depths(said) + self._with_depths("\n" * (self._lines(part.start(), done) - said.count("\n")))
            )
        parts.append(self._with_depths(self._text[done:]))
        return "".join(parts)

    def _with_depths(self, text: str) -> str:
        self.depths += [self._depth] * text.count("\n")
        return text

    def _lines(self, start: int, end: int) -> int:
        return self._text.count("\n", start, end)

    def _tag(self, start: int) -> tuple[str, int]:
        """Return the text that replaces a tag starting here, and the tag's end."""
        end = start + _LONGEST_TAG
        if tag := _TAG.match(self._text, start, end):
            self._depth += -1 if tag["closes"] else not tag["is_empty"]
            self._depth = max(0, self._depth)
            return ("" if tag["is_empty"] and not tag["component"] else _title(tag)), tag.end()
        if tag := _PLAIN_TAG.match(self._text, start, end):
            return _COMPUTED.sub("", tag[0]), tag.end()
        return "<", start + 1

    def _statement_end(self, start: int) -> int:
        """Return the end of a statement: of its paragraph, or of the one in which its last bracket closes."""
        ended, open_brackets, place = -1, 0, start
        for _ in range(_LONGEST_STATEMENT):
            end = self._text.find("\n", place)
            end = len(self._text) if end < 0 else end
            line = self._text[place:end]
            open_brackets += sum(map(line.count, "{[(")) - sum(map(line.count, ")]}"))
            ends = end == len(self._text) or self._text.startswith("\n", end + 1)
            ended = end if ends and ended < 0 else ended
            if ends and (open_brackets <= 0 or not self._may_miss):
                return end
            if end == len(self._text):
                break
            place = end + 1
        self._may_miss = max(0, self._may_miss - 1)
        return ended if ended >= 0 else place - 1


def _title(tag: re.Match[str]) -> str:
    """Return the text for a tag: its title in bold, with its type and default."""
    attributes = tag["attributes"] or ""
    found = None if tag["is_empty"] else NAME.search(attributes) or _SENTENCE.search(attributes)
    if found is None:
        return ""
    kinds = [
        kind["value"] if kind["key"] == "type" else f"default {kind['value']}" for kind in _KIND.finditer(attributes)
    ]
    return " ".join(filter(None, (titled(found["value"]), ", ".join(kinds)))) + " "
