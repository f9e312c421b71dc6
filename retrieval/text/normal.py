"""One normal form for words and numbers, shared by query_must, lookup and the planner.

Text becomes a tuple of tokens in which everything that does not change the meaning is gone: case, Unicode form,
punctuation, hyphens, plurals, spelling and abbreviations. *7th level*, *level 7* and *seventh-level* are all
`("level", "7")`; *A.C. of 3*, *AC3* and *armour class: 3* are all `("armor class", "3")`. Two texts are then
compared token by token, never by substring, so a bear is not in an owlbear and 1 is not in 10. One pass, linear.

The words are data: those of the language in `retrieval.text.english`, those of a game or a trade in the vocabularies of
domains (`retrieval.text.vocabulary`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from retrieval.text.english import (
    BEFORE_UNITS,
    CARDINALS,
    FILLERS,
    JOINS,
    LINKS,
    MINUS,
    ORDINALS,
    PRONOUN_BEFORE_ONE,
    STOP_WORDS,
    TENS,
)
from retrieval.text.identifiers import RUN, is_identifier
from retrieval.text.number_words import in_digits
from retrieval.text.numbers import is_number, number
from retrieval.text.patterns import ABBREVIATION, BEHIND_DIGITS, PLAIN, PLAIN_TOKEN, TOKEN
from retrieval.text.spelling import fold, singular
from retrieval.text.terms import Tokens, terms

__all__ = [
    "STOP_WORDS",
    "Tokens",
    "Words",
    "content_words",
    "is_number",
    "normal",
    "number",
    "phrase",
    "query_words",
    "title_key",
]

_NUMBERS_REACH = 32
"""How many tokens behind a term are searched for its numbers; a bound on the cost of matching."""
_SHORT = 500
"""The most characters of a text whose tokens are cached, as those of questions and sub-queries are."""
_LONG = 10_000
"""The characters from which only a few queries or chunks have their tokens cached."""
_NO_NOUN = STOP_WORDS | JOINS | LINKS | MINUS


def normal(text: str) -> Tokens:
    """Return the normal-form tokens of `text`. A word behind *per* is a unit and not an ordinal.

    >>> normal("What does a seventh-level Cleric need vs. A.C. of −3?")
    ('what', 'doe', 'a', 'level', '7', 'cleric', 'need', 'vs', 'armor class', '-3')
    """
    return _short(text) if len(text) <= _SHORT else _computed(text)


@lru_cache(maxsize=8192)
def _short(text: str) -> Tokens:
    """Return cached tokens: the steps of a question share a few texts, and questions share the sentences of a book."""
    return _computed(text)


def _computed(text: str) -> Tokens:
    folded = fold(text)
    plain = _plain_tokens(folded)
    tokens = _merge(list(_ordered(_counted(_scan(folded)))) if plain is None else plain)
    is_of_words = plain is not None and not any(map(str.isdigit, plain))
    return tuple(tokens if is_of_words else _numbers_behind(_unlinked(tokens)))


def _plain_tokens(folded: str) -> list[str] | None:
    """Return the tokens of a folded text of words and whole numbers, as most labels and names are; else None.

    The rules for signs, number words and identifiers do not apply to such a text.
    """
    if PLAIN.fullmatch(folded) is None or folded != in_digits(folded):
        return None
    tokens = list(map(_plain_token, PLAIN_TOKEN.findall(folded)))
    return tokens if all(tokens) else None


@lru_cache(maxsize=16384)
def _plain_token(word: str) -> str:
    """Return a word in normal form, or a number unchanged; empty for a number word or a sign."""
    if word.isdigit():
        return word
    token = _word_token(word, negate=False)
    return "" if word in MINUS or token.ordinal or is_number(token.text) else token.text


class _Raw(NamedTuple):
    text: str
    ordinal: bool = False
    tens: bool = False  # the "twenty" of "twenty-one"
    chained: bool = False  # the "third" of "first-third": only a dash or comma stands before it


def _scan(folded: str) -> Iterator[_Raw]:
    folded = in_digits(BEHIND_DIGITS.sub("", ABBREVIATION.sub(lambda m: m[0].replace(".", ""), folded)))
    minus = previous = ""
    end = 0
    for match in _matches(folded):
        if isinstance(match, str):
            yield from [_Raw(minus)] if minus else []
            yield _Raw(match)
            minus, previous, end = "", match, len(folded)
            continue
        word = match["word"]
        if word in MINUS:
            minus = word
            continue
        is_unit = word in ORDINALS and previous in BEFORE_UNITS
        token = _Raw(word) if is_unit else _token(folded, match, end, bool(minus))
        end = match.end()
        if minus and not is_number(token.text):
            yield _Raw(minus)
        pronoun = word == "one" and not minus and previous in PRONOUN_BEFORE_ONE and folded[end : end + 1] != "-"
        minus = ""
        if not pronoun:
            yield token
            previous = token.text
    if minus:
        yield _Raw(minus)


def _matches(text: str) -> Iterator[re.Match[str] | str]:
    """Yield the tokens of a folded text; an identifier is yielded as it is."""
    numbered = terms().numbered
    runs = [match for match in RUN.finditer(text) if is_identifier(match[0], numbered)]
    start = 0
    for run in runs:
        yield from TOKEN.finditer(text, start, run.start())
        yield run[0]
        start = run.end()
    yield from TOKEN.finditer(text, start)


def _token(text: str, match: re.Match[str], end: int, negate: bool) -> _Raw:
    if word := match["word"]:
        token = _word_token(word, negate)
    elif digits := match["ordinal"]:
        token = _Raw(_signed(digits, negate), ordinal=True)
    elif match["number"]:
        token = _number_token(text, match, negate)
    elif dice := match["dice"]:
        token = _Raw(("1" + dice if dice.startswith("d") else dice).replace("%", "100"))
    else:
        token = _Raw(match[0])
    if not token.ordinal:
        return token
    between = text[end : min(match.end(), end + 3)].strip()
    return token._replace(chained=between.startswith(("-", ",", "/")))


def _number_token(text: str, match: re.Match[str], negate: bool) -> _Raw:
    raw, start = match["number"], match.start()
    before = text[start - 1 : start]
    if raw[0] in "+-" and (before.isalnum() or before in (")", "%")):
        # A hyphen after a digit makes a range and after a letter a compound; only a signed term has "AC-6".
        raw = raw if raw[0] == "-" and _is_behind_signed(text, start) else raw[1:]
    return _Raw(_signed(raw.lstrip("+-"), negate or raw.startswith("-")))


def _is_behind_signed(text: str, end: int) -> bool:
    known = terms()
    return known.signed is not None and bool(known.signed.search(text[max(0, end - known.longest_signed - 1) : end]))


def _signed(digits: str, negative: bool) -> str:
    """Return digits without leading zeros, with their sign; 0 has none, and 1-1 has its own."""
    whole = re.match(r"\d*", digits)
    rest = digits[whole.end() if whole else 0 :]
    plain = (digits[: len(digits) - len(rest)].lstrip("0") or "0") + rest
    return "-" + plain if negative and plain != "0" and "-" not in plain else plain


@lru_cache(maxsize=16384)
def _word_token(word: str, negate: bool) -> _Raw:
    word = word.removesuffix("'s").replace("'", "")
    if word in ORDINALS:
        return _Raw(_signed(str(ORDINALS[word]), negate), ordinal=True)
    if word in CARDINALS:
        return _Raw(_signed(str(CARDINALS[word]), negate), tens=word in TENS)
    one = singular(word)
    return _Raw(word if one in CARDINALS or one in ORDINALS else one)  # sixty seconds are not 60 2


def _counted(raw: Iterable[_Raw]) -> Iterator[_Raw]:
    """Join number words: *twenty-one* is 21."""
    tens: _Raw | None = None
    for token in raw:
        if tens is not None and len(token.text) == 1 and token.text in "123456789":
            yield _Raw(f"{tens.text[:-1]}{token.text}", token.ordinal, chained=tens.chained)
            tens = None
            continue
        if tens is not None:
            yield tens
        tens = token if token.tens else None
        if tens is None:
            yield token
    if tens is not None:
        yield tens


def _ordered(raw: Iterable[_Raw]) -> Iterator[str]:
    """Move ordinals behind their noun: *7th level* is *level 7*, *1st to 3rd level* is *level 1 to 3*."""
    tokens = list(raw)
    i = 0
    while i < len(tokens):
        if not tokens[i].ordinal:
            yield tokens[i].text
            i += 1
            continue
        end = _ordinals_end(tokens, i)
        run = [token.text for token in tokens[i:end]]
        if end < len(tokens) and tokens[end].text.isalpha() and tokens[end].text not in _NO_NOUN:
            run.insert(0, tokens[end].text)
            end += 1
        yield from run
        i = end


def _ordinals_end(tokens: list[_Raw], start: int) -> int:
    """Return the end of a run of ordinals: *1st*, *1st-3rd*, *first, second and third*."""
    end = start
    while end < len(tokens) and tokens[end].ordinal and (end == start or tokens[end].chained):
        end += 1
        if end + 1 < len(tokens) and tokens[end].text in JOINS and tokens[end + 1].ordinal:
            tokens[end + 1 : end + 2] = [tokens[end + 1]._replace(chained=True)]
            end += 1
    return end


def _merge(tokens: list[str]) -> list[str]:
    """Turn spelling variants and abbreviations into single tokens, and drop their owner words."""
    known = terms()
    if known.sizes.keys().isdisjoint(tokens) and known.owners.keys().isdisjoint(tokens):
        return tokens
    out: list[str] = []
    for token in tokens:
        out.append(token)
        for size in known.sizes.get(token, ()):
            term = known.names.get(tuple(out[-size:]))
            if term is not None:
                out[-size:] = [term]
                break
        owners = known.owners.get(out[-1], ())
        while owners and len(out) > 1 and out[-2] in owners:
            del out[-2]
    return out


def _unlinked(tokens: Sequence[str]) -> list[str]:
    """Drop "of" and "is" between a word and its number."""
    kept: list[str] = []
    after = ""
    for i in reversed(range(len(tokens))):
        if tokens[i] not in LINKS:
            after = tokens[i]
        elif i and is_number(after) and tokens[i - 1] not in MINUS:
            continue
        kept.append(tokens[i])
    return kept[::-1]


def _numbers_behind(tokens: list[str]) -> list[str]:
    """Move a number behind its term: *0 level halfling* is *level 0 halfling*, but the 3 of *AC 3 level 4* stays."""
    known = terms()
    for i in range(len(tokens) - 1):
        if tokens[i + 1] not in known.axes or not is_number(tokens[i]):
            continue
        free = i == 0 or tokens[i - 1] not in known.measures
        numbered = i + 2 < len(tokens) and is_number(tokens[i + 2])
        if free and not numbered:
            tokens[i], tokens[i + 1] = tokens[i + 1], tokens[i]
    return tokens


def phrase(term: str) -> Tokens:
    """Return `normal` of a short, often repeated term of rules and tables; cached."""
    return _phrase(term) if len(term) <= _SHORT else _computed(term)


@lru_cache(maxsize=65536)
def _phrase(term: str) -> Tokens:
    return _computed(term)


def title_key(title: str) -> str:
    """Return a title's key, which ignores order and plurals: *Dragon, Black* and *black dragons* are one.

    >>> title_key("Tree, Animated")
    'animated tree'
    """
    return " ".join(sorted(t for t in phrase(title) if t not in ("the", "a", "an", "&")))


def content_words(text: str) -> Tokens:
    """Return the content words of `text` in normal form, numbers included, in order and without repeats."""
    return tuple(dict.fromkeys(t for t in normal(text) if t not in STOP_WORDS))


class Words:
    """A text's tokens, indexed for phrases and for numbers with the terms they belong to.
    >>> words = Words("a 4th level fighter with an armor class of 3")
    >>> words.has(phrase("AC 3")), words.has(phrase("AC 4")), words.numbers_of(phrase("level"))
    (True, False, [4.0])
    """

    def __init__(self, text: str) -> None:
        self._text, self._owned = text, dict[Tokens, list[float]]()
        self._has, self._has_term = dict[Tokens, bool](), dict[str, bool]()

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens, computed on first use: in a search, by the thread that compares rows."""
        return normal(self._text)

    @cached_property
    def _at(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for i, token in enumerate(self.tokens):
            places.setdefault(token, []).append(i)
        return places

    def has(self, term: Sequence[str]) -> bool:
        """True if `term` occurs as a phrase, or ends in a number that belongs to the words before it."""
        key = tuple(term)
        if key not in self._has:
            self._has[key] = self._finds(key)
        return self._has[key]

    def has_term(self, term: str) -> bool:
        """Return `has` for a term as written, cached because thousands of rules share a few terms."""
        if term not in self._has_term:
            self._has_term[term] = self.has(phrase(term))
        return self._has_term[term]

    def _finds(self, term: Tokens) -> bool:
        if not term:
            return False
        if any(self.tokens[i : i + len(term)] == term for i in self._at.get(term[0], ())):
            return True
        owned = len(term) > 1 and is_number(term[-1]) and not is_number(term[-2])
        return owned and number(term[-1]) in self.numbers_of(term[:-1])

    def numbers(self) -> list[float]:
        """Return every number in the text."""
        return [number(t) for t in self.tokens if is_number(t)]

    def numbers_of(self, term: Tokens) -> list[float]:
        """Return the numbers that belong to `term`: *level 3 or 7* has two; *16 strength* has its own before it."""
        if term not in self._owned:
            self._owned[term] = self._found_numbers(term)
        return self._owned[term]

    def _found_numbers(self, term: Tokens) -> list[float]:
        found: list[float] = []
        for start in self._at.get(term[0], ()) if term else ():
            end = start + len(term)
            if self.tokens[start:end] != term:
                continue
            after = list(self._numbers_after(end))
            owned = start > 1 and self.tokens[start - 2] in terms().measures  # the 3 of "AC 3, strength unknown"
            if not after and start and is_number(self.tokens[start - 1]) and not owned:
                after = [number(self.tokens[start - 1])]
            found += after
        return found

    def _numbers_after(self, end: int) -> Iterator[float]:
        pending: list[int] = []
        tokens, measures = self.tokens, terms().measures
        for i in range(end, min(len(tokens), end + _NUMBERS_REACH)):
            if is_number(tokens[i]):
                if pending and i + 1 < len(tokens) and tokens[i + 1] in measures:
                    return  # "AC 3 and 16 strength": the 16 belongs to what follows
                pending.append(i)
                yield number(tokens[i])
            elif tokens[i] not in (JOINS if pending else FILLERS):
                return


def query_words(query: str) -> Words:
    """Return the cached `Words` of a query, which is checked repeatedly; few long ones are cached."""
    return _words_of_many(query) if len(query) <= _LONG else _words_of_few(query)


_words_of_many, _words_of_few = lru_cache(maxsize=1024)(Words), lru_cache(maxsize=16)(Words)
