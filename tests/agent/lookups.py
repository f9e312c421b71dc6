"""What a question looks up, as the rules and the domains understand it."""

from __future__ import annotations

from agent.planning.rules import recognised
from agent.understanding.question.intent import Lookup
from agent.understanding.words.lexicon import Lexicon


def lookup_of(question: str, lexicon: Lexicon) -> Lookup:
    """The look-up that a question asks for; it is no fight."""
    intent = recognised(question, lexicon)
    assert isinstance(intent, Lookup)
    return intent
