"""A table of contents: a list of nothing but links within the page, before its second heading.

Its items only repeat the headings below and add no content. A list of such links further down may group related things
and stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

_LISTS = ("bullet_list_open", "ordered_list_open")
_HEADING = "heading_open"


def without_contents(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a page without its table of contents.

    >>> from markdown_it import MarkdownIt
    >>> text = "# Boats\\n\\nJump to:\\n\\n- [Crew](#crew)\\n- [Fees](#fees)\\n\\n## Crew\\n\\n- [Ada](#ada)\\n"
    >>> [token.content for token in without_contents(MarkdownIt().parse(text)) if token.type == "inline"]
    ['Boats', 'Jump to:', 'Crew', '[Ada](#ada)']
    """
    out: list[Token] = []
    headings = place = 0
    while place < len(tokens):
        token, end = tokens[place], _end(tokens, place)
        headings += token.type == _HEADING
        if headings > 1 or token.type not in _LISTS or not _leads_within(tokens[place : end + 1]):
            out += tokens[place : end + 1]
        place = end + 1
    return out


def _end(tokens: Sequence[Token], start: int) -> int:
    """Return the place where the token at `start` is closed."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += tokens[place].nesting
        if depth <= 0:
            return place
    return len(tokens) - 1


def _leads_within(tokens: Sequence[Token]) -> bool:
    """True for a list whose items are each exactly one link within the page."""
    items = [token for token in tokens if token.type == "inline"]
    return bool(items) and all(map(_is_link_within, items))


def _is_link_within(item: Token) -> bool:
    children = [child for child in item.children or () if child.nesting or child.content.strip()]
    if len(children) < 2 or children[0].type != "link_open" or children[-1].type != "link_close":
        return False
    links = [child for child in children if child.type == "link_open"]
    return len(links) == 1 and str(links[0].attrs.get("href", "")).startswith("#")
