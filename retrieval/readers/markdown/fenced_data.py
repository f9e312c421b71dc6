"""Data in a fence, such as a stat block: the labels and values of the page's subject, and its lists of things with
texts.

Its text is written as a record, one line for each label, without YAML syntax.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from retrieval.readers.documents.front_matter import LONGEST, labelled, looks_like_yaml, plain_key, read_values
from retrieval.readers.documents.yaml_nodes import Node, node_of

_DEEPEST = 12
_MOST = 4_000
"""The most parser events of a block."""
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FencedData:
    """The labels and values of a block, the lines of its lists, and the names in these with their texts."""

    record: tuple[_Pair, ...]
    text: str = ""
    listed: tuple[_Pair, ...] = ()


def fenced_data(info: str, body: str) -> FencedData | None:
    r"""Return the data of a fenced block; None for program code.

    A block tagged with a language is an example of that language, not a record of the page.

    >>> fenced_data("statblock", "name: Skiff\nsails:\n  - name: Jib\n    use: In a storm.\n")
    FencedData(record=(('name', 'Skiff'),), text='sails:\n- Jib: In a storm.', listed=(('Jib', 'In a storm.'),))
    >>> fenced_data("yaml", "crew: 2\n")
    """
    name = info.split()[0] if info.split() else ""
    if not name or _is_language(name) or not looks_like_yaml(body):
        return None
    tree = _tree(body)
    if not isinstance(tree, dict):
        record = labelled(read_values(body)[0] or ())
        return FencedData(record) if record else None
    lists = {key: value for key, value in tree.items() if _is_of_things(value)}
    facts = {key: value for key, value in tree.items() if key not in lists}
    listed = tuple(pair for value in lists.values() for pair in _names_with_texts(value))
    record = tuple(dict(_pairs(facts)).items())
    return FencedData(record, "\n".join(_lines(lists)), listed) if record or listed else None


def _is_language(name: str) -> bool:
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    try:
        find_lexer_class_by_name(name)
    except ClassNotFound:
        return False
    return True


def _tree(body: str) -> Node | None:
    """Parse the data into texts, lists and mappings; None if malformed, too large or too deep."""
    if len(body) > LONGEST:
        return None
    try:
        events = list(yaml.parse(body, Loader=yaml.BaseLoader))[2:-2]  # drops the stream's and document's events
        return node_of(iter(events[1:]), events[0], _DEEPEST) if events and len(events) <= _MOST else None
    except (yaml.YAMLError, ValueError, OverflowError, StopIteration):
        return None


def _pairs(facts: Mapping[str, Node]) -> Iterator[_Pair]:
    """Yield the labels and values of a block, those of a group prefixed by its label."""
    for key, value in facts.items():
        if isinstance(value, dict):
            yield from ((f"{plain_key(key)} {label}", text) for label, text in _pairs(value))
            continue
        texts = [value] if isinstance(value, str) else [item for item in value if isinstance(item, str)]
        if text := ", ".join(filter(None, texts)):
            yield plain_key(key), text


def _is_of_things(value: Node) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _names_with_texts(things: Node) -> Iterator[_Pair]:
    """Yield the names in a list of things, each with its text."""
    for item in things if isinstance(things, list) else ():
        if isinstance(item, dict) and all(pair := _name_and_text(item)):
            yield pair


def _name_and_text(item: dict[str, Node]) -> _Pair:
    """Return the name of a list item, its first text, and its other texts."""
    name, *others = [value for value in item.values() if isinstance(value, str) and value] or [""]
    return name, " ".join(others)


def _lines(members: Mapping[str, Node], indent: str = "") -> Iterator[str]:
    """Yield the lines of a record; an item of a list begins with its name."""
    for key, value in members.items():
        if isinstance(value, str):
            yield from (f"{indent}{plain_key(key)}: {value}",) if value else ()
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            yield f"{indent}{plain_key(key)}: {', '.join(map(str, value))}"
        else:
            yield f"{indent}{plain_key(key)}:"
            yield from _listed(value, indent)


def _listed(value: Node, indent: str) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            name, text = _name_and_text(item)
            yield f"{indent}- {name}: {text}" if text else f"{indent}- {name}"
            inner = {key: part for key, part in item.items() if not isinstance(part, str)}
            yield from _lines(inner, indent + "  ")
        elif isinstance(item, str):
            yield f"{indent}- {item}"
