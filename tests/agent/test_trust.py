"""A working folder's settings are a stranger's words: no key, text or store follows them before it is trusted."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.ask import Agent
from agent.cli.app import app
from agent.errors import SettingsError
from agent.settings.folder_trust import ADDRESSES, CLASSES, KEY
from agent.settings.places import names, user_file
from agent.settings.settings import Settings
from agent.settings.trusted_folders import trust, trust_file, trust_in, untrust
from tests.agent.folders import in_env_file, in_toml
from tests.agent.shelf import BOOK
from tests.fake_openai import FakeOpenAI
from tests.loopback import Loopback, Reply, loopback

USERS_KEY = "sk-users-canary-0123456789"
FOLDERS_KEY = "sk-folders-canary-0123456789"
QUESTION = "How long must a hexer rest before casting again, and what do people in swamps say about bog ogres?"


@pytest.fixture
def stranger() -> Iterator[FakeOpenAI]:
    """An address that a folder names."""
    with FakeOpenAI().running() as server:
        yield server


@pytest.fixture
def users_own() -> Iterator[FakeOpenAI]:
    """An address that the user names."""
    with FakeOpenAI().running() as server:
        yield server


@pytest.fixture
def chroma_server() -> Iterator[Loopback]:
    with loopback(lambda request: Reply({"nanosecond heartbeat": 1})) as server:
        yield server


@pytest.fixture
def book(empty_place: Path, ingested: Callable[[str], Path]) -> Path:
    """The working folder, with a collection of its own."""
    (empty_place / ".versus").mkdir()
    (empty_place / ".versus" / "chroma").symlink_to(ingested(BOOK))
    return empty_place


def versus(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def keys_that_came(server: FakeOpenAI | Loopback) -> set[str | None]:
    return {
        request.headers.get("authorization") or request.headers.get("x-chroma-token") for request in server.requests
    }


def test_every_setting_has_a_class() -> None:
    assert set(names(Settings)) == set(CLASSES)


def test_every_key_has_the_addresses_that_it_goes_to() -> None:
    keys = {name for name, kind in CLASSES.items() if kind is KEY}
    assert keys == set(ADDRESSES) == {name for name in names(Settings) if name.endswith("_key")}


@pytest.mark.parametrize("planner", ["auto", "llm"])
def test_a_key_of_the_environment_does_not_go_to_an_address_of_the_folder(
    planner: str, book: Path, stranger: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_toml(openai_base_url=stranger.base_url, planner=planner)
    monkeypatch.setenv("OPENAI_API_KEY", USERS_KEY)
    result = versus("plan", QUESTION)

    assert [] == stranger.requests
    assert f"not taken: openai_base_url {stranger.base_url} (versus.toml)" in result.stderr.replace("\n", " ")
    assert "versus config --trust" in result.stderr
    assert {"auto": 0, "llm": 2}[planner] == result.exit_code
    assert USERS_KEY not in result.output


@pytest.mark.parametrize(
    "spelling", ["OPENAI_BASE_URL", "openai_base_url", "VERSUS_OPENAI_BASE_URL", "versus_openai_base_url"]
)
def test_an_address_in_the_env_file_does_not_count_however_it_is_spelt(spelling: str, empty_place: Path) -> None:
    in_env_file(**{spelling: "http://stranger.example/v1"})

    assert None is Settings().openai_base_url
    assert ["openai_base_url"] == [each.name for each in Settings().not_taken]


def test_with_json_the_note_is_an_object(book: Path, stranger: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    in_toml(openai_base_url=stranger.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", USERS_KEY)
    result = versus("ask", QUESTION, "--json")

    assert [] == stranger.requests
    assert "not taken: openai_base_url" in json.loads(result.stderr.splitlines()[0])["note"]
    assert {"llm_calls": 0} == {name: json.loads(result.stdout)["usage"][name] for name in ("llm_calls",)}


def test_a_trusted_folder_is_asked_with_the_key_and_says_so_until_it_is_not(
    book: Path, stranger: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_toml(openai_base_url=stranger.base_url, planner="llm")
    monkeypatch.setenv("OPENAI_API_KEY", USERS_KEY)
    trusted = versus("config", "--trust").stdout
    first = versus("plan", QUESTION)
    came = len(stranger.requests)

    assert f"Trusted: {book}, with its .env and versus.toml as they are now." in trusted
    assert f"openai_api_key (environment variable OPENAI_API_KEY) goes to {stranger.base_url}" in trusted
    assert {f"Bearer {USERS_KEY}"} == keys_that_came(stranger)
    assert "not taken" not in first.stderr
    assert f"No longer trusted: {book}\n" == versus("config", "--untrust").stdout
    assert "not taken" in versus("plan", QUESTION).stderr
    assert came == len(stranger.requests)
    assert f"Was not trusted: {book}\n" == versus("config", "--untrust").stdout


@pytest.mark.parametrize("file", ["versus.toml", ".env"])
def test_a_trusted_folder_that_was_changed_is_not_trusted(file: str, empty_place: Path) -> None:
    in_toml(openai_base_url="http://mine.example/v1")
    trust(empty_place)
    assert "http://mine.example/v1" == Settings().openai_base_url
    with (empty_place / file).open("a") as settings:
        settings.write("# harmless\n")

    assert None is Settings().openai_base_url
    assert {"the settings of this folder have changed since it was trusted"} == {
        each.reason for each in Settings().not_taken
    }


def test_a_copy_of_a_trusted_folder_is_not_trusted_and_a_link_to_it_is(
    empty_place: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_toml(openai_base_url="http://mine.example/v1")
    trust(empty_place)
    other = tmp_path_factory.mktemp("other")
    (other / "copy").mkdir()
    (other / "copy" / "versus.toml").write_text((empty_place / "versus.toml").read_text())
    (other / "link").symlink_to(empty_place)

    assert ["unknown", "trusted"] == [trust_in(other / "copy"), trust_in(other / "link")]


def test_the_list_of_trusted_folders_is_its_owners_alone(empty_place: Path) -> None:
    in_toml(openai_base_url="http://mine.example/v1")
    trust(empty_place)

    assert [0o600, 0o700] == [stat.S_IMODE(path.stat().st_mode) for path in (trust_file(), trust_file().parent)]
    assert {str(empty_place)} == set(json.loads(trust_file().read_text()))
    assert untrust(empty_place)
    assert {} == json.loads(trust_file().read_text())


@pytest.mark.parametrize("content", ["{", "[1]", "[" * 100_000])
def test_a_list_of_trusted_folders_that_can_not_be_read_trusts_nobody(content: str, empty_place: Path) -> None:
    in_toml(openai_base_url="http://stranger.example/v1")
    trust_file().parent.mkdir(parents=True)
    trust_file().write_text(content)

    with pytest.raises(SettingsError, match=r"trusted\.json, the list of trusted folders"):
        Settings()


def test_a_folder_without_settings_can_not_be_trusted(empty_place: Path) -> None:
    result = versus("config", "--trust")

    assert 2 == result.exit_code
    assert "nothing to trust" in result.stderr


def test_a_key_of_the_folder_goes_to_the_provider_and_to_no_address_of_the_user(
    empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_env_file(OPENAI_API_KEY=FOLDERS_KEY)
    alone = Settings()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://mine.example/v1")
    beside = Settings()

    assert alone.openai_api_key is not None
    assert (None, FOLDERS_KEY) == alone.embedding_endpoint()
    assert (None, ("http://mine.example/v1", None)) == (beside.openai_api_key, beside.embedding_endpoint())
    assert ["openai_api_key"] == [each.name for each in beside.not_taken]
    assert FOLDERS_KEY not in str(beside.not_taken)


def test_a_key_of_the_folder_does_not_come_to_the_users_address(
    book: Path, users_own: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_env_file(OPENAI_API_KEY=FOLDERS_KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", users_own.base_url)
    versus("plan", QUESTION)

    assert {"Bearer none"} == keys_that_came(users_own)


def test_a_key_goes_nowhere_when_the_address_that_it_was_given_with_is_not_taken(
    empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_env_file(OPENAI_BASE_URL="http://stranger.example/v1", OPENAI_API_KEY=FOLDERS_KEY)
    assert (None, None) == (Settings().openai_base_url, Settings().openai_api_key)
    monkeypatch.setenv("OPENAI_API_KEY", USERS_KEY)

    assert (None, None) == (Settings().openai_base_url, Settings().openai_api_key)
    assert [
        ("openai_base_url", ".env"), ("openai_api_key", "environment variable"), ("openai_api_key", ".env"),
    ] == [(each.name, each.source) for each in Settings().not_taken]  # fmt: skip


def test_texts_to_embed_and_their_key_do_not_go_to_an_address_of_the_folder(
    empty_place: Path, stranger: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_place / "book.md").write_text(BOOK, encoding="utf-8")
    in_toml(embedding_model="openai:small", embedding_base_url=stranger.base_url)
    for name in ("OPENAI_API_KEY", "VERSUS_EMBEDDING_API_KEY"):
        monkeypatch.setenv(name, USERS_KEY)
    result = versus("ingest", "book.md")

    assert (1, []) == (result.exit_code, stranger.requests)
    assert (None, None) == Settings().embedding_endpoint()
    trust(empty_place)
    assert 0 == versus("ingest", "book.md").exit_code
    assert {f"Bearer {USERS_KEY}"} == keys_that_came(stranger)


def test_a_key_of_chroma_does_not_go_to_an_address_of_the_folder(
    empty_place: Path, chroma_server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_toml(chroma=chroma_server.url)
    monkeypatch.setenv("VERSUS_CHROMA_API_KEY", USERS_KEY)
    result = versus("collections")

    assert [] == chroma_server.requests
    assert f"not taken: chroma {chroma_server.url}" in result.stderr.replace("\n", " ")
    trust(empty_place)
    versus("collections")
    assert {USERS_KEY} == keys_that_came(chroma_server)


def test_a_folders_key_of_chroma_does_not_go_to_the_users_server(
    empty_place: Path, chroma_server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_env_file(VERSUS_CHROMA_API_KEY=FOLDERS_KEY)
    monkeypatch.setenv("VERSUS_CHROMA", chroma_server.url)
    versus("collections")

    assert {None} == keys_that_came(chroma_server)


def test_config_lists_what_is_not_taken(empty_place: Path) -> None:
    in_toml(chroma="http://me:secret@stranger.example", log_dir="/elsewhere")
    said = json.loads(versus("config", "--json").stdout)

    assert [
        {"name": "chroma", "value": "http://***@stranger.example", "source": "versus.toml"},
        {"name": "log_dir", "value": "/elsewhere", "source": "versus.toml"},
    ] == [{name: each[name] for name in ("name", "value", "source")} for each in said["not_taken"]]


def test_a_strangers_value_does_not_act_on_the_terminal(empty_place: Path) -> None:
    in_toml(chroma="http://stranger.example/\x1b[2J\nnote: all is well")

    said = versus("config").output

    assert "stranger.example" in said
    assert [False, False] == ["\x1b" in said, "\nnote: all" in said]


async def test_a_program_hears_of_it_in_its_log(book: Path, caplog: pytest.LogCaptureFixture) -> None:
    in_toml(openai_base_url="http://stranger.example/v1")
    with caplog.at_level("WARNING", logger="versus"):
        async with Agent.open(Settings()):
            pass

    assert ["openai_base_url"] == [
        json.loads(message)["name"] for message in caplog.messages if "settings.not_taken" in message
    ]


def test_the_folder_of_the_users_own_file_is_the_users(empty_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text('openai_base_url = "http://mine.example/v1"\n')
    monkeypatch.chdir(user_file().parent)

    assert ("http://mine.example/v1", ()) == (Settings().openai_base_url, Settings().not_taken)
