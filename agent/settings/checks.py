"""The limits of the checks of `versus logs`, as settings: from which values on a check warns or is critical.

The names and the defaults follow the quality indicators of seed document 4 where it has any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator
from pydantic_settings import NoDecode

_NEVER = "never"


@dataclass(frozen=True, slots=True)
class Limits:
    """The values from which on a check is a warning, and critical; None is never.

    A value of zero is always good, so a limit of zero means: as soon as it occurs at all.

    >>> str(Limits(10.0, None)), Limits(0.5, 1.0).level(0.7), Limits(0, None).level(0)
    ('10, never', 'warning', 'good')
    """

    warning: float | None = None
    critical: float | None = None

    def level(self, value: float) -> Literal["good", "warning", "critical"]:
        """Return the level of a value."""
        if self.critical is not None and 0 < value >= self.critical:
            return "critical"
        return "warning" if self.warning is not None and 0 < value >= self.warning else "good"

    def __str__(self) -> str:
        return ", ".join(_NEVER if limit is None else f"{limit:g}" for limit in (self.warning, self.critical))


def _limits(value: object) -> object:
    """Parse `"10, never"`, `"10"`, `10` or `[10, "never"]` as limits."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    if isinstance(value, Limits):
        return value
    if len(parts) > 2:
        raise ValueError("give a limit for warnings and one for critical, such as 10,never")
    return Limits(*(_limit(part) for part in parts))


def _limit(part: object) -> float | None:
    text = str(part).strip().lower()
    if text == _NEVER:
        return None
    number = float(text) if text.replace(".", "", 1).isdigit() else -1.0
    if number < 0:
        raise ValueError(f"{text!r} is no limit; give numbers of 0 or more, or never, such as 10,never")
    return number


LimitsSetting = Annotated[Limits, NoDecode, BeforeValidator(_limits)]
"""In the environment `10,never`, in versus.toml also `[10, "never"]`."""


class CheckSettings(BaseModel):
    """The limits of each check; `agent.monitoring.checks` defines what a check measures."""

    check_filtered: LimitsSetting = Limits(10, None)
    check_kept_one: LimitsSetting = Limits(0.8, None)
    check_kept_none: LimitsSetting = Limits(0, 0.25)
    check_unique_none: LimitsSetting = Limits(0.5, 1)
    check_questions_failed: LimitsSetting = Limits(0, 0.05)
    check_sub_queries_failed: LimitsSetting = Limits(0, 0.1)
    check_answered_in_part: LimitsSetting = Limits(0.5, None)
    check_llm_retries: LimitsSetting = Limits(0.1, 1)
    check_llm_failures: LimitsSetting = Limits(0, 0.2)
    check_planner_fallbacks: LimitsSetting = Limits(0.1, None)
    check_slow: LimitsSetting = Limits(30_000, None)
    check_broken_lines: LimitsSetting = Limits(0, None)
