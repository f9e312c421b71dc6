"""How long a query takes against all query_must rules of a collection: compiled together, and one after the other.

Every rule has twenty terms: a group of sixteen names, and one of four names with a number. In *shared* the rules draw
on a vocabulary of some five hundred terms, as the tables of a rulebook do; in *distinct* no two rules share a term.
Both ways judge the same queries in one run, and their verdicts are compared.

    python -m benchmarks.rule_bank --rules 100000
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice, product
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from retrieval.filters.bank import FILE, RuleBank
from retrieval.filters.rule import judge
from versus import QueryMust, Words

NAMES, NUMBERED = 16, 4
VOCABULARY = 400
"""Names of the shared vocabulary; the terms with a number come to about a hundred more."""
COLUMNS = ("rules", "terms", "compile s", "save s", "load s", "MB", "together ms", "one by one ms", "ratio")

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Measured:
    """One bank: seconds of making it, its size on disk, milliseconds of a query both ways (medians)."""

    terms: int
    compile_s: float
    save_s: float
    load_s: float
    size: int
    together_ms: float
    one_by_one_ms: float


def shared(size: int, chance: random.Random) -> list[QueryMust]:
    """Rules whose terms come from one vocabulary, so that each term is in many of them."""
    names = list(islice(_names(), VOCABULARY))
    owners = list(islice(_names(), VOCABULARY, VOCABULARY + 5))
    keys = [tuple(f"{owner} {n}" for owner in owners[:NUMBERED]) for n in range(-10, 15)]
    return [QueryMust((tuple(chance.sample(names, NAMES)), chance.choice(keys))) for _ in range(size)]


def distinct(size: int, chance: random.Random) -> list[QueryMust]:
    """Rules of which no two have a term in common."""
    names = _names()
    return [
        QueryMust(
            (tuple(islice(names, NAMES)), tuple(f"{name} {chance.randrange(20)}" for name in islice(names, NUMBERED)))
        )
        for _ in range(size)
    ]


def queries(rules: Sequence[QueryMust], number: int, chance: random.Random) -> list[str]:
    """Questions of twenty words or so, each of which meets one rule at least."""
    return [
        f"What does a 7th level {chance.choice(one.contain_one_of[0])} with strength 17 need to roll against the "
        f"{chance.choice(two.contain_one_of[0])} with {chance.choice(one.contain_one_of[1])}?"
        for one, two in ((chance.choice(rules), chance.choice(rules)) for _ in range(number))
    ]


def measure(rules: Sequence[QueryMust], asked: Sequence[str], one_by_one: int) -> Measured:
    """Compile, save, load and ask; the first `one_by_one` queries are also judged rule by rule.

    Raises `RuntimeError` when the two ways differ.
    """
    compiled, compile_s = _timed(lambda: RuleBank.compile(rules))
    with tempfile.TemporaryDirectory(prefix="versus-bench-") as folder:
        _, save_s = _timed(lambda: compiled.save(Path(folder)))
        size = (Path(folder) / FILE).stat().st_size
        bank, load_s = _timed(lambda: RuleBank.load(Path(folder)))
    together = [_timed(partial(_eligible, text, bank)) for text in asked]
    singly = [_timed(partial(_judged, text, rules)) for text in asked[:one_by_one]]
    if not all(np.array_equal(ours[0], theirs[0]) for ours, theirs in zip(together, singly, strict=False)):
        raise RuntimeError("the bank and judge differ")
    terms = len({term for rule in rules for group in rule.contain_one_of for term in group})
    ms = [1000 * median(seconds for _, seconds in way) for way in (together, singly)]
    return Measured(terms, compile_s, save_s, load_s, size, *ms)


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rule_bank", description="Rules judged together.")
    parser.add_argument("--rules", type=int, default=100_000, help="how many rules (default: 100000)")
    parser.add_argument("--queries", type=int, default=50, help="queries asked of the bank (default: 50)")
    parser.add_argument("--one-by-one", type=int, default=3, help="of these, judged rule by rule too (default: 3)")
    given = parser.parse_args(arguments)
    table = Table(title="query_must rules of twenty terms", title_justify="left")
    for column in ("vocabulary", *COLUMNS):
        table.add_column(column, justify="left" if column == "vocabulary" else "right")
    for kind in (shared, distinct):
        chance = random.Random(0)
        rules = kind(max(1, given.rules), chance)
        asked = queries(rules, max(1, given.queries), chance)
        table.add_row(kind.__name__, str(len(rules)), *_cells(measure(rules, asked, max(1, given.one_by_one))))
    Console(width=118).print(table)


def _cells(found: Measured) -> Iterator[str]:
    yield str(found.terms)
    yield from (f"{seconds:.2f}" for seconds in (found.compile_s, found.save_s, found.load_s))
    yield f"{found.size / 1e6:.0f}"
    yield from (f"{found.together_ms:.2f}", f"{found.one_by_one_ms:.0f}")
    yield f"{found.one_by_one_ms / found.together_ms:.0f}"


def _names() -> Iterator[str]:
    """Ever new names of two words, none the plural of another."""
    for length in count(2):
        for letters in product("bdfgklmnprt", repeat=length):
            yield "".join(f"{letter}{'aiu'[i % 3]}" for i, letter in enumerate(letters)) + "k zor"


def _eligible(text: str, bank: RuleBank) -> NDArray[np.bool_]:
    return bank.eligible(Words(text))


def _judged(text: str, rules: Sequence[QueryMust]) -> list[bool]:
    query = Words(text)
    return [bool(judge(query, rule)) for rule in rules]


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    started = time.perf_counter()
    made = work()
    return made, time.perf_counter() - started


if __name__ == "__main__":
    main(sys.argv[1:])
