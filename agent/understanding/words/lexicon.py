"""The known names of a collection: its stat blocks, the subjects of its tables, and the things that its tables list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain

from agent.understanding.words.clauses import ARTICLES, COMMA
from agent.understanding.words.measures import measures
from agent.understanding.words.subjects import described_in, labels_in, names_in, short_names, things_in
from retrieval.catalogs.catalog import Catalog
from retrieval.processes.memory import uncollected
from retrieval.text.normal import title_key
from retrieval.text.vocabulary import vocabulary

LONGEST = 7
_UNNAMED = ARTICLES | {COMMA}
_NEVER_LAST = _UNNAMED | {"and", "or"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A known name in a text: tokens [start, end), and the name as the collection writes it."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class Lexicon:
    """Known names by `title_key`, as the collection writes them.

    `names` are entities that can fight or be asked about, `things` the other rows of tables (weapons, goods). `axes`
    are what the tables of a name are keyed by, and `holders` the titles of the tables with a name in a row. `described`
    are the names with a record of all labels that, by a vocabulary, describe an entity in full. `labels` are the column
    headers and record labels under which a name has values.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    described: frozenset[str] = frozenset()
    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def from_catalog(cls, catalog: Catalog) -> Lexicon:
        """Read the names of a collection."""
        with uncollected():
            known, described, never = names_in(catalog), described_in(catalog), measures() | set(vocabulary().never)
            names = {key: name for key, name in known.items() if key not in never}
            rows = things_in(catalog)
            things = _as_one_word(rows) | rows
            things = {key: name for key, name in things.items() if key not in never | names.keys()}
            written = [names[key] for key in sorted(described & names.keys())]
            short = short_names(written, chain(catalog.titles, names, things))
            described |= short.keys()
            return cls(short | names, things, catalog.axes, catalog.holders, described, labels_in(catalog))

    def at(self, tokens: Sequence[str], start: int) -> Mention | None:
        """Return the longest known name that begins at `start`, with its words in any order (*winter wolf*,
        *cut-purse*).
        """
        if not self._may_begin(tokens, start):
            return None
        for end in range(min(len(tokens), start + LONGEST), start, -1):
            if tokens[end - 1] in _NEVER_LAST:
                continue
            words = [t for t in tokens[start:end] if t not in _UNNAMED]
            keys = (" ".join(sorted(words)), *(["".join(words)] if len(words) == 2 else ()))
            for key in keys:
                if (name := self.names.get(key) or self.things.get(key)) is not None:
                    return Mention(start, end, name)
        return None

    def _may_begin(self, tokens: Sequence[str], start: int) -> bool:
        """Return whether a name has this word, or equals this and the next word joined; few words of a question do."""
        if tokens[start] == COMMA:
            return False
        words = [t for t in tokens[start : start + LONGEST] if t not in _UNNAMED][:2]
        joined = "".join(words)
        return not self.words.isdisjoint(words[:1]) or joined in self.names or joined in self.things

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of names."""
        return frozenset(word for names in (self.names, self.things) for key in names for word in key.split())

    @cached_property
    def labelled(self) -> frozenset[str]:
        """The names with labels, and all labels."""
        return frozenset(self.labels).union(*self.labels.values())

    @cached_property
    def sorts(self) -> frozenset[str]:
        """The words that things are sorted under: *mace* for *Mace, footman's*."""
        kinds = (name.split(", ")[0] for name in self.things.values() if ", " in name)
        return frozenset(key for key in map(title_key, kinds) if " " not in key)

    def mentions(self, tokens: Sequence[str]) -> list[Mention]:
        """Return all known names in a text, from left to right; the longest wins where they overlap."""
        return list(self._mentioned(tuple(tokens)))

    @cached_property
    def _mentioned(self) -> Callable[[tuple[str, ...]], tuple[Mention, ...]]:
        """Find names with a cache of the last few texts: planning looks through the same sentence a dozen times."""
        return lru_cache(maxsize=256)(lambda tokens: tuple(self._mentions(tokens)))

    def _mentions(self, tokens: Sequence[str]) -> Iterator[Mention]:
        i = 0
        while i < len(tokens):
            mention = self.at(tokens, i) if tokens[i] not in ARTICLES else None
            if mention is not None:
                yield mention
            i = mention.end if mention else i + 1

    def is_thing(self, mention: Mention) -> bool:
        """True for a row of a table of goods: a weapon or an alloy, never a combatant."""
        return title_key(mention.name) in self.things

    def is_described(self, words: Sequence[str]) -> bool:
        """True for a name whose record describes it in full: a creature with its armor class and hit dice."""
        return title_key(" ".join(words)) in self.described


def _as_one_word(names: Mapping[str, str]) -> dict[str, str]:
    """Return names of two words under both ways to join them: *longsword* for *Sword, long*."""
    pairs = (
        (key.split(), name) for key, name in names.items() if key.count(" ") == 1 and key.replace(" ", "").isalpha()
    )
    return {joined: name for (a, b), name in pairs for joined in (a + b, b + a)}
