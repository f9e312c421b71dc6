"""One thread for blocking work: jobs run one after the other, and a job that has begun is always finished."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Disk:
    """A dedicated thread, so that neither a slow store nor a slow model delays writing."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="versus-batch")

    async def run(self, job: Callable[[], Result]) -> Result:
        """Run a job and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def close(self) -> None:
        """Wait for the running job, and accept no more."""
        await self.run(lambda: None)
        self.forget()

    def forget(self) -> None:
        """Accept no more jobs, and do not wait for the running one."""
        self._thread.shutdown(wait=False, cancel_futures=True)
