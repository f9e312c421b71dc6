"""The options of one question, which override the settings of the program that answers it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.settings.settings import Settings

MOST_CHUNKS, LONGEST_DEADLINE = 200, 300
"""Upper limits for the options of a question; the program's own settings may be higher."""


class Options(BaseModel):
    """Choices for one question; None is what the settings say.

    >>> Options(effort="low").applied(Settings(collection="rules")).effort
    'low'
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    planner: Literal["auto", "rules", "llm"] | None = None
    """Who splits the question."""
    effort: Literal["auto", "minimal", "low", "medium"] | None = None
    """How far to split it."""
    preset: Literal["strict", "balanced", "lenient"] | None = None
    """A set of thresholds."""
    max_chunks: Annotated[int, Field(ge=1, le=MOST_CHUNKS)] | None = None
    """Most chunks of one sub-query."""
    deadline_s: Annotated[float, Field(gt=0, le=LONGEST_DEADLINE, allow_inf_nan=False)] | None = None
    """Seconds until what is known so far is the answer."""

    def applied(self, settings: Settings) -> Settings:
        """Return the settings with these options."""
        chosen = self.model_dump(exclude_none=True)
        if "deadline_s" in chosen:
            chosen["deadline"] = chosen.pop("deadline_s")
        return settings.model_copy(update=chosen)
