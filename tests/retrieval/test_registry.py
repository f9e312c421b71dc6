"""The registry: what it lists, what it imports, and how it tells what is missing or broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import BrokenPlugin, PluginError, UnknownPlugin
from retrieval.registry import Registry

GROUP = "versus.test-things"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed distributions that this process sees."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def install(site: Path, distribution: str, entry: str) -> None:
    info = site / f"{distribution}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{entry}\n")


def things() -> Registry[type]:
    return Registry[type](GROUP, "thing", {"whole": "builtins:int"})


def test_what_is_built_in_and_what_is_installed_are_found_alike(site: Path) -> None:
    install(site, "fractions", "part = fractions:Fraction")
    assert ("part", "whole") == things().names()
    assert ["Fraction", "int"] == [things().get(name).__name__ for name in things().names()]


def test_an_unknown_name_is_told_with_those_that_are_known(site: Path) -> None:
    install(site, "fractions", "part = fractions:Fraction")
    with pytest.raises(UnknownPlugin) as caught:
        things().get("parts")
    assert ("thing", "parts", ("part", "whole")) == (caught.value.noun, caught.value.name, caught.value.known)
    assert str(caught.value).startswith("there is no thing 'parts'. Did you mean 'part'? Known: part, whole.")


def test_a_built_in_name_can_not_be_taken(site: Path) -> None:
    install(site, "impostor", "whole = fractions:Fraction")
    assert int is things().get("whole")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module:thing", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("fractions:no_such_thing", "AttributeError: "),
        ("math:pi", "TypeError: it is neither a function nor a class"),
    ],
)
def test_a_broken_plug_in_is_told_by_name_and_the_others_go_on(site: Path, value: str, reason: str) -> None:
    install(site, "broken-things", f"part = {value}")
    with pytest.raises(BrokenPlugin) as caught:
        things().get("part")
    assert str(caught.value).startswith(f"the thing 'part' ({value}, of broken-things) fails: {reason}")
    assert int is things().get("whole")


def test_a_name_that_two_packages_bring_is_told_with_both(site: Path) -> None:
    install(site, "one", "part = fractions:Fraction")
    install(site, "other", "part = decimal:Decimal")
    with pytest.raises(BrokenPlugin, match="of one and other"):
        things().get("part")


def test_what_a_plug_in_raises_by_mistake_names_it_and_what_it_raises_on_purpose_goes_through() -> None:
    registry = Registry[type](GROUP, "thing", {"whole": "builtins:int"}, passing=(ValueError,))
    with (
        pytest.raises(BrokenPlugin, match=r"'whole' .* fails: ZeroDivisionError") as caught,
        registry.telling("whole"),
    ):
        _ = 1 / 0
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(ValueError, match="as meant"), registry.telling("whole"):
        raise ValueError("as meant")
    with pytest.raises(PluginError), registry.telling("whole"):
        raise UnknownPlugin("thing", "other", (), GROUP)
