"""Syntax that Obsidian and similar programs add to lines: links to pages, paragraph marks, and comments.

A link becomes its text, *[[gear/ropes|rope]]* a *rope*, or the name of its page. A mark (*^fares*), the target of links
to a paragraph or table, is dropped.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_LINK = re.compile(
    r"(?P<is_shown>!?)\[\[(?![_:])(?=[^\[\]\n]*[^\W\d])(?P<target>[^\[\]|\\\n]*)(?:\\?\|(?P<text>[^\[\]\n]*))?\]\](?!\()"
)
_MARK = re.compile(r"(?:^|(?<=[ \t]))[ \t]*\^(?=[\w-]*[^\W\d_])[A-Za-z\d-]{3,}[ \t]*$")
_COMMENT = re.compile(r"%%(?!%)[^%\n]*%%")
_PICTURE = re.compile(r"\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$", re.IGNORECASE)
_PAGE = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)


def without_links(line: str) -> str:
    r"""Return a line with its links replaced by their texts, and without marks and comments.

    >>> without_links(r"| [[gear/ropes\|Rope]] | see [[Knots#Bowline]] | ^fares")
    '| Rope | see Knots | '
    >>> without_links("![[map.png]] %% later %%[[1]](#one) and [[_TOC_]]")
    ' [[1]](#one) and [[_TOC_]]'
    """
    if "[[" in line:
        line = _LINK.sub(_text, line)
    if "%%" in line:
        line = _COMMENT.sub("", line)
    return _MARK.sub("", line) if "^" in line else line


def _text(link: re.Match[str]) -> str:
    target, text = link["target"].strip(), (link["text"] or "").strip()
    if link["is_shown"] and _PICTURE.search(target):
        return ""
    page, _, heading = target.partition("#")
    return text or _PAGE.sub("", PurePosixPath(page).name) or heading.strip("^ ")
