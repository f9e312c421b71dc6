"""Words of a question that are verbs by their position: *hire* in *you can hire*, *load* in *it loads most*.

A word that may also be a noun is a verb behind *can* and *you*, and where it agrees with the noun before it as a verb
does: *which plan allows the most*, *which beasts drop hides*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.languages.language import Language
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import in_own_words
from agent.understanding.words.related import is_past_verb, may_be_verb
from retrieval.text.normal import is_number


def verbs_behind(question: Tagged) -> Iterator[int]:
    """Yield the places of the words directly behind *can* and *you*.

    >>> from agent.understanding.question.tagged import tagged
    >>> asked = tagged("What is the dearest boat you can hire, and which can I row?")
    >>> [asked.tokens[place] for place in verbs_behind(asked)]
    ['hire', 'row']
    """
    tokens, language = question.tokens, question.language
    before = language.possible | language.auxiliaries | {*language.speakers}
    for place in range(1, len(tokens)):
        if tokens[place - 1] in before and tokens[place].isalpha() and tokens[place] not in _no_verbs(language):
            yield place


def verb_of_kind(asked: Sequence[str], behind: str, question: Tagged) -> str:
    """Return the last word of the kind if it agrees with the noun before it as a verb: a singular noun takes *allows*
    before an object, a plural one *drop*. Return an empty text otherwise. `behind` is the token behind it.

    >>> from agent.understanding.question.tagged import tagged
    >>> verb_of_kind(("plan", "allow"), "the", tagged("Which plan allows the most boats?"))
    'allow'
    >>> verb_of_kind(("cargo", "boat"), "have", tagged("Which cargo boats have a crane?"))
    ''
    """
    language = question.language
    if len(asked) < 2 or not may_be_verb(asked[-1], language):
        return ""
    noun, verb = (in_own_words((word,), question.question).casefold() for word in asked[-2:])
    is_plural, has_ending = noun != asked[-2], verb != asked[-1]
    is_graded = language.degree_of(behind) in ("comparative", "superlative")  # *which bath closes latest*
    has_object = is_graded or behind in language.articles | before_places(language) or is_number(behind)
    if has_object and is_past_verb(asked[-1], language):
        return asked[-1]  # *which player scored 10 goals*
    return asked[-1] if (is_plural and not has_ending) or (has_ending and not is_plural and has_object) else ""


def before_places(language: Language) -> frozenset[str]:
    """Return the prepositions that follow a verb: *plays at*, *sails for*."""
    return language.statement_words("places") | language.beside | language.of_each


def _no_verbs(language: Language) -> frozenset[str]:
    """Return the function words and auxiliaries, which are no main verbs."""
    return frozenset(
        language.function_words | language.speakers | language.helpers | language.copulas | language.asking
    )
