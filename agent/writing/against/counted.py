"""Find counts of another thing: *seven heads*, where the source has a 7, and heads, but no 7 beside the heads."""

from __future__ import annotations

from collections.abc import Sequence

from agent.writing.texts.claims import ParsedSentence, is_in
from agent.writing.texts.facts import Fact, facts_of, is_content_word, tokens_of
from agent.writing.texts.numbers import Number
from agent.writing.texts.reworded import is_akin
from agent.writing.texts.units import known_units
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk


def counting_others(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of the numbers that count a thing which the sources have, but beside none of these numbers.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> hydra = Chunk("1", "Its charm is 7. It bites as often as it has heads.\\nThe brood has 5 heads.", "Hydra")
    >>> [sorted(counting_others(parse_sentence(f"it has {n} heads"), [hydra])) for n in (7, 5, 6)]
    [[2], [], []]
    """
    facts, known, about = list[Fact](), set[str](), set[str]()
    for chunk in cited:
        facts += facts_of(chunk)
        known.update(tokens_of(chunk))
        about.update(normal(" ".join((chunk.title, *chunk.headings))))
    found = set[int]()
    for one in sentence.numbers:
        thing = _thing(one, sentence)
        having = [fact for fact in facts if fact.has(one[0].value)] if thing in known - about else []
        if having and not any(_tells(fact, thing) or _is_named(fact, sentence) for fact in having):
            found.add(one[0].place)
    return frozenset(found)


def _thing(one: Sequence[Number], sentence: ParsedSentence) -> str:
    """Return the word for what a number without a unit or a measure counts; empty if it counts nothing."""
    first, behind = one[0], one[0].place + 1
    thing = "" if behind in sentence.clauses else "".join(sentence.tokens[behind : behind + 1])
    is_measured = bool(first.unit or first.measure) or thing in known_units()
    is_count = first.value.isdecimal() and not (is_measured or first.is_end)
    return thing if is_count and is_content_word(thing) and not is_number(thing) else ""


def _is_named(fact: Fact, sentence: ParsedSentence) -> bool:
    """True for a cell of a row that a sentence names: its table may count other things in other words."""
    return any(name and is_in(name, sentence.tokens) for name in fact.names)


def _tells(fact: Fact, thing: str) -> bool:
    """True if a fact has a word for a thing, in any form."""
    return any(is_akin(thing, word) for word in (*fact.words, *fact.beside, *fact.label, *fact.over))
