"""Normalize single words and characters: Unicode form, case, plurals and British spelling.

Irregular words are data: English ones in `retrieval.text.english`, those of a game or a trade in its vocabulary.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from retrieval.text.english import IRREGULAR, KEEP_MEN, PLURALS
from retrieval.text.vocabulary import vocabulary

_MOST_STEPS = 8
"""The most rewriting steps, since two vocabularies may rewrite a word in a circle."""

_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_VULGAR_FRACTION = re.compile(r"(\d{0,9})([¼-¾⅐-⅞])")
_PLAIN = {"−": "-", "‐": "-", "‑": "-", "–": "-", "‒": "-", "—": " ", "’": "'", "‘": "'", "\\": "", "⁄": "/"}
_PLAIN |= dict.fromkeys("\u00ad\u200c\u200d\u2060\ufeff", "")
_PLAIN |= dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", " ")  # a footnote mark: 3¹ is not 31
_POWERS, _POWER = str.maketrans("²³", "23"), re.compile(r"(?<=m)[²³]")
_NOT_PLAIN = re.compile(f"[{re.escape(''.join(_PLAIN))}]")


def fold(text: str) -> str:
    """Return `text` in one Unicode form, lower case, with one kind of dash, quote, digit and fraction and no accents.

    >>> fold("Élan −1½"), fold("reed ʙᴏᴀᴛꜱ")
    ('elan -3/2', 'reed boats')
    """
    if text.isascii():
        return text.replace("\\", "").lower()
    plain = _in_plain(_VULGAR_FRACTION.sub(_stroked, re.sub(r"(?<=\d)—(?=\d)", "-", text)))
    folded = _in_plain(unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", plain).casefold()))
    return _NOT_ASCII.sub(_plain, folded)


def with_powers(text: str) -> str:
    """Return `text` with a digit for the power behind metres; any other raised digit is a footnote mark.

    >>> with_powers("120 km², or 12²")
    '120 km2, or 12²'
    """
    return _POWER.sub(lambda power: power[0].translate(_POWERS), text)


def with_fractions(text: str) -> str:
    """Return `text` with each fraction sign as digits, apart from the whole number before it.

    >>> with_fractions("8½ to ¾")
    '8 1/2 to 3/4'
    """
    return _VULGAR_FRACTION.sub(lambda found: f"{found[1]} {_digits(found[2])}".lstrip(), text)


def _digits(sign: str) -> str:
    return unicodedata.normalize("NFKD", sign).replace("⁄", "/")


def _in_plain(text: str) -> str:
    """Return the text with one kind of dash and quote. Few characters are replaced, so searching for them is quicker
    than mapping each one.
    """
    return _NOT_PLAIN.sub(lambda found: _PLAIN[found[0]], text)


def _stroked(fraction: re.Match[str]) -> str:
    top, bottom = _digits(fraction[2]).split("/")
    return f"{int(fraction[1] or 0) * int(bottom) + int(top)}/{bottom}"


def _plain(match: re.Match[str]) -> str:
    return _in_ascii(match[0])


@lru_cache(maxsize=4096)
def _in_ascii(character: str) -> str:
    """Return a character without styling; a small capital, as in brand names, becomes a letter."""
    if unicodedata.combining(character):
        return ""
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    letter = unicodedata.name(character, "").removeprefix(_SMALL_CAPITAL)
    return letter.lower() if len(letter) == 1 else character


_PER_SECOND = re.compile(r"[b-df-hj-np-tv-xz]+ps$")
"""A unit per second, without a vowel: *Gbps* is no plural."""


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """Return the normal form of one word: singular, American spelling. Normal forms stay unchanged.

    >>> [singular(w) for w in ("thieves", "metres", "armour", "zombies", "gbps")]
    ['thief', 'meter', 'armor', 'zomby', 'gbps']
    """
    for _ in range(_MOST_STEPS):
        once = _singular(word)
        if once == word:
            break
        word = once
    return word


def is_plural(name: str) -> bool:
    """True for a name whose last word is a plural; another spelling does not count.

    >>> is_plural("Boat trips"), is_plural("Harbour"), is_plural("")
    (True, False, False)
    """
    last = "".join(name.casefold().split()[-1:])
    return singular(last) not in (last, _spelling(last))


def _singular(word: str) -> str:
    if (known := _known(word)) is not None:
        return known
    for plural, ending in PLURALS:
        if word.endswith(plural) and len(word) >= len(plural) + 2 * (plural == "ies"):
            return _spelling(word[: -len(plural)] + ending)
    if word.endswith("men") and word not in KEEP_MEN:
        return word[:-3] + "man"
    if word.endswith("oes") and len(word) > 5:
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not (word.endswith(("ss", "us", "is")) or _PER_SECOND.match(word)):
        word = word[:-1]
    return _spelling(_known(word) or word)


def _known(word: str) -> str | None:
    """Return the normal form of an irregular word, from English or a vocabulary."""
    return IRREGULAR.get(word) or vocabulary().spellings.get(word)


def _spelling(word: str) -> str:
    word = re.sub(r"(?<=[a-z]{2})tre$", "ter", word)
    word = re.sub(r"(?<=[a-z]{3})our(?=(?:ed|er|ing|able|ful|less|ite|y)?$)", "or", word)
    if len(word) > 6:
        word = re.sub(r"([iy])s(e|ed|ing|ation)$", r"\1z\2", word)
    if len(word) > 4 and word.endswith("ie"):
        return word[:-2] + "y"
    # Endings hidden by the plural (axes, heroes, viruses) lose their e in the singular too.
    hidden = word.endswith("axe") or (len(word) > 4 and word.endswith("oe"))
    return word[:-1] if hidden or (len(word) > 5 and word.endswith(("use", "ze"))) else word
