"""The policies to compare: the one in force, and the same with one switch reversed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.errors import SettingsError
from retrieval.text.suggestion import did_you_mean
from retrieval.types import Policy

IN_FORCE = "in force"
"""The name of the settings' own policy."""

_NO_CLIFF = 2.0
"""The largest cosine distance: no gap and no offset exceeds it."""


def _other_hybrid(policy: Policy) -> tuple[str, Policy]:
    return f"hybrid {_state(not policy.hybrid)}", replace(policy, hybrid=not policy.hybrid)


def _no_gap(policy: Policy) -> tuple[str, Policy]:
    return "gap off", policy.everywhere({"gap_threshold": _NO_CLIFF, "distance_offset": _NO_CLIFF})


def _no_thresholds(policy: Policy) -> tuple[str, Policy]:
    return "thresholds off", policy.everywhere({"relative_threshold": 0.0, "absolute_min": 0.0})


def _other_filters(policy: Policy) -> tuple[str, Policy]:
    return f"filters {_state(not policy.filters)}", replace(policy, filters=not policy.filters)


SWITCHES: dict[str, Callable[[Policy], tuple[str, Policy]]] = {
    "hybrid": _other_hybrid,
    "gap": _no_gap,
    "thresholds": _no_thresholds,
    "filters": _other_filters,
}
"""Each switch by name: from a policy to the name of the reversed way, and its policy."""


def ways_of(policy: Policy, switches: Sequence[str] = tuple(SWITCHES)) -> dict[str, Policy]:
    """Return the policies to compare, by display name; the one in force comes first.

    >>> list(ways_of(Policy(), ["hybrid", "filters"]))
    ['in force', 'hybrid on', 'filters off']
    """
    return {IN_FORCE: policy} | dict(SWITCHES[name](policy) for name in switches)


def switches_of(text: str) -> tuple[str, ...]:
    """Return the switches that a comma-separated text names; `SettingsError` for an unknown name.

    >>> switches_of("gap, hybrid")
    ('gap', 'hybrid')
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in SWITCHES:
            meant = did_you_mean(name, SWITCHES)
            raise SettingsError(f"--ways: there is no switch {name!r}.{meant} Switches are: {', '.join(SWITCHES)}.")
    return names


def _state(on: bool) -> str:
    return "on" if on else "off"
