"""The tree of a YAML text by its parser's events: texts, lists and mappings, without objects and aliases."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

Node = str | list["Node"] | dict[str, "Node"]
"""A text, a list, or a mapping."""


def node_of(events: Iterator[yaml.Event], event: yaml.Event, deepest: int) -> Node:
    """Return the node that begins with an event, with single blanks in texts; an alias is empty. Of a key that is there
    twice the first value counts. `ValueError` if it is nested too deeply.

    >>> events = yaml.parse("a: [1, 2  3]", Loader=yaml.BaseLoader)
    >>> node_of(events, next(each for each in events if isinstance(each, yaml.MappingStartEvent)), 4)
    {'a': ['1', '2 3']}
    """
    if deepest < 0:
        raise ValueError("nested too deeply")
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Node] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(node_of(events, event, deepest - 1))
        return items
    if isinstance(event, yaml.MappingStartEvent):
        members: dict[str, Node] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = node_of(events, event, deepest - 1)
            members.setdefault(key if isinstance(key, str) else "", node_of(events, next(events), deepest - 1))
        return members
    return " ".join(event.value.split()) if isinstance(event, yaml.ScalarEvent) else ""
