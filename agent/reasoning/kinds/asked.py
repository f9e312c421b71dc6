"""What a question asks for: the words for the kind, behind *which*, *how many* or *list*, without their verb."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.languages.phrases import found
from agent.reasoning.kinds.members import is_kind
from agent.understanding.question.conditions import negation_in
from agent.understanding.question.tagged import Tagged
from agent.understanding.question.verbs import verb_of_kind
from agent.understanding.words.clauses import COMMA, is_plural
from retrieval.tables.index import Cells
from retrieval.tables.names import key_of
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import is_number

_KIND_AND_MORE = 2
"""Words that a question has which says of which of a kind it is."""


def asked_for(question: Tagged, index: Cells) -> tuple[tuple[str, ...], int | None]:
    """The words for what is asked for: those side by side behind *which*, *what*, *how many* or *list*; and the place
    of a word that they are counted in.

    Of *suits of armor* it is the armor, where nothing here is called a suit.
    """
    start = _start(question, index)
    words = _stretch(question, start)
    behind = start + len(words)
    words = _without_measure(question, words, behind, index)
    is_counted = question.tokens[behind : behind + 1] and question.tokens[behind] in question.language.partitive
    if len(words) != 1 or not is_counted or is_kind(words[0], index) or words[0] in index.measured:
        return words, None
    things = _stretch(question, behind + 1)
    return (things, start) if things and is_kind(things[-1], index) else (words, None)


def kind_alone(question: Tagged, index: Cells) -> tuple[str, ...]:
    """The words for a kind that a question without a word that asks begins with, where it says which of it: *boats from
    Hull*; *boats* may ask for all that is said of them.
    """
    free = question.language.small | question.language.asking - question.soft
    start = next((i for i, token in enumerate(question.tokens) if not (i in question.asking or token in free)), 0)
    words = _stretch(question, start)
    is_asked = not question.language.kinds.isdisjoint(question.tokens) or question.operation is not None
    if not words or is_asked or len(question.words()) < _KIND_AND_MORE:
        return ()
    if len(words) == len(question.words()) and not is_plural(words[-1], question.question):
        return ()  # *Reed type* asks for that of one; *Hull boats* are some
    return words if is_kind(words[-1], index) or len(index.of_kind(words[-1])) > 1 else ()


def _without_measure(question: Tagged, words: tuple[str, ...], place: int, index: Cells) -> tuple[str, ...]:
    """The words for a kind without the measure behind them that a number limits: of *boats cost 5 crowns* the boats."""
    is_limited = any(each.place == place for each in question.numbers)
    is_measure = len(words) > 1 and is_kind(words[-2], index) and _measures(words[-1], question, index)
    is_measure = is_measure and not any(each.start < place - 1 < each.end for each in question.names)
    return words[:-1] if is_limited and is_measure else words


def _measures(word: str, question: Tagged, index: Cells) -> bool:
    """True for a word of heads and labels, and for one that the language knows for what numbers are of."""
    dimensions = question.language.dimensions
    return word in index.measured or any(word in each.measures | each.verbs for each in dimensions)


def _start(question: Tagged, index: Cells) -> int:
    """The place of the first word for what is asked for; the end of the question where there is none.

    A word that only asks elsewhere, and that things are called by here, is one: *list the targets*.
    """
    tokens, language = question.tokens, question.language
    commands = language.listing | {said[-1] for _, said in language.commands}
    passed = language.small | language.asking
    begins = next((i for i, token in enumerate(tokens) if token in commands or token not in passed), 0)
    asks = not language.kinds.isdisjoint(tokens[:begins])  # *which boats in the list* commands nothing
    if tokens[begins : begins + 1] and tokens[begins] in commands and not asks:
        rest = range(begins + 1, len(tokens))
        idle = language.small | language.every
        called = {token for token in tokens if token not in idle and is_kind(token, index)}
        return next((i for i in rest if tokens[i] not in passed or tokens[i] in called), len(tokens))
    said = (i for i in question.places(language.kinds) if i not in question.aside)
    start = next(said, len(tokens)) + 1
    while tokens[start + 1 : start + 2] and _only_selects(start, question, index):
        start += 1  # *how many different looms*
    if tokens[start : start + 1] and tokens[start] in language.partitive:
        start += 1  # *how many of the looms*, *which of these two looms*
        start += tokens[start] in language.articles | language.pronouns
    return start + 1 if tokens[start : start + 1] and is_number(tokens[start]) else start  # *which two looms*


def _only_selects(place: int, question: Tagged, index: Cells) -> bool:
    """True for a word before others that asks, and that nothing is called by here: *different*, *listed*."""
    token, language = question.tokens[place], question.language
    is_asking = token in language.asking and token not in language.small | language.ends.keys() | question.soft
    return is_asking and _is_word(question.tokens[place + 1]) and not is_kind(token, index)


def _stretch(question: Tagged, start: int) -> tuple[str, ...]:
    """The words from a place to the first that is no part of a name."""
    tokens, place = question.tokens, start
    while place < len(tokens) and _is_word(tokens[place]) and not _ends_name(place, question, is_first=place == start):
        place += 1
    return tokens[start:place]


def _is_word(token: str) -> bool:
    return token.replace(" ", "").isalpha() or is_identifier(token)


def without_verb(question: Tagged, asked: tuple[str, ...], index: Cells) -> tuple[tuple[str, ...], frozenset[str]]:
    """What is asked for without the verb behind it, and the verbs that nothing in the collection is called by: *run*
    of *which floating cranes run on diesel*, *need* of *do not need*, *offer* of *does Hull offer*.
    """
    tokens, negation = question.tokens, negation_in(question)
    asked, stripped = _without_known_verb(asked, question, index), asked
    denied = tokens[negation + 1 : negation + 2] if negation is not None else ()
    may_be = (*asked[1:][-1:], *stripped[len(asked) :][:1], *denied)
    verbs = {word for word in may_be if is_unknown(word, question, index)}
    if (infinitive := infinitive_at(question, index)) is not None:
        verbs.add(tokens[infinitive])
    return (asked[:-1] if asked[-1:] and asked[-1] in verbs else asked), frozenset(verbs)


def _without_known_verb(asked: tuple[str, ...], question: Tagged, index: Cells) -> tuple[str, ...]:
    """What is asked for without a verb that is a word of the collection too: the *plan* of *which plan allows the
    most*, and the *cloth* of *which cloth uses up the most*.
    """
    behind = "".join(question.tokens[place_behind(asked, question.tokens) :][:1])
    while len(asked) > 1 and (asked[-1:] in question.language.light) and not is_kind(asked[-1], index):
        asked = asked[:-1]
    for at, (noun, word) in enumerate(pairwise(asked), 1):
        is_last = at == len(asked) - 1
        is_free = not is_kind(word, index) and (is_last or is_kind(noun, index))
        if is_free and verb_of_kind(asked[: at + 1], behind if is_last else asked[at + 1], question):
            return asked[:at]
    return asked


def place_behind(asked: Sequence[str], tokens: Sequence[str]) -> int:
    """The place behind the words for what is asked for; beyond the question where they do not stand side by side."""
    start = found(tokens, tuple(asked))
    return (len(tokens) if start is None else start) + len(asked)


def kind_asked(question: Tagged, index: Cells) -> tuple[str, ...]:
    """The words for what is asked for, without the verb behind them."""
    words, _ = asked_for(question, index)
    return without_verb(question, words, index)[0]


def infinitive_at(question: Tagged, index: Cells) -> int | None:
    """The place of the verb that ends a question with *does*, and that nothing in the collection is called by: the
    *offer* of *how many boats does Hull offer*, the *come* of *does it come with*; behind an article stands a noun.
    """
    tokens, language = question.tokens, question.language
    place = len(tokens) - 1
    while place >= 0 and (tokens[place] == COMMA or tokens[place] in language.small):
        place -= 1
    if tokens[max(0, place - 1)] in language.articles:
        return None
    is_asked = not language.support.isdisjoint(tokens[: max(0, place)]) and place not in question.asking
    return place if is_asked and is_unknown(tokens[place], question, index) else None


def is_unknown(word: str, question: Tagged, index: Cells) -> bool:
    """True for a word that is no measure, kind, value or part of a name here, nor another word for a measure."""
    language = question.language
    measures = word in index.measured or word in language.same_measures or word in language.adjectives
    if measures or is_number(word) or word in language.small:
        return False
    return not (index.of_kind(word) or index.holding(word) or index.holders([word]))


def is_amount(asked: Sequence[str], index: Cells) -> bool:
    """True for *how many hit points*, which asks for a value of somebody and for no number of members."""
    key = key_of(asked)
    return bool(key) and bool(index.measures([key])) and not any(is_kind(word, index) for word in asked)


def loose_words(asked: Sequence[str], index: Cells) -> tuple[str, ...]:
    """Of the words for what is asked for those that no member has to be called by: the only one, and those behind one
    that tells who is meant (*which curry recipes*), unless the collection calls many so.
    """
    first = 0 if len(asked) > 1 else -1
    return tuple(word for n, word in enumerate(asked) if n > first and not is_kind(word, index))


def behind_family(asked: Sequence[str]) -> tuple[str, ...]:
    """The words for what is asked for behind an identifier, which tells who is meant: *c5 instance sizes*."""
    family = next((n for n, word in enumerate(asked) if is_identifier(word)), len(asked))
    return tuple(asked[family + 1 :])


def _ends_name(place: int, question: Tagged, *, is_first: bool) -> bool:
    """True for a word that asks, or makes a limit of a number, *over 40 t*, and for *contains*."""
    token, language = question.tokens[place], question.language
    if not is_first and token in language.asking and token not in question.soft:
        return True
    if not is_first and token in language.holding | language.lacking:
        return True
    return place in question.asking or token in language.small or token in language.ends or token in language.worth
