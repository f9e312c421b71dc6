"""One word and one character at a time: Unicode form, case, plurals and British spelling taken away."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_IRREGULAR = {
    "dice": "die", "mice": "mouse", "feet": "foot", "teeth": "tooth", "children": "child", "geese": "goose",
    "oxen": "ox", "staves": "staff", "knives": "knife", "lives": "life", "wives": "wife", "grey": "gray",
    "defence": "defense", "defences": "defense", "offence": "offense", "matrices": "matrix",
    "mould": "mold", "centre": "center", "sabre": "saber", "spectre": "specter", "sceptre": "scepter",
    "judgement": "judgment", "lvl": "level", "acs": "ac", "hps": "hp", "hds": "hd",
    "buses": "bus", "gases": "gas", "lenses": "lens", "atlases": "atlas", "cyclopses": "cyclops", "irises": "iris",
    "mantises": "mantis", "emus": "emu", "gnus": "gnu", "menus": "menu", "lammasus": "lammasu", "shedus": "shedu",
}  # fmt: skip
_PLURALS = (
    ("wolves", "wolf"), ("thieves", "thief"), ("dwarves", "dwarf"), ("elves", "elf"), ("halves", "half"),
    ("hooves", "hoof"), ("leaves", "leaf"), ("loaves", "loaf"), ("scarves", "scarf"), ("calves", "calf"),
    ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ies", "y"),
)  # fmt: skip
_KEEP_MEN = frozenset({"specimen", "regimen", "abdomen", "acumen", "omen", "amen"})

_VULGAR_FRACTION = re.compile(r"(\d{0,9})([¼-¾⅐-⅞])")
_SPACE = str.maketrans(
    {"−": "-", "‐": "-", "‑": "-", "–": "-", "‒": "-", "—": " ", "’": "'", "‘": "'", "\\": "", "⁄": "/"}
    | dict.fromkeys("\u00ad\u200c\u200d\u2060\ufeff", "")
    | dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", " ")  # the mark of a footnote: 3¹ is not 31
)


def fold(text: str) -> str:
    """Return `text` in one Unicode form, lower case, with one kind of dash, quote, digit and fraction and no accents.

    >>> fold("Élan −1½")
    'elan -3/2'
    """
    if text.isascii():
        return text.translate(_SPACE).lower()
    plain = _VULGAR_FRACTION.sub(_stroked, re.sub(r"(?<=\d)—(?=\d)", "-", text)).translate(_SPACE)
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", plain).casefold()).translate(_SPACE)
    return "".join(_digit(c) for c in folded if not unicodedata.combining(c))


def _stroked(fraction: re.Match[str]) -> str:
    top, bottom = unicodedata.normalize("NFKD", fraction[2]).split("⁄")
    return f"{int(fraction[1] or 0) * int(bottom) + int(top)}/{bottom}"


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """Return the normal form of one word: singular, American spelling. A normal form is its own normal form.

    >>> [singular(w) for w in ("thieves", "classes", "armour", "zombies", "bonuses")]
    ['thief', 'class', 'armor', 'zomby', 'bonus']
    """
    once = _singular(word)
    return once if once == word else singular(once)


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for plural, ending in _PLURALS:
        if word.endswith(plural) and len(word) >= len(plural) + 2 * (plural == "ies"):
            return _spelling(word[: -len(plural)] + ending)
    if word.endswith("men") and word not in _KEEP_MEN:
        return word[:-3] + "man"
    if word.endswith("oes") and len(word) > 5:
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _spelling(_IRREGULAR.get(word, word))


def _spelling(word: str) -> str:
    word = re.sub(r"(?<=[a-z]{3})our(?=(?:ed|er|ing|able|ful|less|ite|y)?$)", "or", word)
    if len(word) > 6:
        word = re.sub(r"([iy])s(e|ed|ing|ation)$", r"\1z\2", word)
    if len(word) > 4 and word.endswith("ie"):
        return word[:-2] + "y"
    # Endings that the plural hides (axes, heroes, viruses) are written without their e in the singular too.
    hidden = word.endswith("axe") or (len(word) > 4 and word.endswith("oe"))
    return word[:-1] if hidden or (len(word) > 5 and word.endswith(("use", "ze"))) else word
