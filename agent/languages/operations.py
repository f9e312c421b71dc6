"""The operations on values of cells, and the ends of a scale."""

from typing import Literal

End = Literal["low", "high", "better", "worse"]
Operation = Literal[
    "read", "compare", "best", "list", "count", "total", "average", "difference", "ratio", "order", "overview"
]
SUMS: tuple[Operation, ...] = ("total", "average")
"""The operations that add up all values."""
