"""Words that differ by one slip of a letter: *clerik*, *owlbaer*, *manticor*."""

from __future__ import annotations

_SHORTEST = 6
"""Shorter words are too often words of their own: *plane* is no *plate*."""
_ENDINGS = ("ed", "ing", "er", "ly", "al", "y")


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
