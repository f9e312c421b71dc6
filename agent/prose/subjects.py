"""What a question is about, by the names that the passages at hand stand under.

Names side by side (*the Reed or the Tern*) are each asked about; of those that stand here and there the longest is the
subject, before what is asked for of it. Where a comparison names nobody, it is between what *or* and the like join: *in
summer or in winter*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from agent.prose.asked import is_ranking
from agent.prose.units import names_of
from agent.understanding.linking.lists import joining_words
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, in_own_words
from retrieval.tables.names import Mention, name_keys, spans_of
from retrieval.text.normal import normal
from retrieval.types import Chunk

MOST_SUBJECTS = 8
_STOPS = ";:?!."
_RELATIONS = ("occasions", "conditions", "places")
_SEVERAL = 2


def subjects_of(question: Tagged, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """Those that a question asks about, in its own words: several that stand side by side, or one, or nobody.

    >>> from agent.understanding.question.tagged import tagged
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
    if len(run) < _SEVERAL and is_ranking(question) and (joined := joined_in(question)):
        return joined
    if len(run) < _SEVERAL:
        run = sorted(mentions, key=lambda each: (_is_asked_for(each, question), each.start - each.end, each.start))[:1]
    told = (in_own_words(question.tokens[each.start : each.end], question.question) for each in run)
    return tuple(dict.fromkeys(told))[:MOST_SUBJECTS]


def _is_asked_for(mention: Mention, question: Tagged) -> bool:
    """True for a name right behind what asks: the *peat* of *how much peat does a stove burn*."""
    asking = question.language.kinds | {said[-1] for said in question.language.amounts}
    return mention.start > 0 and question.tokens[mention.start - 1] in asking


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
    joining = joining_words(language)
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
    groups: dict[tuple[str, ...], dict[str, Mention]] = {}
    for mention in mentions:
        for names in above[mention.key]:
            groups.setdefault(names, {}).setdefault(mention.key, mention)
    return list(max(groups.values(), key=len, default={}).values())


def joined_in(question: Tagged) -> tuple[str, ...]:
    """The alternatives of a question that are no names: the words around what joins them.

    What the last has more than the others is of all of them.

    >>> from agent.understanding.question.tagged import tagged
    >>> joined_in(tagged("Which pays more, the short term, the mid term or the long term plan?"))
    ('short term', 'mid term', 'long term')
    >>> joined_in(tagged("Is the fare higher in summer than in winter?")), joined_in(tagged("Which fare is higher?"))
    (('summer', 'winter'), ())
    """
    words = _Words.of(question)
    pieces = re.split(rf"\s+({words.joining})\s+|([,;:?!.])(?=\s|$)", question.question)
    texts = [piece.split() for piece in pieces[::3]]
    marks = [word or mark for word, mark in zip(pieces[1::3], pieces[2::3], strict=True)]
    last = max((n for n, mark in enumerate(marks) if mark[0].isalpha()), default=None)
    if last is None:
        return ()
    left = [words.ending(texts[last])]
    for n in range(last - 1, -1, -1):
        if marks[n] in _STOPS or not words.is_item(texts[n]):
            break
        left.insert(0, words.ending(texts[n]))
    found = [*left, words.beginning(texts[last + 1])[: max(map(len, left))]]
    return tuple(" ".join(item) for item in found) if all(found) else ()


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a question: those that join alternatives, that ask, and that mean nothing alone."""

    joining: str
    asking: frozenset[str]
    small: frozenset[str]

    @classmethod
    def of(cls, question: Tagged) -> _Words:
        """Those of a question's language; what says which end is asked for, asks."""
        language = question.language
        joining = "|".join(sorted(map(re.escape, language.joining), key=len, reverse=True))
        ends = {question.tokens[i] for i in question.scales} | language.ends.keys()
        answers = {word for phrases in language.answers.values() for said in phrases for word in said}
        asking = language.kinds | language.helpers | answers | ends
        ways = (language.told_by.get(way, ()) for way in _RELATIONS)
        relations = {said[0] for phrases in (*ways, language.light) for said in phrases if len(said) == 1}
        return cls(joining, frozenset(asking), frozenset(asking | language.small | relations))

    def ending(self, text: Sequence[str]) -> list[str]:
        """The words at the end of a text that mean something."""
        return self.beginning(text[::-1])[::-1]

    def beginning(self, text: Sequence[str]) -> list[str]:
        """The words at the beginning of a text that mean something, behind an article or the like."""
        return list(takewhile(self._is_telling, dropwhile(lambda word: not self._is_telling(word), text)))

    def _is_telling(self, word: str) -> bool:
        return word.casefold() not in self.small and not self.small.issuperset(normal(word))

    def is_item(self, text: Sequence[str]) -> bool:
        """True for a text that is one of a list: it asks nothing."""
        item = self.ending(text)
        return bool(item) and text[-1] == item[-1] and self.asking.isdisjoint(normal(" ".join(text)))
