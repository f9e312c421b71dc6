"""A bounded cache for look-ups in a collection, dropped together with the collection."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache, partial
from typing import Concatenate, Generic, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary, ref

from retrieval.tables.index import Cells

T = TypeVar("T")
P = ParamSpec("P")


def cached_by_collection(
    most: int,
) -> Callable[[Callable[Concatenate[Cells, P], T]], Callable[Concatenate[Cells, P], T]]:
    """Cache a function's results for each collection, for at most `most` different calls.

    The results are shared, so callers must not change them.

    >>> from retrieval.tables.index import CellIndex
    >>> @cached_by_collection(16)
    ... def places(index, key):
    ...     print("looked for", key)
    ...     return tuple(index.places([key]))
    >>> index = CellIndex.build([])
    >>> places(index, "ogre"), places(index, "ogre")
    looked for ogre
    ((), ())
    """

    def remembering(find: Callable[Concatenate[Cells, P], T]) -> Callable[Concatenate[Cells, P], T]:
        known: WeakKeyDictionary[Cells, Callable[P, T]] = WeakKeyDictionary()

        def found(index: Cells, /, *args: P.args, **kwargs: P.kwargs) -> T:
            own = known.get(index)
            if own is None:
                remembered = cast("Callable[P, T]", lru_cache(maxsize=most)(partial(_of, ref(index), find)))
                own = known.setdefault(index, remembered)
            return own(*args, **kwargs)

        found.__doc__ = find.__doc__
        return found

    return remembering


def _of(index: ref[Cells], find: Callable[Concatenate[Cells, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call the function with the index behind a weak reference, so that the cache does not keep the index alive."""
    here = index()
    assert here is not None
    return find(here, *args, **kwargs)


class BoundedListCache(Generic[T]):
    """A cache of lists by key, most recently used last, with at most `most` entries in all.

    >>> halves = BoundedListCache[int](4)
    >>> halves.get_or_find(6, lambda: [3]), halves.get_or_find(6, lambda: [0]), halves.get_or_find(1, list)
    ((3,), (3,), ())
    """

    def __init__(self, most: int) -> None:
        self._most, self._held, self._turn = most, 0, threading.Lock()
        self._lists: OrderedDict[Hashable, tuple[T, ...]] = OrderedDict()

    def get_or_find(self, wanted: Hashable, find: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """Return the entries of a key, calling `find` if they are not cached."""
        with self._turn:
            known = self._lists.get(wanted)
            if known is not None:
                self._lists.move_to_end(wanted)
                return known
        new = tuple(find())
        with self._turn:
            self._held += 1 + len(new) - (1 + len(self._lists.pop(wanted)) if wanted in self._lists else 0)
            self._lists[wanted] = new
            while self._held > self._most and self._lists:
                _, oldest = self._lists.popitem(last=False)
                self._held -= 1 + len(oldest)
        return new
