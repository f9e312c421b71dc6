"""Settings of batches: how many questions at a time, and where a whole batch ends."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class BatchSettings(BaseModel):
    """`batch_concurrency` limits concurrent questions, or calls of the language model.

    `batch_max_cost` is in dollars; it and `batch_max_questions` apply to a whole batch, however often it is resumed.
    `batch_processes` limits the processes; unset it is one per core, if there are enough questions to pay off."""

    batch_concurrency: Annotated[int, Field(ge=1, le=1000)] = 16
    batch_processes: Annotated[int, Field(ge=1, le=1000)] | None = None
    batch_max_cost: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    batch_max_questions: Annotated[int, Field(ge=0)] | None = None
