"""Check that the filters in the settings exist: installed filters, and chunk types and tags of the collection.

A chunk type or tag that no chunk has would filter out everything, and the answer would look as if the book did not say
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agent.errors import SettingsError
from agent.settings.settings import FLAG, Settings
from retrieval.catalogs.catalog import Catalog
from retrieval.filters.named import named_stages
from retrieval.text.suggestion import did_you_mean

_MOST = 20
"""Most names that are listed; beyond it, the commonest."""


def require_filter_values(settings: Settings) -> None:
    """Raise `SettingsError` for a value that a filter rejects, `UnknownPlugin` for a filter that is not installed."""
    for name, value in settings.filters.items():
        try:
            named_stages(((name, value),))
        except ValueError as error:
            place = dict(settings.origins).get("filters", FLAG)
            raise SettingsError(f"filter {name!r} can't have {value!r} ({place}): {error}") from None


def require_known_filters(settings: Settings, catalog: Catalog) -> None:
    """Raise `SettingsError` for a chunk type or a tag that no chunk has; its message lists those that exist."""
    problems = [
        *_unknown(settings, "chunk_types", settings.chunk_types, catalog.chunk_types),
        *_unknown(settings, "tags", settings.tags, catalog.tags),
    ]
    if problems:
        raise SettingsError("\n".join(problems))


def _unknown(settings: Settings, setting: str, wanted: tuple[str, ...], known: Mapping[str, int]) -> Iterator[str]:
    place = dict(settings.origins).get(setting, FLAG)
    noun = setting.replace("_", " ")
    for name in wanted:
        if name not in known:
            meant = did_you_mean(name, known)
            yield (
                f"setting {setting!r} can't be {name!r} ({place}): no chunk of {settings.collection!r} has it.{meant} "
                f"Its {noun} are: {_listed(known)}"
            )


def _listed(known: Mapping[str, int]) -> str:
    """Return the names, commonest first.

    >>> _listed({"row": 3, "table": 12})
    'table, row'
    """
    names = sorted(known, key=lambda name: (-known[name], name))
    rest = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {rest} more" if rest > 0 else "") or "none"
