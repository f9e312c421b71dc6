"""A reasoner of another distribution: built and installed as any package is, asked first, and harmless when broken.

The distribution here is the example for authors: a `pyproject.toml` with the entry point, and one module.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.reasoners import Reasoned, reason
from agent.reasoners.plugins import BUILT_IN, Guarded, Reasoner, installed
from agent.types import Comparison, Finding, Intent
from retrieval.types import Chunk

ROOT = Path(__file__).parents[2]
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "versus-encumbrance"
version = "1.0"

[project.entry-points."versus.reasoners"]
encumbrance = "versus_encumbrance:Encumbrance"
broken = "versus_encumbrance:NoSuchThing"
hasty = "versus_encumbrance:Hasty"
inventive = "versus_encumbrance:Inventive"
"""
MODULE = '''
"""Adds up what a character carries."""

from agent.reasoners.facts import Notebook
from agent.types import Comparison, Finding, Step
from retrieval.lookup import CellQuery


class Encumbrance:
    name = "encumbrance"

    def reason(self, intent, chunks, prefix, *, final):
        if not isinstance(intent, Comparison) or intent.attribute != "weight together":
            return None
        notebook = Notebook(chunks, prefix)
        facts = [notebook.read(CellQuery(entity, (), ("weight",))) for entity in intent.entities]
        for entity, fact in zip(intent.entities, facts):
            if fact is None:
                notebook.need(f"the weight of {entity}", f"{entity} weight", entities=(entity,))
        steps = tuple(
            Step(f"{entity}: {fact.text}", fact.text, (fact.cite,))
            for entity, fact in zip(intent.entities, facts)
            if fact is not None
        )
        total = None if None in facts else sum(float(fact.text) for fact in facts)
        claim = f"Together they weigh {total:g}." if total is not None else "Not all weights are known."
        return notebook.reasoned(Finding(self.name, claim, steps, {"total": total}, None))


class Hasty:
    name = "hasty"

    def reason(self, intent, chunks, prefix, *, final):
        raise RuntimeError("did not look")


class Inventive:
    name = "inventive"

    def reason(self, intent, chunks, prefix, *, final):
        return Notebook(chunks).reasoned(Finding(self.name, "It is 5.", (Step("It is 5.", 5, (7,)),), {}, "5"))
'''
PROGRAM = """
import json, logging
warnings = []
class Keep(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())
logging.getLogger("agent.reasoners.plugins").addHandler(Keep())
from agent.reasoners import first_needs, reason
from agent.types import Comparison
from retrieval.types import Chunk, Table
table = Table("Weapons", (("Weapon",), ("Weight",)), (("Maul", "9"), ("Flail", "8")))
chunks = [Chunk("w", "", "Weapons", tables=(table,))]
both = Comparison(("maul", "flail"), "weight together")
print(json.dumps({
    "together": [reason(both, chunks).finding.reasoner, reason(both, chunks).finding.values["total"]],
    "needs": [need.need for need in first_needs(both)],
    "other": reason(Comparison(("maul",), "weight"), chunks).finding.verdict,
    "warnings": warnings,
}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a process says in which the distribution is installed."""
    pytest.importorskip("hatchling")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    (source / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (source / "versus_encumbrance.py").write_text(MODULE, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True, capture_output=True, timeout=120)
    paths = os.pathsep.join(map(str, (target, ROOT)))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": paths},
    )
    answer: dict[str, object] = json.loads(ran.stdout)
    return answer


def test_a_plug_in_answers_what_is_its_own(told: dict[str, object]) -> None:
    assert ["encumbrance", 17.0] == told["together"]


def test_its_needs_are_the_plan(told: dict[str, object]) -> None:
    assert ["the weight of maul", "the weight of flail"] == told["needs"]


def test_what_it_leaves_alone_is_answered_by_the_built_in_reasoners(told: dict[str, object]) -> None:
    assert "9" == told["other"]


def test_a_broken_plug_in_is_reported_and_skipped(told: dict[str, object]) -> None:
    warnings = told["warnings"]
    assert isinstance(warnings, list)
    assert ["broken"] == [text.split("'")[1] for text in warnings if "left out" in text]
    assert {
        "the reasoner 'hasty' failed: RuntimeError: did not look",
        "the reasoner 'inventive' failed: ValueError: its steps cite 7, which is no citation of its own",
    } == {text for text in warnings if "left out" not in text}


def test_a_plug_in_that_fails_on_one_question_is_asked_the_next() -> None:
    odd, even = Comparison(("odd",), "weight"), Comparison(("even",), "weight")
    moody = Guarded(Moody())

    assert [None, "moody"] == [found and found.finding.reasoner for found in (asked(moody, odd), asked(moody, even))]


class Moody:
    """A reasoner that fails on odd questions."""

    name = "moody"

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str, *, final: bool) -> Reasoned | None:
        if isinstance(intent, Comparison) and "odd" in intent.entities:
            raise ValueError("how odd")
        return Reasoned(Finding(self.name, "Even."), (), ())


def asked(reasoner: Reasoner, intent: Intent) -> Reasoned | None:
    return reasoner.reason(intent, (), "q", final=True)


def test_the_built_in_reasoners_are_reasoners_like_any_other() -> None:
    assert all(isinstance(each, Reasoner) for each in BUILT_IN)
    assert BUILT_IN == installed()[-2:]


def test_the_first_reasoner_that_has_something_to_say_is_heard() -> None:
    assert "compare" == reason(Comparison(("maul",), "weight"), ()).finding.reasoner
