"""Files of data as texts, lists and mappings. Values stay as written, and nothing is constructed or looked up: of YAML
only the parser's events are read, and no entity of XML is resolved, which can expand a few bytes to gigabytes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import yaml
from lxml import etree

from retrieval.readers.documents.yaml_nodes import Node, node_of

_DEEPEST = 40
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
"""What lxml refuses in a text, which has no encoding."""


def of_json(text: str) -> list[Node]:
    """Return the value of a JSON text; `ValueError` if it is none."""
    return [_plain(json.loads(text, parse_float=str, parse_int=str, parse_constant=str))]


def of_toml(text: str) -> list[Node]:
    """Return the table of a TOML text; `ValueError` if it is none."""
    return [_plain(tomllib.loads(text, parse_float=str))]


def of_yaml(text: str) -> list[Node]:
    """Return the documents of a YAML text; `yaml.YAMLError` if it is none."""
    events = yaml.parse(text, Loader=yaml.BaseLoader)
    return [node_of(events, next(events), _DEEPEST) for event in events if isinstance(event, yaml.DocumentStartEvent)]


def of_xml(text: str) -> list[Node]:
    """Return the root of an XML text that has no text beside elements; `ValueError` if it is another.

    >>> of_xml('<harbour><boat name="Reed"><length unit="m">9</length></boat><boat name="Sedge"/></harbour>')
    [{'boat': [{'name': 'Reed', 'length': '9 m'}, {'name': 'Sedge'}]}]
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        return [_of_element(etree.fromstring(_DECLARATION.sub("", text), parser))]
    except etree.XMLSyntaxError as error:
        raise ValueError(str(error)) from error


PARSERS: Mapping[str, Callable[[str], list[Node]]] = {
    ".json": of_json, ".toml": of_toml, ".xml": of_xml, ".yaml": of_yaml, ".yml": of_yaml,
}  # fmt: skip
"""What parses the files of each suffix."""


def _plain(value: Any) -> Node:
    """Return a parsed value with texts in place of all others."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _of_element(element: etree._Element) -> Node:
    """Return a text with its attributes behind it, as *9 m*, or attributes and elements as members of one mapping."""
    inner = [part for part in element if isinstance(part.tag, str)]
    text = " ".join((element.text or "").split())
    attributes = {etree.QName(name).localname: str(value) for name, value in element.attrib.items()}
    if not inner:
        return " ".join((text, *attributes.values())) if text or not attributes else dict(attributes)
    if text or any((part.tail or "").strip() for part in element):
        raise ValueError("a text with marks, no data")
    named: dict[str, list[Node]] = {}
    for part in inner:
        named.setdefault(etree.QName(part).localname, []).append(_of_element(part))
    return {**attributes, **{name: nodes[0] if len(nodes) == 1 else nodes for name, nodes in named.items()}}
