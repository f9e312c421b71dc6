"""Every setting, read once, from six places in a fixed order, and stored with the place it came from.

Order: arguments (flags), environment variables, `.env`, `versus.toml`, the user's own `versus.toml`, the defaults. What
the two files of the working folder may set is limited (`agent.settings.folder_trust`). A wrong value is an error that
names the setting, the value and the place, never a silent default. Only this module and `agent.settings.places` read
the environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import (
    AliasChoices,
    Field,
    ModelWrapValidatorHandler,
    SecretStr,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from agent.errors import SettingsError
from agent.settings.advice import advice_on
from agent.settings.batch import BatchSettings
from agent.settings.checks import CheckSettings
from agent.settings.filters import FilterValues
from agent.settings.folder_trust import NotTaken, trusted_values
from agent.settings.llm import LLMSettings
from agent.settings.places import (
    CONFIG_FILE,
    ENV_FILE,
    OTHER_NAMES,
    PREFIX,
    PROVENANCE_FIELDS,
    ConfigFile,
    EnvFile,
    Environment,
    ReadValues,
    given_twice,
    names,
    unknown,
    user_file,
)
from agent.settings.profiles import Profiles, numbers_of, profile_complaint
from agent.settings.server import ServerSettings
from agent.settings.values import CollectionNames, Fraction, Names, Place, Url, booleans
from retrieval.collections.chroma.location import ChromaServer, Location, server_of
from retrieval.embedding.models import provider_of
from retrieval.keys import shown
from retrieval.types import Policy

FLAG = "flag or argument"
"""The place of arguments."""
VARIABLE = "environment variable"
# These two use the names that every tool reads; all others carry the prefix.
_WELL_KNOWN = {"openai_api_key": "OPENAI_API_KEY", "openai_base_url": "OPENAI_BASE_URL"}
POLICY_FIELDS: Mapping[str, str] = {
    "max_chunks": "max_chunks",
    "gap_threshold": "gap_threshold",
    "gap_min_chunks": "gap_min_chunks",
    "distance_threshold": "distance_offset",
    "relative_threshold": "relative_threshold",
    "absolute_min": "absolute_min",
    "min_chunks": "min_chunks",
    "min_length": "min_length",
    "min_keyword_overlap": "min_keyword_overlap",
    "low_quality_limit": "low_quality_limit",
    "hybrid": "hybrid",
}
"""The field of the retrieval policy that each of these settings fills."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One setting as `versus config` shows it: its value as text (secrets masked) and where it came from."""

    name: str
    value: str
    source: str


class Settings(CheckSettings, BatchSettings, LLMSettings, ServerSettings, BaseSettings):
    """All settings, frozen. Unset ones are read from the environment, `.env`, `versus.toml` and the user's own.

    Raises `SettingsError` for a value out of range or an unknown name.

    >>> Settings(collection="rules", preset="strict").policy().absolute_min
    0.5
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=PREFIX,
        env_ignore_empty=True,
        dotenv_filtering="only_existing",
        populate_by_name=True,
        validate_default=False,
    )

    collection: CollectionNames = "rules"
    chroma: Place = Field(default=".versus/chroma", validation_alias=AliasChoices("VERSUS_CHROMA", "VERSUS_STORE"))
    chroma_api_key: SecretStr | None = None
    chroma_tenant: Annotated[str, StringConstraints(min_length=1)] | None = None
    chroma_database: Annotated[str, StringConstraints(min_length=1)] | None = None
    log_dir: Path = Path("logs")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_to: Literal["file", "stderr", "none"] = "file"
    log_format: Literal["json", "console"] = "json"
    log_max_bytes: Annotated[int, Field(ge=0)] = 0
    spans: Literal["off", "otlp"] = "off"
    embedding_model: Annotated[str, StringConstraints(min_length=1)] = "all-MiniLM-L6-v2"
    embedding_base_url: Url | None = None
    embedding_api_key: SecretStr | None = None
    model: Annotated[str, StringConstraints(min_length=1)] = "gpt-4o-mini"
    planner: Literal["auto", "rules", "llm"] = "auto"
    effort: Literal["auto", "minimal", "low", "medium"] = "auto"
    preset: Literal["strict", "balanced", "lenient"] = "balanced"
    max_chunks: Annotated[int, Field(ge=1, le=1000)] | None = None
    distance_threshold: Fraction | None = None
    gap_threshold: Fraction | None = None
    gap_min_chunks: Annotated[int, Field(ge=1, le=1000)] | None = None
    relative_threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    absolute_min: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    min_chunks: Annotated[int, Field(ge=0, le=1000)] | None = None
    min_length: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    min_keyword_overlap: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    low_quality_limit: Annotated[int, Field(ge=0, le=1000)] | None = None
    hybrid: bool | None = None
    profiles: Profiles = Field(default_factory=dict)
    filters: FilterValues = Field(default_factory=dict)
    reranker: Annotated[str, StringConstraints(min_length=1)] | None = None
    chunk_types: Names = ()
    tags: Names = ()
    min_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.0
    no_filter: bool = False
    deadline: Annotated[float, Field(gt=0, le=86400, allow_inf_nan=False)] = 60.0
    concurrency: Annotated[int, Field(ge=1, le=256)] = 24
    max_question_chars: Annotated[int, Field(ge=1, le=10_000_000)] = 20_000
    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("OPENAI_API_KEY", "VERSUS_OPENAI_API_KEY")
    )
    openai_base_url: Url | None = Field(
        default=None, validation_alias=AliasChoices("OPENAI_BASE_URL", "VERSUS_OPENAI_BASE_URL")
    )
    origins: tuple[tuple[str, str], ...] = Field(default=(), repr=False, exclude=True)
    """The place of each setting that is not a default; filled in while reading, never set."""
    not_taken: tuple[NotTaken, ...] = Field(default=(), repr=False, exclude=True)
    """Settings of the working folder that are rejected (`agent.settings.folder_trust`); filled in like `origins`."""

    @field_validator("*", mode="before")
    @classmethod
    def _no_boolean_for_a_number(cls, value: object, info: ValidationInfo) -> object:
        annotation = cls.model_fields[str(info.field_name)].annotation
        if bool not in (annotation, *get_args(annotation)) and any(True for _ in booleans(value)):
            raise ValueError("true and false are for switches; a boolean is no number")
        return value

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @model_validator(mode="wrap")
    @classmethod
    def _explain(cls, data: object, handler: ModelWrapValidatorHandler[Settings]) -> Settings:
        try:
            return handler(data)
        except ValidationError as error:
            found = data.get("origins", ()) if isinstance(data, dict) else ()
            raise SettingsError("\n".join(_complaints(error, dict(found)))) from None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the accepted values of the places, first place first; before them their origins."""
        places = {
            FLAG: init_settings,
            VARIABLE: Environment(settings_cls),
            ENV_FILE: EnvFile(settings_cls, ENV_FILE),
            CONFIG_FILE: ConfigFile(settings_cls, Path(CONFIG_FILE)),
            str(user_file()): ConfigFile(settings_cls, user_file()),
        }
        given = {label: _by_name(settings_cls, place(), label) for label, place in places.items()}
        counting, not_taken = trusted_values(given, (ENV_FILE, CONFIG_FILE), Path())
        found: dict[str, str] = {}
        for label, values in counting.items():
            for name in values:
                found.setdefault(name, _named(label, name, places[label]))
        facts = {"origins": tuple(found.items()), "not_taken": not_taken}
        return tuple(ReadValues(settings_cls, values) for values in (facts, *counting.values()))

    @property
    def collections(self) -> tuple[str, ...]:
        """The names in `collection`, in the order given.

        >>> Settings(collection="rules, monsters, rules").collections
        ('rules', 'monsters')
        """
        return tuple(self.collection.split(","))

    def only_collection(self) -> str:
        """Return the one collection that can be written to; `SettingsError` if several are named."""
        if len(self.collections) > 1:
            place = dict(self.origins).get("collection", "default")
            raise SettingsError(
                f"only one collection can be written to, and setting 'collection' names {len(self.collections)}: "
                f"{self.collection!r} ({place}). Choose one with --collection NAME"
            )
        return self.collection

    def policy(self) -> Policy:
        """Return the retrieval policy: the preset, with explicit thresholds on top.

        >>> Settings(max_chunks=5).policy().max_chunks
        5
        """
        values = {policy: getattr(self, name) for name, policy in POLICY_FIELDS.items()}
        given = {name: value for name, value in values.items() if value is not None}
        profiles = tuple(each.profile(chunk_type) for chunk_type, each in sorted(self.profiles.items()))
        named = tuple(sorted(self.filters.items()))
        policy = replace(Policy.preset(self.preset), filters=not self.no_filter, profiles=profiles, named_filters=named)
        return replace(policy, **given)

    def chroma_location(self) -> Location:
        """Return the place of the collections; a server comes with its key, tenant and database.

        >>> Settings(chroma="https://api.trychroma.com", chroma_tenant="acme").chroma_location()
        ChromaServer('https://api.trychroma.com', tenant='acme', database=None)
        """
        if server_of(self.chroma) is None:
            return self.chroma
        key = _revealed(self.chroma_api_key)
        return ChromaServer(self.chroma, key, self.chroma_tenant, self.chroma_database)

    def embedding_endpoint(self) -> tuple[str | None, str | None]:
        """Return the address and the key for a provider's embedding models.

        `openai:` models use their own address and key, else those of the language model; other providers use only
        their own. A separate address gets only its own key, so that no key goes where it does not belong. If such an
        address was rejected, no key is used either, so that no text goes to another address instead.
        """
        provider = provider_of(self.embedding_model)
        if self.embedding_base_url is not None or (provider is not None and provider[0] != "openai"):
            return self.embedding_base_url, _revealed(self.embedding_api_key)
        if any(refused.name == "embedding_base_url" for refused in self.not_taken):
            return self.openai_base_url, None
        return self.openai_base_url, _revealed(self.embedding_api_key or self.openai_api_key)

    def explain(self) -> tuple[Origin, ...]:
        """Return every setting with its value in force and its source, in the order they are declared.

        >>> Settings(collection="rules").explain()[0]
        Origin(name='collection', value='rules', source='flag or argument')
        """
        return tuple(origin for name in names(type(self)) for origin in self._explained(name))

    def _explained(self, name: str) -> Iterator[Origin]:
        """Yield a setting, or each of the numbers that profiles set."""
        if name != "profiles" or not self.profiles:
            yield self._origin(name)
            return
        for path, value in numbers_of(self.profiles):
            yield Origin(path, f"{value:g}", dict(self.origins).get(name, "default"))

    def _origin(self, name: str) -> Origin:
        value = getattr(self, name)
        if name in POLICY_FIELDS and value is None:
            return Origin(name, str(getattr(self.policy(), POLICY_FIELDS[name])), f"preset {self.preset}")
        source = dict(self.origins).get(name, "default")
        refused = [f"; not taken from {each.source}" for each in self.not_taken if each.name == name]
        return Origin(name, _shown(value), source + "".join(refused))


def load(flags: Mapping[str, object]) -> Settings:
    """Return settings with these flags; a flag with the value None was not given.

    >>> load({"collection": "rules", "max_chunks": None}).collection
    'rules'
    """
    given = {name: value for name, value in flags.items() if value is not None}
    return Settings(**cast("dict[str, Any]", given))


def _by_name(settings_cls: type[BaseSettings], values: Mapping[str, Any], label: str) -> dict[str, Any]:
    """Return the values of one place by setting name. `PROVENANCE_FIELDS` are filled in here and rejected as input."""
    named: dict[str, Any] = {}
    for key, value in values.items():
        if _field_of(key) in named:
            raise given_twice(_field_of(key), label)
        named[_field_of(key)] = value
    for name in PROVENANCE_FIELDS:
        if name in named:
            raise unknown(settings_cls, name, label)
    return named


def _field_of(key: str) -> str:
    """Return the setting behind another name.

    >>> _field_of("OPENAI_API_KEY"), _field_of("VERSUS_STORE"), _field_of("store"), _field_of("tags")
    ('openai_api_key', 'chroma', 'chroma', 'tags')
    """
    plain = key.lower().removeprefix(PREFIX.lower())
    if plain in OTHER_NAMES:
        return OTHER_NAMES[plain]
    return plain if plain in _WELL_KNOWN or plain in OTHER_NAMES.values() else key


def _named(label: str, name: str, place: PydanticBaseSettingsSource) -> str:
    if label != VARIABLE or not isinstance(place, EnvSettingsSource):
        return label
    others = [PREFIX + other.upper() for other, own in OTHER_NAMES.items() if own == name]
    named = (variable for variable in (*others, _WELL_KNOWN.get(name, "")) if variable.lower() in place.env_vars)
    return f"{label} {next(named, PREFIX + name.upper())}"


def _revealed(key: SecretStr | None) -> str | None:
    return None if key is None else key.get_secret_value()


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return "********"
    if isinstance(value, dict) and not value:
        return "(not set)"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "(not set)"
    return "(not set)" if value is None else shown(str(value))


def _complaints(error: ValidationError, origins: Mapping[str, str]) -> Iterator[str]:
    for problem in error.errors(include_url=False):
        name = _field_of(str(problem["loc"][0])) if problem["loc"] else "settings"
        place = origins.get(name, FLAG)
        if name == "profiles":
            yield profile_complaint(problem, place)
            continue
        if problem["type"] == "extra_forbidden":
            yield str(unknown(Settings, name, place))
            continue
        value = "********" if name.endswith(("_api_key", "api_keys")) else shown(repr(problem["input"]))[:200]
        yield f"setting {name!r} can't be {value} ({place}): {advice_on(Settings, name, problem)}"
