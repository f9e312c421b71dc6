"""Thresholds for chunks of one type, as tables in `versus.toml`: `[profiles.table]`.

A profile overrides the cuts' thresholds for its chunk type; the other settings supply what it omits. In the
environment it is JSON: `VERSUS_PROFILES={"table": {"relative_threshold": 0.3}}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import ErrorDetails

from retrieval.keys import shown
from retrieval.types import Profile

_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
_Distance = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]


class ProfileSettings(BaseModel):
    """The cuts' numbers for one chunk type, under the names of the settings; None is what the settings say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    relative_threshold: _Share | None = None
    absolute_min: _Share | None = None
    gap_threshold: _Distance | None = None
    gap_min_chunks: Annotated[int, Field(ge=1, le=1000)] | None = None
    distance_threshold: _Distance | None = None
    min_keyword_overlap: _Share | None = None

    def profile(self, chunk_type: str) -> Profile:
        """Return the profile as the cuts read it.

        >>> ProfileSettings(absolute_min=0.2).profile("table").absolute_min
        0.2
        """
        return Profile(
            chunk_type,
            relative_threshold=self.relative_threshold,
            absolute_min=self.absolute_min,
            gap_threshold=self.gap_threshold,
            gap_min_chunks=self.gap_min_chunks,
            distance_offset=self.distance_threshold,
            min_keyword_overlap=self.min_keyword_overlap,
        )


Profiles = dict[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)], ProfileSettings]


def numbers_of(profiles: Mapping[str, ProfileSettings]) -> Iterator[tuple[str, float]]:
    """Yield each number that the profiles set, by its path in `versus.toml`.

    >>> list(numbers_of({"table": ProfileSettings(absolute_min=0.2)}))
    [('profiles.table.absolute_min', 0.2)]
    """
    for chunk_type, profile in profiles.items():
        for name, value in profile.model_dump(exclude_none=True).items():
            yield f"profiles.{chunk_type}.{name}", value


def profile_complaint(problem: ErrorDetails, place: str) -> str:
    """Return what is wrong in a profile, and where: an unknown setting of the cuts, or a value out of range."""
    path = repr(shown(".".join(str(part) for part in problem["loc"] if part != "[key]")))
    if problem["type"] == "extra_forbidden":
        return f"unknown setting {path} ({place}). A profile may set: {', '.join(ProfileSettings.model_fields)}."
    value = shown(repr(problem["input"]))[:200]
    advice = problem["msg"][:1].lower() + problem["msg"][1:]
    if problem["type"] == "value_error":
        advice = str(problem["ctx"]["error"])
    elif len(problem["loc"]) < 3:  # not a profile at all
        path, value = "'profiles'", " = ".join((*map(str, problem["loc"][1:]), value))
        advice = "write a table such as [profiles.table] with lines such as relative_threshold = 0.3"
    return f"setting {path} can't be {value} ({place}): {advice}"
