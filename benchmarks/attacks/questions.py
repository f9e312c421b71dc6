"""Questions that eat the machine or are misread: overlong ones, floods, absurd numbers, expressions of a model.

All are asked of the bundled rulebook, in this process, with a deadline of a few seconds. An answer holds when it comes
within a second of its deadline, while the event loop goes on; a question with a number that can't be counted holds when
its answer tells that first and has no verdict.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from agent.cli.demo import sample
from agent.llm.protocol import OnText, ToolCall
from agent.writing.wording.tools import Toolbox
from benchmarks.attacks.row import Row
from tests.stalls import stalls
from versus import LLM, Agent, Answer, LLMError, LLMRequest, Reply, Settings, ingest

DEADLINE, MARGIN, LATE = 3.0, 1.0, 0.5
"""Seconds of a question, seconds beyond them that an answer may come, and seconds that the event loop may be late."""
AT_ONCE = 300
MEMORY = 200_000_000
"""Bytes that an absurd number may take."""
LENGTHS = (400, 2_000, 5_000, 20_000)
"""Characters of the overlong questions."""
UNITS = (
    "9 ", "orc\n", "level 3 fighter vs ", "who wins a 4th level fighter with armor class 3 or ", "the second ",
    "armor class 3 ", "1-", "7th ", ", a", "10d10 hit points ", "what is the armor class of an orc and ", "minus ",
    "long sword damage, ", "two hundred ", "both fighters ", "(", "10^3 ", "9/", "a.b.", "½", "é",
)  # fmt: skip
"""What overlong questions are made of."""
ABSURD = (
    "Who wins, 5000000000 orcs or an ogre?",
    "Who wins, 20000000 orcs or 20000000 ogres?",
    "Who wins, an orc and 20000000 ogres against a troll?",
    "Who wins, an orc with 99999999999 hit points or an ogre?",
    "Who wins, an orc with -5 hit points or an ogre?",
    "Who wins, a 999999999th level fighter with armor class 3 or an ogre?",
    "Who wins, a 4th level fighter with an armor class of 99999999999999999999 or an ogre?",
    f"Who wins, an orc with {'9' * 5000} hit points or an ogre?",
)
MISREAD = (
    ("an orc with 10^3 hit points", "10^3"),
    ("an orc with 10³ hit points", "10³"),
    ("an orc with 1e3 hit points", "1e3"),
    ("an orc with 12.5 hit points", "12.5"),
    ("an orc with 10d10 hit points", "10d10"),
    ("an orc with a +5 sword", "+5"),
    ("an orc that does 100 damage with each hit", "100"),
    ("a 5th level fighter with armor class 2 and a strength of 18/-1", "18/-1"),
    ("a 5.5th level fighter with armor class 2", "5.5"),
    ("a -4th level fighter with armor class 2", "-4"),
)
EXPRESSIONS = (
    "1 if 5 > 9 else 5", "'9'*9*9*9*9*9*9*9*9*9*9", "9**9**9**9", "[9]*999999999", "9 << 999999999", "().__class__",
    "__import__('os').system('true')", "round(9, -999999999)", "max(*[9])", "9/0", "1e999", "9" * 199, "(" * 199, "\0",
)  # fmt: skip


@dataclass(slots=True)
class Tries:
    """What the tries of one attack came to."""

    attack: str
    told: Callable[[float], str]
    held: list[bool] = field(default_factory=list)
    worst: tuple[float, str] = (-1.0, "")

    def add(self, held: bool, size: float, what: str) -> None:
        """Count one try: how bad it was, and what it was."""
        self.held.append(held)
        self.worst = max(self.worst, (size, what))

    def row(self) -> Row:
        """The line of the report."""
        size, what = self.worst
        return Row(self.attack, len(self.held), sum(self.held), f"{self.told(size)} ({what})" if what else "")


class Failing:
    """A model that fails after a while."""

    model = "failing"

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Fail."""
        await asyncio.sleep(DEADLINE / 10)
        raise LLMError("it fails")

    async def close(self) -> None:
        """Nothing."""


def run() -> list[Row]:
    """Ask, and tell what held."""
    return asyncio.run(_asked())


async def _asked() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, sample() as book:
        settings = Settings(collection="rules", chroma=folder, planner="rules", deadline=DEADLINE)
        await ingest([book], settings)
        async with Agent.open(settings) as agent:
            await agent.ask("How does initiative work?")
            return [
                await _overlong(agent),
                await _at_once(agent, settings),
                await _absurd(agent),
                await _misread(agent),
                _expressions(),
            ]


async def _overlong(agent: Agent) -> Row:
    """Each unit again and again, at each length."""
    tries = Tries("overlong questions", lambda seconds: f"{seconds:.2f} s")
    for unit in UNITS:
        for length in LENGTHS:
            question = (unit * length)[:length]
            took, late = await _timed(agent.ask(question))
            tries.add(took < DEADLINE + MARGIN and late < LATE, took, f"{unit!r} up to {length} characters")
    return tries.row()


async def _at_once(agent: Agent, settings: Settings) -> Row:
    """Many at once with a model that fails, so that the rules have all the work."""
    tries = Tries(f"{AT_ONCE} at once, failing model", lambda seconds: f"{seconds:.2f} s of {DEADLINE:g} + {MARGIN:g}")
    duels = [
        f"Who wins: a {1 + n % 9}th level fighter with armor class {n % 10} or a {1 + n % 7}th level druid with an "
        f"armor class of {n // 10 % 10}? Both have a strength of {9 + n % 8}."
        for n in range(AT_ONCE)
    ]
    async with _with_model(settings, Failing()) as failing:
        for took, _ in await asyncio.gather(*(_timed(failing.ask(duel)) for duel in duels)):
            tries.add(took < DEADLINE + MARGIN, took, "the last of them")
    return tries.row()


@asynccontextmanager
async def _with_model(settings: Settings, llm: LLM) -> AsyncIterator[Agent]:
    """An agent on the same collection, with this model."""
    wanted = settings.model_copy(update={"planner": "auto", "openai_base_url": "http://127.0.0.1:9/v1"})
    async with Agent.open(wanted) as agent:
        yield agent.with_llm(lambda _: llm)


async def _absurd(agent: Agent) -> Row:
    """Numbers that nothing can be computed with."""
    tries = Tries("absurd numbers", lambda size: f"{size / 1e6:.0f} MB")
    for question in ABSURD:
        with _memory() as taken:
            answer = await agent.ask(question)
        held = taken() < MEMORY and answer.verdict is None and answer.stop_reason == "partial"
        tries.add(held, taken(), question[:60])
    return tries.row()


async def _misread(agent: Agent) -> Row:
    """Numbers of which a part can be read."""
    tries = Tries("numbers that are misread", lambda verdicts: f"{verdicts:g} verdicts")
    for who, number in MISREAD:
        answer = await agent.ask(f"Who wins, {who} or an ogre?")
        tries.add(_is_told_first(answer, number), float(answer.verdict is not None), who)
    return tries.row()


def _is_told_first(answer: Answer, number: str) -> bool:
    first = answer.text.split("\n")[0]
    return number in first and answer.verdict is None and answer.stop_reason == "partial"


def _expressions() -> Row:
    """What a model may ask its calculator for."""
    tries = Tries("expressions of a model", lambda size: f"{size / 1e6:.0f} MB")
    for expression in EXPRESSIONS:
        tools = Toolbox([], {}, lambda: ["It says 9 and 5."])
        with _memory() as taken:
            said = tools.use(ToolCall("1", "calculate", json.dumps({"expression": expression})))
        tries.add(said.startswith("error: ") and taken() < MEMORY, taken(), expression[:40])
    return tries.row()


async def _timed(asking: Awaitable[Answer]) -> tuple[float, float]:
    """The seconds that an answer took, and that the event loop was late at most; less what the machine stood still."""
    ending = asyncio.Event()
    with stalls() as stalled:
        watching = asyncio.create_task(_latest(ending))
        begun = time.monotonic()
        await asking
        took = time.monotonic() - begun
        ending.set()
        late = await watching
    return took - stalled(), late - stalled()


async def _latest(ending: asyncio.Event) -> float:
    worst = 0.0
    while not ending.is_set():
        begun = time.monotonic()
        await asyncio.sleep(0.01)
        worst = max(worst, time.monotonic() - begun - 0.01)
    return worst


@contextmanager
def _memory() -> Iterator[Callable[[], float]]:
    """How many bytes were taken at most in the block."""
    tracemalloc.start()
    peaks: Sequence[float] = ()

    def taken() -> float:
        return peaks[0] if peaks else 0.0

    try:
        yield taken
    finally:
        peaks = (float(tracemalloc.get_traced_memory()[1]),)
        tracemalloc.stop()
