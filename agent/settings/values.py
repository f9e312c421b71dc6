"""Types of settings: names in a list, an address with a host, a store with a known adapter.

An invalid value is a `ValueError`, whose text is shown with the setting's name and place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic_settings import NoDecode

from retrieval.collections.places import STORES, store_of
from retrieval.errors import PluginError


def _split(value: object) -> object:
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value


def _listed(value: object) -> object:
    """Return the names in a text; a text without any is an error, not an absent filter."""
    if isinstance(value, str) and not _split(value):
        raise ValueError("it names nothing; leave it out, or give names with commas between them")
    return _split(value)


def _joined(value: object) -> object:
    """Return names as one text, each once; the pattern checks the rest."""
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        value = ",".join(value)
    listed = _split(value)
    return ",".join(dict.fromkeys(listed)) if isinstance(listed, tuple) and listed else value


def with_host(value: str) -> str:
    """Return an HTTP address if it has a host, or any other value unchanged."""
    if value.startswith(("http://", "https://")) and not urlsplit(value).hostname:
        raise ValueError("it lacks a host; use an address such as http://localhost:8000")
    return value


def in_a_store(value: str) -> str:
    """Return a folder or the address of a known store unchanged."""
    try:
        STORES.require(store_of(value))
    except PluginError as error:
        raise ValueError(f"{error}; or use a folder, or an address such as http://localhost:8000") from error
    return value


def booleans(value: object) -> Iterator[object]:
    """Yield the booleans in a value and in its parts."""
    if isinstance(value, bool):
        yield value
    parts: Iterable[object] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from booleans(part)


_COLLECTION = "[A-Za-z0-9][A-Za-z0-9._-]{1,510}[A-Za-z0-9]"
# "rules", or several that are asked as one: "rules,monsters", in versus.toml also a list.
CollectionNames = Annotated[
    str, BeforeValidator(_joined), StringConstraints(pattern=rf"^{_COLLECTION}(,{_COLLECTION})*$")
]
Fraction = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]
# In the environment and in flags "row,table", in versus.toml also a list.
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Names = Annotated[tuple[Name, ...], NoDecode, BeforeValidator(_listed)]
Url = Annotated[str, StringConstraints(pattern=r"^https?://\S*$"), AfterValidator(with_host)]
Place = Annotated[str, StringConstraints(min_length=1), AfterValidator(with_host), AfterValidator(in_a_store)]
