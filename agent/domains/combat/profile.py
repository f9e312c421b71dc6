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
    size: tuple[str, ...]
    roll_to_hit: tuple[str, ...]
    attack_bonus: tuple[str, ...]
    thac0: tuple[str, ...]
    roll_under: tuple[str, ...]
    equivalent_level: tuple[str, ...]
    to_hit: tuple[str, ...]
    hit_points: tuple[str, ...]
    attacks: tuple[str, ...]
    damage_of_attacks: tuple[str, ...]
    specials: tuple[str, ...]
    routine: tuple[str, ...]
    by_hand: tuple[str, ...]
    hit_dice: tuple[str, ...]
    hit_die: tuple[str, ...]
    hit_points_by_level: tuple[str, ...]
    last_die: tuple[str, ...]
    after_last_die: tuple[str, ...]
    attacks_by_level: tuple[str, ...]
    damage: tuple[str, ...]
    damage_to_large: tuple[str, ...]
    bonus_to_hit: tuple[str, ...]
    bonus_to_damage: tuple[str, ...]
    bonus_to_hit_points: tuple[str, ...]
    bonus_to_defense: tuple[str, ...]


@cache
def profile() -> Profile:
    """The profile of this domain, read once."""
    text = files("agent.domains.combat").joinpath("profile.toml").read_text(encoding="utf-8")
    return Profile(**{name: tuple(words) for name, words in tomllib.loads(text).items()})
