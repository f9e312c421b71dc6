"""Limits on the working folder's settings. Its `versus.toml` and `.env` came with it, perhaps from a stranger.

They may set numbers and names. Other settings count only from flags, the environment, the user's own configuration, or
a trusted folder (`agent.settings.trusted_folders`): recipients of keys or texts, files and folders elsewhere, and
models from a local folder or a plug-in. A key goes only to the address that it was given with or for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.escape import one_line
from agent.settings.trusted_folders import Trust, trust_in
from retrieval.embedding.model_loader import is_path
from retrieval.keys import shown

Values = Mapping[str, Any]
OPENAI = "openai"
"""The built-in provider; its address is a setting of its own."""
_ORGANIZATIONS = ("", "sentence-transformers/", "cross-encoder/")
"""Prefixes that sentence-transformers adds to a short name, so that a folder of that name could pass for the model."""


@dataclass(frozen=True, slots=True)
class NotTaken:
    """A setting that is rejected because of its place; `value` is fit to be shown."""

    name: str
    value: str
    source: str
    reason: str


def _always(value: object, folder: Path) -> bool:
    return True


def _never(value: object, folder: Path) -> bool:
    return False


def _within(value: object, folder: Path) -> bool:
    """Return True for a file or folder under the working folder, after following links."""
    if "://" in str(value) or str(value).startswith("~"):
        return False
    try:
        return (folder / str(value)).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, a null byte, links without end
        return False


def _model_name(value: object, folder: Path) -> bool:
    """Return True for a model's name that is no local folder, with or without its organization, and no plug-in's."""
    name = str(value)
    provider, colon, _ = name.partition(":")
    if colon and provider != OPENAI:
        return False
    for begin in _ORGANIZATIONS:
        name = name.removeprefix(begin)
    try:
        return not any(map(is_path, (str(value), *(begin + name for begin in _ORGANIZATIONS))))
    except OSError:  # too long for a path: certainly no local folder
        return False


def _openai(value: object, folder: Path) -> bool:
    return str(value) == OPENAI


def _off(value: object, folder: Path) -> bool:
    return str(value) == "off"


@dataclass(frozen=True, slots=True)
class SettingClass:
    """A kind of setting, and which of its values any folder may set."""

    meaning: str
    from_any_folder: Callable[[object, Path], bool]


PLAIN = SettingClass("a number, a name or a switch", _always)
ADDRESS = SettingClass("an address that receives keys and texts", _never)
SENDING = SettingClass("whether texts are sent elsewhere", _off)
PLACE = SettingClass("a file or folder that is read or written", _within)
MODEL = SettingClass("a model by name, or a local folder", _model_name)
PROVIDER = SettingClass("a provider, which receives texts", _openai)
KEY = SettingClass("a key, which goes only to the address that it was given with", _always)
CALLERS = SettingClass("who may ask a server", _never)

CLASSES: Mapping[str, SettingClass] = {
    **dict.fromkeys(("openai_base_url", "embedding_base_url"), ADDRESS),
    **dict.fromkeys(("openai_api_key", "embedding_api_key", "chroma_api_key"), KEY),
    **dict.fromkeys(("chroma", "log_dir", "llm_cache"), PLACE),
    **dict.fromkeys(("embedding_model", "reranker"), MODEL),
    "llm_provider": PROVIDER,
    "api_keys": CALLERS,
    "spans": SENDING,
    **dict.fromkeys(
        """
        absolute_min batch_concurrency batch_max_cost batch_max_questions batch_processes check_answered_in_part
        check_broken_lines check_filtered check_kept_none check_kept_one check_llm_failures check_llm_retries
        check_planner_fallbacks check_questions_failed check_slow check_sub_queries_failed check_unique_none
        chroma_database chroma_tenant chunk_types collection concurrency deadline distance_threshold effort filters
        gap_min_chunks gap_threshold hybrid llm_prices llm_timeout log_format log_level log_max_bytes log_to
        low_quality_limit max_chunks max_cost max_llm_calls max_question_chars max_tokens min_chunks min_keyword_overlap
        min_length min_score model no_filter planner preset profiles relative_threshold requests_per_minute tags
        tokens_per_minute
        """.split(),
        PLAIN,
    ),
}
"""Every setting, once. A setting missing here would count as an address, which only a trusted folder may set."""

ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "openai_api_key": ("openai_base_url",),
    "embedding_api_key": ("embedding_base_url", "openai_base_url"),
    "chroma_api_key": ("chroma",),
}
"""The addresses of each key; without any, it goes to the provider's own address."""

_NOT_TRUSTED: Mapping[Trust, str] = {
    "unknown": "this folder is not trusted",
    "changed": "the settings of this folder have changed since it was trusted",
}


def not_taken_note(not_taken: tuple[NotTaken, ...]) -> str:
    """Return what was rejected, why, and what to do about it, on one line.

    >>> not_taken_note((NotTaken("chroma", "/other", "versus.toml", "this folder is not trusted"),)).partition(". ")[0]
    'not taken: chroma /other (versus.toml): this folder is not trusted'
    """
    by_reason: dict[str, list[str]] = {}
    for each in not_taken:
        value = "" if each.name in ADDRESSES else f" {each.value}"
        by_reason.setdefault(each.reason, []).append(f"{each.name}{value} ({each.source})")
    reasons = "; ".join(f"{', '.join(listed)}: {reason}" for reason, listed in by_reason.items())
    return one_line(f"not taken: {reasons}. To trust it as it is: versus config --trust")


def trusted_values(
    given: Mapping[str, Values], strangers: tuple[str, ...], folder: Path
) -> tuple[dict[str, Values], tuple[NotTaken, ...]]:
    """Return the accepted values by place, in the same order, and the rejected ones that nothing overrides.

    `given` has the values of each place, the first place first; `strangers` are the places in the working `folder`.
    """
    suspect = {place: _suspects(given[place], folder) for place in strangers}
    keys = any(name in ADDRESSES for place in strangers for name in given[place])
    if not keys and not any(suspect.values()):
        return dict(given), ()
    trusted = trust_in(folder)
    if trusted == "trusted":
        return dict(given), ()
    untrusted = _Untrusted(given, strangers, suspect, _NOT_TRUSTED[trusted])
    counting = untrusted.counting()
    # A key is rejected because of an address, so the address is reported first.
    return counting, tuple(sorted(untrusted.not_taken, key=lambda each: each.name in ADDRESSES))


def _suspects(values: Values, folder: Path) -> frozenset[str]:
    return frozenset(
        name for name, value in values.items() if not CLASSES.get(name, ADDRESS).from_any_folder(value, folder)
    )


class _Untrusted:
    """Decides which values count in a folder that is not trusted; `not_taken` has the rejected ones."""

    def __init__(
        self, given: Mapping[str, Values], strangers: tuple[str, ...], suspect: Mapping[str, frozenset[str]], why: str
    ) -> None:
        self._given, self._strangers, self._suspect, self._why = given, strangers, suspect, why
        self.not_taken: list[NotTaken] = []

    def counting(self) -> dict[str, Values]:
        """Return the values that count, by place."""
        counting: dict[str, Values] = {}
        settled = set[str]()
        for place, values in self._given.items():
            reasons = {name: self._reason(name, place) for name in values}
            for name, reason in reasons.items():
                if reason and name not in settled:
                    self.not_taken.append(NotTaken(name, _masked(name, values[name]), place, reason))
            counting[place] = {name: value for name, value in values.items() if not reasons[name]}
            settled |= counting[place].keys()
        return counting

    def _reason(self, name: str, place: str) -> str:
        """Return why a setting from a place does not count; empty if it does."""
        if name in self._suspect.get(place, ()):
            return self._why
        if name in ADDRESSES:
            return self._reason_of_key(name, place)
        return ""

    def _reason_of_key(self, key: str, place: str) -> str:
        """Return why a key does not count; a key of the folder goes to the provider's own address only.

        If the folder names another address, which is rejected, no key goes to the provider either: neither the key nor
        the texts were meant for it.
        """
        named = any(self._is_named(address) for address in ADDRESSES[key])
        refused = any(self._is_refused(address) for address in ADDRESSES[key])
        if place in self._strangers and named:
            return "a key of this folder goes to no address from elsewhere"
        if refused and not named and (place in self._strangers or key != "chroma_api_key"):
            return "it goes to no other address than this folder names"
        return ""

    def _is_named(self, address: str) -> bool:
        """Return True if a trusted place names an address."""
        values = [values[address] for place, values in self._given.items()
                  if place not in self._strangers and address in values]  # fmt: skip
        return bool(values) and (address != "chroma" or "://" in str(values[0]))

    def _is_refused(self, address: str) -> bool:
        return any(address in names for names in self._suspect.values())


def _masked(name: str, value: object) -> str:
    return "********" if name in ADDRESSES else shown(str(value))[:200]
