"""The places that settings come from, read as they are: what is wrong with a value is told by the setting it is for.

Only `agent.settings` uses these. A name that is no setting is an error with its line in both files; a variable of the
environment may be somebody else's, and is only noted (`agent.settings.unknown_variables`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from dotenv.parser import parse_stream
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, TomlConfigSettingsSource

from agent.errors import SettingsError
from retrieval.suggestion import did_you_mean

CONFIG_FILE = "versus.toml"
ENV_FILE = ".env"
PREFIX = "VERSUS_"


class Environment(EnvSettingsSource):
    """Environment variables."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        """The value as JSON; what is none stays as it is, so that the setting complains about it, and names it."""
        try:
            return super().decode_complex_value(field_name, field, value)
        except (ValueError, RecursionError):
            return value


class EnvFile(Environment, DotEnvSettingsSource):
    """`.env`. Lines without our prefix are somebody else's."""

    def _read_env_file(self, file_path: Path) -> Mapping[str, str | None]:
        try:
            text = file_path.read_text(encoding="utf-8")
            _require_assignments(file_path, text)
            values = super()._read_env_file(file_path)
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file_path} can't be read ({error}). Save it as UTF-8, or move it away.") from error
        for name in map(str.upper, values):
            if name.startswith(PREFIX) and name.removeprefix(PREFIX).lower() not in names(self.settings_cls):
                raise unknown(self.settings_cls, name, f"{file_path}:{_line_of(name, text, re.IGNORECASE)}")
        return values


class ConfigFile(TomlConfigSettingsSource):
    """`versus.toml`: flat `name = value` lines."""

    def __init__(self, settings_cls: type[BaseSettings]) -> None:
        self.settings_cls = settings_cls  # the file is read before the base class notes it
        super().__init__(settings_cls, CONFIG_FILE)

    def _read_files(self, files: Any, deep_merge: bool = False) -> dict[str, Any]:
        path = Path(CONFIG_FILE)
        if os.path.lexists(path) and not path.is_file():
            raise SettingsError(f"{path} is no file that can be read. Move it away, or make it one of settings.")
        return super()._read_files(files, deep_merge)

    def _read_file(self, file_path: Any) -> dict[str, Any]:
        try:
            text = file_path.read_text(encoding="utf-8-sig")
            values = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise SettingsError(f"{file_path} can't be read: {error}. Correct it, or move it away.") from error
        for name in values:
            if name not in names(self.settings_cls):
                raise unknown(self.settings_cls, name, f"{file_path}:{_line_of(name, text)}")
        return values


def names(settings_cls: type[BaseSettings]) -> tuple[str, ...]:
    """The names of all settings, in the order in which they are told."""
    named = (name for name in settings_cls.model_fields if name != "origins")
    # Those of the modules beside `agent.settings` come first in `model_fields`, and are told last.
    return tuple(sorted(named, key=lambda name: name not in settings_cls.__annotations__))


def unknown(settings_cls: type[BaseSettings], name: str, place: str) -> SettingsError:
    """The error of a name that is no setting."""
    known = names(settings_cls)
    meant = did_you_mean(name.lower().removeprefix(PREFIX.lower()), known)
    return SettingsError(f"unknown setting {name!r} ({place}).{meant} Settings are: {', '.join(known)}.")


def _require_assignments(file: Path, text: str) -> None:
    """`SettingsError` for the first line that is no assignment: the reader of the file would only pass it over."""
    for statement in parse_stream(StringIO(text)):
        if statement.error:
            blank = statement.original.string[: -len(statement.original.string.lstrip())]
            line = statement.original.line + len(f"{blank}.".splitlines()) - 1
            raise SettingsError(
                f"{file}:{line} can't be read as NAME=value. Correct it (a quote may be open), or remove it."
            )


def _line_of(name: str, text: str, flags: int = 0) -> int:
    pattern = re.compile(rf"\s*(?:export\s+)?\[*\s*[\"']?{re.escape(name)}\b", flags)
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
