"""Parser rules for Markdown that keep parsing linear and let nothing swallow the rest of a file.

In CommonMark an unclosed comment, `<script>` or the like runs to the end of the document, and the parser gives up on
deep nesting. Here both become text with a warning, and parsing continues after them.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, html_block

from retrieval.readers.html.tree import Closers, never_closed

TEXT = "text_block"
"""The type of a token with verbatim text; its `meta` has the warning."""
_DEEPEST = 100
"""The deepest nesting that is parsed, two levels for each list; the parser recurses for each level."""
_MOST_LAZY = 20
"""The most lines of a quotation that may lack their `>`. The parser scans for them from each `>` to the next blank
line.
"""
_OPENER = re.compile(
    r"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<declaration>![a-z])|(?P<instruction>\?)"
    r"|(?P<raw>script|pre|style|textarea)(?=[\s>]|$))",
    re.IGNORECASE,
)


def markdown_parser() -> MarkdownIt:
    """Return a CommonMark parser with tables and these rules."""
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _DEEPEST + 1}).enable("table")
    parser.block.ruler.at("html_block", _html_block, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.block.ruler.at("blockquote", _quotation, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.before("table", "too_deep", _too_deep)
    return parser


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent or state.level < _DEEPEST:
        return False
    _push_text(state, start, _outdented(state, start, end), "nested too deeply; kept as text")
    return True


def _quotation(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not silent and state.src.startswith(">", state.bMarks[start] + state.tShift[start]):
        end = _lazy_end(state, start, end)
    return blockquote(state, start, end, silent)


def _lazy_end(state: StateBlock, start: int, end: int) -> int:
    """Return the end, or the line at which a quotation exceeds the lines that may lack a `>`."""
    lazy = 0
    for line in range(start + 1, end):
        if state.isEmpty(line):
            break
        lazy += not state.src.startswith(">", state.bMarks[line] + state.tShift[line])
        if lazy > _MOST_LAZY:
            return line
    return end


def _html_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Apply the parser's own rule, but treat an unclosed opener as a line of text."""
    place = state.bMarks[start] + state.tShift[start]
    indented = state.is_code_block(start)
    opener = None if silent or indented else _OPENER.match(state.src, place, state.eMarks[start])
    if opener is None or _is_closed(state, opener, start, end):
        return html_block(state, start, end, silent)
    _push_text(state, start, start + 1, never_closed(opener["raw"] or str(opener.lastgroup)))
    return True


def _is_closed(state: StateBlock, opener: re.Match[str], start: int, end: int) -> bool:
    closers = state.env.setdefault("closers", Closers(state.src))
    place = closers.end(str(opener.lastgroup), opener.start())
    last = bisect_right(state.bMarks, place - 1) - 1
    return place >= 0 and last < end and _belongs(state, start, last)


def _belongs(state: StateBlock, start: int, last: int) -> bool:
    """True if no line up to the last one ends the list item that holds the first."""
    if not state.blkIndent:
        return True
    ends = state.env.setdefault("ends", {})
    begin, end = ends.get(state.blkIndent, (0, 0))
    if not begin <= start < end:
        end = _outdented(state, start, last + 1)
        ends[state.blkIndent] = (start, end) if end <= last else (0, 0)
    return bool(end > last)


def _outdented(state: StateBlock, start: int, end: int) -> int:
    """Return the first line behind `start` that leaves its list item, or the end."""
    for line in range(start + 1, end):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return line
    return end


def _push_text(state: StateBlock, start: int, end: int, message: str) -> None:
    token = state.push(TEXT, "", 0)
    token.map = [start, end]
    token.content = state.getLines(start, end, state.blkIndent, False)
    token.meta = {"odd": message}
    state.line = end
