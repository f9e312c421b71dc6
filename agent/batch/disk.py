"""One thread for what blocks: jobs run one after the other, and one that has begun is finished whoever waits for it."""

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
        """Wait for the job that is under way, and do no more."""
        await self.run(lambda: None)
        self.forget()

    def forget(self) -> None:
        """Do no more, and wait for nothing."""
        self._thread.shutdown(wait=False, cancel_futures=True)
