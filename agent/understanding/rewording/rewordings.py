"""The measures of a question as a collection writes them: slips put right, initials spelled out or made of words.

*What hit pionts has it* asks for the *hit points*, *the CR of a troll* for its *challenge rating*, *crew places* may
stand as *CP* here, and *how much is it* asks for its price. Each wording is bound in its turn until one of them is;
what was taken for what is told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from agent.languages.language import Language, language_of, languages
from agent.languages.scales import extreme
from agent.understanding.linking.mentions import mentions_of
from agent.understanding.rewording.counted import counted
from agent.understanding.rewording.in_full import in_full
from agent.understanding.words.clauses import COMMA, tokens_of
from agent.understanding.words.related import is_adjective, meanings
from retrieval.tables.index import Cells
from retrieval.tables.match import is_slip
from retrieval.text.normal import phrase
from retrieval.text.spelling import singular

_WORD = re.compile(r"[^\W\d_]+")
_CAPITAL = re.compile(r"(?<=[^\W_] )[A-Z][a-z]{3,}\b")
_SHORT = re.compile(
    r"(?<![\w.-])(?P<initials>[A-Z]{2,5})s?(?![\w-]|\.\w)|(?<![\w.-])(?P<word>[a-z]{2,5})(?![\w-]|\.\w)"
)
_CUT = re.compile(r"\. ?(?=[a-z\d])| (?=\d)")
"""What stands behind a word that was cut short: a point within a sentence, or a number."""
_FEWEST_WORDS, _MOST_WORDS = 2, 5
"""Words that initials stand for."""


class Reworded(NamedTuple):
    """A question in other words, and which of its words were taken for which."""

    text: str
    taken: Mapping[str, str]


def rewordings(question: str, index: Cells) -> Iterator[Reworded]:
    """The wordings in which a question may be bound: first by a label that it says in the words that the collection
    explains it with, then as it is written, then with what it does not say in full.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("Crew places",)), (("Heron", "4"), ("Plover", "2")))
    >>> index = CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))])
    >>> [reworded.text for reworded in rewordings("CP of the Heron?", index)]
    ['CP of the Heron?', 'crew place of the Heron?']
    """
    full = in_full(question, index)
    if full is not None:
        text = re.sub(rf"\b{re.escape(full.said)}\b", lambda _: full.label, question)
        yield Reworded(text, {full.said: full.label})
    yield _spelled(question, index.measured)
    for resolve in (_priced, _spelled_out, _abbreviated, _counted, _of_end, _of_place):
        resolved = resolve(question, index)
        if resolved.taken:
            spelled = _spelled(resolved.text, index.measured)
            yield Reworded(spelled.text, {**spelled.taken, **resolved.taken})


def _priced(question: str, index: Cells) -> Reworded:
    """The question with what *how much* asks for where nothing else stands beside the names: what they cost.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("Price",)), (("Heron", "4"), ("Plover", "2")))
    >>> _priced("How much is a Heron?", CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))]))
    Reworded(text='How much is a Heron: cost?', taken={'how much': 'cost'})
    """
    tokens = tokens_of(question)
    language = language_of(tokens, languages())
    uncounted = [said for said in language.amounts if ("count", said) not in language.operations]
    said = next((each for each in uncounted if tuple(tokens[: len(each)]) == each), ())
    price = _price(language)
    if not (said and price) or tokens[len(said)] not in language.copulas:
        return Reworded(question, {})
    named = {i for each in mentions_of(tokens, index) for i in range(each.start, each.end)}
    rest = (token for i, token in enumerate(tokens) if i > len(said) and i not in named)
    if not named or not all(token in language.small or token == COMMA for token in rest):
        return Reworded(question, {})
    return Reworded(f"{question.rstrip(' ?!.')}: {price}?", {" ".join(said): price})


def _counted(question: str, index: Cells) -> Reworded:
    """The question with a label that counts in thousands or millions for what is counted."""
    language = language_of(tokens_of(question), languages())
    found = counted(question, index, language)
    if found is None:
        return Reworded(question, {})
    text = re.sub(rf"\b{found.said}\b", found.label, question)
    for word in found.magnitudes:
        text = re.sub(rf"\b{word}s?\b", "", text, flags=re.IGNORECASE)
    return Reworded(text, {found.said: found.label})


def _of_end(question: str, index: Cells) -> Reworded:
    """The question with a superlative for the end of a measure that no label has: *the maximum length of all boats*.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("Length",)), (("Heron", "4"), ("Plover", "2")))
    >>> _of_end("Which boat has the minimum length?", CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))])).text
    'Which boat has the lowest length?'
    """
    tokens = tokens_of(question)
    language = language_of(tokens, languages())
    for said, measure in pairwise(tokens):
        is_high = said in language.ranges.high
        if (is_high or said in language.ranges.low) and measure in index.measured and said not in index.measured:
            end = extreme(language.ends, high=is_high)
            return Reworded(re.sub(rf"\b{said}\b", end, question, flags=re.IGNORECASE), {said: end})
    return Reworded(question, {})


def _of_place(question: str, index: Cells) -> Reworded:
    """The question with the names of places for adjectives that are made of them, where names have only those.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Home",), ("Crew",)), (("Norway coast", "4"), ("Malta", "2")))
    >>> _of_place("Crew of the Norwegian coast?", CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))])).text
    'Crew of the Norway coast?'
    """
    taken: dict[str, str] = {}
    language = language_of(tokens_of(question), languages())
    for match in _CAPITAL.finditer(question):
        word = phrase(match[0])[0]
        if word in index.measured or index.holders([word]) or not is_adjective(word, language):
            continue
        places = [each for each in meanings(word, language) if index.holders([each])]
        taken |= {match[0]: places[0].capitalize()} if len(places) == 1 else {}
    for said, meant in taken.items():
        question = re.sub(rf"\b{said}\b", meant, question)
    return Reworded(question, taken)


def _price(language: Language) -> str:
    """What is paid, by the name that comes first: empty where a language has no adjective for it."""
    scales = (adjective.scale for adjective in language.adjectives.values())
    return next((scale.high[0] for scale in scales if not language.prices.isdisjoint(scale.high)), "")


def _spelled(question: str, measures: frozenset[str]) -> Reworded:
    """The question with a slip of a letter in a measure of several words put right.

    Such a measure is one token of the normal form, so nothing else would compare its words one by one. Words that the
    collection or the language knows are no slips.

    >>> _spelled("What hit pionts has it?", frozenset({"hit points", "speed"}))
    Reworded(text='What hit points has it?', taken={'pionts': 'points'})
    """
    words = [match[0] for match in _WORD.finditer(question)]
    own = [singular(word.lower()) for word in words]
    taken: dict[str, str] = {}
    for said in _of_several_words(measures):
        for start in range(len(words) - len(said) + 1):
            others = [(at, right) for at, right in enumerate(said, start) if own[at] != singular(right)]
            if len(others) == 1 and _is_slip(words[others[0][0]], others[0][1], measures):
                taken |= {words[at]: right for at, right in others}
    for word, right in taken.items():
        question = re.sub(rf"\b{word}\b", right, question)
    return Reworded(question, taken)


@lru_cache(maxsize=64)
def _of_several_words(measures: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """The measures of a collection that have several words: hardly any of a thousand."""
    return tuple(tuple(each.split()) for each in measures if " " in each)


def _is_slip(word: str, right: str, measures: Collection[str]) -> bool:
    one = singular(word.lower())
    is_known = one in measures or any(one in language.words for language in languages().values())
    return not is_known and is_slip(one, singular(right))


def _spelled_out(question: str, index: Cells) -> Reworded:
    """The question with the initials of measures spelled out."""
    taken: dict[str, str] = {}
    for match in _SHORT.finditer(question):
        is_cut = _CUT.match(question, match.end()) is not None
        meant = _meant(match["initials"] or match["word"], index) or (_begun(match[0], index) if is_cut else "")
        if match[0] not in taken and meant:
            taken[match[0]] = meant
    for said, meant in taken.items():
        question = re.sub(rf"(?<![\w.-]){said}(?:\.(?= )|(?![\w-]|\.\w))", meant, question)
    return Reworded(question, taken)


def _meant(said: str, index: Cells) -> str:
    """The only measure that has these initials; empty where there is none, or where the letters are a word."""
    word = said.lower()
    if phrase(word) != (word,) or any(_is_word(word, language) for language in languages().values()):
        return ""
    meant = index.spelled_out(word)
    return next(iter(meant)) if len(meant) == 1 else ""


def _begun(said: str, index: Cells) -> str:
    """The only measure that begins with some letters, and goes on: *gr.* is a *grade*."""
    word = said.lower()
    if word in index.measured or any(_is_word(word, language) for language in languages().values()):
        return ""
    begun = [each for each in index.measured if each.startswith(word) and len(each) > len(word) + 1 and " " not in each]
    return begun[0] if len(begun) == 1 else ""


def _is_word(word: str, language: Language) -> bool:
    """True where a language has anything to say of a word, its units and measures among them."""
    is_light = any(word in said for said in language.light)
    is_measured = any(word in each.units or word in each.verbs for each in language.dimensions)
    return is_light or is_measured or word in language.words | language.measures | language.idle


def _abbreviated(question: str, index: Cells) -> Reworded:
    """The question with initials for a measure of which the collection has only these, the longest measure first.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("CP",)), (("Heron", "4"), ("Plover", "2")))
    >>> _abbreviated("crew places of the Heron?", CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))]))
    Reworded(text='CP of the Heron?', taken={'crew places': 'CP'})
    """
    words = list(_WORD.finditer(question))
    for size in range(_MOST_WORDS, _FEWEST_WORDS - 1, -1):
        for first in range(len(words) - size + 1):
            stretch = words[first : first + size]
            start, end = stretch[0].start(), stretch[-1].end()
            initials = "".join(word[0][0] for word in stretch).upper()
            if initials in index.short_heads and _is_unknown(
                [word[0].lower() for word in stretch], question[start:end], index
            ):
                return Reworded(question[:start] + initials + question[end:], {question[start:end]: initials})
    return Reworded(question, {})


def _is_unknown(words: Sequence[str], text: str, index: Cells) -> bool:
    """True for words side by side that begin and end with what the collection has no measure and no name by."""
    ends = (words[0], words[-1])
    small = any(word in language.small | language.asking for word in ends for language in languages().values())
    is_phrase = all(gap.isspace() or gap in "- " for gap in re.findall(r"[^\w]+", text))
    said = [token for word in ends for token in phrase(word)]
    return is_phrase and not small and not any(word in index.measured for word in said)
