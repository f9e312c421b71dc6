"""Expansion of short forms in a question about a fight: *MU* a class, *Ftr5* a class and level, *class 9* a measure.

A short form is expanded only beside a level or a number, and only if one name of the book fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.domains.combat.question.facts import MEASURES
from agent.domains.combat.question.wording import words
from agent.understanding.words.clauses import ARTICLES, COMMA
from agent.understanding.words.lexicon import Lexicon
from retrieval.tables.match import is_slip
from retrieval.text.english import FILLERS
from retrieval.text.normal import STOP_WORDS, is_number, phrase

_GLUED_LEVEL = re.compile(r"([a-z]+)(\d{1,2})")
_LEVEL = "level"
_LETTERS = range(2, 6)
"""Lengths of a short form in letters."""
_NEVER_SHORT = STOP_WORDS | ARTICLES | MEASURES
_LASTS = [measure.split()[-1] for measure in MEASURES]
_LAST = {
    word: measure
    for measure, word in zip(MEASURES, _LASTS, strict=True)
    if _LASTS.count(word) == 1 != len(measure.split())
}
"""Measures by a last word that no other measure ends with: *class 9* is an armor class."""


def expand_short_forms(tokens: Sequence[str], lexicon: Lexicon) -> tuple[list[str], dict[str, str]]:
    """Return the tokens with short forms replaced by the names and measures they stand for, and those expansions.

    >>> expand_short_forms(["a", "druid", "of", "the", "7", "in", "class", "9"], Lexicon({"druid": "Druids"}))
    (['a', 'druid', 'of', 'the', 'level', '7', 'in', 'armor class', '9'], {})
    """
    out: list[str] = []
    meant: dict[str, str] = {}
    tokens = list(_split_glued_levels(tokens, lexicon))
    for i, token in enumerate(tokens):
        if _is_bare_level(tokens, i, lexicon):
            out.append("level")
        if (measure := _misspelt_measure(tokens, i, lexicon)) is not None:
            out.append(measure)
            meant[token] = measure
        elif (name := _abbreviated_class(tokens, i, lexicon)) is not None:
            out += phrase(name)
            meant[token] = " ".join(phrase(name))
        else:
            out.append(token)
    return whole_measures(out), meant


def _split_glued_levels(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[str]:
    """Yield the tokens; split a class written together with its level, *Ftr5*, in two, and a level alone, *L4*."""
    for token in tokens:
        match = _GLUED_LEVEL.fullmatch(token)
        if match is not None and match[1] == _LEVEL[0] and token not in lexicon.words:
            yield from (_LEVEL, match[2])
            continue
        is_class = match is not None and (
            _abbreviated_class([match[1], match[2]], 0, lexicon) or match[1] in lexicon.names
        )
        yield from match.groups() if match is not None and is_class else (token,)


def whole_measures(tokens: Sequence[str]) -> list[str]:
    """Return the tokens with the last word of a measure before a number replaced by the whole measure.

    >>> whole_measures(["class", "9"])
    ['armor class', '9']
    """
    pairs = zip(tokens, [*tokens, ""][1:], strict=True)
    return [_LAST[token] if token in _LAST and is_number(behind) else token for token, behind in pairs]


def _is_bare_level(tokens: Sequence[str], i: int, lexicon: Lexicon) -> bool:
    """Return True for the number of *a druid of the seventh*, which is a level."""
    if i < 3 or not is_number(tokens[i]) or tokens[i - 2 : i] != ["of", "the"]:
        return False
    return any(mention.end == i - 2 and not lexicon.is_thing(mention) for mention in lexicon.mentions(tokens))


def _misspelt_measure(tokens: Sequence[str], i: int, lexicon: Lexicon) -> str | None:
    """Return the one measure of which a word before a number is a misspelling by one letter."""
    behind = next((token for token in tokens[i + 1 : i + 3] if token not in FILLERS | ARTICLES), "")
    if not is_number(behind) or not tokens[i].isalpha() or tokens[i] in lexicon.words or tokens[i] in MEASURES:
        return None
    slips = [measure for measure in MEASURES if is_slip(tokens[i], measure)]
    return slips[0] if len(slips) == 1 else None


def _abbreviated_class(tokens: Sequence[str], i: int, lexicon: Lexicon) -> str | None:
    """Return the one class that a word beside a level or a number abbreviates."""
    token = tokens[i]
    is_known = token in lexicon.words or token in _NEVER_SHORT | words("contest", "versus")
    if not token.isalpha() or len(token) not in _LETTERS or is_known:
        return None
    behind = next((each for each in tokens[i + 1 : i + 3] if each not in (COMMA, "of")), "")
    is_numbered = i + 1 < len(tokens) and is_number(tokens[i + 1])
    if not (behind == "level" or is_numbered or tokens[max(0, i - 2) : i - 1] == ["level"]):
        return None
    names = {" ".join(phrase(name)) for name in _classes(lexicon) if _is_short(token, phrase(name))}
    return names.pop() if len(names) == 1 else None


def _classes(lexicon: Lexicon) -> Iterator[str]:
    """Yield the names that have tables by level."""
    return (name for key, name in lexicon.names.items() if "level" in lexicon.axes.get(key, ()))


def _is_short(token: str, words: Sequence[str]) -> bool:
    """Return True for the initials of several words, or for at least three letters of one, its first among them."""
    if len(words) > 1:
        return token == "".join(word[0] for word in words)
    letters = iter(words[0]) if words else iter("")
    return len(token) > 2 and words[0][:1] == token[0] and all(letter in letters for letter in token)
