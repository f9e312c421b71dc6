"""Amounts in sentences, each with the words around it: *Cargo capacity is 261 tons*, *and takes 36 weeks*.

A clause ends at a comma, a colon or a dash; brackets are dropped. Each of several amounts in a clause gets the words up
to the first function word behind its unit. If no function word separates two amounts, the clause is ambiguous and
yields nothing. The number in *Chapter 5* or *TL9* is part of a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from retrieval.text.english import ARTICLES, CARDINALS, FILLERS, JOINS, NEARLY
from retrieval.text.normal import STOP_WORDS, phrase
from retrieval.text.spelling import fold, singular

_BRACKET = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_CLAUSE = re.compile(r"(?:[^,;:\s]|[,:](?=\d)|\s(?![–—-]\s))+")
_TOKEN = re.compile(
    r"(?P<amount>(?<![\w.,/-])[-+−]?(?P<coin>[$€£¥]|[^\W\d_]{1,3})?\d+(?:[.,]\d+)*%?(?!(?:st|nd|rd|th)\b|[\w/.+]*\d))"
    r"|(?P<word>\w+(?:['’./+-]+\w+)*)"
)
_NO_PROSE = re.compile(r"[=<>{}|#_\\@~*]")
_SENTENCE = re.compile(r"[A-Z\d].*[^\W_][)\]”\"]?\.", re.DOTALL)
_MOST_IN_LABEL = 5
"""The most words of a label; more are narrative."""
_MOST_SAID = 3
"""The most words behind an amount that belong to it: *35 gold pieces*."""

_SMALL = STOP_WORDS | NEARLY
_THEIRS = FILLERS | NEARLY
"""Words that may stand between an amount and its label."""
_UNHEEDED = _THEIRS | JOINS
"""Function words that do not change which fact is stated."""

Key = tuple[tuple[str, ...], str, tuple[str, ...]]
"""The words before an amount, its currency, and the words behind it."""


@dataclass(frozen=True, slots=True)
class SentenceAmount:
    """An amount in a sentence.

    `key` has the normalized words that identify the fact. `label` and `value` are as written here. `words_after` are
    the words behind the amount, which may be its unit, and `at` is its position.
    """

    key: Key
    label: str
    value: str
    words_after: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a clause in normal form; `kind` is *amount*, *name*, *small* or empty."""

    text: str
    start: int
    form: str
    kind: str = ""

    @property
    def end(self) -> int:
        """The position of its end."""
        return self.start + len(self.text)

    @property
    def digits(self) -> str:
        """The amount in digits, after the letters of its currency: *MCr 35.9*."""
        if not any(map(str.isdigit, self.text)):
            return " ".join(phrase(self.text))
        return self.text.replace(self.form, f"{self.form} ", 1) if self.form.isalpha() else self.text

    @property
    def is_distinctive(self) -> bool:
        """True for a word that may change which fact is stated, *not*, *if* and *may* included."""
        return not self.kind or (self.kind == "small" and self.form not in _UNHEEDED)


def sentence_amounts(sentence: str, names: Collection[str]) -> Iterator[SentenceAmount]:
    """Yield the amounts in a sentence of prose about a subject whose names consist of the words `names`.

    >>> for told in sentence_amounts("The Reed costs £3.50 (or less) and takes 36 weeks to build.", ["reed"]):
    ...     print(told.label, "=", told.value)
    costs = £3.50
    takes to build = 36 weeks
    >>> [(told.label, told.value) for told in sentence_amounts("There are 25 low berths, of 2 to 3 m.", [])]
    [('low berths', '25 low berths')]
    >>> [(told.label, told.value) for told in sentence_amounts("A typical Reed has a 20-foot mast.", ["reed"])]
    [('mast', '20 foot')]
    """
    if _NO_PROSE.search(sentence) or not _SENTENCE.fullmatch(sentence):
        return
    plain = _BRACKET.sub(lambda found: " " * len(found[0]), sentence)
    for clause in _CLAUSE.finditer(plain):
        tokens = list(_TOKEN.finditer(plain, clause.start(), clause.end()))
        if not any(map(_is_amount, tokens)):
            continue
        for part in _parts([_word(found, names) for found in tokens]):
            told = _told(sentence, part)
            if told is not None:
                yield told


def _is_amount(found: re.Match[str]) -> bool:
    return bool(found["amount"]) or (fold(found[0]).partition("-")[0] in CARDINALS and len(phrase(found[0])) == 1)


def _word(found: re.Match[str], names: Collection[str]) -> _Word:
    text, folded = found[0], fold(found[0])
    if _is_amount(found):
        return _Word(text, found.start(), found["coin"] or "", "amount")
    form = singular(folded)
    is_name = form in names or any(map(str.isdigit, text))
    return _Word(text, found.start(), form, "name" if is_name else "small" if {form, folded} & _SMALL else "")


def _parts(words: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    """Yield the words of a clause, split by amount; none if it is ambiguous to which amount they belong."""
    amounts = [at for at, word in enumerate(words) if word.kind == "amount"]
    cuts = [0]
    for one, other in pairwise(amounts):
        small = [at for at in range(one + 1, other) if words[at].kind == "small"]
        if not small or (len(small) == other - one - 1 and not words[one].form):
            return
        cuts.append(small[0])
    if amounts:
        yield from (words[start:end] for start, end in pairwise([*cuts, len(words)]))


def _told(sentence: str, words: Sequence[_Word]) -> SentenceAmount | None:
    """Return the fact of the one amount among words; None without a label, or if the number is part of a name: *Chapter
    5*.
    """
    at = next(place for place, word in enumerate(words) if word.kind == "amount")
    before, amount, behind = words[:at], words[at], words[at + 1 :]
    is_joined = sentence[amount.end : amount.end + 1] == "-"
    run = [] if is_joined else _run_before(before)
    if run and run[-1].text[:1].isupper() and run[-1].end + 1 == amount.start:
        return None
    said = list(takewhile(_is_plain, behind[: 1 if is_joined else _MOST_SAID]))
    rest = list(behind[len(said) if run or is_joined else 0 :])
    while rest and rest[-1].kind:
        rest.pop()
    label = " ".join(sentence[part[0].start : part[-1].end] for part in (run, rest) if part).split()
    if not 0 < len(label) <= _MOST_IN_LABEL:
        return None
    hedges = list(takewhile(lambda word: fold(word.text) in NEARLY, reversed(before)))[::-1]
    unit = " ".join(word.text for word in said)
    value = " ".join((*(word.text for word in hedges), amount.digits, unit)).rstrip()
    distinctive = (
        tuple(word.form for word in some if word.is_distinctive) for some in (_without_epithets(before), behind)
    )
    key = next(distinctive), amount.form, next(distinctive)
    return SentenceAmount(key, " ".join(label), value, unit if run else "", amount.start)


def _is_plain(word: _Word) -> bool:
    return not word.kind


def _run_before(words: Sequence[_Word]) -> list[_Word]:
    """Return the words before an amount that belong to it.

    In *a frame with 3 panes* the *frame* is not three; *the following* in *the following 3 panes* is no label.
    """
    nearest = list(words)
    while nearest and nearest[-1].kind == "small":
        if fold(nearest.pop().text) not in _THEIRS:
            return []
    run = list(takewhile(_is_plain, reversed(nearest)))[::-1]
    is_beside = len(run) == 1 and len(nearest) == len(words)
    is_epithet = is_beside and not ARTICLES.isdisjoint(fold(word.text) for word in nearest[-2:-1])
    return [] if is_epithet else run


def _without_epithets(words: Sequence[_Word]) -> list[_Word]:
    """Return the words without those directly before a name of the subject: *a typical full-grown* reed."""
    left: list[_Word] = []
    for word in words:
        while word.kind == "name" and left and not left[-1].kind:
            left.pop()
        left.append(word)
    return left
