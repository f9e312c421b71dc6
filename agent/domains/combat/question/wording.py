"""The words of questions about fights, which are data: `wording.toml` has each list by its name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from agent.languages.phrases import Phrase


@cache
def words(*names: str) -> frozenset[str]:
    """The words of a list, or of several together.

    >>> sorted(words("versus"))
    ['against', 'v', 'versus', 'vs']
    """
    lists = _data()
    return frozenset(word for name in names for word in lists[name])


@cache
def plain_words() -> Mapping[Phrase, str]:
    """What each word or phrase of fighting is read as."""
    return {tuple(said.split()): plain for plain, all_said in _data()["plain"].items() for said in all_said}


@cache
def several() -> Mapping[str, int]:
    """The words for so many: *a pair*, *a dozen*."""
    counts: Mapping[str, int] = _data()["several"]
    return counts


@cache
def _data() -> Mapping[str, Any]:
    text = files("agent.domains.combat").joinpath("wording.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
