"""The operations on values of cells, and the ends of a scale."""

from typing import Literal

End = Literal["low", "high", "better", "worse"]
Operation = Literal[
    "read", "compare", "best", "list", "count", "total", "average", "difference", "ratio", "order", "overview",
    "median", "share", "tally", "closest", "rate", "change", "elapsed", "buys", "leaves", "portion",
]  # fmt: skip
SUMS: tuple[Operation, ...] = ("total", "average", "median")
"""The operations that compute one number from all values."""
