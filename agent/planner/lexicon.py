"""The names that a book knows: its stat blocks' titles and the subjects of its tables' rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.catalog import Catalog
from retrieval.text import ABILITIES, TERMS, normal, title_key

LONGEST = 7
_NEVER = frozenset({*TERMS.values(), *ABILITIES, "level", "attack", "damage", "armor", "hit", "roll", "class", "fight"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A known name in a text: tokens [start, end), and the name as the book writes it."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Known names by `title_key`, as the book writes them."""

    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_catalog(cls, catalog: Catalog) -> Lexicon:
        """The names of a collection."""
        return cls({key: name for key, name in catalog.names.items() if key not in _NEVER})

    def at(self, tokens: Sequence[str], start: int) -> Mention | None:
        """The longest known name that begins at `start`, in any order of its words (*winter wolf*)."""
        for end in range(min(len(tokens), start + LONGEST), start, -1):
            if "," in (tokens[start], tokens[end - 1]):
                continue
            key = " ".join(sorted(t for t in tokens[start:end] if t not in (",", "the", "a", "an")))
            if key in self.names:
                return Mention(start, end, self.names[key])
        return None

    def mentions(self, tokens: Sequence[str]) -> list[Mention]:
        """All known names in a text, the longest first where they overlap, from left to right."""
        found: list[Mention] = []
        i = 0
        while i < len(tokens):
            mention = self.at(tokens, i) if tokens[i] not in ("the", "a", "an") else None
            if mention is not None:
                found.append(mention)
            i = mention.end if mention else i + 1
        return found

    def knows(self, text: str) -> bool:
        """True when the book has this very name."""
        return bool(normal(text)) and title_key(text) in self.names
