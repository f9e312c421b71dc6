"""Sentences that come back with other amounts under other names: *Cargo capacity is 261 tons* of each of many ships.

They tell the same facts of each thing, as a table would, so what they tell is the record of the thing; the prose stays
as it is. A fact is systematic where nearly all sections of a kind tell it in words that several of them share, each an
amount of its own. What fewer tell is prose, for which of all has most could not be said; so is what one says twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from retrieval.ingest.files import page_name
from retrieval.readers.documents.sections import Paragraph, Section, Source
from retrieval.readers.labels.told_amounts import Key, Told, told_amounts
from retrieval.text.normal import phrase
from retrieval.text.sentences import sentences

_FEWEST = 3
"""Things of which a clause is told, and amounts that it tells."""
_NEARLY_ALL = 0.9
"""The share of the sections of a kind that have to tell a fact, but for one that may be about all of them."""


_Called = tuple[str, str]
"""A label, and the words behind its amounts."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a paragraph, and an amount that it tells."""

    paragraph: Paragraph
    sentence: str
    told: Told


@dataclass(slots=True)
class _Kind:
    """Sections of one kind: below one heading, below the same heading on the pages of a folder, or their first ones."""

    size: int = 0
    values: dict[Key, dict[str, str]] = field(default_factory=dict)

    def add(self, thing: str, said: Iterable[_Said]) -> None:
        """Count what a section says of a thing."""
        self.size += 1
        for each in said:
            self.values.setdefault(each.told.key, {})[thing] = each.told.value

    def frames(self, called: Mapping[Key, _Called]) -> Iterator[Key]:
        """The clauses by which nearly all things tell one fact."""
        facts: dict[_Called, dict[Key, dict[str, str]]] = {}
        for key, values in self.values.items():
            if len(values) >= _FEWEST:
                facts.setdefault(called[key], {})[key] = values
        for clauses in facts.values():
            values = {thing: value for own in clauses.values() for thing, value in own.items()}
            is_told = len(values) >= max(_FEWEST, _NEARLY_ALL * (self.size - 1))
            yield from clauses if is_told and len(set(values.values())) >= _FEWEST else ()


def with_sentence_records(sources: Sequence[Source]) -> list[Source]:
    """The sources; paragraphs that tell of a thing what others tell of others have it as `told`.

    >>> facts = {"Reed": "a crew of 3", "Sedge": "a crew of 12", "Rush": "a crew of 7", "Fees": "to pay 5 crowns"}
    >>> text = "The boat has {}. She is liked by many."
    >>> sections = [Section((name,), 1, [Paragraph(text.format(fact), 1)]) for name, fact in facts.items()]
    >>> [found] = with_sentence_records([Source("boats.md", sections)])
    >>> [section.blocks[0].told for section in found.sections][1:]
    [(('crew', '12', 'The boat has a crew of 12.'),), (('crew', '7', 'The boat has a crew of 7.'),), ()]
    """
    said = {id(section): _said(source, section) for source in sources for section in source.sections}
    called = _called([each.told for own in said.values() for each in own])
    frames = _frames(sources, said, called)
    kept = {
        id(section): _kept(said[id(section)], frozenset(key for kind, _ in kinds for key in frames.get(kind, ())))
        for source in sources
        for section, kinds in _with_kinds(source)
    }
    labels = _labels(called, {each.told.key for place, own in kept.items() if own for each in said[place]})
    return [
        replace(source, sections=[_with_told(section, kept[id(section)], labels) for section in source.sections])
        for source in sources
    ]


def _frames(
    sources: Sequence[Source], said: Mapping[int, Sequence[_Said]], called: Mapping[Key, _Called]
) -> dict[Hashable, list[Key]]:
    """The clauses by which sections of each kind tell facts."""
    found: dict[Hashable, _Kind] = {}
    for source in sources:
        for section, kinds in _with_kinds(source):
            if any(isinstance(block, Paragraph) for block in section.blocks):
                for kind, thing in kinds:
                    found.setdefault(kind, _Kind()).add(thing, said[id(section)])
    return {kind: list(own.frames(called)) for kind, own in found.items()}


def _said(source: Source, section: Section) -> list[_Said]:
    """The amounts that the prose of a section tells, each of which it tells once: with the names of what it is about
    left out, and with them, for *the ship* has a word of the name of *Ship's Boat*.
    """
    names = frozenset(word for name in (*section.headings, page_name(source.name)) for word in phrase(name))
    prose = [block for block in section.blocks if isinstance(block, Paragraph) and not (block.pairs or block.members)]
    found = {
        (id(block), sentence, told.at, told.key): _Said(block, sentence, told)
        for block in prose
        for sentence in sentences(" ".join(block.text.split()))
        for left_out in (names, frozenset[str]())
        for told in told_amounts(sentence, left_out)
    }
    times = Counter(each.told.key for each in found.values())
    return [each for each in found.values() if times[each.told.key] == 1]


def _kept(said: Sequence[_Said], frames: frozenset[Key]) -> list[_Said]:
    """What a section tells by frames, each amount once."""
    found = {(each.sentence, each.told.at): each for each in reversed(said) if each.told.key in frames}
    return list(found.values())[::-1]


def _with_kinds(source: Source) -> Iterator[tuple[Section, list[tuple[Hashable, str]]]]:
    """The sections of a source with the kinds that each is of, and what tells the things of that kind apart."""
    folder = PurePath(source.name).parent
    for place, section in enumerate(source.sections):
        kinds: list[tuple[Hashable, str]] = [] if place else [((folder, None), source.name)]
        if section.headings:
            kinds += [((source.name, section.headings[:-1]), section.title), ((folder, section.title), source.name)]
        yield section, kinds


def _called(told: Sequence[Told]) -> dict[Key, _Called]:
    """What the amounts of each clause are called most often, and what they are of."""
    forms: dict[Key, Counter[_Called]] = {}
    for each in told:
        forms.setdefault(each.key, Counter())[each.label, each.counted] += 1
    return {key: found.most_common(1)[0][0] for key, found in forms.items()}


def _labels(called: Mapping[Key, _Called], keys: Iterable[Key]) -> dict[Key, str]:
    """The label of each clause; those of amounts of several things, *carry 8 passengers* and *carry 3 high passengers*,
    with these.
    """
    counted: dict[str, set[str]] = {}
    for key in keys:
        label, what = called[key]
        counted.setdefault(label, set()).update([what] if what else ())
    several = {label for label, found in counted.items() if len(found) > 1 and any(" " in each for each in found)}
    return {key: f"{label} {what}" if what and label in several else label for key, (label, what) in called.items()}


def _with_told(section: Section, said: Sequence[_Said], labels: dict[Key, str]) -> Section:
    """A section whose paragraphs have what they tell; nothing under a label that has two values."""
    values: dict[str, set[str]] = {}
    for each in said:
        values.setdefault(labels[each.told.key].casefold(), set()).add(each.told.value)
    own: dict[int, list[tuple[str, str, str]]] = {}
    for each in said:
        label = labels[each.told.key]
        if len(values[label.casefold()]) == 1:
            own.setdefault(id(each.paragraph), []).append((label, each.told.value, each.sentence))
    if not own:
        return section
    return replace(section, blocks=[_told_by(block, own) for block in section.blocks])


def _told_by(block: object, own: dict[int, list[tuple[str, str, str]]]) -> object:
    return replace(block, told=tuple(own[id(block)])) if isinstance(block, Paragraph) and id(block) in own else block
