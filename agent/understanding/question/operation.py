"""The operation that a question asks for: *in total*, *count the boats*, *how much longer*, *how big a gap*."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from agent.languages.language import Language
from agent.languages.operations import Operation
from agent.languages.phrases import found, phrase_places
from agent.understanding.words.clauses import COMMA
from retrieval.text.normal import is_number


def operation_in(
    tokens: Sequence[str], language: Language, named: Collection[int]
) -> tuple[Operation | None, set[int]]:
    """Return the operation with the longest phrase, and its places. *How many* counts only if there is no other.

    A word inside a name of several words is part of that name: *default ratio*.
    """
    best: tuple[int, Operation | None, set[int]] = _commanded(tokens, language)
    for name, said in language.operations_in(tokens):
        start = found(tokens, said)
        if start is None or start in named or (name == "count" and best[1] not in (None, "count")):
            continue
        if len(said) == 1 and any(map(is_number, tokens[start + 1 : start + 2])):
            continue  # the number belongs to it: *at rank 3*
        if best[1] == "count" or len(said) > best[0]:
            best = (len(said), name, set(range(start, start + len(said))))
    if best[1] in (None, "count") and (places := _how_much_more(tokens, language, named)):
        return "difference", places
    same = (said for name, said in language.operations_in(tokens) if name == best[1])
    return best[1], best[2].union(*(phrase_places(tokens, said) for said in same)) - {*named}


def _commanded(tokens: Sequence[str], language: Language) -> tuple[int, Operation | None, set[int]]:
    """Return the length, operation and places of the command that a clause begins with: *count the boats*."""
    for name, said in language.commands_in(tokens):
        start = found(tokens, said)
        if start is not None and all(token in language.asking or token == COMMA for token in tokens[:start]):
            return len(said), name, set(range(start, start + len(said)))
    return 0, None, set()


def _how_much_more(tokens: Sequence[str], language: Language, named: Collection[int]) -> set[int]:
    """Return the places of a phrase that asks for a difference: *how much longer*, *how many more*, *how many years
    older*; but how many there are of the *Greater Spells*.
    """
    for said in language.amounts:
        start = found(tokens, said)
        end = len(tokens) if start is None else start + len(said)
        if any(token in each.units for token in tokens[end : end + 1] for each in language.dimensions):
            end += 1
        after = "".join(tokens[end : end + 1])
        is_more = after in language.ends or language.degree_of(after) == "comparative"
        if start is not None and end not in named and is_more:
            return set(range(start, end))
    return set()


def lead_question_in(tokens: Sequence[str], language: Language, end: int | None, measures: Collection[str]) -> set[int]:
    """Return the places of a further clause that asks for the lead of the best one: *and how big is the lead*, *and how
    many points lie between them*.
    """
    for start, size in _amounts_asked(tokens, language) if end is not None else ():
        after = next((i for i in range(start, len(tokens)) if tokens[i] == COMMA), len(tokens))
        said = set(tokens[start + size : after])
        is_measured = not (said - language.asking).isdisjoint(measures)
        if COMMA in tokens[end:start] and (not is_measured or said & language.pronouns):
            return set(range(start, after))
    return set()


def difference_measure_in(
    tokens: Sequence[str], doing: Collection[int], free: Collection[int], measures: Collection[str]
) -> set[int]:
    """Return the place of the measure of a difference, the last word of its clause, unless it is the only measure in
    the question: *which save is better, and by how many points*.
    """
    place = max(doing) + 1
    is_last = tokens[place] != COMMA and tokens[place + 1 : place + 2] == (COMMA,)
    measured = {i for i in free if tokens[i] in measures and i not in doing}
    return {place} if is_last and measured != {place} else set()


def _amounts_asked(tokens: Sequence[str], language: Language) -> Iterator[tuple[int, int]]:
    """Yield the place and length of each phrase that asks for an amount or a degree."""
    for said in language.amounts:
        if (start := found(tokens, said)) is not None:
            yield start, len(said)
    for i, (one, other) in enumerate(pairwise(tokens)):
        if one in language.before_adjectives and language.degree_of(other) == "positive":
            yield i, 2
