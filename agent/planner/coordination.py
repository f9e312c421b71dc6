"""Names that share a word with their neighbour: *a black and a gold dragon*, *Kestrel I and II*.

What stands beside a known name in a list borrows the rest of it; it is a name only where the book knows the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.planner.clauses import ARTICLES, COMMA
from agent.planner.lexicon import Lexicon, Mention

_LISTING = frozenset({"and", "or", "&", COMMA, "versus", "vs", "v", "than", "nor"})
_LONGEST = 3


def borrowed(tokens: Sequence[str], known: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """The known names of a text with those that borrow from them; what is a name by itself borrows nothing."""
    found = list(known)
    for mention in known:
        for other in (*_before(tokens, mention, lexicon), *_after(tokens, mention, lexicon)):
            if not any(other.start < m.end and m.start < other.end for m in found):
                found.append(other)
    return sorted(found, key=lambda m: (m.start, m.end))


def _before(tokens: Sequence[str], mention: Mention, lexicon: Lexicon) -> Iterator[Mention]:
    """*black, blue and gold dragon*: each borrows the end of the name behind it."""
    words, start = _words(tokens, mention), mention.start
    while (end := _list_end(tokens, start)) is not None:
        one = next(
            (
                Mention(end - size, end, name)
                for size in range(1, min(_LONGEST, end) + 1)
                for k in range(1, len(words))
                if (name := _name((*tokens[end - size : end], *words[k:]), lexicon)) is not None
            ),
            None,
        )
        if one is None:
            return
        yield one
        start = one.start


def _after(tokens: Sequence[str], mention: Mention, lexicon: Lexicon) -> Iterator[Mention]:
    """*Kestrel I and II*: each borrows the beginning of the name before it."""
    words, end = _words(tokens, mention), mention.end
    while (start := _list_start(tokens, end)) is not None:
        one = next(
            (
                Mention(start, start + size, name)
                for size in range(min(_LONGEST, len(tokens) - start), 0, -1)
                for k in range(1, len(words))
                if (name := _name((*words[:k], *tokens[start : start + size]), lexicon)) is not None
            ),
            None,
        )
        if one is None:
            return
        yield one
        end = one.end


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
