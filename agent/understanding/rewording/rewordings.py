"""Reword the measures of a question as the collection writes them: correct slips, expand or form initials.

*What hit pionts has it* asks for *hit points*, *the CR of a troll* for its *challenge rating*. *Crew places* may be
*CP* in the collection and the number of parameters *MParams*, and *how much is it* asks for the price. Each wording is
bound in turn until one succeeds. The answer states what was taken for what.
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
from agent.understanding.rewording.elided import with_owned
from agent.understanding.rewording.in_full import explained_initials
from agent.understanding.words.clauses import COMMA, in_own_words, tokens_of
from agent.understanding.words.related import is_adjective, synonyms_of
from retrieval.tables.index import Cells
from retrieval.tables.match import begins, is_slip
from retrieval.tables.remembered import cached_by_collection
from retrieval.text.normal import phrase
from retrieval.text.spelling import singular

_WORD = re.compile(r"[^\W\d_]+")
_CAPITAL = re.compile(r"(?<=[^\W_] )[A-Z][a-z]{3,}\b")
_SHORT = re.compile(
    r"(?<![\w.-])(?P<initials>[A-Z]{2,5})s?(?![\w-]|\.\w)|(?<![\w.-])(?P<word>[a-z]{2,5})(?![\w-]|\.\w)"
)
_CUT = re.compile(r"\. ?(?=[a-z\d])| (?=\d)")
"""What follows an abbreviated word: a point within a sentence, or a number."""
_IN_FULL = re.compile(r"(?P<words>(?:[^\W\d_]+ ){2,5})\((?P<initials>[A-Z]{2,5})\)")
_YEARS = re.compile(r"\b\w+ (?P<first>(?:1\d|20)\d\d) \w+ (?P<last>(?:1\d|20)\d\d)\b")
"""A span of years: *from 2019 to 2023*, *between 2019 and 2023*."""
_COUNTING = re.compile(r"(?<!\w)(?P<letter>[A-Za-z])(?P<thing>[A-Z][a-z]{2,}s)(?!\w)")
"""A label that counts in thousands or millions by a letter: *MParams*."""
_FEWEST_LETTERS = 4
"""Least letters of a word that may be what is counted."""
_FEWEST_WORDS, _MOST_WORDS = 2, 5
"""Number of words that initials stand for."""


class Reworded(NamedTuple):
    """A question in other words, and which of its words were replaced by which."""

    text: str
    replacements: Mapping[str, str]


def rewordings(question: str, index: Cells) -> Iterator[Reworded]:
    """Yield the wordings in which a question may be bound: with a label of initials for the words that explain it, then
    as it is written, then with what it leaves implicit.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> heads = (("Boat",), ("Hull load",), ("CP",), ("Price",), ("Length",), ("KRivs",))
    >>> boats = Table("Boats", heads, (("Heron", *"12345"), ("Norway coast", *"23456")))
    >>> index = CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))])
    >>> for text in ("HL of the Heron?", "crew places of the Heron?", "How much is a Heron?", "The minimum length?"):
    ...     print(list(rewordings(text, index))[1])
    Reworded(text='hull load of the Heron?', replacements={'HL': 'hull load'})
    Reworded(text='CP of the Heron?', replacements={'crew places': 'CP'})
    Reworded(text='How much is a Heron: cost?', replacements={'how much': 'cost'})
    Reworded(text='The lowest length?', replacements={'minimum': 'lowest'})
    >>> texts = ("All rivets?", "The Norwegian coast?")
    >>> [each.replacements for text in texts for each in rewordings(text, index)][1::2]
    [{'rivets': 'KRivs'}, {'Norwegian': 'Norway'}]
    """
    full = explained_initials(question, index)
    if full is not None:
        yield _with({full.said: full.label}, question)
    yield _spelled(question, index.measure_words)
    language = language_of(tokens_of(question), languages())
    for resolve in (
        _priced,
        _of_meaning,
        _of_change,
        _explained,
        _spelled_out,
        _abbreviated,
        _counted,
        _of_end,
        _of_graded,
        _of_place,
        _of_last_owner,
    ):
        resolved = resolve(question, index, language)
        if resolved is not None and resolved.replacements:
            spelled = _spelled(resolved.text, index.measure_words)
            yield Reworded(spelled.text, {**spelled.replacements, **resolved.replacements})


def _with(taken: Mapping[str, str], question: str) -> Reworded:
    """Return the question with whole words replaced."""
    for said, meant in taken.items():
        question = re.sub(rf"\b{re.escape(said)}\b", meant.replace("\\", r"\\"), question)
    return Reworded(question, taken)


def _priced(question: str, index: Cells, language: Language) -> Reworded | None:
    """Return the question with the price as its measure, if only names stand beside *how much is*."""
    tokens = tokens_of(question)
    uncounted = [said for said in language.amounts if ("count", said) not in language.operations]
    said = next((each for each in uncounted if tuple(tokens[: len(each)]) == each), ())
    price = _price(language)
    if not (said and price) or tokens[len(said)] not in language.copulas:
        return None
    named = set[int]().union(*(each.places for each in mentions_of(tokens, index)))
    rest = (token for i, token in enumerate(tokens) if i > len(said) and i not in named)
    if not named or not all(token in language.function_words or token == COMMA for token in rest):
        return None
    return Reworded(f"{question.rstrip(' ?!.')}: {price}?", {" ".join(said): price})


def _of_meaning(question: str, index: Cells, language: Language) -> Reworded | None:
    """Return a question of what something means as one for the label of meanings; None if there is no such label."""
    tokens = [token for token in tokens_of(question) if token != COMMA]
    first, last = tokens[:2], "".join(tokens[-1:])
    is_asked = len(tokens) > len(first) + 1 and first[0] in language.kinds and first[1] in language.support
    labels = index.heads_with(index.measure_forms(last)) if is_asked and last in language.links else []
    label = next((each for each in labels if len(phrase(each)) == 1), None)
    if label is None:
        return None
    subject = in_own_words(tokens[2:-1], question)
    return Reworded(f"{tokens[0]} {min(language.copulas)} {label} {max(language.partitive)} {subject}", {last: label})


def _explained(question: str, index: Cells, _: Language) -> Reworded | None:
    """Return the question without the words whose initials stand behind them in brackets, *charge temperature (CT)*, if
    a label has the initials, or else without the initials.
    """
    match = _IN_FULL.search(question)
    initials = match["initials"].casefold() if match else ""
    words = match["words"].split()[-len(initials) :] if match else []
    if match is None or "".join(word[0].casefold() for word in words) != initials:
        return None
    said = " ".join(words)
    meant = match["initials"] if initials in index.measure_words else said
    whole = f"{said} ({match['initials']})"
    return Reworded(question.replace(whole, meant), {whole: meant})


def _of_change(question: str, index: Cells, language: Language) -> Reworded | None:
    """Return the question of a change between two years as one for their difference, for tables with a year each."""
    years = _YEARS.search(question)
    said = next((word for word in _WORD.findall(question) if word.casefold() in language.changing), None)
    words = language.wordings
    if years is None or said is None or not {"differ", "in_both"} <= words.keys():
        return None
    both = words["in_both"].format(first=years["first"], last=years["last"])
    return Reworded(question.replace(years[0], both).replace(said, words["differ"]), {said: words["differ"]})


def _counted(question: str, index: Cells, language: Language) -> Reworded | None:
    """Return the question with a label in thousands or millions for what it counts; None unless exactly one fits."""
    labels = _counting(index, language)
    found: dict[tuple[str, ...], tuple[str, str, frozenset[str]]] = {}
    for word in _WORD.findall(question) if labels else ():
        for label, thing, magnitudes in labels:
            if len(word) >= _FEWEST_LETTERS and begins(thing, "".join(phrase(word))):
                found[phrase(label)] = word, label, magnitudes
    if len(found) != 1:
        return None
    ((said, label, magnitudes),) = found.values()
    text = _with({said: label}, question).text
    for word in magnitudes:
        text = re.sub(rf"\b{word}s?\b", "", text, flags=re.IGNORECASE)
    return Reworded(text, {said: label})


@cached_by_collection(16)
def _counting(index: Cells, language: Language) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Return the labels that count by a letter: each with what it counts, and the words for the magnitude."""
    written = {word for word in index.measure_words if word[:1] in language.magnitudes}
    matches = (match for name in index.heads_with(written) for match in _COUNTING.finditer(name))
    told = ((match, language.magnitudes.get(match["letter"].lower())) for match in matches)
    return tuple((match[0], "".join(phrase(match["thing"])), words) for match, words in told if words is not None)


def _of_end(question: str, index: Cells, language: Language) -> Reworded | None:
    """Return the question with a superlative for the end of a measure that no label has: *the maximum length*."""
    for said, measure in pairwise(tokens_of(question)):
        is_high = said in language.ranges.high
        if (
            (is_high or said in language.ranges.low)
            and measure in index.measure_words
            and said not in index.measure_words
        ):
            end = extreme(language.ends, high=is_high)
            return Reworded(re.sub(rf"\b{said}\b", end, question, flags=re.IGNORECASE), {said: end})
    return None


def _of_graded(question: str, index: Cells, language: Language) -> Reworded | None:
    """Return the question with the measure of a word that is said of any, if the thesaurus relates exactly one measure
    of the collection to it: *which is higher by height*. A noun behind the word is another measure: *the higher toll*.
    """
    for said, behind in pairwise((*tokens_of(question), COMMA)):
        if said not in language.ends or said in language.adjectives or behind not in language.function_words | {COMMA}:
            continue
        graded = {word for each in language.adjectives.values() for word in each.scale.measures}
        related = synonyms_of(said, language) & index.measure_words & graded
        if len(related) == 1:
            (measure,) = related
            text = re.sub(rf"\b{said}\b", rf"\g<0> by {measure}", question, flags=re.IGNORECASE)
            return Reworded(text, {said: f"{said} by {measure}"})
    return None


def _of_place(question: str, index: Cells, language: Language) -> Reworded:
    """Return the question with place names for adjectives derived from them, if only the place names are in names."""
    taken: dict[str, str] = {}
    for match in _CAPITAL.finditer(question):
        word = phrase(match[0])[0]
        if word in index.measure_words or index.names_with_words([word]) or not is_adjective(word, language):
            continue
        places = [each for each in synonyms_of(word, language) if index.names_with_words([each])]
        taken |= {match[0]: places[0].capitalize()} if len(places) == 1 else {}
    return _with(taken, question)


def _of_last_owner(question: str, _: Cells, language: Language) -> Reworded | None:
    """Return the question with what the last owner has, where it leaves that out."""
    told = with_owned(question, language)
    return None if told is None else Reworded(told[0], {told[1]: told[2]})


def _price(language: Language) -> str:
    """Return the first name of the price measure; empty if the language has no adjective for it."""
    scales = (adjective.scale for adjective in language.adjectives.values())
    return next((scale.high[0] for scale in scales if not language.prices.isdisjoint(scale.high)), "")


def _spelled(question: str, measures: frozenset[str]) -> Reworded:
    """Return the question with a misspelled word corrected in a measure of several words.

    Such a measure is one token of the normal form, so nothing else compares its words one by one. Words that the
    collection or the language knows are not corrected.

    >>> _spelled("What hit pionts has it?", frozenset({"hit points", "speed"}))
    Reworded(text='What hit points has it?', replacements={'pionts': 'points'})
    """
    words = [match[0] for match in _WORD.finditer(question)]
    own = [singular(word.lower()) for word in words]
    taken: dict[str, str] = {}
    for said in _of_several_words(measures):
        for start in range(len(words) - len(said) + 1):
            others = [(at, right) for at, right in enumerate(said, start) if own[at] != singular(right)]
            if len(others) == 1 and _is_slip(words[others[0][0]], others[0][1], measures):
                taken |= {words[at]: right for at, right in others}
    return _with(taken, question)


@lru_cache(maxsize=64)
def _of_several_words(measures: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return the measures that have several words: hardly any of a thousand."""
    return tuple(tuple(each.split()) for each in measures if " " in each)


def _is_slip(word: str, right: str, measures: Collection[str]) -> bool:
    one = singular(word.lower())
    is_known = one in measures or any(one in language.words for language in languages().values())
    return not is_known and is_slip(one, singular(right))


def _spelled_out(question: str, index: Cells, _: Language) -> Reworded:
    """Return the question with the initials of measures spelled out."""
    taken: dict[str, str] = {}
    for match in _SHORT.finditer(question):
        is_cut = _CUT.match(question, match.end()) is not None
        meant = _meant(match["initials"] or match["word"], index) or (
            _abbreviated_measure(match[0], index) if is_cut else ""
        )
        if match[0] not in taken and meant:
            taken[match[0]] = meant
    for said, meant in taken.items():
        question = re.sub(rf"(?<![\w.-]){said}(?:\.(?= )|(?![\w-]|\.\w))", meant, question)
    return Reworded(question, taken)


def _meant(said: str, index: Cells) -> str:
    """Return the only measure with these initials; empty if it is not exactly one, or if the letters are a word."""
    word = said.lower()
    if phrase(word) != (word,) or any(_is_word(word, language) for language in languages().values()):
        return ""
    meant = index.measures_by_initials(word)
    return next(iter(meant)) if len(meant) == 1 else ""


def _abbreviated_measure(said: str, index: Cells) -> str:
    """Return the only measure that these letters abbreviate: *gr.* is a *grade*."""
    word = said.lower()
    if word in index.measure_words or any(_is_word(word, language) for language in languages().values()):
        return ""
    begun = [
        each for each in index.measure_words if each.startswith(word) and len(each) > len(word) + 1 and " " not in each
    ]
    return begun[0] if len(begun) == 1 else ""


def _is_word(word: str, language: Language) -> bool:
    """True if a language knows a word, including its units and measures."""
    is_light = any(word in said for said in language.light)
    is_measured = any(word in each.units or word in each.verbs for each in language.dimensions)
    return is_light or is_measured or word in language.words | language.measures | language.idle


def _abbreviated(question: str, index: Cells, _: Language) -> Reworded | None:
    """Return the question with initials for a measure that the collection abbreviates, the longest measure first."""
    words = list(_WORD.finditer(question))
    for size in range(_MOST_WORDS, _FEWEST_WORDS - 1, -1):
        for first in range(len(words) - size + 1):
            stretch = words[first : first + size]
            said = question[stretch[0].start() : stretch[-1].end()]
            initials = "".join(word[0][0] for word in stretch).upper()
            if initials in index.short_heads and _is_unknown([word[0].lower() for word in stretch], said, index):
                return Reworded(
                    question[: stretch[0].start()] + initials + question[stretch[-1].end() :], {said: initials}
                )
    return None


def _is_unknown(words: Sequence[str], text: str, index: Cells) -> bool:
    """True for adjacent words whose first and last are neither function words nor in a measure of the collection."""
    ends = (words[0], words[-1])
    small = any(word in language.function_words | language.asking for word in ends for language in languages().values())
    is_phrase = all(gap.isspace() or gap in "- " for gap in re.findall(r"[^\w]+", text))
    said = [token for word in ends for token in phrase(word)]
    return is_phrase and not small and not any(word in index.measure_words for word in said)
