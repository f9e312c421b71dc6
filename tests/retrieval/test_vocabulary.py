"""Vocabularies: a distribution brings its words, they count from then on, and a broken one harms nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.domains.combat.question.facts import TERMS
from retrieval.collections.local.manifest import MANIFEST, Manifest, manifest_bytes, read_manifest
from retrieval.errors import Damaged
from retrieval.tables.reading import CellQuery, read_cell
from retrieval.text.terms import terms
from retrieval.text.vocabulary import Term, Vocabulary, merge, read_vocabulary
from retrieval.types import Chunk, Table

ROOT = Path(__file__).parents[2]
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "versus-shipping"
version = "1.0"

[project.entry-points."versus.vocabularies"]
broken = "versus_shipping.broken"
missing = "versus_shipping.missing"
shipping = "versus_shipping.words"
"""
VOCABULARY = """
synonyms = [["draught", "depth"]]

[[terms]]
name = "gross tonnage"
forms = ["gt", "gross tons"]
owners = ["ship"]

[[terms]]
name = "ward"
forms = ["ac"]

[spellings]
quays = "kay"
ebb = "ebbs"
"""
PROGRAM = """
import json, logging, sys
warnings = []
class Keep(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())
logging.getLogger("retrieval.text.vocabulary").addHandler(Keep())
from retrieval.tables.measures import canonical
from retrieval.text.normal import Words, normal, phrase
from retrieval.text.vocabulary import fingerprint
print(json.dumps({
    "normal": normal("the ship's gross tonnage of 7, GT 7, GT7, 7 gross tons; two quays; AC 3"),
    "owned": Words("a brig of GT 350 with 12 guns").numbers_of(phrase("gross tonnage")),
    "canonical": canonical("depth"),
    "imported": sorted(name for name in sys.modules if name.split(".")[0] in ("agent", "versus_shipping")),
    "fingerprint": fingerprint(),
    "warnings": warnings,
}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a process says in which the distribution is installed."""
    pytest.importorskip("hatchling")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    (source / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    for package, content in (("", None), ("words", VOCABULARY), ("broken", 'synonyms = "draught"')):
        folder = source / "versus_shipping" / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
        if content is not None:
            (folder / "vocabulary.toml").write_text(content, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True, capture_output=True, timeout=120)
    paths = os.pathsep.join(map(str, (target, ROOT)))
    command, environment = [sys.executable, "-c", PROGRAM], {**os.environ, "PYTHONPATH": paths}
    ran = subprocess.run(command, check=True, capture_output=True, timeout=120, env=environment)
    answer: dict[str, object] = json.loads(ran.stdout)
    return answer


def test_the_terms_of_another_distribution_are_one_word_each(told: dict[str, object]) -> None:
    once = ["gross tonnage", "7"]

    assert ["the", *once * 3, "7", "gross tonnage", "2", "kay", "armor class", "3"] == told["normal"]
    assert [350.0] == told["owned"]


def test_its_synonyms_are_synonyms(told: dict[str, object]) -> None:
    assert "draught" == told["canonical"]


def test_no_package_is_imported_for_its_words(told: dict[str, object]) -> None:
    assert [] == told["imported"]


def test_a_broken_vocabulary_is_told_by_name_and_left_out(told: dict[str, object]) -> None:
    assert [
        "the vocabulary 'broken' (versus_shipping.broken) can't be read and is left out: synonyms: a list of list is "
        "wanted. Uninstall or repair its package.",
        "the vocabulary 'missing' (versus_shipping.missing) can't be read and is left out: versus_shipping.missing has "
        "no vocabulary.toml. Uninstall or repair its package.",
        "the vocabulary 'shipping' has 'ac' for 'ward', which is 'armor class' in 'combat'",
    ] == told["warnings"]


def test_an_index_of_other_vocabularies_is_built_again(told: dict[str, object], tmp_path: Path) -> None:
    manifest = Manifest(1, "state", None, {}, 0, words=str(told["fingerprint"]))
    (tmp_path / MANIFEST).write_bytes(manifest_bytes(manifest))
    with pytest.raises(Damaged, match="was built with other vocabularies than those that are installed now"):
        read_manifest(tmp_path)

    (tmp_path / MANIFEST).write_bytes(manifest_bytes(Manifest(1, "state", None, {}, 0)))
    assert 1 == read_manifest(tmp_path).revision


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("terms = 3", "terms: a list of dict is wanted"),
        ("[[terms]]\nforms = ['ac']", "terms: name: a text is wanted, and None is none"),
        ("[[terms]]\nname = 'a'\nshort = 'b'", "terms: short: no key of a term"),
        ("[[terms]]\nname = 'a'\nsigned = 1", "terms: signed: true or false is wanted, and 1 is neither"),
        ("words = ['a']", "words: no key of a vocabulary"),
        ("synonyms = [['gross tonnage', 'size']]", "synonyms: 'gross tonnage' is neither one word nor the name"),
        ("[written]\nlevel = ['level {x}']", "written: 'level {x}' needs {n} or {nth}, and no other braces"),
        ("[spellings]\nquays = 3", "spellings: a text is wanted, and 3 is none"),
        ("idle = ['rate']", "idle: a table is wanted"),
        ("graded = ['18']", "graded: a list of int is wanted"),
        ("synonyms = [[]]", "synonyms: an empty list means nothing"),
        ("synonyms = [", "Invalid value"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=".*".join(map(_escaped, said.split(" ... ")))):
        read_vocabulary(text)


def _escaped(text: str) -> str:
    return "".join(f"[{c}]" if c in "{}[]()." else c for c in text)


def test_what_two_vocabularies_agree_on_is_no_clash(caplog: pytest.LogCaptureFixture) -> None:
    one, other = (
        Vocabulary(terms=(Term("level", (form,)),), graded=frozenset({n})) for n, form in ((18, "lv"), (9, "l"))
    )
    both = merge([("one", one), ("other", other)])

    assert [("lv",), ("l",)] == [term.forms for term in both.terms]
    assert {9, 18} == both.graded
    assert [] == caplog.messages


def test_the_words_of_combat_are_those_of_its_vocabulary() -> None:
    assert TERMS | {"level"} == terms().measures


PACES = Table("Craft", (("Craft",), ("Pace",), ("Price",)), (("Brig", "9", "400"), ("Sloop", "12", "90")))


def read(table: Table, name: str, want: str) -> str | None:
    cell = read_cell(CellQuery(name, (), (want,)), [Chunk("c", "", "Craft", tables=(table,))])
    return cell.text if cell is not None else None


def test_a_synonym_reads_the_label_that_the_table_has() -> None:
    assert ("9", "400") == (read(PACES, "brig", "speed"), read(PACES, "brig", "cost"))


def test_the_very_word_comes_before_a_synonym() -> None:
    both = Table("Craft", (("Craft",), ("Pace",), ("Speed",)), (("Brig", "9", "14"), ("Sloop", "12", "15")))
    turned = Table("Craft", (("Craft",), ("Speed",), ("Pace",)), (("Brig", "14", "9"), ("Sloop", "15", "12")))

    assert ("14", "9") == (read(both, "brig", "speed"), read(both, "brig", "pace"))
    assert ("14", "9") == (read(turned, "brig", "speed"), read(turned, "brig", "pace"))


def test_a_synonym_reads_nothing_where_no_label_has_it() -> None:
    models = Table("Models", (("Model",), ("Faster",), ("Box AP",)), (("Net-A", "yes", "37.9"), ("Net-B", "no", "42")))

    assert (None, None) == (read(models, "net-a", "speed"), read(models, "net-a", "price"))


TYPES = Table(
    "Types",
    (("Type",), ("Size",), ("Default",)),
    (("int", "4 bytes", "0"), ("str", "49 bytes", '""'), ("con", "2", "1")),
)


@pytest.mark.parametrize(("name", "size"), [("int", "4 bytes"), ("str", "49 bytes"), ("con", "2")])
def test_an_abbreviation_that_is_something_else_here_is_found_and_shown_as_written(name: str, size: str) -> None:
    cell = read_cell(CellQuery(name, (), ("size",)), [Chunk("c", "", "Types", tables=(TYPES,))])

    assert cell is not None
    assert (f"Type {name}", size) == (cell.row, cell.text)
