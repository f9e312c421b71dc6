"""Front matter, lines of YAML between `---` and `---` or of TOML between `+++` and `+++` at the head of a page: the
title, labels with values, and lists of things, which become tables.

Only the parser's events are read, never objects. So a text stays as written (a date, a *no*), nothing is constructed,
and aliases, which can expand a few bytes to gigabytes, are dropped. If the YAML is malformed, its `key: value` lines
still count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import yaml

from retrieval.readers.documents.toml_matter import toml_values
from retrieval.readers.documents.wiki_links import without_links
from retrieval.text.identifiers import is_identifier
from retrieval.text.spelling import fold
from retrieval.types import Table

Path = tuple[str | int, ...]
"""The keys above a value, with the index in lists."""
LONGEST = 20_000
"""The most characters of front matter that are parsed as YAML; longer texts are read line by line."""
_DEEPEST = 12
"""The deepest nesting of mappings and lists."""
_MOST_VALUES = 400
"""The most labels of a page; front matter with more is a data file."""
_MENU_ENTRY = frozenset(("identifier", "name", "parent", "pageRef", "params", "post", "pre", "title", "url", "weight"))
"""The fields of a page's entry in a menu of its site, below `menus` and the menu's name: https://gohugo.io/content-management/menus
"""
_A_GROUP = 3
"""The fewest values of a mapping that is a group of facts, each under its own label; in a smaller one the label
includes the mapping's key.
"""
_BRIEF = 8
"""The most words of a value in a table."""
_CODED = re.compile(r"\w[_/]\w|://|^[#/.]")
_ROWS = 2
"""The fewest items of a list, and keys of these, for it to be a table."""
_ENDS = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t\r]*$", re.MULTILINE),
}
_LINE = re.compile(r"(?P<indent>[ \t]*)(?:- +)?(?P<key>[^\W_][\w .-]{0,48}?)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_WELL_FORMED = re.compile(r"[^\W_][\w .-]*:(?:\s|$)|[ \t]+\S|- |#")
_COMMENT = re.compile(r"(?:^|[ \t]+)#.*")
_QUOTED = re.compile(r"(?P<mark>[\"'])(?P<text>.*?)(?P=mark)\s*(?:#.*)?")
_CAMEL = re.compile(r"(?<=[a-z])[A-Z](?=[a-z])")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The title (empty if there is none), the labels with values, the number of lines, and what is odd about it."""

    title: str
    pairs: tuple[tuple[str, str], ...]
    lines: int
    odd: tuple[tuple[int, str], ...] = ()
    tables: tuple[Table, ...] = ()


def front_matter(text: str) -> FrontMatter | None:
    r"""Return the front matter at the start of a text.

    >>> front_matter("---\ntitle: Skiff\nbuilt: 2021-03-23 # in Bergen\ncrew: [Ann, Bo]\n---\nA boat.").pairs
    (('built', '2021-03-23'), ('crew', 'Ann, Bo'))
    >>> front_matter("---\nA line above, and one below.\n\n---\n")
    """
    first, _, rest = text.partition("\n")
    end = _ENDS[first.rstrip()].search(rest) if first.rstrip() in _ENDS else None
    if end is None:
        return None
    body = rest[: end.start()]
    values, odd = _read_toml(body) if first.startswith("+") else read_values(body)
    if values is None:
        return None
    title = next((value for path, value in values if _is_title(path)), "")
    tables, others = tables_in([(path, value) for path, value in values if not _is_of_menu(path)])
    return FrontMatter(without_links(title), labelled(others), body.count("\n") + 2, odd, tables)


def _is_title(path: Path) -> bool:
    return [str(key).casefold() for key in path] == ["title"]


def _is_of_menu(path: Path) -> bool:
    """True for what tells where a page stands in a menu, as the *weight* by which it is sorted there."""
    return len(path) > 2 and path[0] in ("menu", "menus") and path[2] in _MENU_ENTRY


def _read_toml(body: str) -> tuple[list[tuple[Path, str]] | None, tuple[tuple[int, str], ...]]:
    """Return the values of TOML; None if it is malformed."""
    try:
        values = toml_values(body[:LONGEST])
    except ValueError as error:
        return None, ((1, f"front matter that is not TOML ({error}); kept as text"),)
    return values[:_MOST_VALUES], ()


def tables_in(values: Sequence[tuple[Path, str]]) -> tuple[tuple[Table, ...], list[tuple[Path, str]]]:
    """Return the tables in lists of things, with the list's name as caption, and the values outside of them.

    >>> adult = [(("fares", 0, "name"), "Adult"), (("fares", 0, "price"), "5")]
    >>> tables_in([(("crew",), "3"), *adult, (("fares", 1, "name"), "Child")])[0][0].rows
    (('Adult', '5'), ('Child', ''))
    """
    lists: dict[Path, dict[int, dict[str, str]]] = {}
    for path, value in values:
        if len(path) > _ROWS and isinstance(path[-2], int) and isinstance(path[-1], str):
            lists.setdefault(path[:-2], {}).setdefault(path[-2], {})[path[-1]] = without_links(value)
    tables = {path: table for path, rows in lists.items() if (table := _table(path, list(rows.values())))}
    others = [(path, value) for path, value in values if path[:-2] not in tables or not isinstance(path[-2], int)]
    return tuple(tables.values()), others


def _table(path: Path, rows: Sequence[dict[str, str]]) -> Table | None:
    """Return the table of a list of things with brief values.

    All things must have the first key of the first one, each with a different value. Paths and file names are for
    programs and make no table.
    """
    keys = list(dict.fromkeys(key for row in rows for key in row))
    names = {row[keys[0]] for row in rows if keys[0] in row}
    is_brief = all(len(value.split()) <= _BRIEF and not _CODED.search(value) for row in rows for value in row.values())
    if len(names) < max(_ROWS, len(rows)) or len(keys) < _ROWS or not is_brief:
        return None
    caption = " ".join(plain_key(key) for key in path if isinstance(key, str))
    heads = tuple((plain_key(key),) for key in keys)
    return Table(caption, heads, tuple(tuple(row.get(key, "") for key in keys) for row in rows))


def read_values(body: str) -> tuple[list[tuple[Path, str]] | None, tuple[tuple[int, str], ...]]:
    """Return the values with their paths, and what is odd as (line, message); None if it is not front matter."""
    line, reason = 2, f"more than {LONGEST:,} characters"
    if len(body) <= LONGEST:
        try:
            return list(_values(body)), ()
        except yaml.MarkedYAMLError as error:
            line += error.problem_mark.line if error.problem_mark else 0
            reason = str(error.problem)
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # also an escape of an invalid character
            reason = str(error).split("\n", 1)[0]
    if not looks_like_yaml(body):
        return None, ()
    return list(_by_lines(body)), ((line, f"front matter that is not YAML ({reason}); only its plain lines are read"),)


class _NotRead(ValueError):
    """Front matter in an unsupported form."""


@dataclass(slots=True)
class _Open:
    """An open mapping or list; `key` is the key of the next value, None if the next text is a key."""

    path: Path
    is_list: bool
    key: str | None = None
    place: int = 0

    def next_path(self) -> Path:
        return (*self.path, self.place) if self.is_list else (*self.path, self.key or "")


def _values(body: str) -> Iterator[tuple[Path, str]]:
    stack: list[_Open] = []
    for count, event in enumerate(yaml.parse(body, Loader=yaml.BaseLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append(_opened(event, stack))
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
            _value_ends(stack)
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            text = event.value if isinstance(event, yaml.ScalarEvent) else ""
            if not stack:
                raise _NotRead("it has no keys")
            here = stack[-1]
            if not here.is_list and here.key is None:
                here.key = text
                continue
            if value := " ".join(text.split()):
                yield here.next_path(), value
            _value_ends(stack)
        if count > 10 * _MOST_VALUES:
            raise _NotRead(f"more than {_MOST_VALUES} values")


def _opened(event: yaml.CollectionStartEvent, stack: Sequence[_Open]) -> _Open:
    is_list = isinstance(event, yaml.SequenceStartEvent)
    if not stack and is_list:
        raise _NotRead("a list")
    if len(stack) >= _DEEPEST:
        raise _NotRead(f"nested more than {_DEEPEST} deep")
    if stack and not stack[-1].is_list and stack[-1].key is None:
        raise _NotRead("a key that is no text")
    return _Open(stack[-1].next_path() if stack else (), is_list)


def _value_ends(stack: Sequence[_Open]) -> None:
    if stack:
        stack[-1].key = None
        stack[-1].place += 1


def looks_like_yaml(body: str) -> bool:
    """True if the first line is a key and most lines, the first of each block among them, look like YAML."""
    lines = body.split("\n")
    told = [line for line in lines if line.strip()]
    keys = [line for line in told if not line.startswith("#")]
    if not keys or not _LINE.fullmatch(keys[0].rstrip("\r")):
        return not keys
    begins = [line for before, line in zip(["", *lines], lines, strict=False) if line.strip() and not before.strip()]
    return all(map(_WELL_FORMED.match, begins)) and 2 * sum(bool(_WELL_FORMED.match(line)) for line in told) > len(told)


def _by_lines(body: str) -> Iterator[tuple[Path, str]]:
    """Yield the `key: value` lines at any depth."""
    count = 0
    for line in body[:LONGEST].split("\n"):
        match = _LINE.fullmatch(line)
        if match and (value := _plain(match["value"] or "")) and count < _MOST_VALUES:
            count += 1
            yield (match["key"].strip(),), value


def _plain(value: str) -> str:
    """Return a value without quotes and comment; empty for a block or an alias."""
    if quoted := _QUOTED.fullmatch(value.strip()):
        return " ".join(quoted["text"].split())
    plain = _COMMENT.sub("", value).strip()
    return "" if plain in ("|", ">", "|-", ">-") or plain[:1] in "&*" else plain.strip("\"'[]")


def labelled(values: Iterable[tuple[Path, str]]) -> tuple[tuple[str, str], ...]:
    """Return one label for each path, with all values of a list; the label is the key, preceded by outer keys if
    needed.
    """
    told: dict[tuple[str, ...], list[str]] = {}
    for places, value in values:
        told.setdefault(tuple(key for key in places if isinstance(key, str)), []).append(value)
    size = Counter(path[:-1] for path in told)
    found: dict[str, str] = {}
    for path in sorted(told, key=len):
        if _is_title(path):
            continue
        words = 1 if len(path) == 1 or size[path[:-1]] >= _A_GROUP else 2
        while (label := _label(path[-words:])) in found and words < len(path):
            words += 1
        if label and label not in found:
            found[label] = ", ".join(map(without_links, told[path]))
    return tuple(found.items())


def _label(path: Sequence[str]) -> str:
    return " ".join(filter(None, map(plain_key, path)))


def plain_key(key: str) -> str:
    """Return the words of a key: *last_updated* and *lastUpdated* have two; an identifier stays whole."""
    if is_identifier(fold(key)):
        return key
    return " ".join(re.sub(r"[_-]+", " ", _CAMEL.sub(lambda capital: " " + capital[0].lower(), key)).split())
