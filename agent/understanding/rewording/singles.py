"""Several questions in one: *what does a mace weigh, and how long must one rest?*

Each is answered separately. The second may follow up on the first, as in a conversation: *and how much is it?* If the
whole was bound and no cell has a word of the second, only the first was answered.
"""

from __future__ import annotations

import re

from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged, tagged
from agent.understanding.words.clauses import COMMA, NEXT_QUESTION, tokens_of
from retrieval.text.normal import phrase

MOST = 6
"""Most single questions that one is split into."""
_NEXT = re.compile(r"(?<=\?)\s+")
_STATEMENT = re.compile(r"[.!;:]\s+\S")


def single_questions(question: str) -> tuple[str, ...]:
    """Return the questions that a text consists of; empty if it is one, or if a part of it does not ask.

    >>> single_questions("What does a mace weigh, and how much is a spear?")
    ('What does a mace weigh', 'how much is a spear?')
    >>> single_questions("How heavy is a mace? And a spear?")
    ('How heavy is a mace?', 'And a spear?')
    >>> single_questions("A thief is level 5. What does he need?") or single_questions("How heavy is a mace? Thanks!")
    ()
    """
    sentences = _NEXT.split(without_value_question(question).strip())
    if _STATEMENT.search(question) or not all(sentence.endswith("?") for sentence in sentences[1:]):
        return ()
    found = [part.strip() for sentence in sentences for part in NEXT_QUESTION.split(sentence)]
    return tuple(found) if 1 < len(found) <= MOST else ()


def without_value_question(question: str) -> str:
    """Return the question without a last part that only asks for the value of what the first part asks for.

    >>> without_value_question("Which mace is the heaviest, and how much?")
    'Which mace is the heaviest?'
    >>> without_value_question("Is a mace heavy, and how much is it?")
    'Is a mace heavy, and how much is it?'
    """
    *first, last = NEXT_QUESTION.split(question)
    if len(first) != 1:
        return question
    asking = tagged(last, heeding_all=True)
    amounts = {word for said in asking.language.amounts for word in said}
    is_bare = asking.operation in (None, "count") and amounts | {COMMA} >= set(asking.tokens)
    return f"{first[0]}?" if is_bare or _asks_degree(asking, tagged(first[0])) else question


def _asks_degree(asking: Tagged, before: Tagged) -> bool:
    """True for *how long is it* after a question for the longest."""
    language = asking.language
    small = language.before_adjectives | language.copulas | language.pronouns | {COMMA}
    asked = [each.scale for each in asking.scales.values()]
    is_alone = all(token in small or i in asking.scales for i, token in enumerate(asking.tokens))
    return is_alone and before.best and bool(asked) and asked == [each.scale for each in before.scales.values()]


def answers_first_only(bound: Bound, text: str) -> bool:
    """Return whether a text is several questions, and no cell has some word of those after the first."""
    parts = single_questions(text)
    if not parts:
        return False
    question = tagged(text, heeding_all=True)
    start = len(tokens_of(parts[0])) - 1
    told = {word for reading in bound.readings for word in _matched_words(reading)}
    end = () if question.end is None else (question.end,)
    return any(word not in told for i, word in question.words() if i >= start and i not in end)


def _matched_words(reading: Reading) -> set[str]:
    """Return the words that a reading matches, and those of its subject."""
    subject = reading.subject
    told = {word for binding in reading.found for word in binding.fit.matched_words}
    return told | {*phrase(subject.text), *subject.key.split()} | {word for key in subject.keys for word in key.words}
