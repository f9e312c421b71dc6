"""The words with which a language asks for values, read from its file in this folder; one file is one language."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from agent.languages.degrees import forms, stem_of
from agent.languages.lists import listed
from agent.languages.phrases import Phrase
from agent.languages.requests import Requests
from agent.languages.scales import Adjective, Degree, Dimension, Ending, Ranges, Scale
from retrieval.text.normal import STOP_WORDS, phrase
from retrieval.text.vocabulary import vocabulary

FOLDER = Path(__file__).parent
DEFAULT = "english"
"""The language of a question with equally many words of several; the normal form of texts is made for it."""
_LONG_UNIT = 4
"""Least letters of a unit that other units may end with."""


@dataclass(frozen=True)
class Language(Requests):
    """One language's words for asking, as in its file; `common` are additional function words."""

    common: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def name(self) -> str:
        """The name of the language."""
        return str(self.data["name"])

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that identify a question in this language: all that ask, compare, join or count."""
        said = (word for each in (*self._all_phrases(), *self.numbers) for word in phrase(each))
        degrees = {*self.adjectives, *self.worth, *self.ends}
        return self.function_words | self.asking | degrees | frozenset(said)

    def _all_phrases(self) -> Iterator[str]:
        for section in ("operations", "commands", "questions", "answers", "names"):
            for said in self._section(section).values():
                yield from said

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Function words: articles, pronouns, auxiliaries, and words that ask or join."""
        asking = self.kinds | self.before_adjectives | self.whether | {word for said in self.amounts for word in said}
        between = self.joining | self.beside | self.of_each | self.copulas | frozenset(self.between)
        pronouns = self.persons | self.pronouns
        return self.common | self.articles | asking | between | pronouns | self._words("asking", "small")

    @cached_property
    def asking(self) -> frozenset[str]:
        """Words that ask or name an operation, including those of the domains, but no measures."""
        said = self.auxiliaries | self._words("asking", "verbs") | self.others | self.same | self.every
        said |= {word for each in self.prose for word in each}
        said |= self.reaching | self.required | self.in_order | self.listing | self.values
        of_domains = {word for each in vocabulary().asking for word in phrase(each)}
        return (self.function_words - self._negating) | said | of_domains | self.ends.keys()

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions of numbers."""
        found = [
            Dimension(
                frozenset(each.get("measures", ())),
                frozenset(self._conjugated(each.get("verbs", ()))),
                frozenset(each.get("units", ())),
                frozenset(each.get("bearing", ())),
            )
            for each in self.data.get("dimensions", ())
        ]
        return (*found, Dimension(self.dates, frozenset(), frozenset(self.months)))

    @cached_property
    def units(self) -> frozenset[str]:
        """The units of all dimensions."""
        return frozenset().union(*(each.units for each in self.dimensions))

    def _conjugated(self, verbs: Collection[str]) -> Iterator[str]:
        """Yield verbs and their participles: *charged*, *weighing*."""
        yield from verbs
        stems = [stem_of(verb, self._section("degrees")) for verb in verbs]
        yield from (stem + ending for stem in stems for ending in self.participles)

    @cached_property
    def long_units(self) -> tuple[str, ...]:
        """Units so long that other units may end with them: *kilometre* ends with *metre*."""
        return tuple(unit for each in self.dimensions for unit in each.units if len(unit) >= _LONG_UNIT)

    def measures_of(self, unit: str) -> frozenset[str]:
        """Return the measures of a unit, also with an *s* added, which the normal form removes from *mbps*."""
        forms = (unit, f"{unit}s") if len(unit) > 1 else (unit,)
        return frozenset().union(*(self._measures_by_unit.get(form, ()) for form in forms))

    @cached_property
    def _measures_by_unit(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for each in self.dimensions:
            found |= {unit: found.get(unit, frozenset()) | each.measures for unit in each.units}
        return found

    @cached_property
    def ranges(self) -> Ranges:
        """Words for a range of numbers and for its ends."""
        return Ranges(*(self._words("ranges", name) for name in ("whole", "low", "high", "endless", "limits")))

    @cached_property
    def magnitudes(self) -> Mapping[str, frozenset[str]]:
        """The words for the magnitude that a letter before a counted noun stands for, by letter."""
        return {letter: frozenset(words) for letter, words in self._section("magnitudes").items()}

    possible = listed("asking", "possible")
    """Auxiliaries that ask for possible values of a range: *may go above 9%*."""

    @cached_property
    def links(self) -> frozenset[str]:
        """Verbs between what is asked for and its definition."""
        return self.copulas | self._words("verbs", "links")

    further = listed("asking", "further")
    """Words before an additional amount: *another 20 gp*."""

    past = listed("verbs", "past")
    """Verbs in the past tense."""

    @cached_property
    def helpers(self) -> frozenset[str]:
        """Verbs that begin a yes-no question."""
        return self.links | self.past | self.auxiliaries | self.support | self._words("verbs", "helpers")

    @cached_property
    def sums(self) -> frozenset[Phrase]:
        """Names of rows that summarise all others, and are no entity."""
        return frozenset((*self._phrases("operations", "total"), *self._phrases("operations", "average")))

    support = listed("verbs", "support")
    """Auxiliaries of a question that ends with its verb: *what engine does it use*."""

    @cached_property
    def idle(self) -> frozenset[str]:
        """Words of a question that a sentence need not have to answer it."""
        return self.function_words | self.helpers | self.light_words | self.others

    @cached_property
    def light_words(self) -> frozenset[str]:
        """The words of verbs and particles that say little beside others."""
        return frozenset(word for said in self.light for word in said)

    @cached_property
    def others(self) -> frozenset[str]:
        """Words that only stress or restrict another word: *also*, *only*."""
        return self._words("asking", "others") | self.both | self.pleas

    @cached_property
    def negations(self) -> frozenset[str]:
        """Words that negate a question, or say that there is none of something."""
        return self._negating | self.lacking

    lacking = listed("questions", "lacking")
    """Negations that say that there is none of what follows."""

    reaching = listed("keys", "reaching")
    """Verbs that ask for the first key that reaches a value: *what grade do I need*."""

    values = listed("asking", "values")
    """Words for any value: *number* in *the greatest number of guests*."""

    required = listed("keys", "required")
    """Words in a label for a value that has to be reached: *pots required*."""

    @cached_property
    def _negating(self) -> frozenset[str]:
        return self._words("questions", "negations")

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Words before what is asked for: *which*, and the last word of *how many*."""
        counting = {said[-1] for said in self.amounts if ("count", said) in self.operations}
        return self._words("questions", "kinds") | counting

    whether = listed("questions", "whether")
    """Words that begin a yes-no question within a sentence."""

    @cached_property
    def persons(self) -> frozenset[str]:
        """The pronouns for the asker and the addressee."""
        return self.speakers | self._words("questions", "persons")

    speakers = listed("questions", "speakers")
    """Pronouns of `persons` that stand before their verb."""

    anybody = listed("questions", "anybody")
    """Words for any person."""

    addressed = listed("questions", "addressed")
    """Pronouns of `persons` with which a book addresses its reader."""

    pronouns = listed("sentences", "pronouns")
    """The pronouns that refer to earlier names."""

    partitive = listed("questions", "partitive")
    """Words between a counting noun and the things it counts: *of* in *suits of armor*."""

    ranking = listed("questions", "ranking")
    """Words before the measure of a rank."""

    yes = listed("flags", "yes")
    """Cell values for true."""

    @cached_property
    def no(self) -> frozenset[str]:
        """Cell values for false."""
        return self._words("flags", "no") | self.lacking

    @cached_property
    def articles(self) -> frozenset[str]:
        """The articles."""
        return self.indefinite | self._words("questions", "articles")

    indefinite = listed("questions", "indefinite")
    """The indefinite articles."""

    @cached_property
    def auxiliaries(self) -> frozenset[str]:
        """Words before a verb."""
        return self._words("asking", "auxiliaries") | self.possible

    copulas = listed("questions", "copulas")
    """Words that join a subject to its complement."""

    before_adjectives = listed("questions", "degrees")
    """Words that ask for the degree of an adjective: *how heavy*."""

    in_order = listed("names", "in_order")
    """Words that assign the items of one list to those of another in order."""

    beside = listed("names", "beside")
    """Further words that may stand between names."""

    @cached_property
    def of_each(self) -> frozenset[str]:
        """Words that may be repeated before each name of a list: *of an orc and of a troll*."""
        return self._words("names", "of_each") | self.partitive

    again = listed("names", "again")
    """Words that stand for a measure named before: *than that of*."""

    @cached_property
    def numbers(self) -> Mapping[str, str]:
        """Number words that the normal form does not know, with their digits."""
        return {phrase(word)[0]: str(number) for word, number in self._section("numbers").items()}

    @cached_property
    def limits(self) -> Mapping[Phrase, str]:
        """Phrases that make a number a limit, with the notation of table labels."""
        return {phrase(said): limit for said, limit in self._section("limits").items()}

    @cached_property
    def adjectives(self) -> Mapping[str, Adjective]:
        """Every form of the adjectives that grade measures."""
        found: dict[str, Adjective] = {}
        for each in self.data.get("scales", ()):
            ends = _normal(each.get("high", ())), _normal(each.get("low", ()))
            instead, of_any = _normal(each.get("instead", ())), each.get("of_any", False)
            doing = _normal(each.get("doing", ()))
            counts = each.get("counts", False)
            scale = Scale(*ends, each.get("alone", False), instead, each.get("usual"), of_any, doing, counts)
            for up, name in ((True, "more"), (False, "less")):
                for word in each.get(name, ()):
                    found |= {
                        form: Adjective(scale, up, degree) for form, degree in forms(word, self._section("degrees"))
                    }
        return found

    @cached_property
    def comparatives(self) -> frozenset[str]:
        """The comparatives and superlatives of all adjectives."""
        degrees = (word for word, adjective in self.adjectives.items() if adjective.degree != "positive")
        return frozenset(degrees) | self.worth.keys()

    @cached_property
    def same_measures(self) -> Mapping[str, Phrase]:
        """For each measure, those at an end of the same scale: *price* and *cost*. Scales for any amount do not count:
        *area* is not *volume*.
        """
        scales = {each.scale for each in self.adjectives.values() if not each.scale.of_any}
        found: dict[str, Phrase] = {}
        for same in (same for scale in scales for same in (scale.high, scale.low)):
            found |= {word: (*found.get(word, ()), *same) for word in same}
        return found

    @cached_property
    def measures(self) -> frozenset[str]:
        """Every measure that an adjective grades."""
        return frozenset(word for each in self.adjectives.values() for word in each.scale.measures)

    @cached_property
    def quantities(self) -> frozenset[str]:
        """Every measure that the language knows, by an adjective or by a dimension."""
        return self.measures.union(*(each.measures for each in self.dimensions))

    @cached_property
    def worth(self) -> Mapping[str, Ending]:
        """The forms of *good* and *bad*: the high end is the better one."""
        return {
            form: Ending(name == "better", degree)
            for name in ("better", "worse")
            for word in self._section("worth").get(name, ())
            for form, degree in forms(word, self._section("degrees"))
            if degree != "positive"
        }

    low_is_better = listed("worth", "low")
    """Measures that are better the lower they are."""

    prices = listed("worth", "prices")
    """Measures of what is paid: lower is better for all of them."""

    levels = listed("worth", "levels")
    """Axes along which everything gets better."""

    @cached_property
    def ends(self) -> Mapping[str, Ending]:
        """Words that ask for an end of any scale."""
        ends = self._section("ends")
        return {
            word: Ending(name == "high", degree)
            for name in ("high", "low")
            for degree, words in ends.get(name, {}).items()
            for said in words
            for word in phrase(said)
        }

    def degree_of(self, word: str) -> Degree | None:
        """Return the degree of a word for an end of a scale, or of an adjective; None for others.

        >>> english().degree_of("heaviest"), english().degree_of("fewer"), english().degree_of("tower")
        ('superlative', 'comparative', None)
        """
        return self._degrees.get(word)

    @cached_property
    def _degrees(self) -> Mapping[str, Degree]:
        return {word: each.degree for said in (self.adjectives, self.worth, self.ends) for word, each in said.items()}

    @cached_property
    def adverbs(self) -> Mapping[str, str]:
        """The superlatives that adverbs at the end of a clause stand for: *which came first*."""
        return {phrase(word)[0]: means for word, means in self._section("degrees").get("adverbs", {}).items()}

    @cached_property
    def of_all(self) -> tuple[Phrase, ...]:
        """Phrases that make a comparative a superlative: *more than any other*."""
        return self._phrases("ends", "of_all")


def _normal(words: Collection[str]) -> Phrase:
    return tuple(" ".join(phrase(word)) for word in words)


def read_languages(folder: Path) -> dict[str, Language]:
    """Read every language file in a folder; return the languages by file name, the default one first."""
    paths = sorted(folder.glob("*.toml"), key=lambda path: (path.stem != DEFAULT, path.stem))
    found = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}
    return {name: Language(data, STOP_WORDS if name == DEFAULT else frozenset()) for name, data in found.items()}


@lru_cache(maxsize=4)
def languages(folder: Path = FOLDER) -> Mapping[str, Language]:
    """Return the languages in a folder; they are read once, at the first use."""
    return read_languages(folder)


def english() -> Language:
    """Return English."""
    return languages()[DEFAULT]


def language_of(tokens: Sequence[str], known: Mapping[str, Language]) -> Language:
    """Return the language that a question has most words of; the first one of a tie.

    >>> language_of(phrase("Was ist der Unterschied im Preis?"), languages()).name
    'German'
    """
    return max(known.values(), key=lambda language: sum(token in language.words for token in tokens))
