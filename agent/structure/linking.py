"""Link a question to the names of a collection: which spans name something, which numbers stand beside what.

The longest name wins, whatever its kind. Names side by side (*an orc, a troll or an ogre*) are alternatives; a name
that stands alone is the subject, or says which of its values is meant: the cells decide that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from agent.planner.attributes import ASKING, SCALES, implied, is_superlative, preference
from agent.planner.clauses import ARTICLES, COMMA, in_own_words, tokens_of
from agent.structure.program import Linked, Subject
from retrieval.tables.bind import Key
from retrieval.tables.index import Cells
from retrieval.tables.names import Mention, short_spans_of, spans_of
from retrieval.text import is_number, phrase

_BETWEEN = ARTICLES | {COMMA, "and", "or", "vs", "versus", "than", "&", "to", "with"}
"""What may stand between two alternatives."""
_JOINING = frozenset({COMMA, "and", "or", "vs", "versus", "than", "&"})
_MARK = re.compile(r"[,;:!?()—]|\s[-–]\s|\.\s")
MOST_ALTERNATIVES = 24
"""Names side by side that are compared; a longer list is no question."""
_AMOUNT = (("how", "many"), ("how", "much"))


def mentions_of(tokens: Sequence[str], index: Cells) -> list[Mention]:
    """The names of the collection in a text, the longest first where they overlap, from left to right."""
    spans = spans_of(tuple(tokens)) | short_spans_of(tuple(tokens))
    known = index.known(list(spans))
    found = sorted(
        (Mention(start, end, key) for key in known for start, end in spans[key]),
        key=lambda mention: (mention.start - mention.end, mention.start),
    )
    taken: set[int] = set()
    kept = []
    for mention in found:
        places = set(range(mention.start, mention.end))
        if not places & taken and (COMMA not in tokens[mention.start : mention.end] or _has_comma(mention, index)):
            kept.append(mention)
            taken |= places
    return sorted(kept, key=lambda mention: mention.start)


def _has_comma(mention: Mention, index: Cells) -> bool:
    """True for a name that the collection writes with a comma or the like: *Wolf, Winter*, *Yohan: The Wanderer*."""
    return any(_MARK.search(place.name) for place in index.places([mention.key]))


def alternatives(tokens: Sequence[str], mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The names in runs: those of one run stand side by side, with nothing but a list between them."""
    runs: list[list[Mention]] = []
    for mention in mentions:
        before = runs[-1][-1] if runs else None
        between = tokens[before.end : mention.start] if before else ()
        if before and between and set(between) <= _BETWEEN and set(between) & _JOINING:
            runs[-1].append(mention)
        else:
            runs.append([mention])
    return runs


def keys_in(tokens: Sequence[str], taken: Collection[int]) -> list[tuple[int, Key]]:
    """The numbers of a question with the words beside them, and where they stand; those in names are none."""
    found = []
    for i, token in enumerate(tokens):
        if i in taken or not is_number(token):
            continue
        near = [tokens[j] for j in (i - 1, i + 1) if 0 <= j < len(tokens) and j not in taken]
        found.append((i, Key(tuple(word for word in near if word.replace(" ", "").isalpha()), token)))
    return found


def linkings(question: str, index: Cells) -> Iterator[Linked]:
    """The ways in which a question can be meant: each run of names may be what is asked about, the longest run first.

    A name at the end of a run may be what is asked of the others (*more hit points, an ogre or a troll*). A question
    for the best of a kind may name nobody.
    """
    tokens = tokens_of(question)
    runs = [run for run in alternatives(tokens, mentions_of(tokens, index)) if len(run) <= MOST_ALTERNATIVES]
    for run in sorted(runs, key=len, reverse=True):
        yield _linked(question, tokens, run)
        if len(run) > 1:
            yield _linked(question, tokens, run[1:])
            yield _linked(question, tokens, run[:-1])
    if is_superlative(tokens):
        yield _linked(question, tokens, [])


def _linked(question: str, tokens: Sequence[str], run: Sequence[Mention]) -> Linked:
    taken = {i for mention in run for i in range(mention.start, mention.end)}
    keys = keys_in(tokens, taken)
    axes = {word for _, key in keys for word in key.words}
    words = [(i, word) for i, word in _words(tokens, taken) if word not in axes]
    end = max((mention.end for mention in run), default=-1)
    subjects = tuple(
        Subject(in_own_words(tokens[m.start : m.end], question), m.key, tuple(own))
        for m, own in zip(run, _dealt(run, keys), strict=True)
    )
    return Linked(
        question,
        subjects,
        tuple(dict.fromkeys(word for _, word in words)),
        _wording(tokens, [i for i, _ in words]),
        {word: phrase(meant) for i, word in words if (meant := implied(tokens, i)) != word},
        frozenset(word for i, word in words if i == end),
        preference(tokens),
        is_superlative(tokens),
        any(tuple(tokens[i : i + 2]) in _AMOUNT for i in range(len(tokens))),
    )


def _words(tokens: Sequence[str], taken: Collection[int]) -> Iterator[tuple[int, str]]:
    """The words that say which value is asked: no names, numbers or words of asking."""
    for i, token in enumerate(tokens):
        if i in taken or token == COMMA or is_number(token):
            continue
        asks_how = i > 0 and tokens[i - 1] == "how" and implied(tokens, i) != token
        if asks_how or (token in SCALES and SCALES[token][0]) or (token not in ASKING and token not in SCALES):
            yield i, token


def _wording(tokens: Sequence[str], places: Sequence[int]) -> str:
    """What is asked, as a text of its own: *how heavy*, *challenge rating*."""
    said = [tokens[i] for i in dict.fromkeys(places)]
    asks_how = bool(places) and places[0] > 0 and tokens[places[0] - 1] == "how"
    return " ".join(["how", *said] if asks_how else said)


def _dealt(run: Sequence[Mention], keys: Sequence[tuple[int, Key]]) -> list[list[Key]]:
    """Each name's own numbers: as many as there are names are dealt out in their order, else all count for all."""
    axes: dict[tuple[str, ...], list[Key]] = {}
    for _, key in keys:
        axes.setdefault(key.words[:1], []).append(key)
    dealt: list[list[Key]] = [[] for _ in run]
    for found in axes.values():
        for n, own in enumerate(dealt):
            own += [found[n]] if len(found) == len(run) else found
    return dealt
