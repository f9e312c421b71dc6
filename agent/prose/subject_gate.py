"""Check that a sentence is about the subject of the question: by its section, or because it begins with the subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.prose.asked import ProseQuestion
from agent.prose.units import Unit, has_section_name, section_names
from agent.prose.words import stems
from retrieval.text.normal import normal
from retrieval.types import Chunk


@dataclass(frozen=True)
class SubjectGate:
    """The subject of a question and the chunks that may be about it."""

    asked: ProseQuestion
    chunks: Sequence[Chunk]

    def is_about_subject(self, unit: Unit, chunk: Chunk) -> bool:
        """True if a sentence is about the subject of the question.

        The name of its section may have more words of the question than the subject, as *Reed Pump* for *Reed*, or
        words that stand above the subject elsewhere: *Acme Reed*, if another chunk has *Reed* under *Acme*.

        >>> own, other = Chunk("a", "", "Reed", headings=("Acme",)), Chunk("b", "", "Acme Reed")
        >>> gate = SubjectGate(ProseQuestion("value", frozenset({"reed", "lid"}), "Reed"), [own, other])
        >>> [gate.is_about_subject(Unit("It has a lid."), chunk) for chunk in (other, Chunk("c", "", "Reed Junior"))]
        [True, False]
        """
        subject, wanted = self.asked.subject, stems(self.asked.subject)
        if not subject or has_section_name(subject, chunk) or self.asked.words <= unit.own_words | unit.near_words:
            return True
        names = [stems(name) for name in section_names(chunk)]
        if any(wanted < name & self.asked.words for name in names):
            return True
        if any(wanted <= name and any(name <= path for path in self._own_paths) for name in names):
            return True
        if self._own_paths:
            return wanted <= stems(" ".join(normal(unit.text)[: len(subject.split()) + 2]))
        return wanted <= unit.own_words | unit.near_words or any(wanted <= name for name in names)

    @cached_property
    def _own_paths(self) -> list[frozenset[str]]:
        """The stems of the section names of each chunk whose section is called like the subject."""
        own = (section_names(chunk) for chunk in self.chunks if has_section_name(self.asked.subject, chunk))
        return [stems(" ".join(names)) for names in dict.fromkeys(own)]
