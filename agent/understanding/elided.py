"""Names of a list that share their last word, which is said once: *the red, the green or the blue dragon*."""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language
from agent.understanding.between import joining_words
from agent.understanding.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention, spans_of


def with_elided(tokens: Sequence[str], mentions: Sequence[Mention], index: Cells, language: Language) -> list[Mention]:
    """Return the mentions with those that a list leaves a word out of, where the collection has the whole name."""
    found = {mention.start: mention for mention in mentions}
    for mention in mentions:
        if mention.end - mention.start > 1 and COMMA not in tokens[mention.start : mention.end]:
            shared = tokens[mention.end - 1]
            for place, key in _before(tokens, mention.start, shared, index, language):
                found[place] = Mention(place, place + 1, key)
    return sorted(found.values(), key=lambda mention: mention.start)


def _before(tokens: Sequence[str], start: int, shared: str, index: Cells, language: Language) -> list[tuple[int, str]]:
    """The words before a name that are names with its last word, each with its place and key: back to the first that
    is none.
    """
    found: list[tuple[int, str]] = []
    place = _joined(tokens, start, language)
    while place is not None:
        keys = [key for key, spans in spans_of((tokens[place], shared)).items() if (0, 2) in spans]
        known = sorted(index.known(keys))
        if not known:
            break
        found.append((place, known[0]))
        place = _joined(tokens, place, language)
    return found


def _joined(tokens: Sequence[str], start: int, language: Language) -> int | None:
    """The place of the word that a list sets beside the one at `start`; None where nothing joins them."""
    between = joining_words(language)
    place = start - 1
    while place >= 0 and tokens[place] in between | language.articles:
        place -= 1
    return place if place >= 0 and between & set(tokens[place + 1 : start]) else None


def shared_words(tokens: Sequence[str], mention: Mention) -> list[str]:
    """Return the words of a name that its list leaves out: the *dragon* of *the red or the blue dragon*."""
    own, words = tokens[mention.start : mention.end], mention.key.split()
    return [word for word in words if word not in own] if len(own) == 1 and own[0] in words else []
