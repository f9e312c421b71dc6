"""Delimiters around data in a prompt, which separate it from instructions: their mark depends on the whole content.

The author of a chunk or a question can't foresee the mark, so nothing inside can close its fence. Equal content has an
equal mark, so that equal requests stay equal.
"""

from __future__ import annotations

import hashlib


def fenced(name: str, content: str) -> str:
    """Return the content between two delimiters that it can't contain.

    >>> fenced("question", "Who wins?").splitlines()[1]
    'Who wins?'
    """
    mark = hashlib.sha256(f"{name}\0{content}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<<{name} {mark}>>\n{content}\n<<end {mark}>>"
