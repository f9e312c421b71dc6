"""Labels with their values in running text: *Hit Points: 59*, `**Armor Class** 11`, *- ABV: 4%*, a term and `: text`.

Books write records in many forms and none of them is a table. Whatever the form, a label stands at the beginning of a
line and its value behind it; a bold one needs no colon. What is found is data beside the text, which stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

Pair = tuple[str, str]
VALUES_BETWEEN = "; "
"""What stands between the values that a list has under one label."""
MOST_WORDS = 6
"""Words of a label; more are a sentence."""
SHORT_VALUE = 6
"""Words of each value where several bold labels share a line; longer ones are prose with bold words in it."""
_LONGEST = 50
_SHORT_VALUE = 12
"""Words of a value that is a fact; more are prose."""
_BULLET = re.compile(r"^\s*(?:[-+•‣⁃◦·]|\*(?!\*)|\d{1,3}[.)])\s+")
_SYMBOLS = frozenset({"So", "Sk", "Cf", "Mn"})
"""Unicode categories of pictures and dingbats, and of what only changes how these look."""
_UNDONE = "☐"
"""A box to be checked stands before a thing to do."""
_BOLD = re.compile(r"\*\*+([^*\n]{1,80})\*\*+")
_COLON = re.compile(r"^(?P<label>[^\W_][^:;!?|*\n]{0,49}):\s+(?P<value>\S.*)$")
_DASH = re.compile(r"^(?P<label>[^\W_][^:;!?|*\n]{0,49}?)\s+[-–—]\s+(?P<value>\S.*)$")
_DEFINED = re.compile(r"^:\s+(?P<value>\S.*)$")
_MARKS = " :.–—-\t"
_SIGNED = re.compile(r"-\d")
_FEWEST_LISTED = 3
"""Items of a list that all have a dash before it is one of labels and values."""
_PLAIN_LABEL, _PLAIN_VALUE = 3, 4
"""Words of a label and its value that are one beyond doubt, also among items that are prose."""


class Item(NamedTuple):
    """A line of a list, bold words in `**`, and how deep it stands."""

    depth: int
    text: str


def pairs_of(rows: Sequence[str]) -> tuple[Pair, ...]:
    """The labels and values of lines, bold words in `**`; none where the lines are prose.

    >>> pairs_of(["**Armor Class** 11 (hide armor)", "**Speed:** 40 ft."])
    (('Armor Class', '11 (hide armor)'), ('Speed', '40 ft.'))
    >>> pairs_of(["- ABV: 2.8 - 4.2%", "- IBU: 8 - 12"]), pairs_of(["Note: this is one line of prose."])
    ((('ABV', '2.8 - 4.2%'), ('IBU', '8 - 12')), ())
    >>> pairs_of(["- ⏲️ Prep time: 30 min", "- 🍳Cook time: 2 h"])
    (('Prep time', '30 min'), ('Cook time', '2 h'))
    >>> pairs_of(["**Coast:**", "12 km"]), pairs_of(["**Area:**", "**total:** 9 ha", "**land:** 7 ha"])
    ((('Coast', '12 km'),), (('Area: total', '9 ha'), ('Area: land', '7 ha')))
    """
    told = [row for row in rows if row.strip()]
    plain = [_without_mark(row) for row in told]
    return tuple(_led(plain)) or _pairs(told, plain)


def _pairs(told: Sequence[str], plain: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of rows, and of the same without marks of lists, of which none leads to others."""
    bold = [pair for row in plain for pair in _bold_pairs(row)]
    if bold:
        return tuple(bold)
    colons = [pair for row in plain if (pair := _pair(_COLON.match(row)))]
    if len(colons) > 1 and 2 * len(colons) >= len(plain):
        return tuple(colons)
    items = [row for row, text in zip(told, plain, strict=True) if row.strip() != text]
    return _dashed(plain) or tuple(_definitions(plain)) or _unmistakable(items)


def _led(rows: Sequence[str]) -> Iterator[Pair]:
    """The pairs below a line that is only a label: its value, or labels of its own, which are told with it."""
    lead, below = rows[:1], rows[1:]
    if not below or not _is_only_label(lead[0]):
        return
    own = _pairs(below, below)
    if own and len(own) == len(below):
        yield from ((f"{_clean(lead[0])}: {label}", value) for label, value in own)
    elif _is_bold(lead[0]) and not any(map(_has_label, below)) and not below[-1].endswith((".", "!", "?")):
        yield _clean(lead[0]), " ".join(below)


def with_values(items: Sequence[Item]) -> list[str]:
    """The lines of a list; a label whose values stand below it, one level deeper, with these in its line.

    Where what stands below has labels of its own, the one above names a group and has no value.

    >>> with_values([Item(1, "**Battery**"), Item(2, "Lithium, 770 mAh"), Item(2, "Two cells"), Item(1, "Blue")])
    ['**Battery** Lithium, 770 mAh; Two cells', 'Blue']
    """
    lines: list[str] = []
    told = 0
    for place, item in enumerate(items):
        if place < told:
            continue
        texts = [other.text for other in _below(place, items)]
        if texts and _is_only_label(item.text) and not any(map(_has_label, texts)):
            lines.append(f"{item.text} {VALUES_BETWEEN.join(texts)}")
            told = place + 1 + len(texts)
        else:
            lines.append(item.text)
    return lines


def _below(place: int, items: Sequence[Item]) -> Iterator[Item]:
    """The items that stand under one."""
    return takewhile(lambda other: other.depth > items[place].depth, items[place + 1 :])


def _is_only_label(text: str) -> bool:
    """True for a line that is all bold, or that ends in a colon."""
    return _is_label(text) and (text.endswith(":") or _is_bold(text))


def _is_bold(text: str) -> bool:
    """True for a line that is all bold."""
    bold = _BOLD.match(text)
    return bold is not None and not text[bold.end() :].strip(_MARKS)


def _has_label(text: str) -> bool:
    return bool(_BOLD.match(text) or _COLON.match(text) or text.endswith(":"))


def _without_mark(row: str) -> str:
    """A line without its bullet and the pictures before its words."""
    text = _BULLET.sub("", row).strip()
    start = next((n for n, sign in enumerate(text) if not _is_picture(sign)), len(text))
    return text[start:].lstrip()


def _is_picture(sign: str) -> bool:
    return sign.isspace() or (unicodedata.category(sign) in _SYMBOLS and sign != _UNDONE)


def _unmistakable(items: Sequence[str]) -> tuple[Pair, ...]:
    """Of a list's items those of a short label and a short value, where there are several and no label comes twice."""
    pairs = [pair for item in items if (pair := _pair(_COLON.match(_without_mark(item)))) and _is_plain(*pair)]
    labels = {label.casefold() for label, _ in pairs}
    return tuple(pairs) if len(pairs) > 1 and len(labels) == len(pairs) else ()


def _is_plain(label: str, value: str) -> bool:
    few = len(label.split()) <= _PLAIN_LABEL and len(value.split()) <= _PLAIN_VALUE
    return few and not value.endswith((".", "!", "?", ":", ";", ","))


def _bold_pairs(row: str) -> Iterator[Pair]:
    """The bold words that a line begins with, and those behind it where all values are short."""
    found = list(_BOLD.finditer(row))
    if not found or found[0].start() > 0:
        return
    ends = [match.start() for match in found[1:]] + [len(row)]
    pairs = [(match[1], row[match.end() : end]) for match, end in zip(found, ends, strict=True)]
    if any(len(value.split()) > SHORT_VALUE or not value.strip(_MARKS) for _, value in pairs):
        pairs = [(found[0][1], _BOLD.sub(r"\1", row[found[0].end() :]))]
    for label, value in pairs:
        if _is_label(label) and value.strip(_MARKS):
            yield _clean(label), value.strip().lstrip(":.–—").strip(" ;,|")


def _dashed(rows: Sequence[str]) -> tuple[Pair, ...]:
    """A list of *name – value*, where every item has that form."""
    pairs = [_pair(_DASH.match(row)) for row in rows]
    return tuple(filter(None, pairs)) if len(rows) >= _FEWEST_LISTED and all(pairs) else ()


def _definitions(rows: Sequence[str]) -> Iterator[Pair]:
    """A term, and on the next line a colon and its text."""
    for term, text in pairwise(rows):
        if (match := _DEFINED.match(text)) and _is_label(term) and not _DEFINED.match(term):
            yield _clean(term), match["value"].strip()


def _pair(match: re.Match[str] | None) -> Pair | None:
    if match is None or not _is_label(match["label"]):
        return None
    return _clean(match["label"]), match["value"].strip()


def _is_label(text: str) -> bool:
    label = _clean(text)
    return 0 < len(label) <= _LONGEST and len(label.split()) <= MOST_WORDS and any(map(str.isalpha, label))


def _clean(text: str) -> str:
    label = " ".join(text.replace("*", "").split()).strip(_MARKS.replace("-", ""))
    return label.rstrip(_MARKS) if _SIGNED.match(label) else label.strip(_MARKS)


def is_record(pairs: Sequence[tuple[str, str]]) -> bool:
    """Two labels or more whose values are short: a stat block, and not prose with run-in heads."""
    return sum(len(value.split()) <= _SHORT_VALUE for _, value in pairs) > 1
