"""The places that settings come from. Values are validated by their setting, not here.

Only `agent.settings.settings` uses these. An unknown name in either file is an error with its line; an unknown variable
of the environment may belong to another program, and is only noted (`agent.settings.settings.unknown_variables`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import platformdirs
from dotenv.parser import parse_stream
from dotenv.variables import parse_variables
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    TomlConfigSettingsSource,
)

from agent.errors import SettingsError
from retrieval.text.suggestion import did_you_mean

CONFIG_FILE = "versus.toml"
ENV_FILE = ".env"
PREFIX = "VERSUS_"
PROVENANCE_FIELDS = ("origins", "not_taken")
"""Fields of the settings that are no settings: where the others came from."""
OTHER_NAMES: Mapping[str, str] = {"store": "chroma"}
"""Second names of settings, in flags, variables and files; a place may use only one of the two."""


class Environment(EnvSettingsSource):
    """Environment variables."""

    def __call__(self) -> dict[str, Any]:
        for other, name in OTHER_NAMES.items():
            if {f"{PREFIX}{other}".lower(), f"{PREFIX}{name}".lower()} <= self.env_vars.keys():
                raise given_twice(name, "variables")
        return super().__call__()

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        """Return the value as JSON; invalid JSON is passed on for the setting to reject by name."""
        try:
            return super().decode_complex_value(field_name, field, value)
        except (ValueError, RecursionError):
            return value


class EnvFile(Environment, DotEnvSettingsSource):
    """`.env`. Lines without our prefix belong to other programs."""

    def _read_env_file(self, file_path: Path) -> Mapping[str, str | None]:
        try:
            text = file_path.read_text(encoding="utf-8")
            _require_assignments(file_path, text)
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file_path} can't be read ({error}). Save it as UTF-8, or move it away.") from error
        values = {name.lower(): value for name, value in _assigned(text).items() if value != ""}
        for name in map(str.upper, values):
            if name.startswith(PREFIX) and name.removeprefix(PREFIX).lower() not in _spellings(self.settings_cls):
                raise unknown(self.settings_cls, name, f"{file_path}:{_line_of(name, text, re.IGNORECASE)}")
        return values


class ConfigFile(TomlConfigSettingsSource):
    """A `versus.toml`, of the working folder or the user: flat `name = value` lines."""

    def __init__(self, settings_cls: type[BaseSettings], path: Path) -> None:
        self.settings_cls = settings_cls  # the file is read before the base class sets it
        self._path = path
        super().__init__(settings_cls, path)

    def _read_files(self, files: Any, deep_merge: bool = False) -> dict[str, Any]:
        if os.path.lexists(self._path) and not self._path.is_file():
            raise SettingsError(f"{self._path} is no file that can be read. Move it away, or make it one of settings.")
        return super()._read_files(files, deep_merge)

    def _read_file(self, file_path: Any) -> dict[str, Any]:
        try:
            text = file_path.read_text(encoding="utf-8-sig")
            values = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise SettingsError(f"{file_path} can't be read: {error}. Correct it, or move it away.") from error
        for name in values:
            if name not in _spellings(self.settings_cls):
                raise unknown(self.settings_cls, name, f"{file_path}:{_line_of(name, text)}")
        return values


class ReadValues(PydanticBaseSettingsSource):
    """Values that were read before, by the names of the settings."""

    def __init__(self, settings_cls: type[BaseSettings], values: Mapping[str, Any]) -> None:
        super().__init__(settings_cls)
        self._values = dict(values)

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        return self._values


def user_file() -> Path:
    """Return the user's own `versus.toml`, `~/.config/versus/versus.toml` on Linux; it applies in every folder."""
    return platformdirs.user_config_path("versus") / CONFIG_FILE


def names(settings_cls: type[BaseSettings]) -> tuple[str, ...]:
    """Return the names of all settings, in display order."""
    named = (name for name in settings_cls.model_fields if name not in PROVENANCE_FIELDS)
    # Those of the modules beside `agent.settings.settings` come first in `model_fields`, and are displayed last.
    return tuple(sorted(named, key=lambda name: name not in settings_cls.__annotations__))


def _spellings(settings_cls: type[BaseSettings]) -> tuple[str, ...]:
    """Return all names that a place may use for a setting."""
    return (*names(settings_cls), *OTHER_NAMES)


def given_twice(name: str, place: str) -> SettingsError:
    """Return the error of a setting that a place gives under both of its names: it is ambiguous."""
    spellings = " and ".join(repr(each) for each in (name, *(o for o, own in OTHER_NAMES.items() if own == name)))
    return SettingsError(f"{spellings} are one setting, and both are given ({place}). Remove one.")


def unknown(settings_cls: type[BaseSettings], name: str, place: str) -> SettingsError:
    """Return the error of an unknown setting."""
    known = names(settings_cls)
    meant = did_you_mean(name.lower().removeprefix(PREFIX.lower()), known)
    return SettingsError(f"unknown setting {name!r} ({place}).{meant} Settings are: {', '.join(known)}.")


def _require_assignments(file: Path, text: str) -> None:
    """Raise `SettingsError` for the first line that is no assignment: the parser would silently skip it."""
    for statement in parse_stream(StringIO(text)):
        if statement.error:
            blank = statement.original.string[: -len(statement.original.string.lstrip())]
            line = statement.original.line + len(f"{blank}.".splitlines()) - 1
            raise SettingsError(
                f"{file}:{line} can't be read as NAME=value. Correct it (a quote may be open), or remove it."
            )


def _assigned(text: str) -> dict[str, str | None]:
    """Return the assignments of a file. `${NAME}` is an earlier line of the file, never a variable of the environment.

    Otherwise a stranger's file could copy a key of the user into a setting that is sent or logged.
    """
    values: dict[str, str | None] = {}
    for statement in parse_stream(StringIO(text)):
        if statement.key is not None:
            parts = None if statement.value is None else parse_variables(statement.value)
            values[statement.key] = None if parts is None else "".join(part.resolve(values) for part in parts)
    return values


def _line_of(name: str, text: str, flags: int = 0) -> int:
    pattern = re.compile(rf"\s*(?:export\s+)?\[*\s*[\"']?{re.escape(name)}\b", flags)
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
