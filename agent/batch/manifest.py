"""The manifest beside an output has the settings of its batch, so that no run finishes it with other settings.

Collections may change between two runs; the output then notes that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from agent.batch.errors import BatchError
from agent.batch.output import beside, manifest_of, sync_folder
from agent.errors import SettingsError
from agent.settings.private_files import open_private, tighten
from agent.settings.settings import Settings
from retrieval.collections.opening import contents_of

_FREE = frozenset(
    """
    batch_concurrency batch_max_cost batch_max_questions batch_processes chroma_api_key concurrency deadline
    embedding_api_key llm_cache llm_prices llm_timeout max_question_chars openai_api_key requests_per_minute spans
    tokens_per_minute
    """.split()
)
"""Settings that may change between two runs: they affect duration and cost, not answers."""
_FREE_BEGINNINGS = ("check_", "log_")
FORMAT = 2
_FORMAT_WITHOUT_CHECKSUMS = 1
"""The format of outputs whose records may lack checksums."""


def fingerprint(settings: Settings) -> dict[str, str]:
    """Return the settings on which answers depend, as `versus config` shows them, without secrets.

    >>> fingerprint(Settings(collection="rules"))["collection"]
    'rules'
    """
    shown = {origin.name: origin.value for origin in settings.explain()}
    return {name: shown[name] for name in shown if name not in _FREE and not name.startswith(_FREE_BEGINNINGS)}


def contents(settings: Settings) -> str:
    """Return a fingerprint of the local collections' contents; "" if it is unknown. Blocks.

    >>> contents(Settings(collection="rules", chroma="nowhere"))
    ''
    """
    place = settings.chroma_location()
    return " ".join(contents_of(place, name) for name in settings.collections).strip()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The settings of a batch, and a fingerprint of the collections ("" if unknown)."""

    made_with: Mapping[str, str]
    contents: str = ""
    format: int = FORMAT

    @property
    def has_checksums(self) -> bool:
        """True if each record must have a checksum."""
        return self.format > _FORMAT_WITHOUT_CHECKSUMS


def read_manifest(output: Path) -> Manifest | None:
    """Return the manifest of an output; `None` if there is none, `BatchError` if it can't be read."""
    path = manifest_of(output)
    try:
        tighten(path)
        found = orjson.loads(path.read_bytes())
        if (known := int(found["format"])) > FORMAT:
            raise BatchError(
                f"{path} was made by a newer version of versus (format {known}; this one reads up to {FORMAT}). Update "
                f"versus, or {_ANEW}"
            )
        made_with = {str(name): str(value) for name, value in found["made_with"].items()}
        return Manifest(made_with, str(found.get("contents", "")), known)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BatchError(f"{path} can't be read ({error}); {_ANEW}") from error


def write_manifest(output: Path, manifest: Manifest) -> None:
    """Write the manifest of an output atomically: there is always a whole manifest or none."""
    path = manifest_of(output)
    aside = beside(path, ".new")
    try:
        with os.fdopen(open_private(aside, os.O_WRONLY | os.O_TRUNC), "wb") as file:
            file.write(orjson.dumps(asdict(manifest), option=orjson.OPT_INDENT_2))
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise BatchError(f"{path} can't be written ({error.strerror or error}); check its disk and folder") from error


def check_match(output: Path, then: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise `SettingsError` if an output was begun with other settings."""
    other = [f"{name} was {then.get(name, '(none)')} and is {now.get(name, '(none)')}" for name in sorted({*then, *now})
             if then.get(name) != now.get(name)]  # fmt: skip
    if other:
        raise SettingsError(
            f"{output} was begun with other settings: {'; '.join(other)}. Go on with the same ones, name another "
            "--output, or begin anew with --no-resume"
        )


_ANEW = "name another --output, or begin anew with --no-resume"
