"""The words of questions about fights: each list of `wording.toml` by its name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from agent.languages.phrases import Phrase


@cache
def words(*names: str) -> frozenset[str]:
    """Return the words of a list, or of several lists together.

    >>> sorted(words("versus"))
    ['against', 'v', 'versus', 'vs']
    """
    lists = _data()
    return frozenset(word for name in names for word in lists[name])


@cache
def plain_words() -> Mapping[Phrase, str]:
    """Return the plain form of each word or phrase of fighting."""
    return {tuple(said.split()): plain for plain, all_said in _data()["plain"].items() for said in all_said}


@cache
def several() -> Mapping[str, int]:
    """Return the number that each counting noun stands for: *a pair*, *a dozen*."""
    counts: Mapping[str, int] = _data()["several"]
    return counts


@cache
def _data() -> Mapping[str, Any]:
    text = files("agent.domains.combat").joinpath("wording.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
