"""What books call what fights are computed from: data, in `profile.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Profile:
    """Labels and words, each in the order in which they are tried; the file says what they mean."""

    defense: tuple[str, ...]
    hit_points: tuple[str, ...]
    to_hit: tuple[str, ...]
    routine: tuple[str, ...]
    by_hand: tuple[str, ...]


@cache
def profile() -> Profile:
    """The profile of this domain, read once."""
    text = files("agent.domains.combat").joinpath("profile.toml").read_text(encoding="utf-8")
    return Profile(**{name: tuple(words) for name, words in tomllib.loads(text).items()})
