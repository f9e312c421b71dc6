"""A domain of another distribution: installed as any package is, asked first, and harmless when broken.

The example for authors, `tests/extending/plugins/loans.py`, knows loans: what one costs over some years is its fee
and its yearly rate, both read from the cells of a book.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.plugins.domain import Domain
from agent.plugins.domains import Guarded, installed
from agent.reasoning import reason
from agent.types import Finding, Reasoned
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.tagged import tagged
from agent.understanding.words.lexicon import Lexicon
from retrieval.types import Chunk
from tests.extending.conftest import PLUGINS

ROOT = Path(__file__).parents[2]
METADATA = "Metadata-Version: 2.1\nName: versus-loans\nVersion: 1.0\n"
ENTRY_POINTS = """
[versus.domains]
loans = loans:Loans
broken = loans:NoSuchThing
hasty = others:Hasty
inventive = others:Inventive
unconcerned = others:Unconcerned
nameless = loans:LoanCosts
"""
OTHERS = """
from versus import Domain, Finding, Notebook, Step


class Hasty(Domain):
    name = "hasty"

    def recognise(self, asked, lexicon):
        raise RuntimeError("did not look")


class Unconcerned(Domain):
    name = "unconcerned"

    def concerns(self, tokens, lexicon):
        return "yacht" in tokens

    def recognise(self, asked, lexicon):
        raise RuntimeError("asked about no yacht")


class Inventive(Domain):
    name = "inventive"

    def reason(self, intent, chunks, prefix):
        return Notebook(chunks).reasoned(Finding(self.name, "It is 5.", (Step("It is 5.", 5, (7,)),), {}, "5"))
"""
BOOK = """# Loans of the two banks

For each loan of 1,000.

| Loan | Opening fee | Yearly rate |
|---|---|---|
| Harbor Loan | 200 | 3% |
| Island Loan | 20 | 6% |
| Pier Loan | 90 | |
"""
WORDINGS = (
    "Which is cheaper over ten years, the Harbor Loan or the Island Loan?",
    "Over 10 years, does the Island Loan or the Harbor Loan cost less?",
    "harbor loan vs island loan: who has paid more after ten years?",
    "I am short of money for 10 years. Should I sign the Island Loan or rather the Harbor Loan?",
    "Is the Harbor Loan a better deal than the Island Loan across a term of ten years?",
)
SOON = "Which is cheaper over two years, the Harbor Loan or the Island Loan?"
UNKNOWN = "Which is cheaper over ten years, the Harbor Loan or the Pier Loan?"
LOOKED_UP = "What is the opening fee of the Harbor Loan?"
PROGRAM = """
import asyncio, json, logging, sys
from pathlib import Path
warnings = []
class Keep(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())
logging.getLogger("agent.plugins.domains").addHandler(Keep())
from agent.llm.scripted import ScriptedLLM
from agent.render.data import answer_data
from tests.agent.shelf import agent_on

async def main():
    folder, questions, book = Path(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]
    agent = await agent_on(folder, book=book)
    answers = {question: answer_data(await agent.ask(question)) for question in questions}
    first = await agent.ask(questions[0])
    later = answer_data(await agent.ask("And over two years?", after=[first.turn]))
    print(json.dumps({"answers": answers, "later": later, "warnings": warnings}))

asyncio.run(main())
"""
Told = dict[str, Any]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What a process says in which the distribution is installed."""
    site, folder = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("book")
    shutil.copy(PLUGINS / "loans.py", site)
    (site / "others.py").write_text(OTHERS, encoding="utf-8")
    metadata = site / "versus_loans-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(METADATA, encoding="utf-8")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    questions = json.dumps([*WORDINGS, SOON, UNKNOWN, LOOKED_UP])
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), questions, BOOK],
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (site, ROOT)))},
    )
    assert 0 == ran.returncode, ran.stderr.decode()
    answer: Told = json.loads(ran.stdout)
    return answer


@pytest.mark.parametrize("question", WORDINGS)
def test_a_domain_answers_what_is_its_own_in_any_wording(question: str, told: Told) -> None:
    answer = told["answers"][question]
    assert ("Harbor Loan", "complete") == (answer["verdict"], answer["stop_reason"])
    assert {"Harbor Loan": 500.0, "Island Loan": 620.0} == costs(answer)


def test_its_numbers_are_read_from_cells_and_cited(told: Told) -> None:
    answer = told["answers"][WORDINGS[0]]
    (step, *_) = answer["findings"][0]["steps"]
    assert "Harbor Loan: 200 + 10 years x 3% of 1000 = 500" == step["text"]
    quotes = {citation["n"]: citation["quote"] for citation in answer["citations"]}
    read = [quotes[n] for n in step["cites"]]
    assert ["Loan Harbor Loan / Opening fee = 200", "Loan Harbor Loan / Yearly rate = 3%"] == read


def test_a_number_of_the_question_decides(told: Told) -> None:
    answer = told["answers"][SOON]
    assert ("Island Loan", {"Harbor Loan": 260.0, "Island Loan": 140.0}) == (answer["verdict"], costs(answer))


def test_a_question_that_goes_on_changes_what_it_says(told: Told) -> None:
    assert ("Island Loan", {"Harbor Loan": 260.0, "Island Loan": 140.0}) == (
        told["later"]["verdict"],
        costs(told["later"]),
    )


def test_what_it_does_not_find_is_unanswered(told: Told) -> None:
    answer = told["answers"][UNKNOWN]
    assert (None, "partial") == (answer["verdict"], answer["stop_reason"])
    assert ["the yearly rate of the Pier Loan"] == [each["need"] for each in answer["unanswered"]]


def test_what_it_leaves_alone_is_a_look_up(told: Told) -> None:
    answer = told["answers"][LOOKED_UP]
    assert ("200", "structure") == (answer["verdict"], answer["findings"][0]["reasoner"])


def test_a_broken_domain_is_reported_and_skipped(told: Told) -> None:
    left_out = [text.split("'")[1] for text in told["warnings"] if "left out" in text]
    assert ["broken", "nameless"] == left_out
    assert {
        "the domain 'hasty' failed: RuntimeError: did not look",
        "the domain 'inventive' failed: ValueError: its steps cite 7, which is no citation of its own",
    } == {text for text in told["warnings"] if "left out" not in text}


def costs(answer: Told) -> dict[str, float]:
    return {loan["name"]: loan["value"] for loan in answer["findings"][0]["values"]["loans"]}


def test_a_domain_that_fails_on_one_question_is_asked_the_next() -> None:
    odd, even = Lookup("weight of odd", ("odd",)), Lookup("weight of even", ("even",))
    moody = Guarded(Moody())

    assert [None, "moody"] == [found and found.finding.reasoner for found in (asked(moody, odd), asked(moody, even))]


class Moody(Domain):
    """A domain that fails on odd questions."""

    name = "moody"

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        if isinstance(intent, Lookup) and "odd" in intent.names:
            raise ValueError("how odd")
        return Reasoned(Finding(self.name, "Even."), (), ())


def asked(domain: Domain, intent: Intent) -> Reasoned | None:
    return domain.reason(intent, (), "q")


def test_what_no_domain_claims_is_looked_up() -> None:
    looked_up = reason(Lookup("weight of maul", ("maul",)), ())
    assert "Not found: weight maul." == looked_up.finding.claim
    assert looked_up.finding.reasoner not in {domain.name for domain in installed()}


def test_what_no_installed_domain_computes_is_unanswered() -> None:
    (need,) = reason(Riddle(), ()).needs
    assert ("what is asked, for no domain that is installed computes it", "a riddle") == (
        need.need,
        need.sub_query.text,
    )


@dataclass(frozen=True)
class Riddle:
    """An intent that nobody computes."""

    described: str = "a riddle"


def test_the_game_is_a_domain_like_any_other() -> None:
    assert ["combat"] == [domain.name for domain in installed()]
    assert None is installed()[0].recognise(tagged("How does initiative work?"), Lexicon())


def test_the_core_knows_no_domain() -> None:
    core = [path for path in (ROOT / "agent").rglob("*.py") if "domains" not in path.relative_to(ROOT).parts]
    assert [] == [str(path) for path in core if any(name.startswith("agent.domains") for name in imported(path))]


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
