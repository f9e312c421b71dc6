"""Named values that pandoc drops, though most of what a page says of a thing may stand in them, written out as
definitions: templates of MediaWiki, such as info boxes, and the drawers of properties of Org.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from retrieval.readers.documents.front_matter import plain_key

_TEMPLATE = re.compile(r"^\{\{(?P<name>[^{}|\n]+)\s*\|(?P<values>(?:[^{}]|\{\{[^{}]*\}\})*)\}\}[ \t]*$", re.MULTILINE)
_VALUE = re.compile(r"\s*(?P<label>[^=|\[\]{}]+?)\s*=\s*(?P<value>\S.*?)\s*", re.DOTALL)
_PART = re.compile(r"(?:\[\[[^\[\]]*\]\]|\{\{[^{}]*\}\}|[^|])+")
"""What stands between bars, with those of links and of templates within."""
_INNER = re.compile(r"\{\{[^{}|]*\|?([^{}]*)\}\}")
_DRAWER = re.compile(
    r"^[ \t]*:PROPERTIES:[ \t]*\n(?P<values>(?:[ \t]*:[^:\n]+:.*\n){1,200}?)[ \t]*:END:[ \t]*$", re.M | re.I
)
_PROPERTY = re.compile(r"^[ \t]*:(?P<label>[^:\n]+):[ \t]+(?P<value>\S.*)$", re.MULTILINE)
_FEWEST = 2


def of_templates(text: str) -> str:
    r"""Return a MediaWiki text with definitions in place of each template that has at least two named values.

    >>> print(of_templates("{{Infobox boat\n| crew = 3\n| home port = [[Hull|the harbour]]\n}}\nA boat."))
    ; Crew
    : 3
    ; Home port
    : [[Hull|the harbour]]
    A boat.
    """

    def definitions(template: re.Match[str]) -> str:
        found = filter(None, map(_VALUE.fullmatch, _PART.findall(template["values"])))
        told = [f"; {_label(each)}\n: {_INNER.sub(_shown, _line(each))}" for each in found]
        return "\n".join(told) if len(told) >= _FEWEST else template[0]

    return _TEMPLATE.sub(definitions, text)


def of_drawers(text: str) -> str:
    r"""Return an Org text with definitions in place of each drawer with at least two properties.

    >>> print(of_drawers("* Reed\n:PROPERTIES:\n:CREW: 3\n:HOME_PORT: Hull\n:END:\nA boat."))
    * Reed
    - Crew :: 3
    - Home port :: Hull
    <BLANKLINE>
    A boat.
    """

    def definitions(drawer: re.Match[str]) -> str:
        told = [f"- {_label(each)} :: {_line(each)}" for each in _PROPERTY.finditer(drawer["values"])]
        return "\n".join(told) + "\n" if len(told) >= _FEWEST else drawer[0]

    return _DRAWER.sub(definitions, text)


NAMED_VALUES: Mapping[str, Callable[[str], str]] = {"mediawiki": of_templates, "org": of_drawers}
"""What writes them out, by the name of the format."""


def _label(found: re.Match[str]) -> str:
    """Return a label as people write it; one in capitals is no abbreviation, as all of them are in capitals."""
    label = plain_key(found["label"].lower() if found["label"].isupper() else found["label"])
    return label[:1].upper() + label[1:]


def _line(found: re.Match[str]) -> str:
    return " ".join(found["value"].split())


def _shown(inner: re.Match[str]) -> str:
    """Return what a template within a value probably shows: its values with blanks between."""
    return " ".join(part for part in inner[1].split("|") if "=" not in part)
