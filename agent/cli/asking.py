"""Ask an agent one or many questions, show the answers, and return an exit code."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rich.console import Group
from rich.status import Status
from rich.text import Text

from agent.application.application import Application
from agent.cli.context import FAILED, IN_PART, OK, CommandContext
from agent.cli.prompt import Prompt
from agent.errors import AgentError, QuestionError
from agent.escape import encodable, printable
from agent.planning.conversation import recent
from agent.questions import checked
from agent.render import answer_data, answer_view, heading
from agent.render.formats import TEXT, formatted
from agent.render.words import counted
from agent.types import Answer, Event, Evidence, StopReason, Turn


async def ask_all(application: Application, context: CommandContext, questions: Iterable[str]) -> int:
    """Answer and show each question; return the worst exit code. A right refusal counts as an answer."""
    codes, refused = list[int](), dict[str, None]()
    for number, question in enumerate(questions):
        if number and not context.json:
            context.show(Text())
        result = await answer(application, context, question)
        code = show_answer(context, result)
        if is_correct_refusal(result):
            code = OK
            refused |= dict.fromkeys(word for item in result.unanswered for word in item.absent)
        codes.append(code)
    context.notes.print(Text(_summed_up(codes, tuple(refused))), soft_wrap=True)
    return worst([OK, *codes])


def is_correct_refusal(result: Answer) -> bool:
    """Return True for an answer without claims, because the collection lacks a word of every fact that was needed.

    A failed search is no refusal.
    """
    failed = any(retrieved.error is not None for retrieved in result.evidence.retrieved)
    hopeless = bool(result.unanswered) and all(item.absent for item in result.unanswered)
    return hopeless and not failed and not result.citations


def _summed_up(codes: Sequence[int], refused: Sequence[str]) -> str:
    well = sum(code == OK for code in codes)
    lacks = f"; rightly refused where the collection has no {' or '.join(map(repr, refused))}" if refused else ""
    return f"{counted(len(codes), 'question')}: {well} ended well, {len(codes) - well} did not{lacks}"


async def ask_one(application: Application, context: CommandContext, question: str) -> int:
    """Answer a question and show it."""
    return show_answer(context, await answer(application, context, question), repeat_question=False)


async def answer(
    application: Application, context: CommandContext, question: str, after: Sequence[Turn] = ()
) -> Answer:
    """Answer a question, with a line on stderr that shows the progress. `after` are the turns before it."""
    with context.notes.status("planning") as status:
        found: Answer | None = None
        draft = _Draft(status)
        async for event in application.stream(question, after=after):
            draft.follow(event)
            found = event.data.get("answer", found)
    if found is None:
        raise AgentError("the agent ended without an answer. This is a bug; please report it with the log.")
    return found


def show_answer(context: CommandContext, result: Answer, repeat_question: bool = True) -> int:
    """Print an answer; return its exit code."""
    if context.json:
        context.show_json(answer_data(result, context.debug))
    elif context.format != TEXT:
        context.show_text(formatted(result, context.format))
    else:
        if repeat_question:
            context.show(heading(result.question))
        context.show(answer_view(result, context.show_context, context.debug))
    return exit_code(result.evidence, result.stop_reason)


def exit_code(evidence: Evidence, stop_reason: StopReason) -> int:
    """Return 0 for a complete answer, 1 if no search succeeded, else 3."""
    if evidence.is_unsearched:
        return FAILED
    return OK if stop_reason == "complete" else IN_PART


def worst(codes: Iterable[int]) -> int:
    """Return the exit code of several questions: a failure outranks a partial answer.

    >>> worst([0, 3, 1])
    1
    """
    return max(codes, key=(OK, IN_PART, FAILED).index)


def converse(context: CommandContext) -> int:
    """Run the interactive prompt: `quit` or the end of input leaves it; an error or Ctrl-C does not.

    The prompt waits outside the event loop, so that Ctrl-C works at once.
    """
    read = Prompt(context).read
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        application = runner.run(stack.enter_async_context(Application.open(context.settings)))
        try:
            runner.run(application.ready())
            return _dialogue(
                context, read, lambda question, after: runner.run(answer(application, context, question, after))
            )
        finally:
            runner.run(stack.aclose())


def question_from(argument: str, limit: int) -> str:
    """Return the question, or standard input for "-", of which at most one character beyond `limit` is read.

    An empty question or one that is too long is a `QuestionError`, before anything is opened for it.
    """
    if argument != "-":
        require_utf8(argument)
        return checked(argument, limit)
    raw = sys.stdin.buffer.read(4 * limit + 4)
    try:
        return checked(raw.decode("utf-8").strip(), limit)
    except UnicodeDecodeError as error:
        raise QuestionError(f"standard input is not UTF-8 ({error.reason} at byte {error.start}).") from error


def require_utf8(argument: str) -> None:
    """Raise `QuestionError` for an argument that is not UTF-8: Python has lone surrogates in place of its bytes."""
    if encodable(argument) != argument:
        raise QuestionError("the question is not UTF-8; type it in a terminal that is, or convert it with iconv")


def _dialogue(
    context: CommandContext, read: Callable[[], str | None], reply: Callable[[str, Sequence[Turn]], Answer]
) -> int:
    """Answer line by line until the input ends; a question may follow up on those before it."""
    turns: Sequence[Turn] = ()
    while (question := read()) is not None:
        if not question.strip():
            continue
        try:
            result = reply(question, turns)
            if result.plan.understood and not context.json:
                context.show(Text(f"understood as: {result.plan.understood}", style="dim"))
            show_answer(context, result, repeat_question=False)
            turns = recent((*turns, result.turn))
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - shown and logged by the context; the next question may fare better
            context.complain(error)
        except KeyboardInterrupt:
            context.notes.print(Text("cancelled; `quit` leaves"))
    return OK


@dataclass(slots=True)
class _Draft:
    """Shows the progress of a question, and the model's text before it is checked."""

    status: Status
    done: int = 0
    text: str = ""

    def follow(self, event: Event) -> None:
        if event.name == "plan.created":
            self.status.update("searching")
        elif event.name == "subquery.retrieved":
            self.done += 1
            self.status.update(f"searching, {counted(self.done, 'sub-query')} done")
        elif event.name == "answer.delta":
            self.text = self.text + event.data["text"] if event.data["text"] is not None else ""
            self.status.update(Group(Text("writing, not yet checked"), Text(printable(self.text), style="dim")))
