"""Several questions in one: *what does a mace weigh, and how long must one rest?*

Each is answered for itself. The second may go on from the first, as in a conversation: *and how much is it?*
"""

from __future__ import annotations

import re

from agent.understanding.clauses import NEXT_QUESTION

MOST = 6
"""Single questions that one is split into."""
_NEXT = re.compile(r"(?<=\?)\s+")
_STATEMENT = re.compile(r"[.!;:]\s+\S")


def singles(question: str) -> tuple[str, ...]:
    """Return the questions that one is made of; nothing where it is one, or where a part of it does not ask.

    >>> singles("What does a mace weigh, and how much is a spear?")
    ('What does a mace weigh', 'how much is a spear?')
    >>> singles("How heavy is a mace? And a spear?")
    ('How heavy is a mace?', 'And a spear?')
    >>> singles("A thief is level 5. What does he need?") or singles("How heavy is a mace? Thanks!")
    ()
    """
    sentences = _NEXT.split(question.strip())
    if _STATEMENT.search(question) or not all(sentence.endswith("?") for sentence in sentences[1:]):
        return ()
    found = [part.strip() for sentence in sentences for part in NEXT_QUESTION.split(sentence)]
    return tuple(found) if 1 < len(found) <= MOST else ()
