"""The built-in questions: those of the founding documents."""

from __future__ import annotations

from agent.errors import QuestionError

CLASSIC: tuple[str, ...] = (
    "What does a 7th level cleric need to roll to hit an opponent with armor class 6?",
    "Who is more likely to win in a fight - a 4th level fighter with an armor class of 3 or a 7th level fighter with"
    " an armor class of 9? Both fighters have a strength of 16, a constitution of 16, and a dexterity of 12. They"
    " both wield long swords.",
    "Who is more likely to win in a fight - a 4th level fighter with an armor class of 3 or a 7th level druid with"
    " an armor class of 9? Both characters have a strength of 16, a constitution of 16, and a dexterity of 12. They"
    " both wield long swords.",
)
"""What `versus demo` answers."""

TEST: tuple[str, ...] = (
    "How many experience points does a fighter need to become 9th level?",
    "What are the unique abilities that only thieves have?",
    "Describe a beholder and its abilities",
    "What is the breath weapon of a black dragon?",
    "Compare the stats of an owlbear versus an orc",
    *CLASSIC,
)
"""What `versus ask --test` answers."""


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
