"""The words of questions about fights are data: each list is used, and each word is one that a question can have."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agent.domains import combat
from agent.domains.combat.rulebook.sayings import rule_pattern
from retrieval.text.normal import normal

COMBAT = Path(combat.__file__).parent
DATA: dict[str, Any] = tomllib.loads((COMBAT / "wording.toml").read_text(encoding="utf-8"))
LISTS = {name: said for name, said in DATA.items() if isinstance(said, list)}


def test_each_list_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in COMBAT.rglob("*.py"))
    named = set(re.findall(r'"(\w+)"', code))

    assert [] == [name for name in LISTS if name not in named]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_each_word_once_and_as_questions_have_it(name: str) -> None:
    assert sorted(set(LISTS[name])) == sorted(LISTS[name])
    kept = [word for word in LISTS[name] if word not in ("&", "odds")]
    assert [(word,) for word in kept] == [normal(word) for word in kept]


def test_a_phrase_is_read_as_one_word() -> None:
    phrases = [said for all_said in DATA["plain"].values() for said in all_said]

    assert len(set(phrases)) == len(phrases)


def test_each_saying_is_used_and_can_be_read() -> None:
    sayings: dict[str, dict[str, list[str]]] = tomllib.loads((COMBAT / "sayings.toml").read_text(encoding="utf-8"))
    code = "".join(path.read_text(encoding="utf-8") for path in COMBAT.rglob("*.py"))
    lists = {kind: lines for part in sayings.values() for kind, lines in part.items()}
    within = "".join(line for lines in lists.values() for line in lines)

    assert all(rule_pattern(kind, "guard") for kind in lists)
    of_each = ("ability_and_", "class_and_", "names_")
    named = [kind for kind in lists if f'"{kind}"' in code or f"{{{kind}}}" in within or kind.startswith(of_each)]
    assert list(lists) == named
