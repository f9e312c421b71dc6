"""What a question is about, by the names that the passages at hand stand under.

Names side by side (*the Reed or the Tern*) are each asked about; of those that stand here and there the longest is the
subject.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from agent.prose.units import names_of
from agent.understanding.clauses import COMMA, in_own_words
from agent.understanding.tagged import Tagged
from retrieval.tables.names import Mention, name_keys, spans_of
from retrieval.types import Chunk

MOST_SUBJECTS = 8
_SEVERAL = 2


def subjects_of(question: Tagged, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """Those that a question asks about, in its own words: several that stand side by side, or one, or nobody.

    >>> from agent.understanding.tagged import tagged
    >>> pumps = [Chunk("c1", "", "Reed"), Chunk("c2", "", "Tern"), Chunk("c3", "", "Care")]
    >>> subjects_of(tagged("How heavy are the Reed and the Tern?"), pumps)
    ('Reed', 'Tern')
    >>> subjects_of(tagged("How heavy is the Reed?"), pumps), subjects_of(tagged("How heavy is it?"), pumps)
    (('Reed',), ())
    """
    above = _above(chunks)
    mentions = list(_mentions(question, above))
    run = max(_runs(question, mentions), key=len, default=[])
    if len(run) < _SEVERAL and question.compares:
        run = _siblings(mentions, above)
    if len(run) < _SEVERAL:
        run = sorted(mentions, key=lambda each: (each.start - each.end, each.start))[:1]
    told = (in_own_words(question.tokens[each.start : each.end], question.question) for each in run)
    return tuple(dict.fromkeys(told))[:MOST_SUBJECTS]


def _above(chunks: Sequence[Chunk]) -> dict[str, set[tuple[str, ...]]]:
    """The keys of the names at hand, with the names that each stands under."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for names in {names_of(chunk) for chunk in chunks}:
        for depth, name in enumerate(names):
            for key in name_keys(name):
                found.setdefault(key, set()).add(names[:depth])
    return found


def _mentions(question: Tagged, known: Collection[str]) -> Iterator[Mention]:
    """The known names that stand in a question, from left to right, the longest where they overlap."""
    spans = spans_of(question.tokens)
    found = [Mention(start, end, key) for key, places in spans.items() if key in known for start, end in places]
    taken: set[int] = set()
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda each: (each.start - each.end, each.start, each.key)):
        places = set(range(mention.start, mention.end))
        if not places & taken and COMMA not in question.tokens[mention.start : mention.end]:
            kept.append(mention)
            taken |= places
    yield from sorted(kept, key=lambda each: each.start)


def _runs(question: Tagged, mentions: Sequence[Mention]) -> Iterator[list[Mention]]:
    """The names that stand side by side, with nothing but a list between them."""
    language = question.language
    joining = language.joining | {COMMA}
    between = joining | language.beside | language.articles
    run: list[Mention] = []
    for mention in mentions:
        gap = set(question.tokens[run[-1].end : mention.start]) if run else set[str]()
        if gap and gap <= between and gap & joining:
            run.append(mention)
            continue
        yield run
        run = [mention]
    yield run


def _siblings(mentions: Sequence[Mention], above: Mapping[str, set[tuple[str, ...]]]) -> list[Mention]:
    """The most of the names that stand under one other: *does the Reed last longer than the Tern*."""
    groups: dict[tuple[str, ...], list[Mention]] = {}
    for mention in mentions:
        for names in above[mention.key]:
            groups.setdefault(names, []).append(mention)
    return max(groups.values(), key=len, default=[])
