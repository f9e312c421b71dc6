"""Labels with values in running text: *Hit Points: 59*, `**Armor Class** 11`, *- ABV: 4%*, a term and `: text`.

Books write records in many forms other than tables. In all of them a label begins a line and its value follows; a bold
label needs no colon. The pairs are extra data; the text stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.readers.labels.item_forms import amounts_listed, annotated_numbers, dashed_pairs
from retrieval.readers.labels.label_marks import MARKS, MOST_WORDS, clean_label, is_label, without_mark
from retrieval.text.normal import STOP_WORDS, phrase

Pair = tuple[str, str]
VALUES_BETWEEN = "; "
"""The separator between the values of a list under one label."""
SHORT_VALUE = 6
"""The most words of each value if several bold labels share a line; longer ones are prose with bold words."""
BRIEF_VALUE = 12
"""The most words of a value that is a fact; more are prose."""
_BOLD = re.compile(r"\*\*+([^*\n]{1,80})\*\*+")
_COLON = re.compile(r"^(?P<label>[^\W_][^:;!?|*\n]{0,49}):\s+(?P<value>\S.*)$")
_TIGHT = re.compile(r"^(?P<label>[^\W\d_a-z](?:[^:;!?|*\n]{0,48}[^\W\d_)])?):\s*(?P<value>[^\s:/\\].*)$")
"""A label of letters and its value, with or without a blank between: *OG:1.072 - 1.112*."""
_AMOUNT = re.compile(r"[-+~≈<>≤≥]?\s*[$€£¥]?\d")
_INITIALS = re.compile(r"[A-Z]{2,5}s?")
_NOTED = re.compile(r"^(?P<value>.*\S)\s*\((?P<note>[^()]+)\)$")
_IN_BRACKETS = re.compile(r"\((?P<label>[^\W\d_][^\W\d_ ]*):\s+(?P<value>[^(),;:]{1,40})\)")
_DEFINED = re.compile(r"^:\s+(?P<value>\S.*)$")
_HYPHEN = re.compile(r"^-{1,3}\s+")
"""A hyphen that separates a value from its label and is not its sign."""
_BESIDE = re.compile(r"\s[|·•]\s")
_MOST_IN_PHRASE = 12
_PLAIN_LABEL, _PLAIN_VALUE = 3, 4
"""The most words of a label and its value that count as a pair even among prose items."""


def pairs_of(rows: Sequence[str]) -> tuple[Pair, ...]:
    """Return the labels and values of lines, where `**` marks bold words; empty if the lines are prose.

    >>> pairs_of(["**Armor Class** 11 (hide armor)", "**Speed:** 40 ft."])
    (('Armor Class', '11 (hide armor)'), ('Speed', '40 ft.'))
    >>> pairs_of(["- ABV: 2.8 - 4.2%", "- IBU: 8 - 12"]), pairs_of(["Note: this is one line of prose."])
    ((('ABV', '2.8 - 4.2%'), ('IBU', '8 - 12')), ())
    >>> pairs_of(["- ⏲️ Prep time: 30 min", "- 🍳Cook time: 2 h"])
    (('Prep time', '30 min'), ('Cook time', '2 h'))
    >>> pairs_of(["**Coast:**", "12 km"]), pairs_of(["**Area:**", "**total:** 9 ha", "**land:** 7 ha"])
    ((('Coast', '12 km'),), (('Area: total', '9 ha'), ('Area: land', '7 ha')))
    """
    told = [part for row in rows if row.strip() for part in _side_by_side(row)]
    plain = [without_mark(row) for row in told]
    return with_note_labels(pairs_under_lead(plain) or _pairs(told, plain))


def _side_by_side(row: str) -> list[str]:
    """Split a line of labels with values separated by bars or dots; any other line stays as it is.

    >>> _side_by_side("Serves: 4 | Time: 10 min"), _side_by_side("Kiel | Rostock: shut")
    (['Serves: 4', 'Time: 10 min'], ['Kiel | Rostock: shut'])
    """
    parts = [part.strip() for part in _BESIDE.split(row)]
    pairs = [_pair(_COLON.match(without_mark(part))) for part in parts]
    are_brief = all(pair and len(pair[1].split()) <= SHORT_VALUE for pair in pairs)
    return parts if len(parts) > 1 and are_brief else [row]


def with_note_labels(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the pairs; a repeated label whose values each end in a note becomes one label for each note.

    >>> with_note_labels([("Draught", "2 m (empty)"), ("Draught", "3 m (laden)"), ("Crew", "4 (or 5)")])
    (('Draught (empty)', '2 m'), ('Draught (laden)', '3 m'), ('Crew', '4 (or 5)'))
    """
    noted: dict[str, list[re.Match[str] | None]] = {}
    for label, value in pairs:
        noted.setdefault(label, []).append(_NOTED.match(value))
    variants = {label for label, notes in noted.items() if len(notes) > 1 and _have_distinct_notes(notes)}
    return tuple(
        (f"{label} ({found['note']})", found["value"])
        if label in variants and (found := _NOTED.match(value))
        else (label, value)
        for label, value in pairs
    )


def _have_distinct_notes(notes: Sequence[re.Match[str] | None]) -> bool:
    """True if each value has a different note."""
    said = {found["note"].casefold() for found in notes if found}
    return len(said) == len(notes)


def _pairs(told: Sequence[str], plain: Sequence[str]) -> tuple[Pair, ...]:
    """Return the pairs of rows without a lead line; `plain` are the same rows without list markers."""
    bold = [pair for row in plain for pair in _bold_pairs(row)]
    if bold:
        return tuple(bold)
    colons = [pair for row in plain if (pair := _pair(_COLON.match(row)))]
    if len(colons) > 1 and 2 * len(colons) >= len(plain):
        return tuple(colons)
    if tight := _tight(plain):
        return tight
    items = [row for row, text in zip(told, plain, strict=True) if row.strip() != text]
    listed = (
        annotated_numbers(items)
        or dashed_pairs(plain, len(items))
        or amounts_listed(plain if len(items) == len(plain) else ())
    )
    return listed or tuple(_definitions(plain)) or _unmistakable(items if len(plain) > 1 else plain)


def _tight(rows: Sequence[str]) -> tuple[Pair, ...]:
    """Return the pairs if all lines are a label and a value, with or without a blank after the colon, mostly amounts.

    >>> pairs_of(["OG:1.072 - 1.112", "SRM:6 - 25"]), pairs_of(["From:Kiel", "At 8:30, at 9:30"])
    ((('OG', '1.072 - 1.112'), ('SRM', '6 - 25')), ())
    """
    pairs = [pair for row in rows if (pair := _pair(_TIGHT.match(row)))]
    amounts = sum(bool(_AMOUNT.match(value)) for _, value in pairs)
    return tuple(pairs) if len(pairs) == len(rows) > 1 and 2 * amounts > len(pairs) else ()


def pairs_under_lead(rows: Sequence[str]) -> tuple[Pair, ...]:
    """Return the pairs of lines whose first line is a label of all others, prefixed to theirs.

    >>> pairs_under_lead(["**Area:**", "total: 9 ha", "land: 7 ha"]), pairs_under_lead(["Area: 9 ha", "Coast: 12 km"])
    ((('Area: total', '9 ha'), ('Area: land', '7 ha')), ())
    """
    return tuple(_pairs_below_label([without_mark(row) for row in rows]))


def _pairs_below_label(rows: Sequence[str]) -> Iterator[Pair]:
    """Yield the pairs below a line that is only a label: its value, or labels of their own with that label prefixed.

    Initials are complete labels and get no prefix.
    """
    lead, below = rows[:1], rows[1:]
    if not below or not is_only_label(lead[0]):
        return
    own = _pairs(below, below)
    if own and len(own) == len(below):
        is_whole = all(_INITIALS.fullmatch(label) for label, _ in own)
        yield from own if is_whole else ((f"{clean_label(lead[0])}: {label}", value) for label, value in own)
    elif _is_bold(lead[0]) and not any(map(has_label, below)) and not below[-1].endswith((".", "!", "?")):
        yield clean_label(lead[0]), " ".join(below)


def is_only_label(text: str) -> bool:
    """True for a label that is all bold or ends in a colon."""
    return is_label(text) and (text.endswith(":") or _is_bold(text))


def _is_bold(text: str) -> bool:
    """True for a line that is all bold."""
    bold = _BOLD.match(text)
    return bold is not None and not text[bold.end() :].strip(MARKS)


def has_label(text: str) -> bool:
    """True for a line that begins with a label or is one."""
    return bool(_BOLD.match(text) or _COLON.match(text) or text.endswith(":"))


def pair_in(text: str) -> Pair | None:
    """Return the single label with its value in a line: *Crew: 3* or `**Crew** 3`; else None.

    >>> pair_in("**Crew** 3"), pair_in("Crew: 3 hands"), pair_in("Oak")
    (('Crew', '3'), ('Crew', '3 hands'), None)
    """
    bold = tuple(_bold_pairs(text))
    return bold[0] if len(bold) == 1 else None if bold else _pair(_COLON.match(text))


def plain_label(text: str) -> str:
    """Return a label without its marks.

    >>> plain_label("**Crew:**")
    'Crew'
    """
    return clean_label(text)


def is_phrase(text: str) -> bool:
    """True for a line of some words that is neither a sentence nor a label with its value.

    >>> is_phrase("Quick to build and to mend, also at sea"), is_phrase("Out of the port."), is_phrase("Crew: 3")
    (True, False, False)
    """
    is_brief = 0 < len(text.split()) <= _MOST_IN_PHRASE
    return is_brief and not text.endswith((".", "!", "?", ";")) and pair_in(text) is None


def is_name(text: str) -> bool:
    """True for a line of a few words that is neither a sentence nor a label with its value.

    >>> is_name("**Reed**"), is_name("Reed is a boat."), is_name("Crew: 3")
    (True, False, False)
    """
    return is_label(text) and not text.endswith((".", "!", "?", ";", ",")) and pair_in(text) is None


def _unmistakable(items: Sequence[str]) -> tuple[Pair, ...]:
    """Return the list items with a short label and a short value, if there are several and no label repeats.

    A single one, also in a line of its own, must be an amount.

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
    """Yield the bold label at the start of a line, and further ones behind it if all values are short."""
    found = list(_BOLD.finditer(row))
    if not found or found[0].start() > 0:
        return
    ends = [match.start() for match in found[1:]] + [len(row)]
    pairs = [(match[1], row[match.end() : end]) for match, end in zip(found, ends, strict=True)]
    if any(map(_is_not_value, (value for _, value in pairs))):
        pairs = [(found[0][1], _BOLD.sub(r"\1", row[found[0].end() :]))]
    if {*phrase(pairs[0][1])} <= STOP_WORDS and pairs[1:]:
        return
    for label, value in pairs:
        if is_label(label) and value.strip(MARKS):
            yield clean_label(label), _HYPHEN.sub("", value.strip().lstrip(":.–—").strip(" ;,|·•"))
            yield from _bracketed_pairs(clean_label(label), value)


def _bracketed_pairs(label: str, value: str) -> Iterator[Pair]:
    """Yield the labels in brackets at the start or end of a value: *(default: 40)*."""
    for found in _IN_BRACKETS.finditer(value):
        at_edge = not value[: found.start()].strip(MARKS) or not value[found.end() :].strip(MARKS)
        if at_edge and len(f"{label} {found['label']}".split()) <= MOST_WORDS:
            yield f"{label}: {found['label']}", found["value"].strip()


def _is_not_value(value: str) -> bool:
    """True for text between two bold words that is not a value: long, empty, or with an unbalanced bracket, as in
    *Speed (**slow** or fast)*.
    """
    is_open = any(value.count(left) != value.count(right) for left, right in ("()", "[]"))
    return is_open or len(value.split()) > SHORT_VALUE or not value.strip(MARKS)


def _definitions(rows: Sequence[str]) -> Iterator[Pair]:
    """Yield each term with the texts of the lines below it that begin with a colon.

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
            yield clean_label(term), VALUES_BETWEEN.join(texts)
        term, texts = row, []


def _pair(match: re.Match[str] | None) -> Pair | None:
    if match is None or not is_label(match["label"]):
        return None
    return clean_label(match["label"]), match["value"].replace("**", "").strip()


def is_record(pairs: Sequence[tuple[str, str]]) -> bool:
    """True for two or more labels with short values: a stat block, not prose with run-in heads."""
    return sum(len(value.split()) <= BRIEF_VALUE for _, value in pairs) > 1
