"""The data file of a language: its sections, and the words and phrases in their lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent.languages.phrases import Phrase
from retrieval.text.normal import phrase


def listed(section: str, name: str) -> cached_property[frozenset[str]]:
    """Return an attribute for a list of the file: its words in their normal form.

    >>> from agent.languages.language import english
    >>> "versus" in english().joining
    True
    """

    def words(language: Lists) -> frozenset[str]:
        return language._words(section, name)

    return cached_property(words)


@dataclass(frozen=True)
class Lists:
    """The data of a file, by section and list."""

    data: Mapping[str, Any]

    def _section(self, name: str) -> Mapping[str, Any]:
        """Return a section of the file; empty if it has none."""
        section: Mapping[str, Any] = self.data.get(name, {})
        return section

    def _words(self, section: str, name: str) -> frozenset[str]:
        return frozenset(word for said in self._section(section).get(name, ()) for word in phrase(said))

    def _longest_first(self, section: str, name: str) -> tuple[Phrase, ...]:
        return tuple(sorted(self._phrases(section, name), key=len, reverse=True))

    def _phrases(self, section: str, name: str) -> tuple[Phrase, ...]:
        return tuple(map(phrase, self._section(section).get(name, ())))
