"""Sentences that recur with other amounts for other subjects: *Cargo capacity is 261 tons* for each of many ships.

They state the same facts for each thing, as a table would, so they become the thing's record; the prose stays
unchanged. A fact is systematic if nearly all sections of a kind state it in words that several share, with different
amounts. Facts of fewer sections are plain prose, since superlatives over them would be unsafe; so is a fact stated
twice in a section.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from retrieval.ingest.files import page_name
from retrieval.readers.documents.sections import Paragraph, Section, Source
from retrieval.readers.labels.told_amounts import Key, SentenceAmount, sentence_amounts
from retrieval.text.normal import phrase
from retrieval.text.sentences import sentences

_FEWEST = 3
"""The fewest things with a clause, and the fewest different amounts in it."""
_NEARLY_ALL = 0.9
"""The share of a kind's sections, but for one overview, that must state a fact."""

_LabelAndUnit = tuple[str, str]
"""A label, and the words behind its amounts."""


@dataclass(frozen=True, slots=True)
class _StatedAmount:
    """An amount that a sentence of a paragraph states."""

    paragraph: Paragraph
    sentence: str
    told: SentenceAmount


@dataclass(frozen=True, slots=True)
class _Place:
    """A section, the facts in its prose, and its kinds, each with a name that identifies the thing within the kind.

    A kind is all sections below one heading, those below the same heading on the pages of a folder, or their first
    ones.
    """

    section: Section
    said: Sequence[_StatedAmount]
    kinds: Sequence[tuple[Hashable, str]]


def with_sentence_records(sources: Sequence[Source]) -> list[Source]:
    """Return the sources, with recurring facts of a thing's paragraphs in their `sentence_facts`.

    >>> facts = {"Reed": "a crew of 3", "Sedge": "a crew of 12", "Rush": "a crew of 7", "Fees": "to pay 5 crowns"}
    >>> text = "The boat has {}. She is liked by many."
    >>> sections = [Section((name,), 1, [Paragraph(text.format(fact), 1)]) for name, fact in facts.items()]
    >>> [found] = with_sentence_records([Source("boats.md", sections)])
    >>> [section.blocks[0].sentence_facts for section in found.sections][1:]
    [(('crew', '12', 'The boat has a crew of 12.'),), (('crew', '7', 'The boat has a crew of 7.'),), ()]
    """
    places = [list(_places(source)) for source in sources]
    every = [place for own in places for place in own]
    called = _frequent_labels(each.told for place in every for each in place.said)
    frames = _frames(every, called)
    kept = {id(place): _framed_amounts(place, frames) for place in every}
    labels = _labels(called, {each.told.key for place in every if kept[id(place)] for each in place.said})
    return [
        replace(source, sections=[_with_sentence_facts(place.section, kept[id(place)], labels) for place in own])
        for source, own in zip(sources, places, strict=True)
    ]


def _places(source: Source) -> Iterator[_Place]:
    folder = PurePath(source.name).parent
    for n, section in enumerate(source.sections):
        kinds: list[tuple[Hashable, str]] = [] if n else [((folder, None), source.name)]
        if section.headings:
            kinds += [((source.name, section.headings[:-1]), section.title), ((folder, section.title), source.name)]
        yield _Place(section, _stated_amounts(source, section), kinds)


def _stated_amounts(source: Source, section: Section) -> list[_StatedAmount]:
    """Return the amounts that a section's prose states exactly once.

    They are parsed both without and with the words of the subject's names, as *the ship* shares a word with *Ship's
    Boat*.
    """
    names = frozenset(word for name in (*section.headings, page_name(source.name)) for word in phrase(name))
    prose = [block for block in section.blocks if isinstance(block, Paragraph) and not (block.pairs or block.members)]
    found = {
        (id(block), sentence, told.at, told.key): _StatedAmount(block, sentence, told)
        for block in prose
        for sentence in sentences(" ".join(block.text.split()))
        for left_out in (names, frozenset[str]())
        for told in sentence_amounts(sentence, left_out)
    }
    times = Counter(each.told.key for each in found.values())
    return [each for each in found.values() if times[each.told.key] == 1]


def _frequent_labels(told: Iterable[SentenceAmount]) -> dict[Key, _LabelAndUnit]:
    """Return the most frequent label of each clause's amounts, with the words behind these."""
    forms: dict[Key, Counter[_LabelAndUnit]] = defaultdict(Counter)
    for each in told:
        forms[each.key][each.label, each.words_after] += 1
    return {key: found.most_common(1)[0][0] for key, found in forms.items()}


def _frames(places: Iterable[_Place], called: Mapping[Key, _LabelAndUnit]) -> set[tuple[Hashable, Key]]:
    """Return the clauses with which nearly all things of a kind state one fact, with several different amounts."""
    sizes: Counter[Hashable] = Counter()
    clauses: dict[tuple[Hashable, Key], dict[str, str]] = defaultdict(dict)
    for place in places:
        is_prose = any(isinstance(block, Paragraph) for block in place.section.blocks)
        for kind, thing in place.kinds if is_prose else ():
            sizes[kind] += 1
            for each in place.said:
                clauses[kind, each.told.key][thing] = each.told.value
    facts: dict[tuple[Hashable, _LabelAndUnit], list[tuple[Hashable, Key]]] = defaultdict(list)
    for (kind, key), told in clauses.items():
        if len(told) >= _FEWEST:
            facts[kind, called[key]].append((kind, key))
    found = set[tuple[Hashable, Key]]()
    for (kind, _), own in facts.items():
        values = {thing: value for each in own for thing, value in clauses[each].items()}
        is_told = len(values) >= max(_FEWEST, _NEARLY_ALL * (sizes[kind] - 1))
        found.update(own if is_told and len(set(values.values())) >= _FEWEST else ())
    return found


def _framed_amounts(place: _Place, frames: set[tuple[Hashable, Key]]) -> list[_StatedAmount]:
    """Return the facts of a section that match frames, each amount once."""
    framed = [each for each in place.said if any((kind, each.told.key) in frames for kind, _ in place.kinds)]
    return list({(each.sentence, each.told.at): each for each in reversed(framed)}.values())[::-1]


def _labels(called: Mapping[Key, _LabelAndUnit], keys: Iterable[Key]) -> dict[Key, str]:
    """Return the label of each clause; amounts of several things, *carry 8 passengers* and *carry 3 high passengers*,
    are labelled with these.
    """
    counted: dict[str, set[str]] = defaultdict(set)
    for label, what in map(called.__getitem__, keys):
        counted[label].update([what] if what else ())
    several = {label for label, found in counted.items() if len(found) > 1 and any(" " in each for each in found)}
    return {key: f"{label} {what}" if what and label in several else label for key, (label, what) in called.items()}


def _with_sentence_facts(section: Section, said: Sequence[_StatedAmount], labels: Mapping[Key, str]) -> Section:
    """Return a section with the facts in its paragraphs; a label with two values is dropped."""
    values: dict[str, set[str]] = defaultdict(set)
    for each in said:
        values[labels[each.told.key].casefold()].add(each.told.value)
    own: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    for each in said:
        label = labels[each.told.key]
        if len(values[label.casefold()]) == 1:
            own[id(each.paragraph)].append((label, each.told.value, each.sentence))
    blocks = [
        replace(block, sentence_facts=tuple(own[id(block)])) if id(block) in own else block for block in section.blocks
    ]
    return replace(section, blocks=blocks) if own else section
