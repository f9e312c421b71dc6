"""Data in a prompt, kept apart from the orders: between fences whose mark depends on every letter inside.

Nobody who writes a chunk or a question can foresee the mark, so nothing inside can close its fence. It is the same
for the same content, so that equal requests stay equal.
"""

from __future__ import annotations

import hashlib


def fenced(name: str, content: str) -> str:
    """Return the content between two marks that no content can contain.

    >>> fenced("question", "Who wins?").splitlines()[1]
    'Who wins?'
    """
    mark = hashlib.sha256(f"{name}\0{content}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<<{name} {mark}>>\n{content}\n<<end {mark}>>"
