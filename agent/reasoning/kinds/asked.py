"""The noun phrase that a question asks for, behind *which*, *how many* or *list*, without its verb."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.languages.phrases import found
from agent.reasoning.kinds.members import is_kind
from agent.understanding.question.conditions import negation_in
from agent.understanding.question.tagged import Tagged
from agent.understanding.question.verbs import before_places, verb_of_kind
from agent.understanding.words.clauses import COMMA, is_plural
from agent.understanding.words.related import may_be_verb
from retrieval.tables.index import Cells
from retrieval.tables.names import key_of
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import is_number

_KIND_AND_MORE = 2
"""The fewest words of a question that also says which members of a kind are meant."""


def asked_for(question: Tagged, index: Cells) -> tuple[tuple[str, ...], int | None]:
    """Return the words of the asked noun phrase, which follows *which*, *what*, *how many* or *list*, and the place of
    a counting noun before it.

    For *suits of armor* the phrase is the armor, unless the collection has suits.
    """
    start = _start(question, index)
    words = _stretch(question, start)
    behind = start + len(words)
    words = _without_measure(question, words, behind, index)
    is_counted = question.tokens[behind : behind + 1] and question.tokens[behind] in question.language.partitive
    if len(words) != 1 or not is_counted or is_kind(words[0], index) or words[0] in index.measure_words:
        return words, None
    things = _stretch(question, behind + 1)
    return (things, start) if things and is_kind(things[-1], index) else (words, None)


def kind_alone(question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the words for a kind that a question without a question word begins with, if it restricts the kind: *boats
    from Hull*. *Boats* alone may ask for a description.
    """
    free = question.language.function_words | question.language.asking - question.soft
    start = next((i for i, token in enumerate(question.tokens) if not (i in question.asking or token in free)), 0)
    words = _stretch(question, start)
    is_asked = not question.language.kinds.isdisjoint(question.tokens) or question.operation is not None
    if not words or is_asked or len(question.words()) < _KIND_AND_MORE:
        return ()
    is_one_of = start > 0 and question.tokens[start - 1] in question.language.indefinite  # *is there a red boat*
    if len(words) == len(question.words()) and not (is_plural(words[-1], question.question) or is_one_of):
        return ()  # *Reed type* asks for the type of one; *Hull boats* are several
    return words if is_kind(words[-1], index) or len(index.of_kind(words[-1])) > 1 else ()


def _without_measure(question: Tagged, words: tuple[str, ...], place: int, index: Cells) -> tuple[str, ...]:
    """Return the words for a kind, without a measure behind them that a number limits: *boats* of *boats cost 5
    crowns*.
    """
    is_limited = any(each.place == place for each in question.numbers)
    is_measure = len(words) > 1 and is_kind(words[-2], index) and _measures(words[-1], question, index)
    is_measure = is_measure and not any(each.start < place - 1 < each.end for each in question.names)
    return words[:-1] if is_limited and is_measure else words


def _measures(word: str, question: Tagged, index: Cells) -> bool:
    """True for a word of column headers or labels, and for one that the language lists as a measure."""
    dimensions = question.language.dimensions
    return word in index.measure_words or any(word in each.measures | each.verbs for each in dimensions)


def _start(question: Tagged, index: Cells) -> int:
    """Return the place of the first word of the asked noun phrase; the end of the question if there is none.

    A command word may itself name a kind of the collection: *list the targets*.
    """
    tokens, language = question.tokens, question.language
    commands = language.listing | {said[-1] for _, said in language.commands}
    passed = language.function_words | language.asking
    begins = next((i for i, token in enumerate(tokens) if token in commands or token not in passed), 0)
    asks = not language.kinds.isdisjoint(tokens[:begins])  # *which boats in the list* is no command
    if tokens[begins : begins + 1] and tokens[begins] in commands and not asks:
        rest = range(begins + 1, len(tokens))
        idle = language.function_words | language.every
        called = {token for token in tokens if token not in idle and is_kind(token, index)}
        return next((i for i in rest if tokens[i] not in passed or tokens[i] in called), len(tokens))
    if begins and tokens[begins - 1] in language.every and not asks and question.operation is None:
        return begins  # *give me all boats that …*
    said = (i for i in question.places(language.kinds) if i not in question.context_places)
    start = next(said, len(tokens)) + 1
    while tokens[start + 1 : start + 2] and _only_selects(start, question, index):
        start += 1  # *how many different looms*
    if tokens[start : start + 1] and tokens[start] in language.partitive:
        start += 1  # *how many of the looms*, *which of these two looms*
        start += tokens[start] in language.articles | language.pronouns
    return start + 1 if tokens[start : start + 1] and is_number(tokens[start]) else start  # *which two looms*


def _only_selects(place: int, question: Tagged, index: Cells) -> bool:
    """True for a question word before others that names nothing in the collection: *different*, *listed*."""
    token, language = question.tokens[place], question.language
    is_asking = token in language.asking and token not in language.function_words | language.ends.keys() | question.soft
    return is_asking and _is_word(question.tokens[place + 1]) and not is_kind(token, index)


def _stretch(question: Tagged, start: int) -> tuple[str, ...]:
    """Return the words from a place to the first that ends a name."""
    tokens, place = question.tokens, start
    while place < len(tokens) and _is_word(tokens[place]) and not _ends_name(place, question, is_first=place == start):
        place += 1
    return tokens[start:place]


def _is_word(token: str) -> bool:
    return token.replace(" ", "").isalpha() or is_identifier(token)


def without_verb(question: Tagged, asked: tuple[str, ...], index: Cells) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the asked noun phrase without the verb behind it, and the verbs that are unknown to the collection: *run*
    in *which floating cranes run on diesel*, *need* in *do not need*, *offer* in *does Hull offer*.
    """
    tokens, negation = question.tokens, negation_in(question)
    asked, stripped = _without_known_verb(asked, question, index), asked
    denied = tokens[negation + 1 : negation + 2] if negation is not None else ()
    may_be = (*asked[1:][-1:], *stripped[len(asked) :][:1], *denied)
    verbs = {word for word in may_be if is_unknown(word, question, index)}
    verbs |= {word for word in stripped[len(asked) :][:1] if _only_joins(word, question, index)}
    if (infinitive := infinitive_at(question, index)) is not None:
        verbs.add(tokens[infinitive])
    return (asked[:-1] if asked[-1:] and asked[-1] in verbs else asked), frozenset(verbs)


def _only_joins(verb: str, question: Tagged, index: Cells) -> bool:
    """True for a verb before a preposition that is no measure and no value: *play* in *which clubs play at Hull*."""
    before = before_places(question.language)
    is_joining = any(one == verb and other in before for one, other in pairwise(question.tokens))
    return is_joining and not (verb in index.measure_words or index.holding(verb))


def _without_known_verb(asked: tuple[str, ...], question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the asked noun phrase without a verb that is also a word of the collection: the *plan* of *which plan
    allows the most*, and the *cloth* of *which cloth uses up the most*.
    """
    behind = "".join(question.tokens[place_behind(asked, question.tokens) :][:1])
    while len(asked) > 1 and (asked[-1:] in question.language.light) and not is_kind(asked[-1], index):
        asked = asked[:-1]
    for at, (noun, word) in enumerate(pairwise(asked), 1):
        is_last = at == len(asked) - 1
        is_free = not _is_kind_itself(word, index) and (is_last or is_kind(noun, index))
        if is_free and verb_of_kind(asked[: at + 1], behind if is_last else asked[at + 1], question):
            return asked[:at]
    return asked


def _is_kind_itself(word: str, index: Cells) -> bool:
    """True for a word of kinds, not just for its form: the *players* don't make *play* a kind."""
    return is_kind(word, index) and any(word in index.grid(number).kinds for number in index.of_kind(word))


def place_behind(asked: Sequence[str], tokens: Sequence[str]) -> int:
    """Return the place behind the asked noun phrase; a place beyond the question if its words are not
    adjacent there.
    """
    start = found(tokens, tuple(asked))
    return (len(tokens) if start is None else start) + len(asked)


def kind_asked(question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the asked noun phrase, without the verb behind it."""
    words, _ = asked_for(question, index)
    return without_verb(question, words, index)[0]


def infinitive_at(question: Tagged, index: Cells) -> int | None:
    """Return the place of a verb that ends a question with *does* and is unknown to the collection: the *offer* of *how
    many boats does Hull offer*, the *come* of *does it come with*. A word behind an article is a noun.
    """
    tokens, language = question.tokens, question.language
    place = len(tokens) - 1
    while place >= 0 and (tokens[place] == COMMA or tokens[place] in language.function_words):
        place -= 1
    if tokens[max(0, place - 1)] in language.articles:
        return None
    support = language.support | (language.past - language.copulas)
    is_asked = not support.isdisjoint(tokens[: max(0, place)]) and place not in question.asking
    is_behind_name = any(each.end == place for each in question.names) and may_be_verb(tokens[place], language)
    is_free = is_behind_name and tokens[place] not in index.measure_words
    return place if is_asked and (is_free or is_unknown(tokens[place], question, index)) else None


def is_unknown(word: str, question: Tagged, index: Cells) -> bool:
    """True for a word that is no measure, kind, value or part of a name in the collection, and no synonym of
    a measure.
    """
    language = question.language
    measures = word in index.measure_words or word in language.same_measures or word in language.adjectives
    if measures or is_number(word) or word in language.function_words or index.measure_forms(word):
        return False
    return not (index.of_kind(word) or index.holding(word) or index.names_with_words([word]))


def is_amount(asked: Sequence[str], index: Cells) -> bool:
    """True for *how many hit points*, which asks for a value, not for a number of members."""
    key = key_of(asked)
    return bool(key) and bool(index.measures([key])) and not any(is_kind(word, index) for word in asked)


def loose_words(asked: Sequence[str], index: Cells) -> tuple[str, ...]:
    """Return the words of the asked noun phrase that members need not match: the only one, or all behind the first,
    which chooses the members (*which curry recipes*). Words that name a kind of the collection are excluded.
    """
    first = 0 if len(asked) > 1 else -1
    return tuple(word for n, word in enumerate(asked) if n > first and not is_kind(word, index))


def behind_family(asked: Sequence[str]) -> tuple[str, ...]:
    """Return the words of the asked noun phrase behind an identifier, which chooses the members: *c5 instance
    sizes*.
    """
    family = next((n for n, word in enumerate(asked) if is_identifier(word)), len(asked))
    return tuple(asked[family + 1 :])


def _ends_name(place: int, question: Tagged, *, is_first: bool) -> bool:
    """True for a question word, a function word, a word for a limit, *over 40 t*, or a verb like *contains*."""
    token, language = question.tokens[place], question.language
    if token in language.ends and any(each.start <= place < each.end - 1 for each in question.names):
        return False  # *greater spells*, if that is a name
    if not is_first and token in language.asking and token not in question.soft:
        return True
    if not is_first and token in language.holding | language.negations:
        return True
    return (
        place in question.asking
        or token in language.function_words
        or token in language.ends
        or token in language.worth
    )
