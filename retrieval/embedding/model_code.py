"""Reject models that name code of their own before anything of them is loaded. A model is weights and settings.

A model's folder, or its page on a hub, has a foreign author. sentence-transformers can import a module in it (before
version 6 it did so for every local folder), and transformers one that `auto_map` names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

_MODULES = "modules.json"
_ROUTES = ("router_config.json", "config.json")
"""The files in which a routing module lists its modules; the second is the older name."""
_CONFIGS = (
    "config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
    "processor_config.json",
    "preprocessor_config.json",
)
_LIBRARY = "sentence_transformers."
_MOST_FOLDERS = 100


class CodeOfItsOwn(RuntimeError):
    """The model names code that is not part of sentence-transformers or transformers."""


def require_no_code(model: str, *, offline: bool, organization: str = "sentence-transformers") -> None:
    """Raise `CodeOfItsOwn` if the model, by name or local folder, names code of its own.

    A name without an organization may also belong to `organization`, as sentence-transformers resolves it. With
    `offline` only local files are read. Missing files are no error here; loading reports them.
    """
    places = [model] if "/" in model or Path(model).exists() else [model, f"{organization}/{model}"]
    for place in places:
        for file, named in _foreign_code(place, offline):
            raise CodeOfItsOwn(f"its {file} names code of its own, {named!r:.200}, and versus runs no code of a model")


def _foreign_code(model: str, offline: bool) -> Iterator[tuple[str, str]]:
    """Yield each class or module that is not the library's, with the file that names it."""
    waiting, seen = [""], set[str]()
    while waiting:
        folder = waiting.pop()
        seen.add(folder)
        if len(seen) > _MOST_FOLDERS:
            raise CodeOfItsOwn(f"it lists more than {_MOST_FOLDERS} modules, which nobody can look through")
        for file in _CONFIGS:
            content = _read(model, folder, file, offline)
            if "auto_map" in content:
                yield file, str(content["auto_map"])
        for file, name, part in _modules(model, folder, offline):
            if not name.startswith(_LIBRARY):
                yield file, name
            inner = str(PurePosixPath(folder) / part) if part else folder
            if inner not in seen:
                waiting.append(inner)


def _modules(model: str, folder: str, offline: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the modules that a folder lists: the file, the class name, and the module's folder."""
    if not folder:
        for entry in _read(model, folder, _MODULES, offline).get("", ()):
            if isinstance(entry, dict):
                yield _MODULES, str(entry.get("type")), str(entry.get("path") or "")
    for file in _ROUTES:
        types = _read(model, folder, file, offline).get("types")
        if isinstance(types, dict):
            yield from ((file, str(name), str(part)) for part, name in types.items())


def _read(model: str, folder: str, file: str, offline: bool) -> dict[str, Any]:
    """Return the JSON of a file of the model, a list under `""`; empty if there is no such file."""
    from sentence_transformers.util import load_file_path

    path = load_file_path(model, file, subfolder=folder, local_files_only=offline)
    if path is None:
        return {}
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    return content if isinstance(content, dict) else {"": content}
