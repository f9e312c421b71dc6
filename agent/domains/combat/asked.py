"""Whether a question asks for something else than who wins: a measure that the book knows of those whom it names.

*Which has more hit points, …?* and *how many attacks …?* do. A word that nobody knows asks for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.domains.combat.facts import has_number_behind
from agent.domains.combat.mentions import ARMOR, CONTEST, VERSUS
from agent.domains.combat.words import MEASURES, TERMS
from agent.languages.language import english
from agent.languages.phrases import found
from agent.understanding.clauses import COMMA
from agent.understanding.lexicon import Lexicon
from retrieval.tables.measures import canonical
from retrieval.text.normal import STOP_WORDS, is_number, title_key
from retrieval.text.vocabulary import vocabulary

_OPERATIONS = frozenset({"difference", "count", "ratio"})
_ROLLS = frozenset({"save", "saving", "roll", "need", "hit"})
"""What is asked of a die, and not of a fight."""
_BEING = frozenset({"is", "are", "be", "am", "was", "were", "rather"})


def asks_something(texts: Sequence[Sequence[str]], subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """True where anything is asked of those who are named but who wins."""
    return any(
        _asks_operation(tokens) or _asks_measure(tokens) or _asks_label(tokens, subjects, lexicon)
        or _asks_end(tokens, subjects, lexicon)
        for tokens in texts
    )  # fmt: skip


def asks_in_the_end(texts: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """*A knight kills an ogre. What is his experience?*: the last sentence asks for a measure, and for no fight."""
    last = texts[-1]
    if len(texts) < 2 or not CONTEST.isdisjoint(last) or not VERSUS.isdisjoint(last):
        return False
    is_question = not (english().kinds | {"how"}).isdisjoint(last[:1])
    places = [i for i, token in enumerate(last) if canonical(token) in TERMS | MEASURES and token not in ARMOR]
    return is_question and any(not _has_number(last, i) for i in places)


def _asks_operation(tokens: Sequence[str]) -> bool:
    """*What is the difference …*, *how many …*, *explain …*."""
    language = english()
    operations = [said for name, said in language.operations if name in _OPERATIONS]
    prose = [said for said in language.prose if len(said) == 1]
    return any(found(tuple(tokens), said) is not None for said in (*operations, *prose))


def _asks_measure(tokens: Sequence[str]) -> bool:
    """A measure without its number, or a roll."""
    if not _ROLLS.isdisjoint(tokens):
        return True
    return any(token in MEASURES and not _has_number(tokens, i) for i, token in enumerate(tokens))


def _has_number(tokens: Sequence[str], place: int) -> bool:
    """True where a number stands beside a measure: *AC 3*, *an armor class of 3*, *16 strength*."""
    return has_number_behind(tokens, place) or (place > 0 and is_number(tokens[place - 1]))


def _asks_label(tokens: Sequence[str], subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """A label under which the book has values of those who are named."""
    named = {word for subject in subjects for word in subject}
    said = set(tokens) - named - MEASURES
    return any(words <= said for words in _labels(subjects, lexicon))


def _labels(subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> Iterator[set[str]]:
    """The labels as words, but for those that are in every question about a fight."""
    ignored = {title_key(word) for word in (*vocabulary().drawn, *vocabulary().never)} | lexicon.names.keys()
    for subject in subjects:
        for label in lexicon.labels.get(title_key(" ".join(subject)), ()):
            words = set(label.split())
            is_thing = label in lexicon.things
            if label not in ignored and not is_thing and not words <= STOP_WORDS and not any(map(is_number, words)):
                yield words


def _asks_end(tokens: Sequence[str], subjects: Sequence[Sequence[str]], lexicon: Lexicon) -> bool:
    """A comparative that speaks of a measure of theirs (*faster*), or of what stands behind it (*more charm*)."""
    for i, token in enumerate(tokens):
        behind = tokens[i + 1] if i + 1 < len(tokens) else COMMA
        measures = _compared(tokens, i)
        if measures:
            if any(measure in words for words in _labels(subjects, lexicon) for measure in measures):
                return True
        elif (
            english().degree_of(token) != "positive"
            and token in english().ends
            and _BEING.isdisjoint(tokens[max(0, i - 1) : i])
            and _is_noun(behind)
        ):
            return True
    return False


def _compared(tokens: Sequence[str], place: int) -> Sequence[str]:
    """The measures that an adjective speaks of, where it compares: *faster*, *more expensive*."""
    adjective = english().adjectives.get(tokens[place])
    if adjective is None or tokens[place] in english().ends:
        return ()
    before = tokens[place - 1] if place else ""
    if adjective.degree == "positive" and before not in english().ends and before not in english().before_adjectives:
        return ()
    return () if adjective.scale.alone else adjective.scale.measures


def _is_noun(token: str) -> bool:
    """What may be a measure that is asked for: *more charm*, and not *more likely*, *fewer than 3*."""
    return token not in STOP_WORDS | {COMMA, "likely"} and not is_number(token)
