from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import SettingsError
from agent.settings.places import PROVENANCE_FIELDS
from agent.settings.settings import Settings, load
from agent.settings.unknown_variables import unknown_variables
from retrieval.collections.chroma import ChromaServer
from retrieval.types import Policy

pytestmark = pytest.mark.usefixtures("empty_place")


def hints(annotation: Any) -> set[Any]:
    """The types that an annotation is made of, one level deep."""
    parts = get_args(annotation) if get_origin(annotation) in (UnionType, Union) else ()
    return {get_args(part)[0] if get_origin(part) is Annotated else part for part in parts}


def source_of(settings: Settings, name: str) -> str:
    return next(origin.source for origin in settings.explain() if origin.name == name)


def test_without_any_source_the_policy_is_the_default_one() -> None:
    assert Policy() == Settings().policy()


def test_each_place_overrides_the_ones_after_it(empty_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty_place / "versus.toml").write_text('model = "toml"\n')
    assert ("toml", "versus.toml") == (Settings().model, source_of(Settings(), "model"))
    (empty_place / ".env").write_text("VERSUS_MODEL=dotenv\nUNRELATED=1\n")
    assert ("dotenv", ".env") == (Settings().model, source_of(Settings(), "model"))
    monkeypatch.setenv("VERSUS_MODEL", "variable")
    assert "environment variable VERSUS_MODEL" == source_of(Settings(), "model")
    assert "flag" == load({"model": "flag"}).model
    assert "flag or argument" == source_of(load({"model": "flag"}), "model")


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "VERSUS_OPENAI_API_KEY"])
def test_the_key_is_read_under_both_names_and_never_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "sk-very-secret")
    settings = Settings()
    assert settings.openai_api_key is not None
    assert "sk-very-secret" == settings.openai_api_key.get_secret_value()
    assert "sk-very-secret" not in repr(settings) + str(settings.explain())
    assert f"environment variable {name}" == source_of(settings, "openai_api_key")


@pytest.mark.parametrize("name", ["chroma_api_key", "embedding_api_key"])
def test_other_keys_are_never_shown_either(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"VERSUS_{name.upper()}", "ck-very-secret")
    settings = Settings(chroma="https://api.trychroma.com")
    assert "ck-very-secret" not in repr(settings) + str(settings.explain()) + repr(settings.chroma_location())
    assert ("********", f"environment variable VERSUS_{name.upper()}") == next(
        (origin.value, origin.source) for origin in settings.explain() if origin.name == name
    )


def test_a_server_comes_with_its_key_tenant_and_database_and_a_folder_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_CHROMA_API_KEY", "ck-1")
    monkeypatch.setenv("VERSUS_CHROMA_TENANT", "acme")
    monkeypatch.setenv("VERSUS_CHROMA_DATABASE", "books")
    expected = ChromaServer("https://api.trychroma.com", "ck-1", "acme", "books")
    assert expected == Settings(chroma="https://api.trychroma.com").chroma_location()
    assert "data/chroma" == Settings(chroma="data/chroma").chroma_location()


@pytest.mark.parametrize(
    ("given", "endpoint"),
    [
        ({}, (None, None)),
        ({"openai_api_key": "sk-1", "openai_base_url": "http://llm/v1"}, ("http://llm/v1", "sk-1")),
        ({"openai_api_key": "sk-1", "embedding_api_key": "sk-2"}, (None, "sk-2")),
        ({"openai_api_key": "sk-1", "embedding_base_url": "http://mine/v1"}, ("http://mine/v1", None)),
        ({"embedding_api_key": "sk-2", "embedding_base_url": "http://mine/v1"}, ("http://mine/v1", "sk-2")),
    ],
    ids=str,
)
def test_embedding_models_have_an_endpoint_of_their_own_or_the_language_models(
    given: dict[str, object], endpoint: tuple[str | None, str | None]
) -> None:
    assert endpoint == load(given).embedding_endpoint()


def test_an_argument_wins_over_the_well_known_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://from.environment")
    assert "http://argument" == load({"openai_base_url": "http://argument"}).openai_base_url


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert Settings().openai_api_key is None


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [
        ("VERSUS_MAX_CHUNKS", "0", "max_chunks"),
        ("VERSUS_MAX_CHUNKS", "many", "max_chunks"),
        ("VERSUS_GAP_THRESHOLD", "nan", "gap_threshold"),
        ("VERSUS_PRESET", "brave", "preset"),
        ("VERSUS_COLLECTION", "a b", "collection"),
        ("VERSUS_COLLECTION", "rules,a b", "collection"),
        ("VERSUS_COLLECTION", "rules,x", "collection"),
        ("VERSUS_COLLECTION", ", ,", "collection"),
        ("VERSUS_DEADLINE", "-1", "deadline"),
        ("OPENAI_BASE_URL", "ftp://x", "openai_base_url"),
        ("VERSUS_EMBEDDING_BASE_URL", "localhost:11434", "embedding_base_url"),
        ("VERSUS_TAGS", " , ", "tags"),
        ("VERSUS_CHUNK_TYPES", ",", "chunk_types"),
    ],
)
def test_a_bad_value_names_setting_value_and_source(
    variable: str, value: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        Settings()
    assert all(part in str(caught.value) for part in (name, value, variable))


COMPLEX = [name for name, field in Settings.model_fields.items() if get_origin(field.annotation) in (dict, tuple)]


@pytest.mark.parametrize("name", [name for name in COMPLEX if name not in ("tags", "chunk_types", *PROVENANCE_FIELDS)])
@pytest.mark.parametrize(
    "value", ["foo", "{", "[1", "[" * 100_000, '{"m": [true, 1]}', '{"m": [1]}'], ids=lambda v: v[:9]
)
def test_a_value_with_parts_that_is_no_json_names_setting_and_source(
    name: str, value: str, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_place / ".env").write_text(f"VERSUS_{name.upper()}={value}\n")
    with pytest.raises(SettingsError, match=rf"(?s)'{name}'.*\(\.env\)"):
        Settings()
    monkeypatch.setenv(f"VERSUS_{name.upper()}", value)
    with pytest.raises(SettingsError, match=rf"(?s)'{name}'.*VERSUS_{name.upper()}"):
        Settings()


def test_the_prices_are_a_setting_with_parts() -> None:
    assert "llm_prices" in COMPLEX


@pytest.mark.parametrize("value", ["http://", "https:///v1", "http://:8000", "http://me:pw@/x"])
@pytest.mark.parametrize("name", ["chroma", "openai_base_url", "embedding_base_url"])
def test_an_address_without_a_host_is_told_so(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"'{name}'.*a host") as caught:
        load({name: value})
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("place", ["argument", "variable", ".env", "versus.toml"])
def test_the_store_may_be_called_store_in_every_place(
    place: str, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "variable":
        monkeypatch.setenv("VERSUS_STORE", "data/here")
    elif place == ".env":
        (empty_place / ".env").write_text("VERSUS_STORE=data/here\n")
    elif place == "versus.toml":
        (empty_place / "versus.toml").write_text('store = "data/here"\n')

    settings = load({"store": "data/here"} if place == "argument" else {})

    assert "data/here" == settings.chroma
    assert place.removeprefix("argument") in dict(settings.origins)["chroma"]


@pytest.mark.parametrize("place", ["variable", ".env", "versus.toml"])
def test_a_place_that_gives_both_names_of_the_store_is_an_error(
    place: str, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "variable":
        monkeypatch.setenv("VERSUS_STORE", "data/here")
        monkeypatch.setenv("VERSUS_CHROMA", "data/there")
    elif place == ".env":
        (empty_place / ".env").write_text("VERSUS_STORE=data/here\nVERSUS_CHROMA=data/there\n")
    else:
        (empty_place / "versus.toml").write_text('store = "data/here"\nchroma = "data/there"\n')

    with pytest.raises(SettingsError, match="'chroma' and 'store' are one setting"):
        Settings()


def test_a_store_that_is_not_installed_is_told_with_those_that_are() -> None:
    with pytest.raises(SettingsError, match=r"'chroma'.*no store 'ftp'.* folder, http, https"):
        load({"chroma": "ftp://books"})


def test_a_folder_may_have_any_name() -> None:
    assert "httpdocs" == Settings(chroma="httpdocs").chroma


NUMBERS = [name for name, field in Settings.model_fields.items()
           if {int, float} & {field.annotation, *hints(field.annotation)}]  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_a_boolean_is_no_number(name: str, empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text(f"{name} = true\n")
    with pytest.raises(SettingsError, match=rf"'{name}'.*True.*versus\.toml.*no number"):
        Settings()


def test_switches_are_booleans(empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text("no_filter = true\nhybrid = false\n")
    assert (True, False) == (Settings().no_filter, Settings().hybrid)


@pytest.mark.parametrize("value", ["", ",", " , "])
@pytest.mark.parametrize("name", ["tags", "chunk_types"])
def test_a_filter_that_names_nothing_is_an_error(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"'{name}'.*names nothing"):
        load({name: value})


@pytest.mark.parametrize("name", ["openai_api_key", "chroma_api_key", "embedding_api_key"])
def test_a_bad_key_is_not_repeated_in_the_message(name: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load({name: 12345678})
    assert "12345678" not in str(caught.value)


def test_an_unknown_name_in_the_file_is_an_error_with_its_line(empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text('model = "m"\n\ncolection = "rules"\n')
    with pytest.raises(SettingsError, match=r"colection.*versus\.toml:3"):
        Settings()


def test_an_unknown_name_in_the_env_file_is_an_error_with_its_line(empty_place: Path) -> None:
    (empty_place / ".env").write_text("UNRELATED=1\nVERSUS_MODEL=m\nexport VERSUS_MAX_CHUNK=1\n")
    with pytest.raises(SettingsError, match=r"VERSUS_MAX_CHUNK'.*\.env:3"):
        Settings()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("VERSUS_MODEL: m\n", 1),
        ("A=1\n\n# why\n\n  not this\nVERSUS_MODEL=m\n", 5),
        ("A=1\nVERSUS_MODEL='m\nB=2\n", 2),
        ("VERSUS_MODEL=m\r\n\r\n=\r\n", 3),
    ],
)
def test_a_line_of_the_env_file_that_is_no_assignment_is_an_error_with_its_place(
    content: str, line: int, empty_place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (empty_place / ".env").write_bytes(content.encode())
    with pytest.raises(SettingsError, match=rf"^\.env:{line} .*NAME=value"):
        Settings()
    assert [] == caplog.messages


def test_the_env_file_may_have_what_a_shell_has(empty_place: Path) -> None:
    (empty_place / ".env").write_text("# why\nexport A\nB='1\n2'\nexport VERSUS_MODEL=\"m\"  # because\n\n")
    assert "m" == Settings().model


def test_the_file_may_begin_with_a_byte_order_mark(empty_place: Path) -> None:
    (empty_place / "versus.toml").write_bytes(b'\xef\xbb\xbfmodel = "m"\n')
    assert "m" == Settings().model


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("nowhere")], ids=["folder", "broken link"])
def test_what_has_the_name_of_the_file_and_is_none_is_an_error(make: Callable[[Path], None], empty_place: Path) -> None:
    make(empty_place / "versus.toml")
    with pytest.raises(SettingsError, match=r"versus\.toml is no file"):
        Settings()


def test_an_unknown_argument_is_an_error() -> None:
    with pytest.raises(SettingsError, match="colection"):
        load({"colection": "rules"})


@pytest.mark.parametrize(
    ("file", "content"), [("versus.toml", b"x =\n"), ("versus.toml", b"\xff"), (".env", b"A=\xff")]
)
def test_an_unreadable_file_is_named(file: str, content: bytes, empty_place: Path) -> None:
    (empty_place / file).write_bytes(content)
    with pytest.raises(SettingsError, match=file):
        Settings()


def test_what_is_set_goes_on_top_of_the_preset() -> None:
    policy = Settings(preset="strict", distance_threshold=0.2, no_filter=True).policy()
    assert (0.5, 0.2, 12, False) == (
        policy.absolute_min,
        policy.distance_offset,
        policy.max_chunks,
        policy.filters,
    )


def test_settings_can_not_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().collection = "other"


def test_the_record_of_origins_can_not_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_ORIGINS", "[]")
    with pytest.raises(SettingsError, match="origins"):
        Settings()


def test_a_misspelt_variable_is_pointed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_CHROMAX", "rules")
    assert ("VERSUS_CHROMAX",) == unknown_variables()


def test_a_password_in_an_address_is_not_shown() -> None:
    address = "https://me:p@s/s@host/v1?api-key=s3cret"
    settings = Settings(chroma="http://me:pw@host:8000", openai_base_url=address)
    shown = {origin.name: origin.value for origin in settings.explain()}
    assert ("http://***@host:8000", "https://***@host/v1?***") == (shown["chroma"], shown["openai_base_url"])


@given(st.integers() | st.floats() | st.text())
def test_any_value_is_either_taken_or_explained(value: object) -> None:
    try:
        settings = load({"max_chunks": value})
    except SettingsError as error:
        assert "max_chunks" in str(error)
    else:
        assert settings.max_chunks is not None
        assert 1 <= settings.max_chunks <= 1000


@pytest.mark.parametrize("value", ["rules,monsters", " rules , monsters,rules,", ["rules", "monsters", "rules"]])
def test_several_collections_are_named_once_each_in_their_order(value: object) -> None:
    settings = load({"collection": value})
    assert ("rules,monsters", ("rules", "monsters")) == (settings.collection, settings.collections)


def test_one_collection_is_what_it_was() -> None:
    settings = load({"collection": "rules"})
    assert ("rules", ("rules",), "rules") == (settings.collection, settings.collections, settings.only_collection())


def test_the_file_lists_collections(empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text('collection = ["rules", "monsters"]\n')
    assert ("rules", "monsters") == Settings().collections
    with pytest.raises(SettingsError, match=r"'rules,monsters' \(versus\.toml\)\. Choose one with --collection"):
        Settings().only_collection()


@pytest.mark.parametrize("value", ["[]", "[1234]", '["rules", "a b"]', "1234"])
def test_a_bad_list_of_collections_is_an_error(value: str, empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text(f"collection = {value}\n")
    with pytest.raises(SettingsError, match=r"(?s)'collection'.*versus\.toml.*several names with commas"):
        Settings()
