"""One normal form for words and numbers, shared by query_must, lookup and the planner.

Text becomes a tuple of tokens in which everything that does not change the meaning is gone: case, Unicode form,
punctuation, hyphens, plurals, spelling and abbreviations. *7th level*, *level 7* and *seventh-level* are all
`("level", "7")`; *A.C. of 3*, *AC3* and *armour class: 3* are all `("armor class", "3")`. Two texts are then
compared token by token, never by substring, so a bear is not in an owlbear and 1 is not in 10. One pass, linear.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

Tokens = tuple[str, ...]

TERMS: dict[Tokens, str] = {
    ("armor", "class"): "armor class",
    ("ac",): "armor class",
    ("hit", "point"): "hit points",
    ("hp",): "hit points",
    ("hit", "die"): "hit dice",
    ("hd",): "hit dice",
    ("experience", "point"): "experience points",
    ("xp",): "experience points",
    ("str",): "strength",
    ("int",): "intelligence",
    ("wis",): "wisdom",
    ("dex",): "dexterity",
    ("con",): "constitution",
    ("cha",): "charisma",
}
"""Spelling variants and abbreviations that are one term, as normal words."""

ABILITIES = ("strength", "intelligence", "wisdom", "dexterity", "constitution", "charisma")
_MEASURES = frozenset({*TERMS.values(), *ABILITIES, "level"})
_LINKS = frozenset({"of", "is", "are", "was", "equals", "equal", "=", ":"})
_FILLERS = frozenset(
    {"total", "score", "sum", "value", "rating", "combined", "exactly", "a", "an", "the", "between", "from"}
)
_JOINS = frozenset({"and", "or", "to", "through", "&"})
_PRONOUN_BEFORE_ONE = frozenset({"which", "the", "that", "this", "each", "any", "no", "every", "either", "another"})

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_CARDINALS = {word: n for n, word in enumerate(_UNITS)} | {word: 20 + 10 * n for n, word in enumerate(_TENS)}
_ORDINALS = {
    word: n
    for n, word in enumerate(
        (
            "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ).split()
    )
} | {word[:-1] + "ieth": 20 + 10 * n for n, word in enumerate(_TENS)}

_IRREGULAR = {
    "dice": "die", "mice": "mouse", "feet": "foot", "teeth": "tooth", "children": "child", "geese": "goose",
    "oxen": "ox", "staves": "staff", "knives": "knife", "lives": "life", "wives": "wife", "grey": "gray",
    "defence": "defense", "defences": "defense", "offence": "offense", "axes": "axe", "axe": "axe",
    "mould": "mold", "centre": "center", "sabre": "saber", "judgement": "judgment",
}  # fmt: skip
_PLURALS = (
    ("wolves", "wolf"), ("thieves", "thief"), ("dwarves", "dwarf"), ("elves", "elf"), ("halves", "half"),
    ("hooves", "hoof"), ("leaves", "leaf"), ("loaves", "loaf"), ("scarves", "scarf"), ("calves", "calf"),
    ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ies", "y"),
)  # fmt: skip
_KEEP_MEN = frozenset({"specimen", "regimen", "abdomen", "acumen", "omen", "amen"})

_ABBREVIATION = re.compile(r"\b[a-z](?:\.[a-z])+\b\.?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_TOKEN = re.compile(
    r"(?P<dice>(?<![a-z])\d*d\d+(?:[+x-]\d+)?(?![a-z0-9]))"
    r"|(?P<ordinal>\d+)(?:st|nd|rd|th)\b"
    r"|(?P<number>[+-]?\d+(?:\.\d+|/\d+|\+\d+)?)"
    r"|(?P<word>[a-z]+(?:'[a-z]+)?)"
    r"|(?P<link>[=:&])"
)
_SPACE = str.maketrans({"−": "-", "‐": "-", "‑": "-", "–": "-", "‒": "-", "—": " ", "’": "'", "‘": "'", "\\": ""})


def fold(text: str) -> str:
    """Return `text` in one Unicode form, lower case, with one kind of dash and quote and no accents."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_SPACE)).translate(_SPACE)
    return "".join(c for c in decomposed.casefold() if not unicodedata.combining(c))


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """Return the normal form of one word: singular, American spelling.

    >>> [singular(w) for w in ("thieves", "classes", "armour", "zombies", "bonus")]
    ['thief', 'class', 'armor', 'zomby', 'bonus']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for plural, ending in _PLURALS:
        if word.endswith(plural) and len(word) >= len(plural) + (plural in ("ies", "xes")):
            return _spelling(word[: -len(plural)] + ending)
    if word.endswith("men") and word not in _KEEP_MEN:
        return word[:-3] + "man"
    if word.endswith("oes") and len(word) > 5:
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _spelling(_IRREGULAR.get(word, word))


def _spelling(word: str) -> str:
    if word.endswith("our") and len(word) > 5:
        return word[:-3] + "or"
    if word.endswith("oured") and len(word) > 7:
        return word[:-5] + "ored"
    if len(word) > 6:
        word = re.sub(r"is(e|ed|ing|ation)$", r"iz\1", word)
    return word[:-2] + "y" if len(word) > 4 and word.endswith("ie") else word


def is_number(token: str) -> bool:
    """True for a number token such as `"7"`, `"-3"`, `"5+2"` or `"3/2"`; dice such as `"1d8"` are words."""
    return token[-1].isdigit() and "d" not in token


def number(token: str) -> float:
    """The value of a number token; `5+2` (five dice and two) sorts just above 5, `3/2` is 1.5.

    >>> number("-3"), number("5+2"), number("3/2")
    (-3.0, 5.02, 1.5)
    """
    if "/" in token:
        top, bottom = token.split("/")
        return float(top) / float(bottom) if float(bottom) else float(top)
    if "+" in token[1:]:
        dice, pips = token[1:].split("+")
        return float(token[0] + dice) + float(pips) / 100
    return float(token)


def normal(text: str) -> Tokens:
    """Return the normal-form tokens of `text`.

    >>> normal("What does a seventh-level Cleric need vs. A.C. of −3?")
    ('what', 'doe', 'a', 'level', '7', 'cleric', 'need', 'vs', 'armor class', '-3')
    """
    return tuple(_link(_order(_merge(list(_scan(text))))))


@dataclass(frozen=True, slots=True)
class _Raw:
    text: str
    ordinal: bool = False
    tens: bool = False  # the "twenty" of "twenty-one"


def _scan(text: str) -> Iterator[_Raw]:
    folded = _THOUSANDS.sub("", _ABBREVIATION.sub(lambda m: m[0].replace(".", ""), fold(text)))
    negate = False
    for match in _TOKEN.finditer(folded):
        kind, value = match.lastgroup, match[match.lastgroup or 0]
        if kind == "word" and value in ("minus", "negative"):
            negate = True
            continue
        if kind == "number":
            yield _number_token(folded, match, negate)
        elif kind == "ordinal":
            yield _Raw(str(int(value)), ordinal=True)
        elif kind == "word":
            yield _word_token(value, negate)
        else:
            yield _Raw(value)
        negate = False


def _number_token(text: str, match: re.Match[str], negate: bool) -> _Raw:
    raw, before = match["number"], text[match.start() - 1 : match.start()]
    if raw[0] in "+-" and (before.isalnum() or before in (")", "%")):
        # A hyphen after a digit makes a range and after a letter a compound; only an armor class has "AC-6".
        signed = raw[0] == "-" and before.isalpha() and text[: match.start()].endswith(("ac", "class"))
        raw = raw if signed else raw[1:]
    sign = "-" if negate ^ raw.startswith("-") else ""
    digits = raw.lstrip("+-")
    whole = digits.split("/")[0].split("+")[0].split(".")[0]
    return _Raw(sign + str(int(whole)) + digits[len(whole) :] if int(whole) or len(digits) > len(whole) else "0")


def _word_token(word: str, negate: bool) -> _Raw:
    word = word.removesuffix("'s").replace("'", "")
    if word in _ORDINALS:
        return _Raw(str(_ORDINALS[word]), ordinal=True)
    if word in _CARDINALS:
        return _Raw(("-" if negate else "") + str(_CARDINALS[word]), tens=word in _TENS)
    return _Raw(singular(word))


def _merge(raw: list[_Raw]) -> list[_Raw]:
    """Join number words (twenty-one), spelling variants and abbreviations to single tokens."""
    out: list[_Raw] = []
    for token in raw:
        if out and out[-1].tens and token.text in "123456789":
            out[-1] = _Raw(str(int(out[-1].text) + int(token.text)), token.ordinal)
            continue
        out.append(token)
        for size in (2, 1):
            term = TERMS.get(tuple(t.text for t in out[-size:]))
            if term is not None and len(out) >= size:
                out[-size:] = [_Raw(term)]
                break
        if out[-1].text == "armor class" and len(out) > 1 and out[-2].text in ("opponent", "target", "defender"):
            del out[-2]
    return out


def _order(raw: list[_Raw]) -> list[str]:
    """Put the number behind its noun: *7th level* and *7 level* are *level 7*."""
    out: list[str] = []
    skip = False
    for here, after in zip_longest(raw, raw[1:]):
        if skip:
            skip = False
            continue
        noun = after is not None and not is_number(after.text) and after.text.isalpha()
        if here.ordinal and noun and after is not None and after.text not in _JOINS:
            out += [after.text, here.text]
            skip = True
        else:
            out.append(here.text)
    return _cardinal_levels(out)


def _cardinal_levels(tokens: list[str]) -> list[str]:
    """*0 level halfling* is *level 0 halfling*, but the 3 of *AC 3 level 4* stays with its own term."""
    for i in range(len(tokens) - 1):
        free = i == 0 or (tokens[i - 1] not in _MEASURES and tokens[i - 1] not in _LINKS)
        numbered = i + 2 < len(tokens) and (is_number(tokens[i + 2]) or tokens[i + 2] in _LINKS)
        if tokens[i + 1] == "level" and is_number(tokens[i]) and free and not numbered:
            tokens[i], tokens[i + 1] = tokens[i + 1], tokens[i]
    return tokens


def _link(tokens: list[str]) -> Iterator[str]:
    """Drop "of", "is", "=" and ":" between a word and its number; drop stray signs everywhere."""
    for i, token in enumerate(tokens):
        follows = next((t for t in tokens[i + 1 : i + 4] if t not in _LINKS), "")
        if token in ("=", ":") or (token in _LINKS and i and follows and is_number(follows)):
            continue
        if token == "1" and i and tokens[i - 1] in _PRONOUN_BEFORE_ONE:
            continue
        yield token


@lru_cache(maxsize=65536)
def phrase(term: str) -> Tokens:
    """`normal` for short, often repeated terms of rules and tables; cached."""
    return normal(term)


def title_key(title: str) -> str:
    """A title's key that ignores order and plurals: *Dragon, Black* and *black dragons* are one.

    >>> title_key("Tree, Animated")
    'animated tree'
    """
    return " ".join(sorted(t for t in phrase(title) if t not in ("the", "a", "an", "&")))


STOP_WORDS = frozenset(
    "a an the of to in on at for by with from and or is are was be do doe did has have had such what which who whom "
    "whose how many much when where why it its their his her they he she that this these those than then as if "
    "would will can "
    "could should may might need get give tell me about i you we there any some not no into per between & vs versus "
    "compare difference mean".split()
)


def content_words(text: str) -> Tokens:
    """The normal-form tokens of `text` that carry meaning, numbers included, in order and without repeats."""
    return tuple(dict.fromkeys(t for t in normal(text) if t not in STOP_WORDS))


class Words:
    """A text's tokens, indexed for phrases and for numbers with the terms they belong to.

    >>> words = Words("a 4th level fighter with an armor class of 3")
    >>> words.has(phrase("AC 3")), words.has(phrase("AC 4")), words.numbers_of(phrase("level"))
    (True, False, [4.0])
    """

    def __init__(self, text: str) -> None:
        self.tokens = normal(text)
        self._at: dict[str, list[int]] = {}
        for i, token in enumerate(self.tokens):
            self._at.setdefault(token, []).append(i)

    def has(self, term: Sequence[str]) -> bool:
        """True when `term` occurs as a phrase, or ends in a number that belongs to the words before it."""
        if not term:
            return False
        if any(self.tokens[i : i + len(term)] == tuple(term) for i in self._at.get(term[0], ())):
            return True
        owned = len(term) > 1 and is_number(term[-1]) and not is_number(term[-2])
        return owned and number(term[-1]) in self.numbers_of(tuple(term[:-1]))

    def numbers(self) -> list[float]:
        """Every number in the text."""
        return [number(t) for t in self.tokens if is_number(t)]

    def numbers_of(self, term: Tokens) -> list[float]:
        """The numbers that belong to `term`: *level 3 or 7* has two; *16 strength* belongs forwards."""
        found: list[float] = []
        for start in self._at.get(term[0], ()) if term else ():
            end = start + len(term)
            if self.tokens[start:end] != term:
                continue
            after = list(self._numbers_after(end))
            if not after and start and is_number(self.tokens[start - 1]):
                after = [number(self.tokens[start - 1])]
            found += after
        return found

    def _numbers_after(self, end: int) -> Iterator[float]:
        pending: list[int] = []
        tokens = self.tokens
        for i in range(end, len(tokens)):
            if is_number(tokens[i]):
                if pending and i + 1 < len(tokens) and tokens[i + 1] in _MEASURES:
                    return  # "AC 3 and 16 strength": the 16 belongs to what follows
                pending.append(i)
                yield number(tokens[i])
            elif tokens[i] not in (_JOINS if pending else _FILLERS):
                return
