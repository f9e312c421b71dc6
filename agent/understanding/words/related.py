"""What words of a question mean of this collection's measures, where it has none by that word: *built* a *builder*."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from agent.languages.language import Language
from agent.languages.thesaurus.thesaurus import Related, thesaurus
from retrieval.text.normal import phrase

_ROOT = 4
"""Letters that a word has in common with another that is made of it."""
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
"""Words that hyphens make one."""


def related_measures(
    question: str, tokens: Sequence[str], places: Iterable[int], language: Language, measures: Collection[str]
) -> Mapping[int, tuple[str, ...]]:
    """The words of measures that may be said for those at some places, by place; for a word of several that hyphens
    join none may.

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
        if not word.isalpha() or word in language.small or word in joined:
            continue
        meant = measures_of_verb(word, language) | (frozenset() if word in measures else meanings(word, language))
        found[i] = tuple(sorted(meant.intersection(measures)))
    return {i: words for i, words in found.items() if words}


def measures_of_verb(word: str, language: Language) -> frozenset[str]:
    """The measures of what a verb speaks of: the *price* of *how much do I pay*; none where it may be of a load too, as
    *take*.

    >>> from agent.languages.language import english
    >>> "price" in measures_of_verb("pay", english()), measures_of_verb("take", english())
    (True, frozenset())
    """
    if any(word in each.bearing for each in language.dimensions):
        return frozenset()
    return frozenset().union(*(each.measures for each in language.dimensions if word in each.verbs)) - {word}


def is_made_of(word: str, measures: Iterable[str]) -> bool:
    """True where one of some measures that mean a word is made of it.

    >>> is_made_of("multiply", ["multiplier"]), is_made_of("transmit", ["channel"]), is_made_of("packing", ["pack"])
    (True, False, False)
    """
    return any(len(measure) > len(word) and measure[:_ROOT] == word[:_ROOT] for measure in measures)


def only_relates(tokens: Sequence[str], place: int, language: Language) -> bool:
    """True for a verb or an adverb, and for no word by which the language asks for a measure: *how much does it cost*.

    A participle is one behind *is* or *who*: elsewhere it says which is meant, as in *failed courses*. What stands
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
    """The verbs by which a language asks for measures, and those that may be of a load too."""
    return frozenset[str]().union(*(each.verbs | each.bearing for each in language.dimensions))


@lru_cache(maxsize=16)
def _before_participles(language: Language) -> frozenset[str]:
    """What a participle that is a verb stands behind."""
    persons = {said for each in language.answers.get("person", ()) for said in each}
    return language.copulas | language.helpers | language.past | persons


def meanings(word: str, language: Language) -> frozenset[str]:
    """The words that mean the same as one, or are made of it.

    >>> from agent.languages.language import english
    >>> "salary" in meanings("pay", english())
    True
    """
    return _known(word, language).same


def is_adjective(word: str, language: Language) -> bool:
    """True for a word that may be an adjective.

    >>> from agent.languages.language import english
    >>> is_adjective("sharp", english()), is_adjective("crane", english())
    (True, False)
    """
    return "a" in _known(word, language).parts


def is_superlative(word: str, language: Language) -> bool:
    """True for the highest degree of any adjective, whatever it is a degree of.

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
    """True for a word that may be a noun, and for one that nobody knows: it may be a name. The past of a verb is none.

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
    """True for a word that may be a verb and nothing else.

    >>> from agent.languages.language import english
    >>> is_verb("allow", english()), is_verb("load", english())
    (True, False)
    """
    return _known(word, language).parts == {"v"}


def contraries(word: str, language: Language) -> frozenset[str]:
    """The words that say the contrary of one.

    >>> from agent.languages.language import english
    >>> {"sell", "selling"} <= contraries("buy", english())
    True
    """
    own = _known(word, language)
    return own.against.union(*(meanings(each, language) for each in own.against)) - own.same - {word}


def _known(word: str, language: Language) -> Related:
    """What the thesaurus of a language knows of a word; nothing where there is none."""
    known = thesaurus(language.name.casefold())
    return Related() if known is None else known.related(word)
