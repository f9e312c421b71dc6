"""What one attack came to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """How often an attack was tried, how often it was held off, and what the worst try led to, in words.

    >>> Row("bits of header.bin flipped", tried=50, held=50, worst="answered right after 1.2 s").has_held
    True
    """

    attack: str
    tried: int
    held: int
    worst: str

    @property
    def has_held(self) -> bool:
        """True when every try was held off."""
        return self.held == self.tried
