"""The words of a question, each compared once with each word of the collection that they are held against.

A word is told by a label that has it in any form, that has what it means (*heavy*: weight), whose initials it is
(*ac*), or that is the initials of several words of the question (*PQ*).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from retrieval.tables.match import is_told, said_words, same_word
from retrieval.text.normal import phrase

_NEARLY = 0.9
"""The share of a label that is told in other words."""
_NONE = frozenset[str]()


class LabelFit(NamedTuple):
    """What a label tells: words of the question, the share of it that was asked for, and the words that it tells in
    other words.
    """

    words: frozenset[str]
    share: float
    indirect: frozenset[str]


class Wording:
    """Some words of a question, in their order; `implied` are the measures that some of them mean.

    >>> wording = Wording(("how", "heavy", "ogre"), {"heavy": ("weight", "mass")})
    >>> sorted(wording.fit("Weight (lb)").words), sorted(Wording(("panoptic", "quality"), {}).fit("PQ").words)
    (['heavy'], ['panoptic', 'quality'])
    """

    def __init__(self, words: Sequence[str], implied: Mapping[str, Collection[str]]) -> None:
        self._words, self._implied = words, implied
        self._tells: dict[str, frozenset[str]] = {}
        self._labels: dict[str, LabelFit] = {}
        self._by_initials = dict(_initials(words))

    def told_by(self, said: Iterable[str]) -> frozenset[str]:
        """The words of the question that some other words tell."""
        return _NONE.union(*map(self._told, said))

    def fit(self, label: str) -> LabelFit:
        """What a label tells."""
        if label not in self._labels:
            self._labels[label] = self._fit(label)
        return self._labels[label]

    def _told(self, said: str) -> frozenset[str]:
        if said not in self._tells:
            self._tells[said] = frozenset(word for word in self._words if same_word(word, said))
        return self._tells[said]

    def _fit(self, label: str) -> LabelFit:
        said = said_words(label)
        direct = self.told_by(said)
        meant = self._meant(said) - direct
        own = direct.union(meant, self._named_by_initials(label), *(self._by_initials.get(word, ()) for word in said))
        told = sum(bool(self._told(word)) for word in set(said))
        share = told / len(said) if said else 0.0
        if own and not told:
            share = _NEARLY  # by its initials, or by what an adjective means
        return LabelFit(own, share, meant)

    def _meant(self, said: Sequence[str]) -> frozenset[str]:
        """The words of which a label has a measure that they mean."""
        return frozenset(word for word, means in self._implied.items() if any(is_told(each, said) for each in means))

    def _named_by_initials(self, label: str) -> frozenset[str]:
        """The words that are the initials of a label, its small words left out or not."""
        short = {_first_letters(said_words(label)), _first_letters(phrase(label))}
        return frozenset(word for word in self._words if word in short)


def _first_letters(tokens: Sequence[str]) -> str:
    """The initials of two words or more; a term of two words is one token, so its parts count.

    >>> _first_letters(("damage", "per", "round")), _first_letters(("armor class",)), _first_letters(("damage",))
    ('dpr', 'ac', '')
    """
    words = " ".join(tokens).split()
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _initials(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words side by side that some letters may stand for, by these."""
    for start in range(len(words)):
        for end in range(start + 2, len(words) + 1):
            stretch = tuple(words[start:end])
            if all(map(str.isalpha, stretch)):
                yield _first_letters(stretch), stretch
