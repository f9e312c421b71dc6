"""Folders whose settings are trusted: by their owner's decision, and only as they were then.

A folder is identified by its real path, its state by the content of its settings files. Both are stored in the user's
own configuration, so that a copied folder, or one whose files are changed later, is not trusted.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Literal

from agent.errors import SettingsError
from agent.settings.places import CONFIG_FILE, ENV_FILE, user_file
from agent.settings.private_files import make_private_folder, open_private

Trust = Literal["trusted", "changed", "unknown"]
"""Whether a folder is trusted: as it is now, only as it was before its settings changed, or not at all."""


def trust_in(folder: Path) -> Trust:
    """Return whether the settings of a folder are trusted as they are now; the folder of the user's file always is."""
    if folder.resolve() == user_file().parent.resolve():
        return "trusted"
    known = _read().get(str(folder.resolve()))
    if known is None:
        return "unknown"
    return "trusted" if known == fingerprint(folder) else "changed"


def trust(folder: Path) -> None:
    """Trust the settings of a folder as they are now; `SettingsError` if it has none."""
    if not any(map(Path.exists, settings_files(folder))):
        raise SettingsError(f"there is nothing to trust: {folder} has neither {CONFIG_FILE} nor {ENV_FILE}")
    _write({**_read(), str(folder.resolve()): fingerprint(folder)})


def untrust(folder: Path) -> bool:
    """Forget a folder; return whether it was known."""
    known = _read()
    was_known = known.pop(str(folder.resolve()), None) is not None
    if was_known:
        _write(known)
    return was_known


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of the settings files of a folder: which exist, and their content."""
    total = hashlib.sha256()
    for path in settings_files(folder):
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"
        total.update(f"{path.name} {content}\n".encode())
    return total.hexdigest()


def settings_files(folder: Path) -> tuple[Path, Path]:
    """Return the files of a folder that settings are read from."""
    return folder / ENV_FILE, folder / CONFIG_FILE


def trust_file() -> Path:
    """Return the file with the list of trusted folders."""
    return user_file().with_name("trusted.json")


def _read() -> dict[str, str]:
    path = trust_file()
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path}, the list of trusted folders, can't be read ({error}). Delete it.") from error
    if not isinstance(known, dict):
        raise SettingsError(f"{path}, the list of trusted folders, is no list of folders. Delete it.")
    return {str(folder): str(content) for folder, content in known.items()}


def _write(known: dict[str, str]) -> None:
    """Write the list atomically: there is always a whole file or none."""
    path = trust_file()
    aside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        make_private_folder(path.parent)
        with os.fdopen(open_private(aside, os.O_WRONLY | os.O_TRUNC), "w", encoding="utf-8") as file:
            json.dump(known, file, indent=2, sort_keys=True)
        aside.replace(path)
    except OSError as error:
        raise SettingsError(f"the list of trusted folders can't be written to {path}: {error}") from error
