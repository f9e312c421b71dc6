"""Describe an entity as a whole: quote the beginning of its section."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.prose.asked import ProseQuestion
from agent.prose.candidates import ProseAnswer, Quote
from agent.prose.units import Unit, is_list, section_names, units_of
from agent.prose.words import stem, stems, stems_and_compounds
from retrieval.tables.names import name_keys
from retrieval.text.normal import STOP_WORDS, normal, title_key
from retrieval.types import Chunk

_MOST = 6
"""Most sentences and items of a section that are quoted."""
_LONGEST_LIST = 40
_LEAD = 2
_ENDS = (".", "!", "?")


def section_overview(asked: ProseQuestion, chunks: Sequence[Chunk]) -> ProseAnswer:
    """Return the beginning of the one section whose names have all words of the question; else nothing.

    If only the subject is asked for, chunks at any depth under its name count too. A list is quoted to its end, and a
    question such as *which parts* is answered by a list only.
    """
    telling = [chunk for chunk in chunks if _overview_units(chunk) and (is_list(chunk) or not asked.noun)]
    wanted = [chunk for chunk in telling if _is_about(asked, chunk)]
    sections = {section_names(chunk) for chunk in wanted}
    if not sections and asked.is_definition:
        named = {chunk.id: _above(asked.subject, chunk) for chunk in telling}
        wanted = [chunk for chunk in telling if named[chunk.id]]
        sections = {named[chunk.id] for chunk in wanted}
    if len(sections) != 1:
        return ProseAnswer()
    first = min(wanted, key=lambda chunk: (chunk.line or 0, chunk.id))
    units = _overview_units(first)
    most = _LONGEST_LIST if is_list(first) else _MOST
    return ProseAnswer(tuple(Quote(unit.text, first) for unit in units[:most]), most == _MOST or len(units) <= most)


def _above(subject: str, chunk: Chunk) -> tuple[str, ...]:
    """Return the names down to the section of a subject that a chunk is in, at any depth; empty if there is none."""
    names, wanted = section_names(chunk), title_key(subject)
    depths = (depth for depth, name in enumerate(names, start=1) if wanted in name_keys(name))
    return names[: next(depths, 0)]


def _overview_units(chunk: Chunk) -> list[Unit]:
    """Return the sentences and items of a chunk, without whole lists, whose items are there already."""
    return [unit for unit in _sentences(chunk) if not unit.list_lead]


def _sentences(chunk: Chunk) -> list[Unit]:
    """Return the units of a chunk that have more than one word."""
    return [unit for unit in units_of(chunk) if len(normal(unit.text)) > 1]


def _is_about(asked: ProseQuestion, chunk: Chunk) -> bool:
    """True if the section's own name has only words of the question, and its whole path has all of them."""
    names = section_names(chunk)
    if not names or not asked.words:
        return False
    own = {stem(word) for word in normal(names[-1]) if word not in STOP_WORDS}
    return bool(own) and own <= asked.words and asked.words <= frozenset().union(*map(stems_and_compounds, names))


def lead(entity: str, chunks: Sequence[Chunk]) -> tuple[str, Chunk] | None:
    """Return the first two sentences of the entity's own section, with the chunk; None if there is no such section."""
    return _joined(entity, chunks, lambda units: units[:_LEAD])


def description(entity: str, chunks: Sequence[Chunk]) -> tuple[str, Chunk] | None:
    """Return the first complete sentences of the entity's own section with the chunk, or None without such a
    section.
    """
    return _joined(entity, chunks, lambda units: [text for text in units if text[-1:] in _ENDS][:_MOST])


def _joined(entity: str, chunks: Sequence[Chunk], some: Callable[[list[str]], list[str]]) -> tuple[str, Chunk] | None:
    for chunk in chunks:
        is_own = title_key(chunk.title) == title_key(entity)
        if is_own and (told := some([unit.text for unit in _sentences(chunk)])):
            return " ".join(told), chunk
    return None


def is_about_entity(entity: str, chunk: Chunk) -> bool:
    """True if the chunk's title or one of its two innermost headings has all words of the entity's name."""
    wanted = stems(entity)
    names = (chunk.title, *chunk.headings[-2:])
    return bool(wanted) and any(wanted <= stems(name) for name in names)
