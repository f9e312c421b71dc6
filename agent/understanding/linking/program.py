"""What a question asks of cells: whose, which value, under which numbers, and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.languages.operations import End, Operation
from agent.understanding.question.tagged import Tagged
from retrieval.tables.asked import Key
from retrieval.tables.bind import Binding


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody or something that a question names: in its own words, by its key, and with the numbers beside it.

    `words` are those that stand with the name and tell which of that name is meant.
    """

    text: str
    key: str
    keys: tuple[Key, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """A question after its names are linked to the collection.

    `subjects` are alternatives where there are several; they are `alike` where one name of the question may mean each
    of them. `words` say which value is asked, `wording` is their text, `stretches` those of them that stand side by
    side, `implied` are the measures that adjectives name, and `related` those that a thesaurus has for a word. `verbs`
    are those of the words that stand behind the subject and may say nothing of it (*is a troll worth*), `relating`
    other verbs and adverbs, `others` those that are names of the collection, and `rivals` those of them that are names
    of several words or stand beside the subjects as one more. `amount` is the word of what is counted, where an amount
    is wanted. `meant` tells which name was taken for what was said; where the subjects are alike, `called` is what the
    question calls them.
    """

    question: Tagged
    subjects: tuple[Subject, ...]
    words: tuple[str, ...]
    wording: str = ""
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verbs: frozenset[str] = frozenset()
    relating: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    rivals: frozenset[str] = frozenset()
    stretches: tuple[tuple[str, ...], ...] = ()
    amount: str | None = None
    alike: bool = False
    meant: tuple[str, ...] = ()
    called: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found for one subject: the bindings that fit alike, the best first.

    `assumed` is the label that is taken for what is asked, and `sure` whether it is another name of it; None where that
    was not looked at.
    """

    subject: Subject
    found: tuple[Binding, ...]
    assumed: str = ""
    sure: bool | None = None

    @property
    def name(self) -> str:
        """Who or what it is of."""
        return self.subject.text

    @property
    def best(self) -> Binding:
        """The binding that fits best."""
        return self.found[0]


@dataclass(frozen=True, slots=True)
class Bound:
    """A question with the cells that answer it. Nothing of the question is left out of account.

    `measure` is what is asked in the words of the cells. `operation` is what is done with the readings: for the best
    of a kind, a list of it and a count they are of all its members that the question lets pass. `end` is the end of
    the scale that is asked for. `unheeded` are words of the question that nothing in the collection tells or
    contradicts.

    `unsure` are the members of a kind of which it can't be told whether they meet the condition, and `without` those
    that were held against it, or against each other, and have no such value. `rank` counts from the end that is asked
    for: 2 is the next to the best; `top` are so many from there. `told` is what is asked of the best, where that is
    another value: the *voltage* of the heaviest. `uncalled` is a word that leaves it in doubt whether they are meant.
    `is_so` is what the value says to a question that is answered by yes or no; None for any other.
    """

    linked: Linked
    readings: tuple[Reading, ...]
    measure: str
    operation: Operation = "read"
    end: End | None = None
    unheeded: tuple[str, ...] = ()
    unsure: tuple[Reading, ...] = ()
    without: tuple[Reading, ...] = ()
    rank: int = 1
    top: int = 1
    told: tuple[Reading, ...] = ()
    uncalled: str = ""
    is_so: bool | None = None

    @property
    def is_low(self) -> bool:
        """True where the low end of the scale is asked for."""
        return self.end == "low"

    @property
    def is_of_kind(self) -> bool:
        """True for what is asked of all of a kind: the best of it, a list of it, how many, or the key of a value."""
        return self.operation in ("best", "list", "count")

    @property
    def is_open(self) -> bool:
        """True where it is not certain of somebody, or a word tells nothing or leaves it in doubt."""
        return bool(self.unsure or self.uncalled or self.unheeded)

    @property
    def judged(self) -> tuple[Reading, ...]:
        """All that was held against the question."""
        return (*self.readings, *self.unsure, *self.without)
