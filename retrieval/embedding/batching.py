"""Batch concurrent calls into one: a model embeds twelve short texts in little more time than one, and a store searches
twelve neighborhoods at once. Recently used texts need no call at all.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from retrieval.embedding.known import Vectors, completed
from retrieval.embedding.protocol import Embedder

LARGEST_EMBEDDING = 64
"""The most calls joined in one call of the model: the first of hundreds are searched while the next are embedded."""
DELIVERED_AT_ONCE = 4
"""The most waiters that get their results in one turn of the event loop."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, eq=False)
class _Waiter(Generic[Item, Result]):
    item: Item
    key: Hashable
    result: asyncio.Future[Result]


class Coalescer(Generic[Item, Result]):
    """Joins waiting items into one run, which gives one result for each, in order.

    At most `lanes` runs are active at once. The free lanes share the waiting items evenly, at most `largest` items in
    one run, and only items with the same `key` together. Cancelling a waiter does not affect the others; cancelling all
    of a run cancels the run. If a run fails, each of its waiters gets its own exception.

    >>> async def double(numbers: list[int]) -> list[int]:
    ...     print("one run of", numbers)
    ...     return [2 * number for number in numbers]
    >>> async def both() -> list[int]:
    ...     shared = Coalescer(double)
    ...     return await asyncio.gather(shared.ask(1), shared.ask(2))
    >>> asyncio.run(both())
    one run of [1, 2]
    [2, 4]
    """

    def __init__(
        self,
        run: Callable[[list[Item]], Awaitable[Sequence[Result]]],
        *,
        key: Callable[[Item], Hashable] = lambda item: None,
        lanes: int = 1,
        largest: int = sys.maxsize,
    ) -> None:
        self._run, self._key, self._lanes, self._largest = run, key, lanes, largest
        self._waiting: list[_Waiter[Item, Result]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy = 0

    async def ask(self, item: Item) -> Result:
        """Return the result for one item, from a run shared with other waiters."""
        waiter: _Waiter[Item, Result] = _Waiter(item, self._key(item), asyncio.get_running_loop().create_future())
        self._waiting.append(waiter)
        self._open_lane()
        return await waiter.result

    def _open_lane(self) -> None:
        if self._waiting and len(self._tasks) < self._lanes:
            task = asyncio.create_task(self._serve())
            self._tasks.add(task)
            task.add_done_callback(self._lane_closed)

    def _lane_closed(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._open_lane()

    async def _serve(self) -> None:
        waiting = 0
        while waiting < len(self._waiting) and waiting < self._largest:  # callers about to ask join
            waiting = len(self._waiting)
            await asyncio.sleep(0)
        batch = self._take()
        if not batch:
            return
        self._busy += 1
        _cancel_with_the_last(batch)
        try:
            answers = list(zip(batch, await self._run([waiter.item for waiter in batch]), strict=True))
        except Exception as error:  # noqa: BLE001 - raised again by each waiter
            _fail(batch, error)
        except BaseException:
            for waiter in batch:
                waiter.result.cancel()
            raise
        else:
            _deliver(answers)
        finally:
            self._busy -= 1

    def _take(self) -> list[_Waiter[Item, Result]]:
        """Return the next batch: items with the first one's key, as many as this lane's share."""
        waiting = [waiter for waiter in self._waiting if not waiter.result.done()]
        alike = [waiter for waiter in waiting if waiter.key == waiting[0].key]
        share = -(-len(alike) // (self._lanes - self._busy))
        batch = alike[: min(share, self._largest)]
        taken = set(batch)
        self._waiting = [waiter for waiter in waiting if waiter not in taken]
        return batch


def _deliver(answers: Sequence[tuple[_Waiter[Item, Result], Result]]) -> None:
    """Give some waiters their results now, and the others in the next turns of the event loop: each continues with a
    millisecond of work, and a hundred of them in one turn would hold up everything else.
    """
    for waiter, answer in answers[:DELIVERED_AT_ONCE]:
        if not waiter.result.done():
            waiter.result.set_result(answer)
    if answers[DELIVERED_AT_ONCE:]:
        asyncio.get_running_loop().call_soon(_deliver, answers[DELIVERED_AT_ONCE:])


def _cancel_with_the_last(batch: Sequence[_Waiter[Item, Result]]) -> None:
    run = asyncio.current_task()

    def cancel(_: object) -> None:
        if run is not None and all(waiter.result.cancelled() for waiter in batch):
            run.cancel()

    for waiter in batch:
        waiter.result.add_done_callback(cancel)


def _fail(batch: Sequence[_Waiter[Item, Result]], error: Exception) -> None:
    for waiter in batch:
        if not waiter.result.done():
            waiter.result.set_exception(_copy_of(error))
            waiter.result.exception()  # avoids a warning if a waiter is cancelled at this moment


def _copy_of(error: Exception) -> Exception:
    """Copy the exception: one object raised by many tasks would accumulate the tracebacks of all."""
    twin = type(error).__new__(type(error), *error.args)
    vars(twin).update(vars(error))
    twin.__cause__, twin.__suppress_context__ = error.__cause__, error.__suppress_context__
    return twin.with_traceback(error.__traceback__)


class CoalescingEmbedder:
    """Embeds the texts of all calls that arrive while the model is busy in one call, each text once.

    Cancelling a waiter does not affect the others; cancelling all of them cancels the call.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._shared: Coalescer[Sequence[str], Vectors] = Coalescer(self._embed, largest=LARGEST_EMBEDDING)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int | None:
        """The length of its vectors; `None` until known."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension), from a model call shared with other waiters."""
        return await self._shared.ask(texts)

    async def _embed(self, calls: list[Sequence[str]]) -> list[Vectors]:
        rows = {text: row for row, text in enumerate(dict.fromkeys(text for texts in calls for text in texts))}
        vectors = await self._inner.embed(list(rows))
        return [vectors[[rows[text] for text in texts]] for texts in calls]


class CachingEmbedder:
    """Caches the vectors of the most recently used texts, at most `size`: a question may compare hundreds of labels,
    and the next one does so again.
    """

    def __init__(self, inner: Embedder, size: int = 8192) -> None:
        self._inner = inner
        self._size = size
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int | None:
        """The length of its vectors; `None` until known."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension); only texts not in the cache go to the model."""
        known = {text: self._vectors[text] for text in texts if text in self._vectors}
        vectors = await completed(texts, known, self._inner)
        self._remember({text: known[text] for text in texts})
        return vectors

    def _remember(self, used: dict[str, Vectors]) -> None:
        for text, vector in used.items():
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
        while len(self._vectors) > self._size:
            self._vectors.popitem(last=False)
