"""What a question says around what it asks: its sentences that only tell, and the words that lead up to it.

*The party woke a dragon. How many hit points does it have?* asks in its second sentence; *could somebody find out how
fast …* begins to ask at *how*. Around that, names and numbers count as anywhere. Other words ask for nothing there, but
where one of them is a measure of the collection: then its sentence, or what leads up, is heeded whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.clauses import sentences
from retrieval.text.normal import is_number


def around(
    question: str,
    tokens: Sequence[str],
    language: Language,
    named: Collection[int] = (),
    measures: Collection[str] = (),
) -> frozenset[int]:
    """The places around what is asked; those `named` are of names, and `measures` are words of heads and labels.

    >>> from agent.languages.language import english
    >>> tokens = ("we", "bought", "a", "boat", ",", "how", "long", "is", "it", ",")
    >>> sorted(around("We bought a boat. How long is it?", tokens, english(), {3}))
    [0, 1, 2]
    """
    stretches = _sentences(question, len(tokens))
    asking = [stretch for stretch in stretches if _asks(tokens, stretch, language)]
    told = [stretch for stretch in stretches if asking and stretch not in asking]
    leading = [_leading(tokens, stretch, language, named) for stretch in asking]
    known = {i for i, token in enumerate(tokens) if token in measures} - set(named)
    known -= {i for i in known if tokens[i] in language.asking or _is_beside_number(tokens, i)}
    return frozenset(i for stretch in (*told, *leading) if known.isdisjoint(stretch) for i in stretch if i not in named)


def _sentences(question: str, size: int) -> list[range]:
    """The places of each sentence, the comma that ends it left out."""
    stretches, start = [], 0
    for sentence in sentences(question):
        stretches.append(range(start, start + len(sentence)))
        start += len(sentence) + 1
    return stretches if start == size else []


def _asks(tokens: Sequence[str], stretch: range, language: Language) -> bool:
    """True for a sentence that has a word or phrase of asking in it, or a comparative."""
    said = tuple(tokens[i] for i in stretch)
    phrases = (*(each for _, each in language.operations), *language.prose, *language.amounts)
    if any(found(said, phrase) is not None for phrase in phrases):
        return True
    asking = language.kinds | language.before_adjectives
    return any(token in asking or language.degree_of(token) in ("comparative", "superlative") for token in said)


def _leading(tokens: Sequence[str], stretch: range, language: Language, named: Collection[int]) -> range:
    """The places before the word that asks within a sentence, where no name is among them: *do you know which …*."""
    asking = language.kinds | language.before_adjectives
    start = next((i for i in stretch if tokens[i] in asking), stretch.start)
    before = range(stretch.start, start)
    return before if set(before).isdisjoint(named) else range(0)


def _is_beside_number(tokens: Sequence[str], place: int) -> bool:
    """True for the *level* of *level 10*."""
    return any(is_number(token) for token in tokens[max(0, place - 1) : place + 2])
