"""Names that share a word with their neighbour: *a black and a gold dragon*, *Kestrel I and II*.

What stands beside a known name in a list borrows the rest of it; it is a name only where the book knows the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.understanding.clauses import ARTICLES, COMMA
from agent.understanding.lexicon import Lexicon, Mention

_LISTING = frozenset({"and", "or", "&", COMMA, "versus", "vs", "v", "than", "nor"})
_LONGEST = 3


def borrowed(tokens: Sequence[str], known: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """The known names of a text with those that borrow from them; what is a name by itself borrows nothing."""
    found = list(known)
    for mention in known:
        for other in (o for side in (True, False) for o in _borrowing(tokens, mention, lexicon, before=side)):
            if not any(other.start < m.end and m.start < other.end for m in found):
                found.append(other)
    return sorted(found, key=lambda m: (m.start, m.end))


def _borrowing(tokens: Sequence[str], mention: Mention, lexicon: Lexicon, *, before: bool) -> Iterator[Mention]:
    """*black, blue and gold dragon*, where each borrows the end of a name; behind it, *Kestrel I and II*, the start."""
    words, edge = _words(tokens, mention), mention.start if before else mention.end
    list_edge = _list_end if before else _list_start
    while (near := list_edge(tokens, edge)) is not None:
        sizes = range(1, min(_LONGEST, near) + 1) if before else range(min(_LONGEST, len(tokens) - near), 0, -1)
        places = [(near - size, near) if before else (near, near + size) for size in sizes]
        whole = (
            (start, end, (*tokens[start:end], *words[k:]) if before else (*words[:k], *tokens[start:end]))
            for start, end in places
            for k in range(1, len(words))
        )
        one = next((Mention(start, end, name) for start, end, own in whole if (name := _name(own, lexicon))), None)
        if one is None:
            return
        yield one
        edge = one.start if before else one.end


def _words(tokens: Sequence[str], mention: Mention) -> tuple[str, ...]:
    return tuple(t for t in tokens[mention.start : mention.end] if t not in ARTICLES | {COMMA})


def _name(words: Sequence[str], lexicon: Lexicon) -> str | None:
    """The known name that exactly these words make."""
    if any(word in _LISTING | ARTICLES for word in words):
        return None
    mention = lexicon.at(words, 0)
    return mention.name if mention is not None and mention.end == len(words) else None


def _list_end(tokens: Sequence[str], start: int) -> int | None:
    """Where the item before a name ends, if a list leads to the name; articles and *of* do not part them."""
    i = start
    while i and tokens[i - 1] in ARTICLES | {"of"}:
        i -= 1
    joined = i
    while i and tokens[i - 1] in _LISTING:
        i -= 1
    return i if i < joined and i else None


def _list_start(tokens: Sequence[str], end: int) -> int | None:
    i = end
    while i < len(tokens) and tokens[i] in _LISTING:
        i += 1
    joined = i
    while i < len(tokens) and tokens[i] in ARTICLES | {"of"}:
        i += 1
    return i if joined > end and i < len(tokens) else None
