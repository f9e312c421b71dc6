"""Find the subjects of a question among the section names of the chunks at hand.

Names in a list (*the Reed or the Tern*) are all subjects. Of scattered names, the longest one is the subject; a name
right behind the question word comes last. If a comparison has no names, its subjects are the words that *or* and the
like join: *in summer or in winter*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from agent.prose.asked import is_ranking
from agent.prose.units import section_names
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


def prose_subjects(question: Tagged, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """Return the subjects of a question in its own words: several in a list, or one, or none.

    >>> from agent.understanding.question.tagged import tagged
    >>> pumps = [Chunk("c1", "", "Reed"), Chunk("c2", "", "Tern"), Chunk("c3", "", "Care")]
    >>> prose_subjects(tagged("How heavy are the Reed and the Tern?"), pumps)
    ('Reed', 'Tern')
    >>> prose_subjects(tagged("How heavy is the Reed?"), pumps), prose_subjects(tagged("How heavy is it?"), pumps)
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
    """True for a name right behind the question word, such as *peat* in *how much peat does a stove burn*."""
    asking = question.language.kinds | {said[-1] for said in question.language.amounts}
    return mention.start > 0 and question.tokens[mention.start - 1] in asking


def _above(chunks: Sequence[Chunk]) -> dict[str, set[tuple[str, ...]]]:
    """Map the key of each section name to the paths of names above it."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for names in {section_names(chunk) for chunk in chunks}:
        for depth, name in enumerate(names):
            for key in name_keys(name):
                found.setdefault(key, set()).add(names[:depth])
    return found


def _mentions(question: Tagged, known: Collection[str]) -> Iterator[Mention]:
    """Yield the known names in a question, from left to right; the longest wins where they overlap."""
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
    """Yield the runs of names that only list words separate."""
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
    """Return the largest group of names under the same parent: *does the Reed last longer than the Tern*."""
    groups: dict[tuple[str, ...], dict[str, Mention]] = {}
    for mention in mentions:
        for names in above[mention.key]:
            groups.setdefault(names, {}).setdefault(mention.key, mention)
    return list(max(groups.values(), key=len, default={}).values())


def joined_in(question: Tagged) -> tuple[str, ...]:
    """Return the alternatives of a question that are not known names: the words around a conjunction.

    Words that only the last alternative has belong to all of them and are left out.

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
    """The words of a question by their role: conjunctions, question words, and words without meaning of their own."""

    joining: str
    asking: frozenset[str]
    small: frozenset[str]

    @classmethod
    def of(cls, question: Tagged) -> _Words:
        """Read them from the question's language; words that say which end is asked for count as question words."""
        language = question.language
        joining = "|".join(sorted(map(re.escape, language.joining), key=len, reverse=True))
        ends = {question.tokens[i] for i in question.scales} | language.ends.keys()
        answers = {word for phrases in language.answers.values() for said in phrases for word in said}
        asking = language.kinds | language.helpers | answers | ends
        ways = (language.statement_phrases.get(way, ()) for way in _RELATIONS)
        relations = {said[0] for phrases in (*ways, language.light) for said in phrases if len(said) == 1}
        return cls(joining, frozenset(asking), frozenset(asking | language.function_words | relations))

    def ending(self, text: Sequence[str]) -> list[str]:
        """Return the meaningful words at the end of a text."""
        return self.beginning(text[::-1])[::-1]

    def beginning(self, text: Sequence[str]) -> list[str]:
        """Return the meaningful words at the beginning of a text, after an article or the like."""
        return list(takewhile(self._is_content_word, dropwhile(lambda word: not self._is_content_word(word), text)))

    def _is_content_word(self, word: str) -> bool:
        return word.casefold() not in self.small and not self.small.issuperset(normal(word))

    def is_item(self, text: Sequence[str]) -> bool:
        """True for a text that ends in a list item and has no question word."""
        item = self.ending(text)
        return bool(item) and text[-1] == item[-1] and self.asking.isdisjoint(normal(" ".join(text)))
