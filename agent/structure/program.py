"""What a question asks of cells: whose, which value, under which numbers, and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from retrieval.tables.bind import Binding, Key

End = Literal["low", "high", "better", "worse"]


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody or something that a question names: in its own words, by its key, and with the numbers beside it."""

    text: str
    key: str
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """A question after its names are linked to the collection.

    `subjects` are alternatives where there are several. `words` say which value is asked, `wording` is their text, and
    `implied` are the measures that adjectives name. `verbs` are those of the words that stand behind the subject and
    may say nothing of it (*is a troll worth*). `prefer` is the end of the scale, `best` that one of a whole kind is
    wanted, `counts` that an amount is.
    """

    question: str
    subjects: tuple[Subject, ...]
    words: tuple[str, ...]
    wording: str = ""
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verbs: frozenset[str] = frozenset()
    prefer: End | None = None
    best: bool = False
    counts: bool = False

    @property
    def measures(self) -> tuple[str, ...]:
        """The words, adjectives as the measures that they name."""
        return tuple(dict.fromkeys(each for word in self.words for each in self.implied.get(word) or (word,)))


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found for one subject: the bindings that fit alike, the best first."""

    subject: Subject
    found: tuple[Binding, ...]
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """A question with the cells that answer it. `whole` says that nothing of the question is left out of account.

    `measure` is what is asked in the words of the cells. `rank` is set where one of a kind is wanted: then `readings`
    are of all its members.
    """

    linked: Linked
    readings: tuple[Reading, ...]
    measure: str
    whole: bool
    rank: bool = False
