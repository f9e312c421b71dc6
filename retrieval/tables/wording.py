"""The words of a question, each compared once with each word of the collection's labels.

A word matches a label that has it in any form, that has a measure it implies (*heavy*: weight), whose initials it is
(*ac*), or that is the initials of several words of the question (*PQ*).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from retrieval.tables.match import first_matching, label_words, matches_any, measure_forms, same_word
from retrieval.text.calendar import covered_by
from retrieval.text.normal import phrase

_NEARLY = 0.9
"""The share of a label that matches only indirectly."""
_MANY_MORE = 3
"""The letters by which a longer form may exceed its beginning, if it is also asked or the beginning implies a
measure.
"""
_LATER = 0.001
"""What a label counts less for each measure that the word implies before it."""
_INEXACT = 0.01
"""What a word of a label that the question has in another form counts less: *week* asks for no *weekend*."""
_NONE = frozenset[str]()


class LabelFit(NamedTuple):
    """The fit of a label: the question's words that it matches, the share of it that was asked for, and the words that
    it only implies and that do not make up a whole part.
    """

    words: frozenset[str]
    share: float
    indirect: frozenset[str]


NO_FIT = LabelFit(_NONE, 0.0, _NONE)
"""The fit of a label that matches no word."""


class _Part(NamedTuple):
    """A part of a label, compared with the question.

    `label_words` are its words and `asked` those that the question has. `direct`, `meant` and `spelled` are the
    question's words that it matches by itself, by a measure that they imply, and by initials that stand for them.
    `initials` are its own, without and with function words. `implied_weight` is the number of words, slightly reduced,
    of a part that is only an implied measure; `later` counts the measures that a word implies before the part's own.
    """

    label_words: tuple[str, ...]
    asked: frozenset[str]
    direct: frozenset[str]
    meant: frozenset[str]
    spelled: frozenset[str]
    initials: tuple[str, str]
    implied_weight: float
    later: int


class Wording:
    """Some words of a question, in order.

    `implied_measures` maps words to the measures that they imply; `function_words` never count as initials. Words in
    one of `stretches` are adjacent; without any, all are. `explained_initials` stand only for their explained words. Of
    a label that begins with one of the `counting` phrases only the rest counts.

    >>> wording = Wording(("how", "heavy", "ogre"), {"heavy": ("weight", "mass")})
    >>> sorted(wording.fit("Weight (lb)").words), sorted(Wording(("panoptic", "quality"), {}).fit("PQ").words)
    (['heavy'], ['panoptic', 'quality'])
    """

    def __init__(
        self,
        words: Sequence[str],
        implied_measures: Mapping[str, Collection[str]],
        function_words: frozenset[str] = frozenset(),
        stretches: Sequence[Sequence[str]] = (),
        explained_initials: Mapping[str, frozenset[str]] | None = None,
        counting: Collection[tuple[str, ...]] = (),
    ) -> None:
        self._words, self._implied_measures, self._counting = frozenset(words), implied_measures, counting
        self._measures = frozenset(each for means in implied_measures.values() for each in means)
        self._begun: dict[str, list[str]] = {}
        for word in self._words:
            self._begun.setdefault(word[:1], []).append(word)
        self._letters = frozenset(word for word in self._words - function_words if len(word) > 1)
        self._matches_by_word: dict[str, frozenset[str]] = {}
        self._parts: dict[str, _Part] = {}
        pairs = (pair for each in stretches or (words,) for pair in _initials(each))
        whole = ((said, told) for said, told in pairs if {told[0], told[-1]} <= self._words)  # stop words only within
        meant = {said: told for said, told in whole if _may_stand_for(said, told, explained_initials or {})}
        self._by_initials = {said: self._words.intersection(told) for said, told in meant.items()}

    def matched_by(self, said: Iterable[str]) -> frozenset[str]:
        """Return the words of the question that some other words match."""
        return _NONE.union(*map(self._matches_of, said))

    def matched_by_name(self, said: Collection[str]) -> frozenset[str]:
        """Return the words of the question that the words of a name match, directly or by their initials."""
        return self.matched_by(said).union(*map(self._by_initials.__getitem__, self._by_initials.keys() & said))

    def fit(self, row: str, column: str = "") -> LabelFit:
        """Return the fit of a label made of a row's and a column's label.

        The cells of a table combine few parts into many labels, so each part is compared once.
        """
        one, other = self._part(row), self._part(column)
        short = self._named_by_initials(one, other)
        direct, meant = one.direct | other.direct, one.meant | other.meant
        own = direct | meant | one.spelled | other.spelled | short
        if not own:
            return NO_FIT
        said = one.asked | other.asked
        asked = len(said) - _INEXACT * len(said - self._words) + one.implied_weight + other.implied_weight
        share = asked / (len(one.label_words) + len(other.label_words)) if asked else _NEARLY  # initials, or adjectives
        share -= _LATER * max(one.later, other.later)
        as_such = _NONE.union(*(part.meant for part in (one, other) if part.implied_weight))
        return LabelFit(own, share, meant - direct - as_such)

    def _matches_of(self, said: str) -> frozenset[str]:
        begun = self._begun.get(said[:1])  # all forms of a word share it
        if begun is None:
            return _NONE
        if said not in self._matches_by_word:
            short = len(said) - _MANY_MORE if said in self._words else 0
            told = (word for word in begun if len(word) > short and _is_form(word, said))
            self._matches_by_word[said] = frozenset(word for word in told if not self._only_begins(word, said))
        return self._matches_by_word[said]

    def _only_begins(self, word: str, said: str) -> bool:
        """True if a word that implies a measure is only the beginning of a longer word: *long* is not *longitude*."""
        return word in self._implied_measures and said.startswith(word) and len(said) - len(word) > _MANY_MORE

    def _part(self, text: str) -> _Part:
        if text not in self._parts:
            self._parts[text] = self._compared(text)
        return self._parts[text]

    def _compared(self, text: str) -> _Part:
        said, initials = _label(text)
        counted = without_lead(phrase(text), self._counting)
        said = tuple(word for word in said if word in counted) or said
        said += tuple(word for word in covered_by(text) if self._matches_of(word))
        spelled = _NONE.union(*(self._by_initials.get(word, ()) for word in said))
        told = {word: self._matches_of(word) for word in said}
        asked = frozenset(word for word in said if told[word] or word in self._by_initials)
        measures = [word for word in said if matches_any(word, self._measures)] if self._measures else []
        means = _NEARLY * len(said) if not asked and len(measures) == len(said) else 0.0
        meant = self._meant(said) if measures else _NONE
        later = self._later(meant, said) if meant and not asked else 0
        return _Part(said, asked, _NONE.union(*told.values()), meant, spelled, initials, means, later)

    def _meant(self, said: Sequence[str]) -> frozenset[str]:
        """Return the words that imply a measure which the label has."""
        return frozenset(word for word, means in self._implied_measures.items() if measure_forms(means, said))

    def _later(self, meant: Collection[str], said: Sequence[str]) -> int:
        """Return how many measures the words imply before the first that the label has: *long* is a length first."""
        return min(first_matching(self._implied_measures[word], said) for word in meant)

    def _named_by_initials(self, one: _Part, other: _Part) -> frozenset[str]:
        """Return the words that are the initials of a label of two or more words, without or with its function
        words.
        """
        (said, whole), (other_said, other_whole) = one.initials, other.initials
        short = {said + other_said, whole + other_whole}
        return self._letters.intersection(short)


def without_lead(said: Sequence[str], leads: Collection[tuple[str, ...]]) -> Sequence[str]:
    """Return words without the longest of some phrases that they begin with.

    >>> without_lead(("number", "of", "wick"), [("how", "many"), ("number", "of")])
    ('wick',)
    """
    size = max((len(lead) for lead in leads if tuple(said[: len(lead)]) == lead), default=0)
    return said[size:] or said


@lru_cache(maxsize=65536)
def _label(text: str) -> tuple[tuple[str, ...], tuple[str, str]]:
    """Return the words of a label and its initials, without and with function words; a label of only these keeps
    them.
    """
    said = label_words(text) or phrase(text)
    return said, (_first_letters(said), _first_letters(phrase(text)))


def _is_form(asked: str, said: str) -> bool:
    """True for forms of one word, a verb and its *-ing* noun included, where a final *e* is dropped.

    >>> _is_form("save", "saving"), _is_form("plate", "platinum")
    (True, False)
    """
    return same_word(asked, said) or (asked.endswith("e") and said == f"{asked[:-1]}ing")


def _first_letters(tokens: Sequence[str]) -> str:
    """Return the initials of some words; a term of two words is one token, but both its words count.

    >>> _first_letters(("damage", "per", "round")), _first_letters(("armor class",)), _first_letters(("damage",))
    ('dpr', 'ac', 'd')
    """
    return "".join(word[0] for word in " ".join(tokens).split())


def _may_stand_for(letters: str, said: Collection[str], explained: Mapping[str, frozenset[str]]) -> bool:
    """True if the initials are not explained in the texts, or explained as these words.

    >>> _may_stand_for("dw", ("dry", "weight"), {"DW": frozenset({"door width"})})
    False
    """
    texts = explained.get(letters.upper())
    return texts is None or any(all(matches_any(word, phrase(text)) for word in said) for text in texts)


def _initials(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the initials of each run of adjacent words, with the run."""
    for start in range(len(words)):
        for end in range(start + 2, len(words) + 1):
            stretch = tuple(words[start:end])
            if all(map(str.isalpha, stretch)):
                yield _first_letters(stretch), stretch
