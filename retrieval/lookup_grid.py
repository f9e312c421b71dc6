"""A table's axes: which row and which columns the keys, the subject and the wanted words of a query find.

A key may run down the rows or across the columns, as a single value or a band, and of two bands that cover a value the
narrower one is meant. Nothing is guessed: every key has to be met.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from retrieval.lookup_heads import bag, is_form_of, same_name, share_of_head, want_score
from retrieval.lookup_words import want_words
from retrieval.spans import Label, read_label, value
from retrieval.text import phrase
from retrieval.types import Table
from retrieval.vocabulary import vocabulary

_ORDINARY = frozenset({"common", "normal", "ordinary", "standard", "typical"})
_BETWEEN = re.compile(r"[&/,]| and | or ")
_EITHER = re.compile(r"[a-z]+(?:/[a-z]+)+", re.IGNORECASE)
_GENERIC_HEADS = (frozenset({"score"}), frozenset({"value"}), frozenset({"rating"}))


@dataclass(frozen=True, slots=True)
class CellQuery:
    """What to read. `subject` names whose table or row it is (empty: anybody's); `keys` are `(name, value)` pairs
    that must all be met (an empty name: any column of words); `want` names the column, best wording first, and may
    be empty where two keys pin the cell down."""

    subject: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    want: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    columns: tuple[tuple[int, float], ...]
    keys: int
    subject: float
    width: float


class Grid:
    """A table's axes: which columns hold keys, which heads are values of a key."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.name = name
        self.heads = [" ".join(path) for path in table.columns]
        # What is the same for every row is worked out once.
        self._key_columns_of: dict[str, list[int]] = {}
        self._columns_of_key: dict[tuple[str, str, bool], set[int]] = {}
        self._columns_of_subject: dict[str, list[int]] = {}

    def lists(self, subject: str) -> bool:
        """True where the rows tell apart what the table's name has together: *Fighter*, *Paladin*, *Ranger*."""
        names = {row[0] for row in self.table.rows}
        return len(names) > 1 and any(same_name(name, subject) for name in names)

    def match(self, r: int, query: CellQuery, subject_named: bool) -> Match | None:
        """What of row `r` answers the query, or None. Every key has to be met by the row or by a column."""
        row, width, found = self.table.rows[r], 0.0, 0
        columns: set[int] | None = None
        used: set[int] = set()
        if subject_named and query.subject and not query.keys and (value_column := self._value_column) is not None:
            fit = want_score(query.want, row[0])
            if fit > 0:
                return Match(((value_column, fit),), 0, 0.0, 0.0)
        for name, wanted in sorted(query.keys, key=lambda key: not self._key_columns(key[0])):
            if (place := self._row_key(row, name, wanted)) is not None:
                used.add(place[0])
                width += place[1]
            elif not self._key_columns(name) and (across := self._column_key(name, wanted, bool(used))):
                columns = across if columns is None else columns & across
            else:
                return None
            found += 1
        subject = 0.0
        if not subject_named:
            named = self._named_by_key(columns, used, query.subject) or self._named_in(row, query.subject)
            if named is None:
                return self._subject_across(row, query, found, width) if columns is None else None
            subject = named[0]
            used.update(named[1:])
        asked = 0.0
        if columns is not None and not used and 0 not in columns and not (asked := want_score(query.want, row[0])):
            return None  # nothing says that it is this row
        if columns is not None and not self._is_about(query.want, row):
            return None
        fits = self._fits(columns, used, query.want, pinned=bool(query.keys) and subject_named)
        return Match(tuple((c, max(fit, asked)) for c, fit in fits), found, subject, width) if fits else None

    def _key_columns(self, name: str) -> list[int]:
        """Columns whose values are keys called `name`: the head says it, and is no value of it itself."""
        if name not in self._key_columns_of:
            self._key_columns_of[name] = self._found_key_columns(name)
        return self._key_columns_of[name]

    def _found_key_columns(self, name: str) -> list[int]:
        wanted = bag(name)
        if wanted and wanted <= bag(self.name) and self.heads and is_generic(self.heads[0]):
            return [0]
        return [
            c
            for c, head in enumerate(self.heads)
            if wanted
            and wanted <= bag(head)
            and read_label(head).span is None
            and (c == 0 or bag(head) == wanted)
            and not (c == 0 and self._corner)
        ]

    def _row_key(self, row: Sequence[str], name: str, wanted: str) -> tuple[int, float] | None:
        """The column in which this row has the key, and how wide its band is (0 for an exact value)."""
        places = self._key_columns(name) if name else range(len(row))
        for c in places:
            label = read_label(row[c])
            number = _number(wanted)
            if number is not None and label.span is not None and number in label.span:
                return c, min(label.span.width, 50.0) / 100
            if number is None and same_name(row[c], wanted):
                return c, 0.0
        return None

    def _column_key(self, name: str, wanted: str, bare_bands: bool) -> set[int]:
        """The columns whose heads are the key: under a spanning head of that name, as *Level 4-6*, or bare bands
        where the rows already answered another key."""
        key = name, wanted, bare_bands
        if key not in self._columns_of_key:
            self._columns_of_key[key] = self._found_columns_of_key(name, wanted, bare_bands)
        return self._columns_of_key[key]

    def _found_columns_of_key(self, name: str, wanted: str, bare_bands: bool) -> set[int]:
        number, spans = _number(wanted), {}
        for c, path in enumerate(self.table.columns):
            label = read_label(path[-1]) if path else Label((), None)
            named = bag(name) <= (bag(" ".join(path[:-1] or self._corner)) | frozenset(label.name))
            bare = bare_bands and len(path) == 1 and not label.name and c > 0
            if number is None and path and any(same_name(p, wanted) for p in (path[-1], *_listed(path[-1]))):
                spans[c] = 0.0
            elif number is not None and label.span is not None and number in label.span and (named or bare):
                spans[c] = label.span.width + (0.5 if not named else 0.0)
        narrowest = min(spans.values(), default=math.inf)
        return {c for c, width in spans.items() if width == narrowest}

    def _named_by_key(
        self, columns: Collection[int] | None, used: Collection[int], subject: str
    ) -> tuple[float] | None:
        """A score where a key's own head says whose it is: the *Cleric Level* above the columns, or of a row."""
        heads = [" ".join(self.table.columns[c][:-1]) for c in columns or ()] + [self.heads[c] for c in used]
        return (2.0,) if any(bag(subject) < bag(head) for head in heads) else None

    def _named_in(self, row: Sequence[str], subject: str) -> tuple[float, int] | None:
        """The column of this row that names the subject, exactly or in a list (*Fighter, Paladin*)."""
        for c, text in enumerate(row):
            if same_name(text, subject):
                return 3.0, c
        for c, text in enumerate(row):
            if any(same_name(part, subject) for part in _listed(text)):
                return 2.0, c
        return None

    def _subject_across(self, row: Sequence[str], query: CellQuery, keys: int, width: float) -> Match | None:
        """The subject heads a column and the row is what is wanted: stat blocks side by side."""
        if query.subject not in self._columns_of_subject:
            self._columns_of_subject[query.subject] = [
                c
                for c, path in enumerate(self.table.columns)
                if c and path and any(same_name(p, query.subject) for p in (path[-1], *_listed(path[-1])))
            ]
        columns = self._columns_of_subject[query.subject]
        fit = want_score(query.want, row[0]) if columns else 0.0
        return Match(((columns[0], fit),), keys, 2.0, width) if fit > 0 else None

    def _fits(
        self, columns: set[int] | None, used: set[int], want: Sequence[str], pinned: bool
    ) -> list[tuple[int, float]]:
        """The columns to read with how well each says what is wanted; only the best where several compete.

        Where subject and keys have `pinned` the row, less of the wording has to be there.
        """
        candidates = [c for c in (columns if columns is not None else range(len(self.heads))) if c not in used]
        if columns is not None:
            return [(c, want_score(want, self.heads[c])) for c in candidates]
        scored = []
        for c in candidates:
            head = self._own_heads[c]
            fit = want_score(want, head, self._told)
            scored.append((c, max(fit, share_of_head(want, head, self._told)) if pinned else fit))
        best = max((fit for _, fit in scored), default=0.0)
        return [(c, fit) for c, fit in scored if fit == best and fit > 0 and not self._is_one_of_many(c, want)]

    def _is_one_of_many(self, column: int, want: Sequence[str]) -> bool:
        """*Zone B* beside *Zone A*, where nobody said which zone; so *Harm: Huge* beside *Harm: Small*."""
        kind, colon, one = self.heads[column].partition(":")
        if colon and sum(head.startswith(f"{kind}:") for head in self.heads) > 1:
            return not any(want_words(one) & want_words(wording) for wording in want)
        words = phrase(self.heads[column])
        numbered = len(words) > 1 and (words[-1].isdigit() or len(words[-1]) == 1)
        if not numbered or any(words[-1] in phrase(wording) for wording in want):
            return False
        return sum(phrase(head)[:-1] == words[:-1] for head in self.heads) > 1

    def _is_about(self, want: Sequence[str], row: Sequence[str]) -> bool:
        """Two keys find a cell in any cross table of theirs; some word of what is wanted has to be the table's."""
        words = frozenset(word for wording in want for word in want_words(wording))
        said = want_words(f"{self.name} {row[0]} {' '.join(self.heads)}")
        return not words or any(is_form_of(word, other) for word in words for other in said)

    @cached_property
    def _corner(self) -> tuple[str, ...]:
        """The head of the first column where it names what runs across: *Strength | 3-6 | 7-14 | 15*."""
        across = [read_label(head).span is not None for head in self.heads[1:]]
        down = any(read_label(row[0]).span is not None for row in self.table.rows)
        return (self.heads[0],) if len(across) > 1 and all(across) and not down else ()

    @cached_property
    def _value_column(self) -> int | None:
        """Where each row is a label with its value: the column of values, of several the ordinary kind's."""
        if len(self.heads) == 2:
            return 1
        if not self.heads or self.heads[0].strip():
            return None
        return next((c for c, head in enumerate(self.heads) if c and bag(head) and bag(head) <= _ORDINARY), None)

    @cached_property
    def _common(self) -> frozenset[str]:
        """Words of a head that spans many columns; they don't tell these columns apart."""
        spanning = [path[0] for path in self.table.columns if len(path) > 1]
        return frozenset(t for head in spanning if spanning.count(head) > 1 for t in phrase(head))

    @cached_property
    def _own_heads(self) -> list[str]:
        """Each column's head without the words that it shares with its neighbours."""
        return [" ".join(t for t in phrase(head) if t not in self._common) or head for head in self.heads]

    @cached_property
    def _told(self) -> frozenset[str]:
        """The words that the table's names and spanning heads have said already."""
        return want_words(f"{self.name} {' '.join(sorted(self._common))}")


def is_generic(head: str) -> bool:
    """True for the head of a key column that leaves it to the caption to say what the key is."""
    words = bag(head)
    return words in _GENERIC_HEADS or any(words == bag(other) for other in vocabulary().key_heads)


@lru_cache(maxsize=16384)
def _listed(text: str) -> tuple[str, ...]:
    """What a cell has in a list, and of *Sword, claymore/bastard* each sword."""
    parts = _BETWEEN.split(text)
    either = _EITHER.search(text) if len(parts) > 1 else None
    choices = [text[: either.start()] + one + text[either.end() :] for one in either[0].split("/")] if either else []
    return (*map(str.strip, parts), *choices) if len(parts) > 1 else ()


@lru_cache(maxsize=4096)
def _number(text: str) -> float | None:
    try:
        return value(text)
    except ValueError:
        return None
