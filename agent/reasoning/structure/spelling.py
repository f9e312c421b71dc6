"""A slip of one letter in a measure of several words, put right before the question is read: *hit pionts*.

A measure of several words is one token of the normal form, so nothing else would compare its words one by one. Words
that the collection or the language knows are no slips.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from agent.languages.language import languages
from retrieval.tables.match import begins, same_word
from retrieval.text.spelling import singular

_WORD = re.compile(r"[^\W\d_]+")


def spelled(question: str, measures: Collection[str]) -> tuple[str, dict[str, str]]:
    """The question with the words of its measures spelled as the collection does, and what was taken for what.

    >>> spelled("What hit pionts has it?", {"hit points", "speed"})
    ('What hit points has it?', {'pionts': 'points'})
    """
    words = [match[0] for match in _WORD.finditer(question)]
    taken: dict[str, str] = {}
    for measure in measures:
        said = measure.split()
        for start in range(len(words) - len(said) + 1) if len(said) > 1 else ():
            stretch = words[start : start + len(said)]
            slips = {word: right for word, right in zip(stretch, said, strict=True) if not _is(word, right)}
            if len(slips) == 1 and all(_is_slip(word, right, measures) for word, right in slips.items()):
                taken |= slips
    for word, right in taken.items():
        question = re.sub(rf"\b{word}\b", right, question)
    return question, taken


def _is(word: str, right: str) -> bool:
    return singular(word.lower()) == singular(right)


def _is_slip(word: str, right: str, measures: Collection[str]) -> bool:
    one, other = singular(word.lower()), singular(right)
    known = one in measures or any(one in language.words for language in languages().values())
    return not known and same_word(one, other) and not begins(one, other)
