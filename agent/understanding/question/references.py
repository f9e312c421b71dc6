"""Places in a sub-query where a value of an earlier one will stand: `{q1}`."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACE = re.compile(r"\{(\w+)\}")


def names_in(text: str) -> tuple[str, ...]:
    """The ids whose values a text takes.

    >>> names_in("attack roll against armor class {q1}")
    ('q1',)
    """
    return tuple(dict.fromkeys(_PLACE.findall(text)))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with other ids in its places."""
    return _PLACE.sub(lambda match: f"{{{names[match[1]]}}}", text)


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with values in its places; `KeyError` for one that is not there.

    >>> filled("attack roll against armor class {q1}", {"q1": "5"})
    'attack roll against armor class 5'
    """
    return _PLACE.sub(lambda match: values[match[1]], text)
