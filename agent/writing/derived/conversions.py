"""Numbers in another unit, and amounts that are so many percent more: *36 months, which is 3 years*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from agent.reasoning.values.quantities import worths
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import unit_written
from agent.writing.texts.numbers import Number, is_plain
from agent.writing.texts.offered import rounds_to
from agent.writing.texts.units import PERCENT


def is_converted(wanted: Number, held: Sequence[Number], sentence: ParsedSentence) -> bool:
    """True if a number is another of its sentence in another unit, what a percentage leaves, or an amount with a
    percentage more or less.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> texts = "it runs for 36 months, which is 3 years", "up to 110 mm, or 12 cm", "50 euro, 8 percent over 46 euro"
    >>> for read in map(parse_sentence, texts):
    ...     first, *others = [one[0] for one in read.numbers]
    ...     print(is_converted(others[0], [first], read), is_converted(first, others, read))
    True True
    False False
    False True
    """
    operands = [each for each in held if is_plain(each)]
    results = (*_in_other_unit(wanted, operands, sentence), *_raised(wanted, operands, sentence))
    return is_plain(wanted) and any(rounds_to(result, wanted.value) for result in results)


def _in_other_unit(wanted: Number, operands: Sequence[Number], sentence: ParsedSentence) -> Iterator[float]:
    own = unit_written(sentence.tokens, wanted)
    for each, unit in ((each, unit_written(sentence.tokens, each)) for each in operands):
        worth = worths({own, unit}) if own and unit and own != unit else None
        if worth is not None:
            yield float(each.value) * worth[unit] / worth[own]


def _raised(wanted: Number, operands: Sequence[Number], sentence: ParsedSentence) -> Iterator[float]:
    shares = [float(each.value) for each in operands if each.unit == PERCENT]
    if wanted.unit == PERCENT:
        yield from (100 - share for share in shares)
        return
    own = unit_written(sentence.tokens, wanted)
    amounts = (float(each.value) for each in operands if own and unit_written(sentence.tokens, each) == own)
    for amount, share in product(amounts, shares):
        yield from (amount * (1 + share / 100), amount * (1 - share / 100), amount * share / 100)
