"""What a working folder may set without being trusted, and what it may not: addresses, and places elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import SettingsError
from agent.settings.folder_trust import NotTaken
from agent.settings.places import user_file
from agent.settings.settings import Settings, load
from tests.agent.folders import in_env_file, in_toml

USERS_KEY = "sk-users-canary-0123456789"


def test_what_the_user_configured_counts_in_every_folder_and_after_the_folders_own(
    empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text(
        'openai_base_url = "http://mine.example/v1"\nchroma = "/mine"\nmodel = "m"\npreset = "strict"\n'
    )
    in_toml(openai_base_url="http://stranger.example/v1", preset="lenient")
    monkeypatch.setenv("OPENAI_API_KEY", USERS_KEY)
    settings = Settings()

    assert ("http://mine.example/v1", "/mine", "m", "lenient") == (
        settings.openai_base_url, settings.chroma, settings.model, settings.preset,
    )  # fmt: skip
    assert str(user_file()) == dict(settings.origins)["openai_base_url"]
    assert settings.openai_api_key is not None


def test_an_unknown_name_in_the_users_file_is_an_error_with_its_line(empty_place: Path) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text('\ncolection = "rules"\n')

    with pytest.raises(SettingsError, match=r"colection.*versus/versus\.toml:2"):
        Settings()


@pytest.mark.parametrize("file", ["versus.toml", ".env"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("openai_base_url", "http://stranger.example/v1"),
        ("embedding_base_url", "http://stranger.example/v1"),
        ("chroma", "http://stranger.example"),
        ("chroma", "/elsewhere"),
        ("chroma", "../elsewhere"),
        ("chroma", "inside/../../elsewhere"),
        ("chroma", "link"),
        ("chroma", "~"),
        ("log_dir", "../elsewhere"),
        ("llm_cache", "/elsewhere/replies.sqlite"),
        ("embedding_model", "./evil"),
        ("embedding_model", "evil"),
        ("embedding_model", "/evil"),
        ("embedding_model", "~/evil"),
        ("embedding_model", "sentence-transformers/./evil"),
        ("embedding_model", "all-evil-v1"),
        ("reranker", "./evil"),
        ("reranker", "cross-encoder/./evil"),
        ("spans", "otlp"),
    ],
)
def test_no_address_and_no_place_elsewhere_is_taken_from_the_folder(
    name: str, value: str, file: str, empty_place: Path
) -> None:
    (empty_place / "evil").mkdir()
    (empty_place / "sentence-transformers" / "all-evil-v1").mkdir(parents=True)
    (empty_place / "link").symlink_to("/")
    before = getattr(Settings(), name)
    if file == ".env":
        in_env_file(**{f"VERSUS_{name.upper()}": value})
    else:
        in_toml(**{name: value})
    settings = Settings()

    assert before == getattr(settings, name)
    assert (NotTaken(name, value, file, "this folder is not trusted"),) == settings.not_taken
    assert f"default; not taken from {file}" == next(each.source for each in settings.explain() if each.name == name)


def test_the_other_name_of_the_store_is_no_way_around_that(empty_place: Path) -> None:
    in_toml(store="http://stranger.example")
    settings = Settings()

    assert ".versus/chroma" == settings.chroma
    assert (NotTaken("chroma", "http://stranger.example", "versus.toml", "this folder is not trusted"),) == (
        settings.not_taken
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("collection", "monsters"),
        ("model", "gpt-4o"),
        ("embedding_model", "all-mpnet-base-v2"),
        ("embedding_model", "openai:text-embedding-3-small"),
        ("reranker", "cross-encoder/ms-marco-MiniLM-L-6-v2"),
        ("chroma", "store/chroma"),
        ("spans", "off"),
        ("chroma_tenant", "acme"),
        ("planner", "rules"),
    ],
)
def test_numbers_names_and_places_within_are_taken_from_any_folder(name: str, value: str, empty_place: Path) -> None:
    in_toml(**{name: value})
    settings = Settings()

    assert (value, ()) == (getattr(settings, name), settings.not_taken)


def test_a_line_of_the_env_file_does_not_see_the_environment(
    empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", USERS_KEY)
    in_env_file(BOOK="books", VERSUS_MODEL="m${OPENAI_API_KEY}", VERSUS_EMBEDDING_MODEL="stranger/${HOME:-x}",
                VERSUS_COLLECTION="${BOOK}-of-mine")  # fmt: skip
    settings = Settings()

    assert ("m", "stranger/x", "books-of-mine") == (settings.model, settings.embedding_model, settings.collection)


def test_what_somebody_else_sets_is_not_told_as_not_taken(empty_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_toml(openai_base_url="http://stranger.example/v1", chroma="http://stranger.example")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://mine.example/v1")

    assert () == load({"chroma": "mine"}).not_taken
