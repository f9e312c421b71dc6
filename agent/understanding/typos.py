"""Names that the asker has mistyped by one letter: *clerik*, *owlbaer*, *manticor*.

A slip is only looked for where nobody is named, or beside who is; the answer says what the word was taken for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.languages.language import english
from agent.understanding.clauses import ARTICLES
from agent.understanding.intent import Comparison
from agent.understanding.lexicon import Lexicon, Mention
from retrieval.text.normal import normal, phrase

_SHORTEST = 6
"""Shorter words are too often words of their own: *plane* is no *plate*."""
_ENDINGS = ("ed", "ing", "er", "ly", "al", "y")
_BEFORE_ANOTHER = frozenset({"or", "versus", "vs", "than", "and"})


def slipped(tokens: Sequence[str], known: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """The names that are meant by words which no name has: of one alone, or of what is set beside one."""
    plain = [i for i, token in enumerate(tokens) if token not in ARTICLES]
    beside = {i for before, i in pairwise(plain) if tokens[before] in _BEFORE_ANOTHER}
    meant = [_nearest(token, lexicon) if not known or i in beside else None for i, token in enumerate(tokens)]
    mentions = lexicon.mentions([word or token for word, token in zip(meant, tokens, strict=True)])
    return [m for m in mentions if any(meant[m.start : m.end])] if any(meant) else []


def _nearest(token: str, lexicon: Lexicon) -> str | None:
    """The only word of a name that the token is a slip of; None for a word of a name."""
    if len(token) < _SHORTEST or token in english().asking or token in lexicon.words:
        return None
    found = [word for word in lexicon.words if word[0] == token[0] and is_slip(token, word)]
    return found[0] if len(found) == 1 else None


def is_slip(token: str, word: str) -> bool:
    """True where two long words differ by one letter: missing, added, changed, or two of them swapped.

    >>> is_slip("clerik", "cleric"), is_slip("owlbaer", "owlbear"), is_slip("ranged", "ranger")
    (True, True, False)
    """
    if token == word or token[0] != word[0] or min(len(token), len(word)) < _SHORTEST:
        return False
    i = next((i for i, (a, b) in enumerate(zip(token, word, strict=False)) if a != b), min(len(token), len(word)))
    if any(token.endswith(end) and i >= len(token) - len(end) for end in _ENDINGS):
        return False  # another form of the word, or another word
    swapped = token[i + 1 : i + 2] + token[i : i + 1] + token[i + 2 :]
    return word[i:] in (swapped, word[i : i + 1] + token[i + 1 :], word[i : i + 1] + token[i:], token[i + 1 :])


def taken_for(comparison: Comparison) -> dict[str, str]:
    """The words of a question that were taken for names, each with its name."""
    tokens = normal(comparison.question)
    missing = ((word, name) for name in comparison.entities for word in phrase(name) if word not in tokens)
    return {token: name for word, name in missing for token in tokens if is_slip(token, word)}
