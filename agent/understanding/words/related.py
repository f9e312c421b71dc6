"""Match words of a question with the measures of a collection by a thesaurus: *built* with *builder*."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from agent.languages.language import Language
from agent.languages.thesaurus.thesaurus import Related, thesaurus
from retrieval.text.normal import phrase

_ROOT = 4
"""Letters that a word and its derivative have in common."""
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
"""Words joined by hyphens."""


def related_measures(
    question: str, tokens: Sequence[str], places: Iterable[int], language: Language, measures: Collection[str]
) -> Mapping[int, tuple[str, ...]]:
    """Return the measures that are synonyms of the words at some places, by place. A word of a hyphenated compound has
    none.

    >>> from agent.languages.language import english
    >>> related_measures("Who built it?", ("who", "built", "it"), (1, 2), english(), {"builder", "price"})
    {1: ('builder',)}
    >>> related_measures("A built-in lamp", ("a", "built", "in", "lamp"), (1,), english(), {"builder", "price"})
    {}
    """
    found: dict[int, tuple[str, ...]] = {}
    joined = {word for compound in _COMPOUND.findall(question) for word in phrase(compound)}
    for i in places if measures else ():
        word = tokens[i]
        if not word.isalpha() or word in language.function_words or word in joined:
            continue
        meant = measures_of_verb(word, language) | (frozenset() if word in measures else synonyms_of(word, language))
        found[i] = tuple(sorted(meant.intersection(measures)))
    return {i: words for i, words in found.items() if words}


def measures_of_verb(word: str, language: Language) -> frozenset[str]:
    """Return the measures of a verb: *price* for *how much do I pay*; none for a verb that may also be about a load, as
    *take*.

    >>> from agent.languages.language import english
    >>> "price" in measures_of_verb("pay", english()), measures_of_verb("take", english())
    (True, frozenset())
    """
    if any(word in each.bearing for each in language.dimensions):
        return frozenset()
    return frozenset().union(*(each.measures for each in language.dimensions if word in each.verbs)) - {word}


def derives_measure(word: str, measures: Iterable[str]) -> bool:
    """True if one of some measures derives from a word.

    >>> derives_measure("multiply", ["multiplier"])
    True
    >>> derives_measure("transmit", ["channel"]), derives_measure("packing", ["pack"])
    (False, False)
    """
    return any(len(measure) > len(word) and measure[:_ROOT] == word[:_ROOT] for measure in measures)


def only_relates(tokens: Sequence[str], place: int, language: Language) -> bool:
    """True for a verb or adverb, except one that asks for a measure in the language: *how much does it cost*.

    A participle counts as a verb behind *is* or *who*; elsewhere it is a modifier, as in *failed courses*. A word
    behind an article is a noun.

    >>> from agent.languages.language import english
    >>> [only_relates(text.split(), -1, english()) for text in ("may transmit", "it weigh", "is made", "many failed")]
    [True, False, True, False]
    """
    known, word = thesaurus(language.name.casefold()), tokens[place]
    before = tokens[place - 1]
    if known is None or before in language.articles or word in _verbs_of_measures(language):
        return False
    return known.is_relating(word) or (before in _before_participles(language) and known.is_past(word))


@lru_cache(maxsize=16)
def _verbs_of_measures(language: Language) -> frozenset[str]:
    """Return the verbs by which a language asks for measures, and those that may also be about a load."""
    return frozenset[str]().union(*(each.verbs | each.bearing for each in language.dimensions))


@lru_cache(maxsize=16)
def _before_participles(language: Language) -> frozenset[str]:
    """Return the words after which a participle is a verb."""
    persons = {said for each in language.answers.get("person", ()) for said in each}
    return language.copulas | language.helpers | language.past | persons


def synonyms_of(word: str, language: Language) -> frozenset[str]:
    """Return the synonyms and derivatives of a word.

    >>> from agent.languages.language import english
    >>> "salary" in synonyms_of("pay", english())
    True
    """
    return _known(word, language).same


def synonyms_and_forms_of(word: str, language: Language) -> frozenset[str]:
    """Return the synonyms and derivatives of a word, and its irregular forms: *begun*, for *began*.

    >>> from agent.languages.language import english
    >>> {"begun", "start"} <= synonyms_and_forms_of("began", english())
    True
    """
    known = thesaurus(language.name.casefold())
    return synonyms_of(word, language) | (frozenset() if known is None else known.irregular_forms(word)) - {word}


def is_past_verb(word: str, language: Language) -> bool:
    """True for the past form of a verb.

    >>> from agent.languages.language import english
    >>> is_past_verb("scored", english()), is_past_verb("score", english())
    (True, False)
    """
    known = thesaurus(language.name.casefold())
    return known is not None and known.is_past(word)


def is_adjective(word: str, language: Language) -> bool:
    """True for a word that may be an adjective.

    >>> from agent.languages.language import english
    >>> is_adjective("sharp", english()), is_adjective("crane", english())
    (True, False)
    """
    return "a" in _known(word, language).parts


def is_superlative(word: str, language: Language) -> bool:
    """True for the superlative of any adjective.

    >>> from agent.languages.language import english
    >>> [is_superlative(word, english()) for word in ("faintest", "honest", "faint")]
    [True, False, False]
    """
    known = thesaurus(language.name.casefold())
    return known is not None and known.is_superlative(word)


def may_be_verb(word: str, language: Language) -> bool:
    """True for a word that may be a verb.

    >>> from agent.languages.language import english
    >>> may_be_verb("allow", english()), may_be_verb("bandwidth", english())
    (True, False)
    """
    return "v" in _known(word, language).parts


def may_be_noun(word: str, language: Language) -> bool:
    """True for a word that may be a noun, and for an unknown word, which may be a name; the past of a verb is none.

    >>> from agent.languages.language import english
    >>> [may_be_noun(word, english()) for word in ("polluter", "cr20", "assume", "kept", "tall", "altogether")]
    [True, True, False, False, False, False]
    """
    known = thesaurus(language.name.casefold())
    if known is None:
        return True
    parts = known.related(word).parts
    return not parts or ("n" in parts and not known.is_past(word))


def is_verb(word: str, language: Language) -> bool:
    """True for a word that can only be a verb.

    >>> from agent.languages.language import english
    >>> is_verb("allow", english()), is_verb("load", english())
    (True, False)
    """
    return _known(word, language).parts == {"v"}


def antonyms_of(word: str, language: Language) -> frozenset[str]:
    """Return the antonyms of a word, with their synonyms.

    >>> from agent.languages.language import english
    >>> {"sell", "selling"} <= antonyms_of("buy", english())
    True
    """
    own = _known(word, language)
    return own.against.union(*(synonyms_of(each, language) for each in own.against)) - own.same - {word}


def _known(word: str, language: Language) -> Related:
    """Return the thesaurus entry of a word; empty if the language has no thesaurus."""
    known = thesaurus(language.name.casefold())
    return Related() if known is None else known.related(word)
