"""Sphinx markup converted to plain reStructuredText.

A role such as :ref: becomes its text, padded to its width in drawn tables, whose columns depend on position. A
directive that describes something (`.. option:: --all`) becomes a definition: its argument is the term, the indented
text below it the meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from docutils.parsers.rst.languages import en

_DIRECTIVE = re.compile(r"^(?P<indent>\s*)\.\.\s+(?P<name>[A-Za-z][\w:+.-]*)::(?:\s+(?P<argument>\S.*))?$")
_OPTION = re.compile(r"^\s+:[\w-]+:(?:\s|$)")
_ROLE = re.compile(r":(?P<name>[A-Za-z][\w:+.-]*):`(?P<text>[^`]+)`")
_TARGET = re.compile(r"^(?P<title>.*\S)\s*<[^<>]*>$", re.DOTALL)
_GRID_LINE = re.compile(r"\s*[|+].*[|+]\s*$")
"""A line of a drawn table; a border that crosses a spanning cell has the corners of the other cells."""
_CENTERED = re.compile(r"\.\. centered:: (?P<text>[^|]*)")
"""Centered text in a cell of a drawn table."""
_RULE = re.compile(r"\s*=+(?:\s+=+)+\s*$")
"""The rule above and below a simple table, and between its heads and rows."""
_PLAIN = re.compile(r"[\w\s.,/()-]+")
_CODE = frozenset({"code", "code-block", "sourcecode"})
"""Directives to which Sphinx adds options that docutils rejects."""
_WITHOUT_TEXT = frozenset({
    "autoclass", "autofunction", "automethod", "automodule", "autosummary", "currentmodule", "default-domain",
    "highlight", "index", "module", "program", "py:currentmodule", "py:module", "tabularcolumns", "toctree",
})  # fmt: skip
"""Directives that control Sphinx and contain no text of the page."""
_CONDITIONS = frozenset({"ifconfig", "only"})
_SAID = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
"""The words that Sphinx prints before a version."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Text for docutils, and the line of the file for each of its lines."""

    text: str
    places: tuple[int, ...]

    def place(self, line: int) -> int:
        """Return the line of the file for a line of the text; both count from 1."""
        return self.places[min(max(line, 1), len(self.places)) - 1] if self.places else 1


def without_sphinx(text: str) -> Plain:
    r"""Return the text without markup unknown to docutils.

    >>> without_sphinx(".. confval:: theme\n   :type: str\n\n   See :ref:`the list <all>`.").text
    'theme\n   See the list.'
    """
    lines = _ROLE.sub(_role, "\n".join(_with_wide_roles(text.split("\n")))).split("\n")
    kept: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(lines):
        directive = _DIRECTIVE.match(lines[at])
        name = directive["name"].lower() if directive else ""
        if directive is None or (name in en.directives and name not in _CODE):
            kept.append(lines[at])
            places.append(at + 1)
            at += 1
            continue
        written = lines[at] if name in _CODE else _heading(directive, name)
        if written is not None:
            kept.append(written)
            places.append(at + 1)
        if name in _WITHOUT_TEXT:
            at = _end(lines, at, len(directive["indent"]))
            continue
        at = _after_options(lines, at + 1)
        if name in _CODE or written is None:
            kept.append("")
            places.append(at)
        else:
            at = _after_blank(lines, at, len(directive["indent"]))
    return Plain("\n".join(kept), tuple(places))


def _heading(directive: re.Match[str], name: str) -> str | None:
    """Return the text for the first line of a directive; `None` if it has none."""
    argument = directive["argument"]
    if name in _WITHOUT_TEXT or name in _CONDITIONS or argument is None:
        return None
    said = f"{_SAID[name]} {argument}" if name in _SAID else argument
    said = re.sub(r"([\\*`|_])", r"\\\1", said)
    is_plain = said[0].isalnum() or said[0] == "\\"
    return directive["indent"] + (said if is_plain else f"\\{said}")


def _after_options(lines: list[str], at: int) -> int:
    while at < len(lines) and _OPTION.match(lines[at]):
        at += 1
    return at


def _after_blank(lines: list[str], at: int, indent: int) -> int:
    """Return the first line of indented content, so that it becomes the meaning of the term above; else `at`."""
    place = at
    while place < len(lines) and not lines[place].strip():
        place += 1
    has_content = place < len(lines) and _depth(lines[place]) > indent
    return place if has_content else at


def _end(lines: list[str], at: int, indent: int) -> int:
    """Return the first line that is not indented deeper than a directive."""
    at += 1
    while at < len(lines) and (not lines[at].strip() or _depth(lines[at]) > indent):
        at += 1
    return at


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _with_wide_roles(lines: list[str]) -> list[str]:
    r"""Replace roles in tables by text of the same width.

    >>> _with_wide_roles(["==== ========", "Reed :doc:`x`", "==== ========", "", ":doc:`x`"])
    ['==== ========', 'Reed x       ', '==== ========', '', ':doc:`x`']
    >>> _with_wide_roles(["| .. centered:: Reed |"])
    ['| Reed               |']
    >>> _with_wide_roles(["| :doc:`x` +----+"])
    ['| x        +----+']
    """
    rules = {at for at, line in enumerate(lines) if _RULE.match(line)}
    ends = {at for at in rules if not lines[at + 1 : at + 2] or not lines[at + 1].strip()}
    drawn, is_within = list[str](), False
    for at, line in enumerate(lines):
        is_within = (is_within or at in rules) and at not in ends
        is_grid = _GRID_LINE.match(line) is not None
        cells = _CENTERED.sub(lambda found: found["text"].ljust(len(found[0])), line) if is_grid else line
        drawn.append(_ROLE.sub(_wide_role, cells) if is_within or is_grid else line)
    return drawn


def _wide_role(found: re.Match[str]) -> str:
    return _role(found).ljust(len(found[0]))


def _role(found: re.Match[str]) -> str:
    """Return the text of a role unknown to docutils, as code if it might be markup."""
    if found["name"].lower() in en.roles:
        return found[0]
    target = _TARGET.match(found["text"])
    said = target["title"] if target else found["text"].lstrip("!")
    if said.startswith("~"):
        said = said.rpartition(".")[2].lstrip("~")
    return said if _PLAIN.fullmatch(said) else f"``{said}``"
