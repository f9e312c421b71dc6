"""Settings of batches: how many questions at a time, and where a whole batch ends."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class BatchSettings(BaseModel):
    """`batch_concurrency` counts questions, or with a language model its calls.

    `batch_max_cost` is in dollars, and like `batch_max_questions` for a whole batch, however often it is resumed.
    `batch_processes` answer at most; unset it is one for each core, where so many questions come that it pays."""

    batch_concurrency: Annotated[int, Field(ge=1, le=1000)] = 16
    batch_processes: Annotated[int, Field(ge=1, le=1000)] | None = None
    batch_max_cost: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    batch_max_questions: Annotated[int, Field(ge=0)] | None = None
