"""Removal of a model's thoughts between `<think>` and `</think>`: they are no part of the answer."""

from __future__ import annotations

from dataclasses import dataclass, field

_OPEN, _CLOSE = "<think>", "</think>"


@dataclass(slots=True)
class ReasoningStripper:
    """A text that arrives in pieces, without its initial thoughts; a thought without an end leaves nothing.

    >>> spoken = ReasoningStripper()
    >>> [spoken.add(piece) for piece in ("<thi", "nk>An orc? </thi", "nk>An ", "owl.")]
    ['', '', 'An ', 'owl.']
    """

    _held: str = ""
    _thinking: bool = False
    _begun: bool = False
    _pieces: list[str] = field(default_factory=list)

    def add(self, piece: str) -> str:
        """Add the next piece, and return the new text that is certainly not a thought."""
        self._held += piece
        while not self._begun:
            start = self._held.lstrip()
            if self._thinking:
                _, end, rest = start.partition(_CLOSE)
                if not end:
                    self._held = start[1 - len(_CLOSE) :]
                    return ""
                self._thinking, self._held = False, rest
            elif start.startswith(_OPEN):
                self._thinking, self._held = True, start.removeprefix(_OPEN)
            elif _OPEN.startswith(start):
                return ""
            else:
                self._begun = True
        new, self._held = self._held, ""
        self._pieces.append(new)
        return new

    @property
    def text(self) -> str:
        """The text so far. Some servers omit the opening tag, so that only the closing tag reveals a thought."""
        return ("".join(self._pieces) + ("" if self._thinking else self._held)).rpartition(_CLOSE)[2]
