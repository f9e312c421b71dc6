"""Words of a question that are part of a name: *a red dragon* means each name that has these words.

A number forms one word with the letters before it, however they are joined: *AG-145*, *AG 145*, *AG145*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.understanding.linking.mentions import MOST_ALTERNATIVES, SEVERAL
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import SHORT, Mention, joined_identifier, name_keys
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number

MOST_ALIKE = 6
"""Most names that a part may mean; more are a kind."""
_MOST_COMPARED = 24
"""Most names with the same words that are compared to drop parts of others."""
_LONG_ENOUGH = 4
"""Least letters of a single word that may be part of a name."""

_COINED = re.compile(r"(?P<letters>[a-z]+)-?(?P<number>\d+)s")
"""Letters with a number, in the plural."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a question that some names have: tokens [start, end), and the keys of the names."""

    start: int
    end: int
    keys: tuple[str, ...]


def short_for(mentions: Sequence[Mention], index: Cells) -> Iterator[Part]:
    """Yield the short forms that several names share: *HX20* for *HX20-A* and *HX20-B*."""
    for mention in mentions:
        names = {place.name for place in index.places([mention.key])} if mention.key.startswith(SHORT) else set()
        if 1 < len(names) <= MOST_ALIKE:
            yield Part(mention.start, mention.end, tuple(key for name in sorted(names) for key in name_keys(name)[:1]))


def partial_names(question: Tagged, mentions: Sequence[Mention], index: Cells) -> list[Part]:
    """Return the runs of words that are part of a few names, longest first, without whole names."""
    found = []
    for stretch in stretches(_places(question)):
        for size in range(len(stretch), 0, -1):
            parts = [_part(stretch[at : at + size], question, index) for at in range(len(stretch) - size + 1)]
            good = [part for part in parts if part and not _overlaps_name(part, mentions)]
            if good:
                found += good
                break
    return sorted(found, key=lambda part: (part.start - part.end, len(part.keys)))


def _places(question: Tagged) -> list[int]:
    """Return the places of words that may be part of a name, and of numbers that are no limits, even the 1 of *X1*."""
    places = dict(question.words()).keys() | {number.place for number in question.numbers}
    for place, token in enumerate(question.tokens):
        if token.isdigit() and token in question.question and place not in question.asking:
            places.add(place)
    return sorted(places.difference(number.place for number in question.numbers if number.limit is not None))


def _part(places: Sequence[int], question: Tagged, index: Cells) -> Part | None:
    words = _with_joined_numbers([_in_singular(question.tokens[i], question.question) for i in places])
    behind = [*question.tokens[places[-1] + 1 : places[-1] + 3]]
    if behind == ["a", COMMA]:  # *Cabinet A* is not *Cabinet B*
        return None
    if all(map(is_number, words)) or (len(words) == 1 and not _may_be_alone(words[0], len(places), question, index)):
        return None
    keys = index.names_with_words(list(dict.fromkeys(words)))
    rows = index.known_names(keys, (Kind.ROW,)) if keys else ()
    keys = [key for key in keys if key in rows] or _without_parts(keys, index)
    # *a hood* is the iron one, not the table *Shields and Hoods*
    return Part(places[0], places[-1] + 1, tuple(keys)) if 0 < len(keys) <= MOST_ALIKE else None


def _in_singular(token: str, text: str) -> str:
    """Return letters with a number without the plural ending, which a text writes in lower case behind capitals.

    >>> _in_singular("ag-145s", "Are the AG-145s heavy?"), _in_singular("ag145s", "Is the AG145S heavy?")
    ('ag145', 'ag145s')
    """
    match = _COINED.fullmatch(token)
    is_several = match is not None and re.search(rf"[A-Z]-?{match['number']}s\b", text) is not None
    return match["letters"] + match["number"] if match is not None and is_several else token


def _with_joined_numbers(tokens: Sequence[str]) -> list[str]:
    """Return the words as names have them: each number joined to the letters before it.

    >>> _with_joined_numbers(("ag", "145", "saw")), _with_joined_numbers(("47", "reed"))
    (['ag145', 'saw'], ['47', 'reed'])
    """
    words: list[str] = []
    for token in tokens:
        coined = joined_identifier((words[-1], token)) if words else ""
        words[-1:] = [coined] if coined else [*words[-1:], token]
    return words


def _may_be_alone(word: str, tokens: int, question: Tagged, index: Cells) -> bool:
    """True for a word that may be a name by itself: a long word that is no measure, or letters with a number, unless
    the letters are a level or a measure (*level 4*).
    """
    letters = word.rstrip("0123456789")
    if letters == word:
        return len(word) >= _LONG_ENOUGH and not index.measures([word])
    return tokens == 1 or not (letters in question.language.levels or index.measures([letters]))


def _without_parts(keys: Sequence[str], index: Cells) -> list[str]:
    """Drop names that only stand on the page of another one, such as captions and section titles, and the shorter of
    two names of one page.
    """
    if not 1 < len(keys) <= _MOST_COMPARED:
        return list(keys)
    own = {key: set(grids_of(index.places([key]))) for key in keys}
    above = {key: set(grids_of(index.places([key], (Kind.TITLE, Kind.HEADING)))) for key in keys}
    whole = [key for key in keys if not any(own[key] and own[key] < above[other] for other in keys)]
    words = {key: {*key.split()} for key in whole}
    return [key for key in whole if not any(own[key] == own[one] and words[key] < words[one] for one in whole)]


def with_parts(question: Tagged, parts: Sequence[Part]) -> Tagged | None:
    """Return the question with the parts of one name each as names; None unless that makes several."""
    names: list[Mention] = []
    taken: set[int] = set()
    clear = (Mention(part.start, part.end, part.keys[0]) for part in parts if len(part.keys) == 1)
    for each in (*clear, *question.names):
        if taken.isdisjoint(range(each.start, each.end)):
            names.append(each)
            taken.update(range(each.start, each.end))
    is_new = len(names) >= SEVERAL and names[0] not in question.names
    return replace(question, names=tuple(sorted(names, key=lambda each: each.start))) if is_new else None


def unambiguous_parts(parts: Sequence[Part], index: Cells) -> list[Part]:
    """Return the parts in order, each with its only name; empty if one has several."""
    in_order = sorted(parts, key=lambda part: part.start)[:MOST_ALTERNATIVES]
    is_clear = all(len(part.keys) == 1 for part in in_order)
    named = {part.keys for part in in_order}
    return in_order if is_clear and len(named) == len(in_order) >= SEVERAL else []


def _overlaps_name(part: Part, mentions: Sequence[Mention]) -> bool:
    """True for words that lie within a whole name or overlap one partly."""
    return any(
        mention.start < part.end and part.start < mention.end and not _holds(part, mention) for mention in mentions
    )


def _holds(part: Part, mention: Mention) -> bool:
    """True if a whole name lies within longer words."""
    return (
        part.start <= mention.start and mention.end <= part.end and part.end - part.start > mention.end - mention.start
    )


def stretches(places: Sequence[int]) -> list[list[int]]:
    """Group places into runs without a gap."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs
