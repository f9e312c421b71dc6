"""Batches for programs: questions from anywhere, results as they finish, nothing on disk."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from agent.batch.budget import BudgetedLLM
from agent.batch.driver import as_finished, each
from agent.batch.errors import Halted
from agent.errors import AgentError, LLMRefused, QuestionError, SettingsError
from agent.llm.protocol import LLM
from agent.types import Answer
from retrieval.errors import RetrievalError


@runtime_checkable
class IdentifiedQuestion(Protocol):
    """A question with the id of its result."""

    @property
    def id(self) -> str | int: ...

    @property
    def question(self) -> str: ...


class BatchAgent(Protocol):
    """An agent that answers questions, and whose language model can be wrapped."""

    def with_llm(self, wrap: Callable[[LLM], LLM]) -> BatchAgent: ...

    async def ask(self, question: str) -> Answer: ...


Question = str | IdentifiedQuestion | Mapping[str, Any]
Questions = Iterable[Question] | AsyncIterable[Question]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of one question: its `answer`, or an `error`. `line` counts the questions from 1.

    A question without an id gets the id `line-` with that number.
    """

    id: str | int
    line: int
    question: str
    answer: Answer | None = None
    error: Exception | None = None


async def answered(agent: BatchAgent, questions: Questions, concurrency: int) -> AsyncGenerator[BatchResult, None]:
    """Yield the result of each question as it finishes; see `Agent.batch`."""
    refused: list[LLMRefused] = []

    def halt(_: str, error: LLMRefused | None) -> None:
        refused.extend([error] if error else [])

    paying = agent.with_llm(lambda llm: BudgetedLLM(llm, halt))

    async def result(asked: BatchResult) -> BatchResult:
        if asked.error is not None:
            return asked
        try:
            return BatchResult(asked.id, asked.line, asked.question, await paying.ask(asked.question))
        except SettingsError:
            raise
        except (AgentError, RetrievalError) as error:
            return BatchResult(asked.id, asked.line, asked.question, error=error)
        except Halted:
            raise refused[0] from None

    async with aclosing(as_finished(_numbered(questions), result, concurrency)) as results:
        async for each_ in results:
            yield each_


async def _numbered(questions: Questions) -> AsyncIterator[BatchResult]:
    line = 0
    async for asked in each(questions):
        line += 1
        yield _as_result(asked, line)


def _as_result(asked: object, line: int) -> BatchResult:
    """Return the question as a result without an answer yet, or with an error if it is not a question."""
    id_: str | int = f"line-{line}"
    question = asked
    if isinstance(asked, Mapping):
        id_, question = asked.get("id", id_), asked.get("question")
    elif isinstance(asked, IdentifiedQuestion):
        id_, question = asked.id, asked.question
    if isinstance(question, str):
        return BatchResult(id_, line, question)
    what = f"question {line} is no text, nor has it one as its `question`: {asked!r:.80}"
    return BatchResult(id_, line, "", error=QuestionError(what))
