"""What a question has to be, and the built-in ones, which are about the sample book."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from agent.errors import QuestionError


def classic() -> tuple[str, ...]:
    """What `versus demo` answers.

    >>> len(classic())
    3
    """
    return _of_the_sample("classic")


def built_in() -> tuple[str, ...]:
    """What `versus ask --test` answers: the classic questions are the last of them."""
    return (*_of_the_sample("others"), *classic())


def _of_the_sample(group: str) -> tuple[str, ...]:
    text = files("agent").joinpath("sample_questions.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)[group])


def checked(question: str, limit: int) -> str:
    """The question as it is; `QuestionError` when it is no text, empty, or longer than `limit` characters.

    >>> checked(" ", 100)
    Traceback (most recent call last):
    agent.errors.QuestionError: the question is empty; ask something
    """
    if not isinstance(question, str):
        raise QuestionError(f"a question is a text, not {type(question).__name__}")
    if not question.strip():
        raise QuestionError("the question is empty; ask something")
    if len(question) > limit:
        raise QuestionError(f"the question is longer than {limit:,} characters (VERSUS_MAX_QUESTION_CHARS)")
    return question
