"""Settings of servers: their API keys."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, SecretStr

_ENTRY = re.compile(r"([A-Za-z0-9._-]+):(\S{16,})")


def _named(keys: SecretStr) -> dict[str, str]:
    """Return the keys by name; `ValueError`, without any key in it, if names are not unique or keys are too short."""
    entries = [_ENTRY.fullmatch(entry.strip()) for entry in keys.get_secret_value().split(",")]
    found = {entry[1]: entry[2] for entry in entries if entry is not None}
    if len(found) < len(entries):
        raise ValueError("give keys of 16 characters or more, each behind a name of its own: alice:KEY,bob:KEY")
    return found


def _checked(keys: SecretStr) -> SecretStr:
    _named(keys)
    return keys


class ServerSettings(BaseModel):
    """`api_keys` are the keys that a server accepts, each after the name of its holder: `alice:KEY,bob:KEY`."""

    api_keys: Annotated[SecretStr, AfterValidator(_checked)] | None = None

    def named_api_keys(self) -> dict[str, str]:
        """Return the keys by name.

        >>> ServerSettings(api_keys="alice:0123456789abcdef").named_api_keys()
        {'alice': '0123456789abcdef'}
        """
        return {} if self.api_keys is None else _named(self.api_keys)
