"""The cuts at the door: their numbers as settings and flags, profiles of chunk types, and what `--debug` tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.ask import Agent
from agent.cli.app import app
from agent.errors import SettingsError
from agent.settings.settings import Settings
from retrieval.types import Policy, Profile

pytestmark = pytest.mark.usefixtures("empty_place")
ORC = "What is the armor class of an orc?"


def versus(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def searched(sample_chroma: str, *flags: str) -> dict[str, Any]:
    result = versus("search", ORC, "--chroma", sample_chroma, "--json", "--debug", *flags)
    assert 0 == result.exit_code, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)["retrieved"][0]
    return found


CUTS = {"relative_threshold": "0.7", "absolute_min": "0.45", "min_chunks": "3", "gap_min_chunks": "4"}


@pytest.mark.parametrize(("name", "value"), CUTS.items())
def test_each_number_of_the_cuts_is_a_flag_a_variable_and_a_line_of_the_file(
    name: str, value: str, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_force(*flags: str) -> str:
        settings = json.loads(versus("config", "--json", *flags).stdout)["settings"]
        return next(f"{each['value']} ({each['source']})" for each in settings if each["name"] == name)

    assert f"{getattr(Policy(), name)} (preset balanced)" == in_force()
    assert f"{value} (flag or argument)" == in_force(f"--{name.replace('_', '-')}", value)
    (empty_place / "versus.toml").write_text(f"{name} = {value}\n")
    assert f"{value} (versus.toml)" == in_force()
    assert f"{getattr(Settings().policy(), name):g}" == value
    monkeypatch.setenv(f"VERSUS_{name.upper()}", value)
    assert f"{value} (environment variable VERSUS_{name.upper()})" == in_force()


@pytest.mark.parametrize(
    "flag",
    ["--relative-threshold=1.5", "--absolute-min=-0.1", "--absolute-min=nan", "--min-chunks=-1", "--gap-min-chunks=0"],
)
def test_a_number_that_no_cut_can_go_by_is_wrong_usage(flag: str) -> None:
    result = versus("config", flag)
    assert (2, "") == (result.exit_code, result.stdout)
    assert flag.split("=")[0].strip("-").replace("-", "_") in result.stderr


def test_the_flags_reach_the_cut(sample_chroma: str) -> None:
    plain = searched(sample_chroma)
    strict = searched(sample_chroma, "--absolute-min", "0.45")
    assert (0.3, 0.45) == (plain["absolute_min"], strict["absolute_min"])
    assert strict["kept"] < plain["kept"]
    guaranteed = searched(sample_chroma, "--absolute-min", "1", "--min-chunks", "5")
    assert 5 == guaranteed["kept"]


async def test_a_second_look_keeps_nothing_below_the_absolute_minimum_but_what_is_asked_for_by_name(
    sample_chroma: str,
) -> None:
    settings = Settings(collection="rules", chroma=sample_chroma, planner="rules", min_chunks=2)
    async with Agent.open(settings) as agent:
        answers = [await agent.ask(question) for question in FAR_AWAY]
    looks = [look for answer in answers for look in answer.evidence.retrieved if look.sub_query.id.startswith("f")]
    assert len(looks) >= len(FAR_AWAY)
    assert any(not look.hits for look in looks)
    assert 0.3 == min(look.absolute_min for look in looks)
    assert [] == [
        (look.sub_query.text, hit.chunk.title)
        for look in looks
        for hit in look.hits
        if hit.relevance < look.effective_threshold and hit.chunk.id not in look.pinned
    ]


FAR_AWAY = (
    "How heavy is a quasar flurb?",
    "What is the tax on imported bananas?",
    "What is the armor class of a photocopier?",
    "What does a 7th level samurai need to hit AC 3?",
)
"""Questions about what the book does not have, so that it is looked for again."""

PROFILE = "[profiles.table]\nrelative_threshold = 0.3\ndistance_threshold = 0.6\n\n[profiles.row]\nabsolute_min = 0.9\n"


def test_profiles_are_read_from_the_file_shown_and_go_into_the_policy(empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text(PROFILE)
    expected = (Profile("row", absolute_min=0.9), Profile("table", relative_threshold=0.3, distance_offset=0.6))
    assert expected == Settings().policy().profiles
    shown = {each["name"]: (each["value"], each["source"]) for each in
             json.loads(versus("config", "--json").stdout)["settings"]}  # fmt: skip
    assert ("0.3", "versus.toml") == shown["profiles.table.relative_threshold"]
    assert ("0.9", "versus.toml") == shown["profiles.row.absolute_min"]
    assert "profiles.table.absolute_min" not in shown
    assert "profiles" not in shown


def test_a_profile_cuts_chunks_of_its_type(sample_chroma: str, empty_place: Path) -> None:
    query = "level 7 fighter hit dice experience points"
    flags = ("search", query, "--chroma", sample_chroma, "--json", "--debug", "--planner", "rules")
    before = json.loads(versus(*flags).stdout)["retrieved"]
    (empty_place / "versus.toml").write_text("[profiles.row]\nabsolute_min = 0.99\n")
    after = json.loads(versus(*flags).stdout)["retrieved"]
    held = {hit["chunk_id"] for each in before for hit in each["hits"]}
    named = {drop["chunk_id"] for each in after for drop in each["drops"] if "(profile row)" in drop["reason"]}
    assert named
    assert held == {*(hit["chunk_id"] for each in after for hit in each["hits"]), *(named & held)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[profiles.table]\nrelative_treshold = 0.3", "unknown setting 'profiles.table.relative_treshold'"),
        ("[profiles.table]\nmax_chunks = 3", "A profile may set: relative_threshold, absolute_min"),
        ("[profiles.table]\nabsolute_min = 3", "'profiles.table.absolute_min' can't be 3"),
        ("[profiles.table]\nabsolute_min = true", "a boolean is no number"),
        ("profiles = 3", "write a table such as [profiles.table]"),
        ("profiles.table = 3", "'profiles' can't be table = 3"),
    ],
)
def test_what_is_wrong_in_a_profile_is_told_with_its_place(text: str, said: str, empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text(text + "\n")
    with pytest.raises(SettingsError) as caught:
        Settings()
    assert all(part in str(caught.value) for part in (said, "versus.toml"))


def test_a_profile_of_a_type_that_the_collection_lacks_is_noted(sample_chroma: str, empty_place: Path) -> None:
    (empty_place / "versus.toml").write_text("[profiles.tabel]\nabsolute_min = 0.1\n")
    result = versus("search", ORC, "--chroma", sample_chroma, "--json")
    assert 0 == result.exit_code
    assert "note: the profile 'tabel' has no effect: the collection has chunks of the types" in result.stderr
    assert "table" in result.stderr


def test_debug_tells_each_gap_and_why_it_does_not_cut(sample_chroma: str) -> None:
    gaps = searched(sample_chroma)["gaps"]
    assert list(range(1, len(gaps) + 1)) == [gap["after"] for gap in gaps]
    assert "the first gap never cuts" == gaps[0]["reason"]
    text = versus("search", ORC, "--chroma", sample_chroma, "--debug").stdout
    assert f"gap {gaps[0]['size']:.3f} after 1: the first gap never cuts" in text
    assert "below the gap threshold 0.1" in text
    assert "gaps" not in json.loads(versus("search", ORC, "--chroma", sample_chroma, "--json").stdout)["retrieved"][0]
