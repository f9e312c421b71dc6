"""One thread for blocking work: jobs run one after the other, and a job that has begun is always finished."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Disk:
    """A thread of its own, so that neither a slow store nor a slow model can hold up what is to be written."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="versus-batch")

    async def run(self, job: Callable[[], Result]) -> Result:
        """Do a job and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def close(self) -> None:
        """Wait for the job under way, and take no more."""
        await self.run(lambda: None)
        self.forget()

    def forget(self) -> None:
        """Take no more jobs, and do not wait for the one under way."""
        self._thread.shutdown(wait=False, cancel_futures=True)
