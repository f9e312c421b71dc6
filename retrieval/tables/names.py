"""Names: what a collection calls its things, in the forms that a question may use.

A name is a title, a heading, a caption, the key of a row, the head of a column or the label of a record. Its key
ignores order, plurals, articles and brackets, so *Rat, Giant* and *giant rats* are one; an identifier is one token and
has no other form. No book-specific words are built in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from retrieval.text.identifiers import is_identifier
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, Tokens, is_number, phrase

LONGEST = 12
"""The most tokens of a name that is looked for in a question."""
_MANY_WORDS = 3
"""The words beside one number from which a key is a name that contains a number."""
_LONGEST_TEXT = 90
_BRIEF = 4
"""The most words of a cell that may be a name."""
SHORT = "~"
"""The prefix of the key of a short form, so that it never equals the key of a name."""
_SHORT_TOKENS = 4
_JOINT = re.compile(r"[._-]+")
_PIECE = re.compile(r"[a-z]+|\d+")
_DIGIT = re.compile(r"\d")
_WORDY = 3
"""The fewest tokens of a name that may begin or end with a function word such as *what*."""
_MOST_TOKENS = 400
"""The most tokens of a text that are searched for names."""
_FEWEST_LETTERS = 3
"""The fewest letters within an identifier that may stand for its family: the *vgg* of *vgg16bn_8xb32*."""
_BRACKET = re.compile(r"\s*\((?P<text>[^()]*)\)\s*$")
_CODE = re.compile(
    r"^§?\s*(?:\(\d{1,3}\))?(?:\d{1,3}(?:\.\d{1,3})*[^\W\d_]?[.):]|\d{1,3}(?:\.\d{1,3})+|[^\W\d_]\d{1,3}[.):])\s+(?=[^\W\d_a-z])"
)
"""The number or code by which a book numbers a name: *5B. Reed*, *1.2.3 Reed*, *B4: Reed*."""
_BEFORE_PART = re.compile(r"^[^\W\d_][^:–—]{0,38}?(?:\s+[-–—]|:)\s+(?=[^\W_])")
"""A kind, maker or chapter number before the name itself: *Board - F722-SE*, *Command: list*."""
_COINED = re.compile(r"[^\W\d_]-\d")
"""A hyphen between letters and a number, which joins them to a name: *T-5*."""
_PART = re.compile(r"\s*\((?P<part>\d+)(?: of (?P<all>\d+))?\)$")
ARTICLES = frozenset({"a", "an", "the", "&", ","})
"""Tokens that are never part of a name's key."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of the collection in a text: its tokens [start, end) and its key."""

    start: int
    end: int
    key: str

    @property
    def places(self) -> range:
        """The positions of its tokens."""
        return range(self.start, self.end)


@lru_cache(maxsize=16384)
def name_keys(name: str) -> tuple[str, ...]:
    """Return the keys under which a name is found: its own, that without its bracket, that behind a kind, a maker or
    the number that it has in the book, and the identifiers in it.

    A bare number has none.

    >>> name_keys("Rat, Giant"), name_keys("Adult Red Dragon (Chromatic)")
    (('giant rat',), ('adult chromatic dragon red', 'adult dragon red'))
    >>> name_keys("7-9"), name_keys("m5.xlarge *"), name_keys("Saw BX2.400")
    ((), ('m5.xlarge',), ('bx2.400 saw', 'bx2.400'))
    >>> name_keys("Command: list"), name_keys("Attack - Level 4")
    (('command list', 'list'), ('4 attack level',))
    >>> name_keys("5B. Reed Cutter"), name_keys("7.62 Reed Cutter")[1:]
    (('5 b cutter reed', 'cutter reed'), ('cutter reed',))
    >>> name_keys("Long Haul Carrier (LHC)")
    ('carrier haul lhc long', 'carrier haul long', 'lhc')
    """
    if len(name) > _LONGEST_TEXT:
        return ()
    whole = without_part(name)
    tokens = phrase(whole)
    keys = [key_of(tokens), key_of(phrase(_BRACKET.sub("", whole)))]
    if (part := _BEFORE_PART.sub("", _CODE.sub("", whole))) != whole and not is_numbered(part):
        keys.append(key_of(phrase(part)))
    if (short := _BRACKET.search(whole)) is not None and _is_initials(short["text"], whole[: short.start()]):
        keys.append(key_of(phrase(short["text"])))
    keys += [token for token in tokens if is_identifier(token)]
    return tuple(dict.fromkeys(key for key in keys if key))


def _is_initials(short: str, name: str) -> bool:
    """True for an abbreviation whose letters begin the last words before it: *Long Haul Carrier (LHC)*."""
    letters = short.strip().casefold()
    initials = "".join(word[0] for word in name.casefold().split() if word[0].isalnum())
    return len(letters) > 1 and initials.endswith(letters)


@lru_cache(maxsize=16384)
def without_part(title: str) -> str:
    """Return the title without its part number.

    >>> without_part("Saw BX2 (2)"), without_part("Costs (1 of 3)"), without_part("Saw (blue)")
    ('Saw BX2', 'Costs', 'Saw (blue)')
    """
    return _PART.sub("", title)


def part_of(title: str) -> tuple[int, int]:
    """Return the part number of a title and the number of parts.

    >>> part_of("Costs (2 of 3)"), part_of("Costs")
    ((2, 3), (1, 1))
    """
    found = _PART.search(title)
    return (int(found["part"]), int(found["all"])) if found is not None and found["all"] else (1, 1)


def key_of(tokens: Sequence[str]) -> str:
    """Return one key for all orders of some tokens; empty if they name nothing. The *A* of *Cabinet A* is no article.

    >>> key_of(("the", "cabinet")), key_of(("cabinet", "a")), key_of(("a",))
    ('cabinet', 'a cabinet', '')
    """
    last = len(tokens) - 1
    said = [token for at, token in enumerate(tokens) if token not in ARTICLES or (token == "a" and at == last)]
    if not said or len(said) > LONGEST or all(map(_is_function_word_or_number, said)):
        return ""
    return " ".join(sorted(said))


def _is_function_word_or_number(token: str) -> bool:
    """True for a token that names nothing by itself."""
    return token in STOP_WORDS or is_number(token)


def short_keys(name: str) -> tuple[str, ...]:
    """Return the keys of the short forms of a name's identifiers: their first parts, however these are joined.

    >>> short_keys("levit-256_3rdparty_in1k"), short_keys("Owlbear")
    (('~levit 256', '~levit 256 3 rdparty'), ())
    """
    found: list[str] = []
    for token in filter(is_identifier, phrase(name)) if len(name) <= _LONGEST_TEXT else ():
        parts = _JOINT.split(token)
        found += filter(None, (short_key(parts[:n]) for n in range(1, len(parts))))
    return tuple(dict.fromkeys(found))


def short_key(parts: Sequence[str]) -> str:
    """Return the key of a short form, however its letters and digits are joined; empty unless it has both.

    >>> short_key(("densenet", "161")), short_key(("densenet161",)), short_key(("large",))
    ('~densenet 161', '~densenet 161', '')
    """
    pieces = [piece for part in parts for piece in _PIECE.findall(part)]
    has_both = any(map(str.isdigit, pieces)) and any(map(str.isalpha, pieces))
    return SHORT + " ".join(pieces) if has_both and len(pieces) <= LONGEST else ""


def joined_keys(tokens: Sequence[str]) -> Iterator[str]:
    """Yield two words written as one, in both orders: *longsword* for *long sword*.

    >>> list(joined_keys(("long", "sword")))
    ['longsword', 'swordlong']
    """
    if len(tokens) == 2 and all(map(str.isalpha, tokens)):
        yield tokens[0] + tokens[1]
        yield tokens[1] + tokens[0]


@lru_cache(maxsize=256)
def short_spans_of(tokens: Tokens) -> Mapping[str, Sequence[tuple[int, int]]]:
    """Return every key of a short form that a text may hold, with its positions."""
    found: dict[str, list[tuple[int, int]]] = {}
    has_digit = any(map(_DIGIT.search, tokens))  # every short form has one
    for start in range(min(len(tokens), _MOST_TOKENS)) if has_digit else ():
        for end in range(start + 1, min(len(tokens), start + _SHORT_TOKENS) + 1):
            stretch = tokens[start:end]
            if all(piece.isascii() and piece not in STOP_WORDS for piece in stretch) and (key := short_key(stretch)):
                found.setdefault(key, []).append((start, end))
    return found


def _ends_with_letter(tokens: Tokens, end: int) -> bool:
    """True for an *a* that no noun follows: the letter of *zone A*."""
    return tokens[end - 1] == "a" and all(token == "," or token in STOP_WORDS for token in tokens[end:])


@lru_cache(maxsize=256)
def spans_of(tokens: Tokens) -> Mapping[str, Sequence[tuple[int, int]]]:
    """Return every key that a text may hold, with its positions; cached for each text."""
    found: dict[str, list[tuple[int, int]]] = {}
    for start, first in enumerate(tokens[:_MOST_TOKENS]):
        if first in ARTICLES:
            continue
        said: list[str] = []
        names = False
        for end, last in enumerate(tokens[start : start + LONGEST], start=start + 1):
            is_letter = bool(said) and _ends_with_letter(tokens[: end + 1], end)
            if last in ARTICLES and not is_letter:
                continue
            said.append(last)
            names = names or not _is_function_word_or_number(last)
            at_edge = first in STOP_WORDS or (last in STOP_WORDS and not is_letter)
            if names and not (at_edge and end - start < _WORDY):
                for key in (" ".join(sorted(said)), *joined_keys(tokens[start:end])):
                    found.setdefault(key, []).append((start, end))
            if is_letter:
                break
    return found


def words_in(name: str) -> frozenset[str]:
    """Return the words by which a name may be called in part: its content words and the letters of its identifiers.

    >>> sorted(words_in("Adult Red Dragon")), sorted(words_in("KakuteF7-AIO")), sorted(words_in("The Inn of 1702"))
    (['adult', 'dragon', 'red'], ['aio', 'kakutef', 'kakutef7-aio'], ['inn'])
    """
    tokens = phrase(name) if len(name) <= _LONGEST_TEXT else ()
    said = {word for word in tokens if word not in STOP_WORDS and word not in ARTICLES and not is_number(word)}
    coined = (piece for word in said if is_identifier(word) for piece in _PIECE.findall(word))
    return frozenset(said | {piece for piece in coined if piece.isalpha() and len(piece) >= _FEWEST_LETTERS})


def parts_in(name: str) -> frozenset[str]:
    """Return the words by which a part of a name is found.

    They are those of `words_in`, its numbers, the parts of its identifiers, and each number joined to the letters
    before it.

    >>> sorted(parts_in("Rook AG-145 Saw")), sorted(parts_in("47 Reed"))
    (['145', 'ag', 'ag145', 'rook', 'saw'], ['47', 'reed'])
    >>> sorted(parts_in("levit-256_3rdparty")), sorted(parts_in("w_a"))
    (['256', '3rdparty', 'levit', 'levit-256_3rdparty', 'levit256', 'rdparty'], ['w', 'w_a'])
    """
    tokens = phrase(name) if len(name) <= _LONGEST_TEXT else ()
    split = [part for token in tokens for part in (_JOINT.split(token) if is_identifier(token) else (token,))]
    joined = (joined_identifier(pair) for pair in pairwise(split))
    said = (part for part in split if part not in STOP_WORDS and part not in ARTICLES)
    return words_in(name).union(filter(None, joined), said)


def joined_identifier(pair: Sequence[str]) -> str:
    """Return letters and the number behind them as one word; empty for anything else.

    >>> pairs = ("ag", "145"), ("ag", "-145"), ("145", "ag"), ("of", "145")
    >>> tuple(map(joined_identifier, pairs))
    ('ag145', '', '', '')
    """
    letters, number = pair
    is_coined = letters.isalpha() and letters not in STOP_WORDS and number.isdigit()
    return letters + number if is_coined else ""


@lru_cache(maxsize=65536)
def name_words(text: str) -> frozenset[str]:
    """Return the words of a name as a set."""
    return frozenset(token for token in phrase(text) if token not in ARTICLES and token != "of")


@lru_cache(maxsize=65536)
def same_name(a: str, b: str) -> bool:
    """True for two spellings of one name.

    >>> same_name("Sword, long*", "longswords"), same_name("owlbear", "bear")
    (True, False)
    """
    one, two = name_words(a.replace("*", "")), name_words(b.replace("*", ""))
    return one == two or _is_joined(one, two) or _is_joined(two, one)


def _is_joined(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one) == 1 and not one.isdisjoint(joined_keys(tuple(two)))


class NameIndex:
    """An index from names to places, found by any spelling without a full scan.

    >>> NameIndex([("Sword, long*", (2, 0)), ("Dagger", (3, 0))]).places("longswords")
    [(2, 0)]
    """

    def __init__(self, names: Iterable[tuple[str, tuple[int, int]]]) -> None:
        self._own: dict[frozenset[str], set[tuple[int, int]]] = {}
        self._as_one: dict[str, set[tuple[int, int]]] = {}
        for name, place in names:
            words = name_words(name.replace("*", ""))
            self._own.setdefault(words, set()).add(place)
            for joined in joined_keys(tuple(words)):
                self._as_one.setdefault(joined, set()).add(place)

    def places(self, name: str) -> list[tuple[int, int]]:
        """Return the places of a name in any spelling, in order."""
        words = name_words(name.replace("*", ""))
        found = set(self._own.get(words, ()))
        for joined in joined_keys(tuple(words)):
            found |= self._own.get(frozenset([joined]), set())
        if len(words) == 1:
            found |= self._as_one.get(next(iter(words)), set())
        return sorted(found)


def is_brief_name(text: str) -> bool:
    """True for a cell that may name its row: a few words or an identifier, not a number.

    >>> is_brief_name("Orc"), is_brief_name("LED0"), is_brief_name("2d6"), is_brief_name("+2")
    (True, True, False, False)
    """
    words = text.split()
    return 0 < len(words) <= _BRIEF and text[0].isalpha() and bool(key_of(phrase(text)))


def is_numbered(key: str) -> bool:
    """True for a row's key that is a number or a range and so a place on an axis, not a name.

    >>> is_numbered("7-9"), is_numbered("13th"), is_numbered("Level 4"), is_numbered("Club")
    (True, True, True, False)
    >>> is_numbered("MViTV2-T"), is_numbered("Lark T-5"), is_numbered("Great Storm of 1987 appeal")
    (False, False, False)
    """
    coined = _COINED.search(key) or any(map(is_identifier, phrase(key)))
    label = read_label(key)
    is_said = sum(map(str.isalpha, label.name)) >= _MANY_WORDS and not (label.span and label.span.width)
    return not coined and label.span is not None and not is_said


def is_model(key: str, head: str) -> bool:
    """True for the name of a model: a row's key of words and one number, under a head with other words.

    >>> is_model("Rook 30", "Engine"), is_model("Level 4", "Level"), is_model("Grade 8-9", "Salary")
    (True, False, False)
    """
    label = read_label(key)
    is_single = label.span is not None and not label.span.width and key.rstrip()[-1:].isdigit()
    words = {word for word in label.name if word.isalpha()}
    return is_single and key[:1].isalpha() and bool(words) and bool(phrase(head)) and words.isdisjoint(phrase(head))
