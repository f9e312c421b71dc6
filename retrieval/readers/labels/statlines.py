"""Stat blocks on one line, with or without a name before them: *AC 6, HD 4+1 (24 hp), Atk 2 claws (1d6), THAC0 15*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.readers.labels.running_text import pairs_of
from retrieval.text.normal import STOP_WORDS, Tokens, phrase
from retrieval.text.vocabulary import vocabulary


@dataclass(frozen=True, slots=True)
class StatLine:
    """A name, its stat block as labels and values, and the text behind it."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    rest: str


_STAT_NAME = re.compile(r"(?P<name>[^\W\d_][^:;.]{1,40}):\s+(?P<rest>\S.*)$")
_LONGEST_NAME = 41
_SENTENCE_END = re.compile(r"\.\s+(?=[^\W\d_])")
_STAT_PAIR = re.compile(r"(?P<label>[^\W\d_][^\W\d_. ]*(?: [^\W\d_. ]+)?)\.?:?\s+(?P<value>[+-]?\d[^;]*)$")


def stat_line(text: str, lead: str = "") -> StatLine | None:
    """Parse a stat block on one line and the text behind it: *Bog Troll: AC 4; HD 6+3; Attacks 3; Move 120'. It
    drags...*.

    The name stands before a colon or is the bold `lead` of the text.
    """
    name = lead.rstrip(" .:")
    if name and len(name) <= _LONGEST_NAME:
        run, _, rest = _SENTENCE_END.sub("\0", text[len(lead) :].lstrip(" .:–—-"), count=1).partition("\0")
        if told := stat_run(run):
            return StatLine(name, told, rest.strip())
    head = _STAT_NAME.match(text)
    if head is None or head["rest"].count(";") < 2:
        return None
    *parts, last = head["rest"].split(";")
    final, _, rest = re.sub(r"(?<=\S)\.\s+", "\0", last, count=1).partition("\0")
    pairs = [_STAT_PAIR.match(part.strip(" .")) for part in (*parts, final)]
    if not all(pairs[:-1]) or len(pairs) < 3:
        return None
    found = tuple((m["label"].strip(), m["value"].strip()) for m in pairs if m)
    return StatLine(head["name"], found, rest.strip() if pairs[-1] else last.strip())


_EDGE = re.compile(r"(?P<between>[,;]\s+)|(?P<open>[(\[])|[)\]]")
_RUN_PAIR = re.compile(r"(?P<label>[^\W\d_][^\W\d_.]*(?: [^\W\d_.]+){0,2}0?)\.?:?\s+(?P<value>[+-]?\d.*)$")


def stat_run(text: str) -> tuple[tuple[str, str], ...]:
    """Parse a stat block that its heading names: *AC 6 [13], HD 2 (9hp), Att 2 x claw (1d3), 1 x bite (1d6), Move 90*.

    It has the labels of a stat line in a vocabulary and begins with the first of them; a piece without a label
    continues the one before it.
    """
    pairs: list[tuple[str, list[str]]] = []
    for piece in _pieces(text.strip(" .")):
        match = _RUN_PAIR.match(piece)
        if match is not None:
            pairs.append((match["label"], [match["value"].strip()]))
        elif pairs:
            pairs[-1][1].append(piece)
        else:
            return ()
    labels = [phrase(label) for label, _ in pairs]
    if len(pairs) < 3 or not any(_is_line_of(known, labels) for known in vocabulary().stat_lines):
        return ()
    return tuple((label, ", ".join(values)) for label, values in pairs)


def stat_rows(rows: Sequence[str], with_bold: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Parse a stat block of several lines; if each has a bold label, values that are not numbers count too."""
    told = stat_run(", ".join(rows))
    labelled = pairs_of(with_bold) if told else ()
    return labelled if len(labelled) == len(rows) else told


@dataclass(frozen=True, slots=True)
class Amounts:
    """Labels and values of a line that puts the amounts first, and its other pieces."""

    pairs: tuple[tuple[str, str], ...]
    rest: tuple[str, ...]


_AMOUNT = re.compile(
    r"(?P<value>[+-]?\d[\d.,/]*%?)\s+(?P<label>[^\W\d_][^\W\d_.]*(?: [^\W\d_.]+)?)(?:\s*\((?P<more>[^()]*)\))?$"
)
_NAMED_VALUE = re.compile(r"(?P<label>[^\W\d_][^()]{1,40}?)\s*\((?P<value>[^()]+)\)$")
_OR = re.compile(r"\s+or\s+")
_LEAST_AMOUNTS = 3
"""The fewest amounts at the start of a line that is a list and not a sentence."""


def amounts(text: str) -> Amounts | None:
    """Return the record in a line of amounts; None for any other text.

    Names with values in brackets may follow the amounts.

    >>> amounts("14 HP, 1 Armor, 8 STR, soul dagger (d8), undead")
    Amounts(pairs=(('HP', '14'), ('Armor', '1'), ('STR', '8'), ('soul dagger', 'd8')), rest=('undead',))
    >>> amounts("3 of them sang, 2 danced, and 1 slept.") is None
    True
    """
    found: dict[str, str] = {}
    rest: list[str] = []
    for piece in _pieces(text.strip(" .")):
        pairs = [pair for part in _OR.split(piece) for pair in _amount(part, len(found) >= _LEAST_AMOUNTS)]
        if (not pairs and len(found) < _LEAST_AMOUNTS) or not found.keys().isdisjoint(dict(pairs)):
            return None
        found.update(pairs)
        rest += [] if pairs else [piece]
    return Amounts(tuple(found.items()), tuple(rest)) if len(found) >= _LEAST_AMOUNTS else None


def _amount(piece: str, begun: bool) -> Iterator[tuple[str, str]]:
    """Yield the label and amount of a piece; once a line has `begun` with amounts, a name may have any value."""
    match = _AMOUNT.match(piece)
    if match is not None:
        more = f" ({match['more']})" if match["more"] else ""
        if phrase(match["label"])[:1] and phrase(match["label"])[0] not in STOP_WORDS:
            yield match["label"], match["value"] + more
    elif begun and (named := _NAMED_VALUE.match(piece)) is not None:
        yield named["label"], named["value"]


def _is_line_of(known: Sequence[str], labels: Sequence[Tokens]) -> bool:
    wanted = list(map(phrase, known))
    return labels[0] == wanted[0] and all(label in labels for label in wanted)


def _pieces(text: str) -> Iterator[str]:
    """Yield the text between commas and semicolons, without splitting inside brackets."""
    start = 0
    waiting: list[re.Match[str]] = []
    for edge in _EDGE.finditer(text):
        if edge["between"]:
            waiting.append(edge)
            continue
        for cut in waiting if edge["open"] else ():
            yield text[start : cut.start()]
            start = cut.end()
        waiting = []
    for cut in waiting:
        yield text[start : cut.start()]
        start = cut.end()
    yield text[start:]
