r"""Which chunks a wanted entry means.

Entries come from people: some copy a chunk's id, some a title, some describe what they want. An entry is read in the
strictest of these ways that matches any chunk of the collection:

1. *pattern* `/…/`: a regular expression, case ignored, found in the title. Such an entry is never read otherwise.
2. *id*: the chunk with exactly this id.
3. *place* `A > B > Title`, of which the front may be missing, down to the title alone: the chunk's headings and title
   end so, or its headings alone do (then it stands directly under that heading). An entry with a `>` is never read
   otherwise. Names are compared in normal form, order and plurals aside. A chunk goes by its title, by its title
   without a part's number (`(2)`, `(1 of 3)`), and by the captions of its tables, as each row of a split table does.
4. *words*: every content word is in the title or a heading; a number belongs to the word before it (`armor class 6`).
5. *words without remarks*: the same for what stands before the first colon, outside of parentheses.
6. *words with labels*: the same, with the captions, column heads and row keys of the chunk's tables as well.

Books print one table for every class and level, and an entry that names such a table means the row that the question is
about: of the chunks found by 3 to 6, those whose own rule the whole question satisfies are meant, or all if it
satisfies none. (A rule that wrongly holds is trusted; name the row, or use a pattern or an id, to judge rules too.)
An entry that matches in no reading means no chunk, and never counts as found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from retrieval.filters.rule import judge
from retrieval.text.normal import STOP_WORDS, Tokens, Words, is_number, normal, title_key
from retrieval.types import Chunk

Ids = frozenset[str]

_PART = re.compile(r"\s+\(\d+(?: of \d+)?\)$")
_STEP = re.compile(r"\s+>\s+")
_IN_PARENTHESES = re.compile(r"\([^()]*\)")


class ChunkIndex:
    """All chunks of a collection, indexed for wanted entries.

    >>> index = ChunkIndex([Chunk("c1", "…", "Troll, Ice (2)", headings=("Giants", "Troll, Ice"))])
    >>> sorted(index.find("Giants > Ice Trolls")), sorted(index.find("Troll"))
    (['c1'], ['c1'])
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = {chunk.id: chunk for chunk in chunks}

    def find(self, entry: str, question: str = "") -> Ids:
        """Return the ids of the chunks that an entry means for a question; empty if nothing in the collection fits."""
        pattern = pattern_of(entry)
        if pattern is not None:
            return frozenset(id_ for id_, chunk in self._chunks.items() if pattern.search(chunk.title))
        if entry in self._chunks:
            return frozenset({entry})
        found = next((found for found in self._readings(entry) if found), Ids())
        words = Words(question)
        return frozenset(id_ for id_ in found if judge(words, self._chunks[id_].query_must)) or found

    def _readings(self, entry: str) -> Iterator[Ids]:
        place = tuple(map(title_key, _STEP.split(entry.strip())))
        yield frozenset(self._places.get(place, ()))
        if len(place) > 1:
            return
        plain = _IN_PARENTHESES.sub(" ", entry).split(":", 1)[0]
        yield _with_all(terms(entry), self._names)
        yield _with_all(terms(plain), self._names)
        yield _with_all(terms(plain), self._labels)

    @cached_property
    def _places(self) -> dict[Tokens, set[str]]:
        found: dict[Tokens, set[str]] = {}
        for chunk in self._chunks.values():
            for place in _places(chunk):
                for start in range(len(place)):
                    found.setdefault(place[start:], set()).add(chunk.id)
        return found

    @cached_property
    def _names(self) -> dict[str, list[Words]]:
        return {id_: [Words(text) for text in (*c.headings, c.title)] for id_, c in self._chunks.items()}

    @cached_property
    def _labels(self) -> dict[str, list[Words]]:
        return {
            id_: [*self._names[id_], *map(Words, dict.fromkeys(_table_labels(chunk)))]
            for id_, chunk in self._chunks.items()
        }


def pattern_of(entry: str) -> re.Pattern[str] | None:
    """Return the regular expression of an entry between slashes, None for any other; `re.error` if it is malformed.

    >>> bool(pattern_of("/^strength/").search("Strength Table"))
    True
    """
    if len(entry) > 2 and entry.startswith("/") and entry.endswith("/"):
        return re.compile(entry[1:-1], re.IGNORECASE)
    return None


def terms(text: str) -> tuple[Tokens, ...]:
    """Return the content words of a text, each number together with the word before it.

    >>> terms("the fighter matrix, AC 9")
    (('fighter',), ('matrix',), ('armor class',), ('armor class', '9'))
    """
    words = [token for token in normal(text) if token not in STOP_WORDS]
    return tuple(
        (before, word) if before and is_number(word) and not is_number(before) else (word,)
        for before, word in pairwise(["", *words])
    )


def _places(chunk: Chunk) -> Iterator[Tokens]:
    """Yield the chunk's headings, and its headings with each of its names; all as title keys."""
    headings = tuple(map(title_key, chunk.headings))
    names = (chunk.title, _PART.sub("", chunk.title), *(table.caption for table in chunk.tables))
    yield headings
    yield from {(*headings, key) for key in map(title_key, names) if key}


def _with_all(wanted: tuple[Tokens, ...], texts_of: dict[str, list[Words]]) -> Ids:
    if not wanted:
        return frozenset()
    return frozenset(
        id_ for id_, texts in texts_of.items() if all(any(text.has(term) for text in texts) for term in wanted)
    )


def _table_labels(chunk: Chunk) -> Iterator[str]:
    for table in chunk.tables:
        yield table.caption
        yield from (" ".join(path) for path in table.columns)
        yield from (row[0] for row in table.rows if row)
