"""Which labels of a table a question has: whole, in part, or by a number that a label's band covers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agent.languages.language import english
from agent.understanding.attributes import implied, is_throwing
from agent.understanding.clauses import ARTICLES, COMMA
from retrieval.tables.measures import canonical
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, number, phrase

_SAYING = frozenset(
    "am come include leave arrive stop depart run offer provide contain here person people up somebody someone use "
    "go start grow plant own owe charge charged due ready until set buy sell sold keep total exactly till away "
    "currently long worth bring send serve travel bill handle process receive allow permit grant wear wield make "
    "paid foe degree old aged happen plus".split()
)
"""Words that ask rather than name, where no label has them."""
_LIGHT = _SAYING | ARTICLES | {COMMA, ""}
_ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ation|ying|ied|ated|ate|ating|ing|al|able|ed|ly|ment|ance|e|y|ier|iest)$")
_LISTING = frozenset({"and", "or", "than", "vs", "v", "versus", "between", "compare", "compared", "plus", COMMA, "&"})
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_DIE = re.compile(r"(?:^|\s)\d*d(?:\d+|%)(?:\s|$)", re.IGNORECASE)
_PARTED = re.compile(r":|, | vs?\. ")
PART = re.compile(r" \(\d+ of (\d+)\)$")
"""What the title of a part of a long table ends with: *Weapons (2 of 3)*."""
_BESIDE = 3
AGE = frozenset({"age", "year"})
_I_AM = (("i", "am"), ("i", "would"))
MARKS = " *†‡"
ALIKE = 5
"""So many first letters make two words one."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as tokens; `needed` are the places of those that have to be accounted for."""

    tokens: tuple[str, ...]
    needed: frozenset[int]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Asking:
        """Tell the words that name something from those that only ask."""
        meant = tuple(implied(tokens, i) for i in range(len(tokens)))
        return cls(meant, frozenset(i for i, t in enumerate(meant) if _is_needed(meant, i, t)))


def _is_needed(tokens: Sequence[str], i: int, token: str) -> bool:
    """A letter counts only behind a word, as in *zone B*; that of *12 °C* and of *don't* does not."""
    if is_number(token):
        return True
    if len(token) != 1:
        return not (_is_light(token) or is_throwing(tokens, i) or (token == "year" and is_age(tokens, i - 1)))
    behind_word = i > 0 and tokens[i - 1].isalpha() and not _is_light(tokens[i - 1])
    return token.isalpha() and token not in "aist" and behind_word


def _is_light(token: str) -> bool:
    """True for a word that names nothing."""
    return token in _LIGHT or token in english().asking


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without its ending, as one of its synonyms.

    >>> stem("parking") == stem("parked"), stem("germination") == stem("germinate"), stem("yearly")
    (True, True, 'year')
    """
    plain = canonical(re.sub(r"(?<=[a-z]{2})ily$", "y", word))  # *daily*
    return canonical(_ENDINGS.sub("", plain))


def beginning(word: str) -> str:
    """What two forms of a long word share: *paralysis* is *paralyzation*."""
    return word[:ALIKE]


def name_words(label: str) -> tuple[str, ...]:
    """The words of a label without its unit: of *Energy (kcal)* the first."""
    return tuple(token for token in phrase(_IN_BRACKETS.sub("", label)) if token not in ARTICLES)


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """The stems of all words of a label; dice are rolled."""
    words = frozenset(stem(word) for word in phrase(text))
    return words | {"roll"} if _DIE.search(text) else words


def named(asking: Asking, labels: Sequence[str]) -> dict[int, set[int]]:
    """The labels that the question has whole, the longest where they overlap, with their places in it."""
    beginning, tokens = _by_beginning(tuple(labels)), tuple(map(stem, asking.tokens))
    found: dict[int, set[int]] = {}
    i = 0
    while i < len(tokens):
        size = 0
        for n, stems, names in beginning.get(tokens[i], ()):
            if tokens[i : i + len(stems)] == stems:
                size = len(stems) if names else 0
                found.setdefault(n, set()).update(range(i, i + size))
                break
        i += size or 1
    return {n: places for n, places in found.items() if places}


@lru_cache(maxsize=4096)
def _by_beginning(labels: tuple[str, ...]) -> Mapping[str, Sequence[tuple[int, tuple[str, ...], bool]]]:
    """The labels by their first stem, the longest first: place, stems, and whether it names: a mere number does not."""
    found: dict[str, list[tuple[int, tuple[str, ...], bool]]] = {}
    for n, label in enumerate(labels):
        if words := name_words(label):
            names = not (len(words) == 1 and (is_number(words[0]) or len(words[0]) == 1))
            stems = tuple(map(stem, words))
            found.setdefault(stems[0], []).append((n, stems, names))
    return {first: sorted(group, key=lambda entry: -len(entry[1])) for first, group in found.items()}


def _asks_for(tokens: Sequence[str], head: Collection[str]) -> bool:
    """True for *at what level do thieves get 50 %*: the rows are what is asked for, and not known."""
    asked = (i for i, token in enumerate(tokens[:-1]) if token in ("what", "which", "many"))
    light = english().asking | ARTICLES
    return any(stem(tokens[i + 1]) in head and tokens[i + 2] in light for i in asked if i + 2 < len(tokens))


def numbered(
    asking: Asking, labels: Sequence[str], head: str, taken: Collection[int], axis: str = ""
) -> dict[int, set[int]]:
    """The rows that numbers select, where the question says what rows are, by head or `axis`, and does not ask it."""
    if _asks_for(asking.tokens, words_of(head)):
        return {}
    spans = [read_label(label) for label in labels]
    if sum(label.span is not None for label in spans) < 0.5 * len(labels):
        return {}
    said = words_of(f"{head} {axis} {' '.join(' '.join(label.name) for label in spans)}")
    ages = said & AGE or any(_IN_BRACKETS.search(label) for label in labels)
    rolled = "roll" in said and ("on", "a") in pairwise(asking.tokens)
    if not rolled and not any(
        stem(token) in said or (ages and is_age(asking.tokens, i)) for i, token in enumerate(asking.tokens)
    ):
        return {}
    found: dict[int, set[int]] = {}
    for i, token in enumerate(asking.tokens):
        if i in taken or not is_number(token):
            continue
        holding = [(s.span.width, n) for n, s in enumerate(spans) if s.span is not None and number(token) in s.span]
        if holding:
            n = min(holding)[1]
            unit = words_of(" ".join(spans[n].name)) & set(map(stem, asking.tokens[i + 1 : i + 2]))
            found.setdefault(n, set()).update({i, i + 1} if unit else {i})
    return found


def is_age(tokens: Sequence[str], i: int) -> bool:
    """The 7 of *a 7 year old*, *aged 7* and *I am 7*; a contracted *am* has been read as *would*."""
    told = tuple(tokens[i + 1 : i + 3]) == ("year", "old") or tuple(tokens[max(0, i - 1) : i]) == ("aged",)
    return i >= 0 and is_number(tokens[i]) and (told or tuple(tokens[max(0, i - 2) : i]) in _I_AM)


def banded(asking: Asking, heads: Sequence[Sequence[str]], taken: Collection[int]) -> dict[int, set[int]]:
    """The columns whose bands hold a number of the question; of several those whose heads have more of its words."""
    labels = [read_label(path[-1] if path else "") for path in heads]
    stems = {stem(token): i for i, token in enumerate(asking.tokens) if i in asking.needed or token == "year"}
    found: dict[int, set[int]] = {}
    for i, token in enumerate(asking.tokens):
        if i in taken or not is_number(token):
            continue
        holding = []
        for c, label in enumerate(labels):
            at = {stems[word] for word in words_of(" ".join(heads[c])) & stems.keys() if not is_number(word)}
            words = name_words(heads[c][-1] if heads[c] else "")
            near = {j: asking.tokens[j] for j in range(max(0, i - 3), min(i + 3, len(asking.tokens)))}
            whole = {j for j, near_ in near.items() if near_ in words} if set(words) <= {*near.values()} else set[int]()
            if c and at and label.span is not None and (whole or number(token) in label.span):
                holding.append((not whole, -len(at), label.span.width, c, at | whole))
        best = [one for one in holding if one[:3] == min(holding)[:3]]
        if len(best) == 1:
            found.setdefault(best[0][3], set()).update({i, *best[0][4]})
    return found


def dealt(asking: Asking, heads: Sequence[Sequence[str]], labels: Sequence[str]) -> tuple[set[int], set[int]]:
    """The numbers of a question that belong to the rows, and those of the columns, each near the words of its own.

    Where one axis alone has bands, all numbers are its own.
    """
    places = [i for i, token in enumerate(asking.tokens) if is_number(token) and i in asking.needed]
    down = [read_label(label) for label in labels]
    across = [(read_label(path[-1]), path) for path in heads[1:] if path]
    bands = [(label, path) for label, path in across if label.span is not None]
    if not bands or 2 * len(bands) < len(across):
        return set(places), set()
    rows = words_of(" ".join([*heads[0], *(word for label in down if label.span for word in label.name)]))
    columns = words_of(" ".join(word for label, path in bands for word in (*label.name, *path[:-1])))
    nearer = {i: _distance(asking, i, columns) - _distance(asking, i, rows) for i in places}
    across_ = {i for i in places if nearer[i] < 0}
    if len(places) > 1 and len(across_) in (0, len(places)):  # each axis has one; the least decided is the other's
        across_ ^= {min(places, key=lambda i: (abs(nearer[i]), i if across_ else -i))}
    return set(places) - across_, across_


def within(asking: Asking, labels: Sequence[str]) -> set[int]:
    """The numbers beside a label's name that its band holds: the 10 of a *child of 10* in *Child (6-14)*."""
    bands = [(label.span, words_of(" ".join(label.name))) for label in map(read_label, labels)]
    numbers = [(i, number(asking.tokens[i])) for i in asking.needed if is_number(asking.tokens[i])]
    return {
        i for i, value in numbers if any(span and value in span and _is_beside(asking, i, name) for span, name in bands)
    }


def _is_beside(asking: Asking, place: int, words: Collection[str]) -> bool:
    """True when one of the words stands near this place."""
    near = (*range(max(0, place - _BESIDE), place), *range(place + 1, place + 1 + _BESIDE))
    return any(stem(token) in words for i in near for token in asking.tokens[i : i + 1])


def _distance(asking: Asking, place: int, words: Collection[str]) -> int:
    near = [abs(place - i) for i, token in enumerate(asking.tokens) if i != place and stem(token) in words]
    return min(near, default=len(asking.tokens))


def partly(
    asking: Asking,
    labels: Sequence[str],
    places: Collection[int],
    known: Collection[int],
    besides: Collection[int] = (),
) -> dict[int, set[int]]:
    """The labels that have some of these words, and no other label more of them; `besides` only tell equals apart."""
    found: dict[int, set[int]] = {}
    for n, label in enumerate(labels):
        words = words_of(label)
        at = {i for i in (*places, *besides) if stem(asking.tokens[i]) in words and not is_number(asking.tokens[i])}
        if at & set(places) and n not in known:
            found[n] = at
    most = {n: at for n, at in found.items() if not any(at < other for other in found.values())}
    return _shortest(most, labels)


def _shortest(found: dict[int, set[int]], labels: Sequence[str]) -> dict[int, set[int]]:
    """Of labels that have the same words the one that says the least besides; all of them where that is none."""
    kept: dict[int, set[int]] = {}
    for n, at in found.items():
        rivals = [m for m, other in found.items() if other == at]
        least = min(len(phrase(labels[m])) for m in rivals)
        if len(phrase(labels[n])) == least or len({_kind(labels[m], m) for m in rivals}) == 1:
            kept[n] = at
    return kept


def kind_of(label: str) -> str:
    """What a label is a kind of, as *Harm: Man-sized* and *Harm: Huge*, *Horse, draft* and *Horse, war*; else itself.

    >>> kind_of("Harm: Huge"), kind_of("Horse, draft"), kind_of("Mule")
    ('Harm', 'Horse', 'Mule')
    """
    return _PARTED.split(label, maxsplit=1)[0]


def _kind(label: str, place: int) -> str:
    """What a label is one of several kinds of: none of them is the thing itself."""
    kind = kind_of(label)
    return kind if kind != label else str(place)


def is_asked_for(asking: Asking, chosen: dict[int, set[int]], labels: Sequence[str]) -> bool:
    """One label, or all kinds of one; or a list of which each has a word of its own."""
    groups: dict[str, set[int]] = {}
    for n, at in chosen.items():
        groups.setdefault(_kind(labels[n], n), set()).update(at)
    if len(groups) == 1:
        return True
    own = all(at - set().union(*(other for m, other in groups.items() if m != n)) for n, at in groups.items())
    return own and bool(_LISTING & set(asking.tokens[:-1]))
