"""References in a sub-query to the result of an earlier one: `{q1}`."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACE = re.compile(r"\{(\w+)\}")


def names_in(text: str) -> tuple[str, ...]:
    """Return the ids of the results that a text refers to.

    >>> names_in("attack roll against armor class {q1}")
    ('q1',)
    """
    return tuple(dict.fromkeys(_PLACE.findall(text)))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return the text with other ids in its references."""
    return _PLACE.sub(lambda match: f"{{{names[match[1]]}}}", text)


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text with values for its references; raise `KeyError` for a missing one.

    >>> filled("attack roll against armor class {q1}", {"q1": "5"})
    'attack roll against armor class 5'
    """
    return _PLACE.sub(lambda match: values[match[1]], text)
