"""Labels with their values in running text: *Hit Points: 59*, `**Armor Class** 11`, *- ABV: 4%*, a term and `: text`.

Books write records in many forms and none of them is a table. Whatever the form, a label stands at the beginning of a
line and its value behind it; a bold one needs no colon. What is found is data beside the text, which stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from retrieval.text.normal import STOP_WORDS, phrase

Pair = tuple[str, str]
VALUES_BETWEEN = "; "
"""What stands between the values that a list has under one label."""
MOST_WORDS = 6
"""Words of a label; more are a sentence."""
SHORT_VALUE = 6
"""Words of each value where several bold labels share a line; longer ones are prose with bold words in it."""
_LONGEST = 50
BRIEF_VALUE = 12
"""Words of a value that is a fact; more are prose."""
_BULLET = re.compile(
    r"^\s*(?:[-+•‣⁃◦·]|\*(?!\*)|\d{1,3}[.)]|[a-z][.)]|\((?:[A-Za-z]|\d{1,2}|[ivx]{2,4})\)|\d{1,3}(?:[a-z]\d{0,2}){1,3}\))\s+"
)
"""What stands before the words of an item: a bullet, or its place in an outline, *3.*, *(b)*, *12a1)*."""
_SYMBOLS = frozenset({"So", "Sk", "Cf", "Mn"})
"""Unicode categories of pictures and dingbats, and of what only changes how these look."""
_UNDONE = "☐"
"""A box to be checked stands before a thing to do."""
_BOLD = re.compile(r"\*\*+([^*\n]{1,80})\*\*+")
_COLON = re.compile(r"^(?P<label>[^\W_][^:;!?|*\n]{0,49}):\s+(?P<value>\S.*)$")
_TIGHT = re.compile(r"^(?P<label>[^\W\d_a-z](?:[^:;!?|*\n]{0,48}[^\W\d_)])?):\s*(?P<value>[^\s:/\\].*)$")
"""A label of letters and its value, whether or not there is a blank between them: *OG:1.072 - 1.112*."""
_AMOUNT = re.compile(r"[-+~≈<>≤≥]?\s*[$€£¥]?\d")
_INITIALS = re.compile(r"[A-Z]{2,5}s?")
_NOTED = re.compile(r"^(?P<value>.*\S)\s*\((?P<note>[^()]+)\)$")
_IN_BRACKETS = re.compile(r"\((?P<label>[^\W\d_][^\W\d_ ]*):\s+(?P<value>[^(),;:]{1,40})\)")
_NUMBER_OF = re.compile(r"^(?P<value>[$€£¥+(]?\d[\d\s.,/()+%:-]*?)\s*\((?P<note>[^\W\d_][^()]+)\)$")
_LONG_DASH = re.compile(r"^(?P<label>[^\W_][^:;!?|*\n]{0,99}?)\s+(?:-{1,3}|[–—])\s+(?P<value>\S.*)$")
_SCORE = re.compile(r"[-+]?\d[\d.,]*%?(?: \S+)?")
_BAND = re.compile(r"^(?P<label>[<>≤≥]?=? ?\d[^:;!?|*\n]{0,29}):\s+(?P<value>\S.*)$")
_COUNTED = re.compile(r"^(?P<value>\d{1,3}(?:,\d{3})+|\d{1,4})\s+(?P<label>[^\W\d_][^:;!?|*\n.]{0,49})$")
_MEASURED = re.compile(
    r"^(?P<label>[^\W\d_][^\d:;!?|*\n]{0,48}?)\s+"
    r"(?P<value>\d[\d.,]*(?:\s*[-–]\s*\d[\d.,]*)?\s*(?P<unit>[^\W\d_]{1,3}|%)(?![^\W_]).*)$"
)
"""A name and its amount, with a unit of a few letters: *Flour 2.5 kg, sieved*."""
_DEFINED = re.compile(r"^:\s+(?P<value>\S.*)$")
_HYPHEN = re.compile(r"^-{1,3}\s+")
"""One that parts a value from its label, and is no sign of it."""
_MARKS = " :.–—-\t"
_IN_QUOTES = re.compile(r"^(?:\"(?P<plain>[^\"]+)\"|“(?P<curly>[^“”]+)”)$")
_SIGNED = re.compile(r"-(?:\d|-\w|\w\b)")
"""A number below nothing, or an option of a command: *-3*, *-d*, *--debug*."""
_FEWEST_LISTED = 3
"""Items of a list that all have a dash before it is one of labels and values."""
_FEWEST_MARKED = 2
"""Such items where each has a mark of a list, or a number behind the dash."""
_LONGEST_DASHED = 12
"""Words before a dash that all items of a list have."""
_MOST_IN_PHRASE = 12
_PLAIN_LABEL, _PLAIN_VALUE = 3, 4
"""Words of a label and its value that are one beyond doubt, also among items that are prose."""


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
    plain = [without_mark(row) for row in told]
    return told_apart(led(plain) or _pairs(told, plain))


def told_apart(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs; a label that comes several times, each with a note behind its value, is one for each of the notes.

    >>> told_apart([("Draught", "2 m (empty)"), ("Draught", "3 m (laden)"), ("Crew", "4 (or 5)")])
    (('Draught (empty)', '2 m'), ('Draught (laden)', '3 m'), ('Crew', '4 (or 5)'))
    """
    noted: dict[str, list[re.Match[str] | None]] = {}
    for label, value in pairs:
        noted.setdefault(label, []).append(_NOTED.match(value))
    variants = {label for label, notes in noted.items() if len(notes) > 1 and _tell_apart(notes)}
    return tuple(
        (f"{label} ({found['note']})", found["value"])
        if label in variants and (found := _NOTED.match(value))
        else (label, value)
        for label, value in pairs
    )


def _tell_apart(notes: Sequence[re.Match[str] | None]) -> bool:
    """True where each value has a note of its own."""
    said = {found["note"].casefold() for found in notes if found}
    return len(said) == len(notes)


def _pairs(told: Sequence[str], plain: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of rows, and of the same without marks of lists, of which none leads to others."""
    bold = [pair for row in plain for pair in _bold_pairs(row)]
    if bold:
        return tuple(bold)
    colons = [pair for row in plain if (pair := _pair(_COLON.match(row)))]
    if len(colons) > 1 and 2 * len(colons) >= len(plain):
        return tuple(colons)
    if tight := _tight(plain):
        return tight
    items = [row for row, text in zip(told, plain, strict=True) if row.strip() != text]
    listed = _noted(items) or _dashed(plain, len(items)) or _amounts(plain if len(items) == len(plain) else ())
    return listed or tuple(_definitions(plain)) or _unmistakable(items if len(plain) > 1 else plain)


def _tight(rows: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of lines that all are a label and a value, with a blank behind the colon or without, most of them
    amounts.

    >>> pairs_of(["OG:1.072 - 1.112", "SRM:6 - 25"]), pairs_of(["From:Kiel", "At 8:30, at 9:30"])
    ((('OG', '1.072 - 1.112'), ('SRM', '6 - 25')), ())
    """
    pairs = [pair for row in rows if (pair := _pair(_TIGHT.match(row)))]
    amounts = sum(bool(_AMOUNT.match(value)) for _, value in pairs)
    return tuple(pairs) if len(pairs) == len(rows) > 1 and 2 * amounts > len(pairs) else ()


def led(rows: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of lines of which the first is the label of all others, told with it.

    >>> led(["**Area:**", "total: 9 ha", "land: 7 ha"]), led(["Area: 9 ha", "Coast: 12 km"])
    ((('Area: total', '9 ha'), ('Area: land', '7 ha')), ())
    """
    return tuple(_led([without_mark(row) for row in rows]))


def _led(rows: Sequence[str]) -> Iterator[Pair]:
    """The pairs below a line that is only a label: its value, or labels of its own, which are told with it unless they
    are initials, which stand for something whole.
    """
    lead, below = rows[:1], rows[1:]
    if not below or not is_only_label(lead[0]):
        return
    own = _pairs(below, below)
    if own and len(own) == len(below):
        is_whole = all(_INITIALS.fullmatch(label) for label, _ in own)
        yield from own if is_whole else ((f"{_clean(lead[0])}: {label}", value) for label, value in own)
    elif _is_bold(lead[0]) and not any(map(has_label, below)) and not below[-1].endswith((".", "!", "?")):
        yield _clean(lead[0]), " ".join(below)


def is_only_label(text: str) -> bool:
    """True for a line that is all bold, or that ends in a colon."""
    return is_label(text) and (text.endswith(":") or _is_bold(text))


def _is_bold(text: str) -> bool:
    """True for a line that is all bold."""
    bold = _BOLD.match(text)
    return bold is not None and not text[bold.end() :].strip(_MARKS)


def has_label(text: str) -> bool:
    """True for a line that begins with a label, or is one."""
    return bool(_BOLD.match(text) or _COLON.match(text) or text.endswith(":"))


def pair_in(text: str) -> Pair | None:
    """The one label with its value that a line is: *Crew: 3* or `**Crew** 3`.

    >>> pair_in("**Crew** 3"), pair_in("Crew: 3 hands"), pair_in("Oak")
    (('Crew', '3'), ('Crew', '3 hands'), None)
    """
    bold = tuple(_bold_pairs(text))
    return bold[0] if len(bold) == 1 else None if bold else _pair(_COLON.match(text))


def plain_label(text: str) -> str:
    """A label without what marks it as one.

    >>> plain_label("**Crew:**")
    'Crew'
    """
    return _clean(text)


def is_phrase(text: str) -> bool:
    """True for a line of some words that is no sentence and no label with its value.

    >>> is_phrase("Quick to build and to mend, also at sea"), is_phrase("Out of the port."), is_phrase("Crew: 3")
    (True, False, False)
    """
    is_brief = 0 < len(text.split()) <= _MOST_IN_PHRASE
    return is_brief and not text.endswith((".", "!", "?", ";")) and pair_in(text) is None


def is_name(text: str) -> bool:
    """True for a line of a few words that is no sentence and no label with its value.

    >>> is_name("**Reed**"), is_name("Reed is a boat."), is_name("Crew: 3")
    (True, False, False)
    """
    return is_label(text) and not text.endswith((".", "!", "?", ";", ",")) and pair_in(text) is None


def without_mark(row: str) -> str:
    """A line without its bullet and the pictures before its words.

    >>> without_mark("- Crew: 3"), without_mark("12a1) Crew: 3")
    ('Crew: 3', 'Crew: 3')
    """
    text = _BULLET.sub("", row).strip()
    start = next((n for n, sign in enumerate(text) if not _is_picture(sign)), len(text))
    return text[start:].lstrip()


def without_bullet(row: str) -> str:
    """A line without the mark of a list before it.

    >>> without_bullet("* Crew: 3")
    'Crew: 3'
    """
    return _BULLET.sub("", row)


def _is_picture(sign: str) -> bool:
    return sign.isspace() or (unicodedata.category(sign) in _SYMBOLS and sign != _UNDONE)


def _unmistakable(items: Sequence[str]) -> tuple[Pair, ...]:
    """Of a list's items those of a short label and a short value, where there are several and no label comes twice; one
    alone has to be an amount, as also in a line of its own.

    >>> pairs_of(["- Support for boats", "- Draught: 4 m"]), pairs_of(["Boats in all: 179"]), pairs_of(["Note: below"])
    ((('Draught', '4 m'),), (('Boats in all', '179'),), ())
    """
    pairs = [pair for item in items if (pair := _pair(_COLON.match(without_mark(item)))) and _is_plain(*pair)]
    labels = {label.casefold() for label, _ in pairs}
    is_sure = len(pairs) > 1 or any(_AMOUNT.match(value) for _, value in pairs)
    return tuple(pairs) if is_sure and len(labels) == len(pairs) else ()


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
    if any(map(_is_torn, (value for _, value in pairs))):
        pairs = [(found[0][1], _BOLD.sub(r"\1", row[found[0].end() :]))]
    if {*phrase(pairs[0][1])} <= STOP_WORDS and pairs[1:]:
        return
    for label, value in pairs:
        if is_label(label) and value.strip(_MARKS):
            yield _clean(label), _HYPHEN.sub("", value.strip().lstrip(":.–—").strip(" ;,|"))
            yield from _told_in_brackets(_clean(label), value)


def _told_in_brackets(label: str, value: str) -> Iterator[Pair]:
    """What brackets at the beginning or the end of a value tell under a label of their own: *(default: 40)*."""
    for found in _IN_BRACKETS.finditer(value):
        at_edge = not value[: found.start()].strip(_MARKS) or not value[found.end() :].strip(_MARKS)
        if at_edge and len(f"{label} {found['label']}".split()) <= MOST_WORDS:
            yield f"{label}: {found['label']}", found["value"].strip()


def _is_torn(value: str) -> bool:
    """True for what stands behind one bold word and before another and is no value: long, or nothing, or a bracket of
    which the other one stands elsewhere, as in *Speed (**slow** or fast)*.
    """
    is_open = any(value.count(left) != value.count(right) for left, right in ("()", "[]"))
    return is_open or len(value.split()) > SHORT_VALUE or not value.strip(_MARKS)


def _dashed(rows: Sequence[str], marked: int) -> tuple[Pair, ...]:
    """A list of *name – value*, where every item has that form; `marked` of them have a bullet.

    >>> pairs_of(["- Wide awake, and asks what it is that we want - 0", "- Asleep - 4"])
    (('Wide awake, and asks what it is that we want', '0'), ('Asleep', '4'))
    """
    found = [_LONG_DASH.match(row) for row in rows]
    pairs = [(_clean(match["label"]), match["value"].replace("**", "").strip()) for match in found if match]
    is_list = marked == len(rows)
    if len(pairs) < max(_FEWEST_MARKED if is_list else _FEWEST_LISTED, len(rows)) or len(dict(pairs)) < len(pairs):
        return ()
    if all(is_label(label) for label, _ in pairs):
        return tuple(pairs)
    is_meant = len(pairs) >= _FEWEST_LISTED or all(_SCORE.fullmatch(value) for _, value in pairs)
    is_short = all(len(label.split()) <= _LONGEST_DASHED and any(map(str.isalpha, label)) for label, _ in pairs)
    return tuple(pairs) if is_list and is_meant and is_short else ()


def _amounts(items: Sequence[str]) -> tuple[Pair, ...]:
    """Items of a list that all are a number of something, or something with its amount, or a band of numbers with what
    it means.

    >>> pairs_of(["- 4 rush lamps", "- 81 planks"]), pairs_of(["- Flour 2 - 3 kg", "- Salt 0.5 kg, dry"])
    ((('rush lamps', '4'), ('planks', '81')), (('Flour', '2 - 3 kg'), ('Salt', '0.5 kg, dry')))
    >>> pairs_of(["- 4 or above: a storm", "- 1-3: a gale"]), pairs_of(["- Windows 10", "- Windows 11"])
    ((('4 or above', 'a storm'), ('1-3', 'a gale')), ())
    """
    for form in (_COUNTED, _MEASURED, _BAND):
        found = [match for item in items if (match := form.match(item))]
        pairs = {match["label"].strip(): match["value"].strip() for match in found}
        is_whole = len(found) == len(items) == len(pairs) >= _FEWEST_MARKED
        is_named = all(is_label(label) or form is _BAND for label in pairs)
        if is_whole and is_named and _shares_unit(found) and not (form is _COUNTED and _is_count_up(pairs.values())):
            return tuple(pairs.items())
    return ()


def _is_count_up(values: Iterable[str]) -> bool:
    """True for the numbers of a list that only counts its items."""
    numbers = [int(value.replace(",", "")) for value in values]
    return all(behind == before + 1 for before, behind in pairwise(numbers))


def _shares_unit(found: Sequence[re.Match[str]]) -> bool:
    """True where the amounts are in one unit, if any."""
    units = {match.groupdict().get("unit") for match in found}
    return len(units) == 1 and units.isdisjoint(STOP_WORDS)


def _noted(items: Sequence[str]) -> tuple[Pair, ...]:
    """Items of a list that are a number each and, in brackets, what it is of.

    >>> pairs_of(["- 555-0100 (from the island)", "- 555-0199 (from the sea)", "- [Timetable](fares.md)"])
    (('from the island', '555-0100'), ('from the sea', '555-0199'))
    """
    found = [_NUMBER_OF.match(without_mark(item)) for item in items]
    pairs = [(match["note"], match["value"]) for match in found if match and is_label(match["note"])]
    return tuple(pairs) if len(pairs) > 1 and 2 * len(pairs) >= len(items) and len(dict(pairs)) == len(pairs) else ()


def _definitions(rows: Sequence[str]) -> Iterator[Pair]:
    """A term, and on the next lines a colon and its texts.

    >>> pairs_of(["Wind", ": West", ": Strong", "Tide", ": High"])
    (('Wind', 'West; Strong'), ('Tide', 'High'))
    """
    term, texts = "", list[str]()
    for row in (*rows, ""):
        found = _DEFINED.match(row)
        if found is not None:
            texts.append(found["value"].strip())
            continue
        if texts and is_label(term):
            yield _clean(term), VALUES_BETWEEN.join(texts)
        term, texts = row, []


def _pair(match: re.Match[str] | None) -> Pair | None:
    if match is None or not is_label(match["label"]):
        return None
    return _clean(match["label"]), match["value"].replace("**", "").strip()


def is_label(text: str) -> bool:
    """True for a few words that may be a label.

    >>> is_label("**Armor Class**"), is_label("What is it?")
    (True, False)
    """
    label = _clean(text)
    is_brief = 0 < len(label) <= _LONGEST and len(label.split()) <= MOST_WORDS
    return is_brief and any(map(str.isalpha, label)) and not label.endswith("?")


def _clean(text: str) -> str:
    label = " ".join(text.replace("*", "").split()).strip(_MARKS.replace("-", ""))
    label = _IN_QUOTES.sub(lambda found: found["plain"] or found["curly"], label)
    return label.rstrip(_MARKS) if _SIGNED.match(label) else label.strip(_MARKS)


def is_record(pairs: Sequence[tuple[str, str]]) -> bool:
    """Two labels or more whose values are short: a stat block, and not prose with run-in heads."""
    return sum(len(value.split()) <= BRIEF_VALUE for _, value in pairs) > 1
