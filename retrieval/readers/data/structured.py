r"""YAML, JSON, TOML and XML files of data: a list of things is a table, labels with values are a record, each part
under its key.

Only files that hold such a list are data; others are settings of some program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from retrieval.errors import SourceError
from retrieval.readers.data.parsed import PARSERS, of_json
from retrieval.readers.data.records import holds_chunks, read_records
from retrieval.readers.documents.document import Document, Paragraph, Placed, Records, Section, text_of
from retrieval.readers.documents.front_matter import plain_key
from retrieval.readers.documents.yaml_nodes import Node
from retrieval.types import Table

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_AMOUNT_AND_UNIT = 2
_FEWEST = 2
"""The fewest things of a table, and the fewest keys that most of them share."""
_MOSTLY = 0.5
"""The share of the things that have a key in common."""


def read_data(path: Path) -> Document:
    """Read a YAML, TOML or XML file; `SourceError` names the line of a malformed one."""
    name = path.suffix.lower().removeprefix(".").replace("yml", "yaml").upper()
    try:
        return _document(PARSERS[path.suffix.lower()](text_of(path)))
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SourceError(f"not {name}: {error.problem}", f"{path}{line}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise SourceError(f"not {name}: {error}", str(path)) from error


def read_json(path: Path) -> Document | Records:
    """Read a JSON file: chunks, or else data."""
    text = text_of(path)
    return _document(of_json(text)) if is_data(text, path.suffix) and not holds_chunks(text) else read_records(path)


def is_data(text: str, suffix: str) -> bool:
    r"""Return whether a text holds a list of things with labels in common.

    >>> is_data("boats:\n- name: Reed\n  crew: 3\n- name: Sedge\n  crew: 8\n", ".yaml"), is_data("crew: 3", ".yaml")
    (True, False)
    """
    try:
        parts = PARSERS[suffix.lower()](text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return False
    return _holds_things(list(parts))


def _holds_things(node: Node) -> bool:
    if _things_of(node):
        return True
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return any(map(_holds_things, inner))


def _document(parts: Sequence[Node]) -> Document:
    is_list = len(parts) > 1 and bool(_things_of(list(parts)))  # of YAML, each document may be a thing
    return Document(tuple(section for part in ([list(parts)] if is_list else parts) for section in _sections(part, ())))


def _sections(node: Node, headings: tuple[str, ...]) -> Iterator[Section]:
    """Yield the section of a node, and those of its parts below it."""
    if things := _things_of(node):
        yield Section(headings, 1, [Placed(_table(things, headings), 1)])
        return
    if isinstance(node, list):
        yield Section(headings, 1, [Paragraph("\n".join(f"- {_text(item)}" for item in node), 1)])
        return
    members = node if isinstance(node, dict) else {"": node}
    pairs = tuple((plain_key(key), _text(value)) for key, value in members.items() if _is_brief(value))
    record = Table("", ((), ()), tuple(pair for pair in pairs if all(pair)))
    yield Section(headings, 1, [Placed(record, 1)] if record.rows else [])
    for key, value in members.items():
        if not _is_brief(value):
            yield from _sections(value, (*headings, plain_key(key).capitalize()))


def _is_brief(value: Node) -> bool:
    """True for a text and a list of texts."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def _things_of(node: Node) -> list[dict[str, Node]]:
    """Return the things of a list, or of a mapping of names to things; empty if they have too few labels in common."""
    if isinstance(node, dict) and all(isinstance(value, dict) for value in node.values()):
        things = [{"": name, **value} for name, value in node.items() if isinstance(value, dict)]
    else:
        things = [item for item in node if isinstance(item, dict)] if isinstance(node, list) else []
    counted = Counter(key for thing in things for key, value in thing.items() if isinstance(value, str))
    shared = [key for key, count in counted.items() if count >= max(_FEWEST, _MOSTLY * len(things))]
    return things if len(things) >= _FEWEST and len(shared) >= _FEWEST else []


def _table(things: Sequence[Mapping[str, Node]], headings: Sequence[str]) -> Table:
    """Return the things as rows; their labels, in the order in which they first stand, are the columns."""
    keys = list(dict.fromkeys(key for thing in things for key in thing))
    rows = tuple(tuple(_text(thing.get(key, "")) for key in keys) for thing in things)
    heads = tuple((plain_key(key).capitalize(),) if key else () for key in keys)
    return Table(headings[-1] if headings else "", heads, rows)


def _text(value: Node) -> str:
    """Return a value as a text: a list with commas, a mapping with its labels, a number with its unit as *9 m*."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    amount, *unit = map(_text, value.values()) if len(value) == _AMOUNT_AND_UNIT else ("",)
    if _NUMBER.fullmatch(amount) and unit[0] and not _NUMBER.search(unit[0]):
        return f"{amount} {unit[0]}"
    return "; ".join(f"{plain_key(key)}: {_text(part)}" for key, part in value.items() if part)
