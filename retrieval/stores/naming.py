"""The names of chunks when several collections are read as one.

An id is unique only in its collection, so the collection's name is prefixed. A source keeps its name, by which people
know it, unless two of the collections have the same one: then a citation must distinguish them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from retrieval.stores.metadata import Where, listed
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of one collection's chunks among others. `shared` are the sources that another one has too.

    >>> rules = Naming("rules", frozenset({"combat.md"}))
    >>> rules.id("combat/morale"), rules.source("combat.md"), rules.source("gear.md")
    ('rules:combat/morale', 'rules:combat.md', 'gear.md')
    """

    collection: str
    shared: frozenset[str] = frozenset()

    @property
    def prefix(self) -> str:
        """The prefix of every id. Names of collections have no colon, so no prefix begins another."""
        return f"{self.collection}:"

    def id(self, own: str) -> str:
        """Return the name of the chunk with the collection's `own` id."""
        return self.prefix + own

    def source(self, own: str) -> str:
        """Return the name of the collection's `own` source."""
        return self.prefix + own if own in self.shared else own

    def chunk(self, own: Chunk) -> Chunk:
        """Return the collection's `own` chunk under its names among others."""
        return replace(own, id=self.id(own.id), source=self.source(own.source))

    def own_ids(self, ids: Iterable[str]) -> list[str]:
        """Return the collection's own ids among these, as the collection knows them.

        >>> Naming("rules").own_ids(["rules:c1", "monsters:c1"])
        ['c1']
        """
        return [id_.removeprefix(self.prefix) for id_ in ids if id_.startswith(self.prefix)]

    def own_where(self, where: Where | None) -> Where | None:
        """Return the condition with the collection's own names.

        >>> Naming("rules").own_where({"id": ["rules:c1", "monsters:c1"], "tags": "combat"})
        {'id': ['c1'], 'tags': 'combat'}
        """
        own = {"id": self.own_ids, "source": self._own_sources}
        return where and {
            field: own[field](map(str, listed(value))) if field in own else value for field, value in where.items()
        }

    def _own_sources(self, sources: Iterable[str]) -> list[str]:
        return [own for name in sources for own in {name, name.removeprefix(self.prefix)} if self.source(own) == name]


def namings(sources: Mapping[str, Iterable[str]]) -> list[Naming]:
    """Return the naming of each collection, given the names of its sources.

    >>> [naming.source("a.md") for naming in namings({"rules": ["a.md"], "monsters": ["a.md", "b.md"]})]
    ['rules:a.md', 'monsters:a.md']
    """
    holders = Counter(source for own in sources.values() for source in set(own))
    shared = frozenset(source for source, count in holders.items() if count > 1)
    return [Naming(collection, shared) for collection in sources]
