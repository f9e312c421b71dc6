"""What a question asks of cells: the subjects, the value, the numbers that select it, and the operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.languages.operations import End, Operation
from agent.understanding.question.tagged import Tagged
from retrieval.tables.asked import Key
from retrieval.tables.bind import Binding


@dataclass(frozen=True, slots=True)
class Subject:
    """An entity that a question names: its text in the question, its key, and the numbers beside it.

    `words` stand with the name and specify which entity of that name is meant.
    """

    text: str
    key: str
    keys: tuple[Key, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """A question after its names are linked to the collection.

    Several `subjects` are alternatives; this `is_ambiguous` if one name of the question may mean each of them. `words`
    select the value, `wording` is their text, and `stretches` are those that stand side by side. `implied` are the
    measures of adjectives, `related` those that a thesaurus has for a word. `verbs` are the words behind the subject
    that may add nothing (*is a troll worth*), `relational_words` other verbs and adverbs, `others` names of the
    collection, and `rivals` names of several words or names joined to the subjects. `amount` is the word that is
    counted, if an amount is asked for. `name_assumptions` states which name was taken for a part of it; if this
    `is_ambiguous`, `subject_wording` is what the question calls the subjects. `notes` are told with the answer.
    """

    question: Tagged
    subjects: tuple[Subject, ...]
    words: tuple[str, ...]
    wording: str = ""
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verbs: frozenset[str] = frozenset()
    relational_words: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    rivals: frozenset[str] = frozenset()
    stretches: tuple[tuple[str, ...], ...] = ()
    amount: str | None = None
    is_ambiguous: bool = False
    name_assumptions: tuple[str, ...] = ()
    subject_wording: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The bindings of one subject that tie, best first.

    `assumed` is the label that was taken for the measure in the question. `sure` says whether it is another name of
    that measure; None if that was not checked.
    """

    subject: Subject
    found: tuple[Binding, ...]
    assumed: str = ""
    sure: bool | None = None

    @property
    def name(self) -> str:
        """The subject in the question's words."""
        return self.subject.text

    @property
    def best(self) -> Binding:
        """The best binding."""
        return self.found[0]


@dataclass(frozen=True, slots=True)
class Bound:
    """A question with the cells that answer it. Every word of the question is accounted for.

    `measure` is what is asked, in the words of the cells. `operation` is applied to the readings. For the best of a
    kind, a list of it and a count, these are of all its members that meet the conditions. `end` is the end of the scale
    that is asked for. `unmatched_question_words` are those that nothing in the collection matches or contradicts.

    `unsure` are members of a kind that may or may not meet the conditions, and `without_value` those without a value to
    check or compare. `rank` counts from the end that is asked for: 2 is the runner-up; `top` is how many are asked for
    from there. `other_values` are readings of another value of the best: the *voltage* of the heaviest. `doubtful_word`
    makes it doubtful whether the members are meant. `yes_or_no` is the answer to a yes-no question, None for any other.
    `factors` are how many of each reading are asked for: *three adults and two bicycles*.
    """

    linked: Linked
    readings: tuple[Reading, ...]
    measure: str
    operation: Operation = "read"
    end: End | None = None
    unmatched_question_words: tuple[str, ...] = ()
    unsure: tuple[Reading, ...] = ()
    without_value: tuple[Reading, ...] = ()
    rank: int = 1
    top: int = 1
    other_values: tuple[Reading, ...] = ()
    doubtful_word: str = ""
    yes_or_no: bool | None = None
    factors: tuple[float, ...] = ()

    @property
    def is_low(self) -> bool:
        """True if the low end of the scale is asked for."""
        return self.end == "low"

    @property
    def is_of_kind(self) -> bool:
        """True if the question is about all members of a kind: the best, a list, a count or a share of it."""
        return self.operation in ("best", "list", "count", "share", "tally", "closest")

    @property
    def is_open(self) -> bool:
        """True if a member is uncertain, or a word is unmatched or leaves a doubt."""
        return bool(self.unsure or self.doubtful_word or self.unmatched_question_words)

    @property
    def is_one_value(self) -> bool:
        """True if one value of one entity was read."""
        return self.operation == "read" and len(self.readings) == 1 and len(self.readings[0].found) == 1

    @property
    def is_assumed(self) -> bool:
        """True if a label or a name was assumed."""
        return any(reading.assumed for reading in self.readings) or bool(self.linked.name_assumptions)

    @property
    def is_sure(self) -> bool:
        """True if nothing is open, and neither a label nor a name was assumed."""
        return not (self.is_open or self.is_assumed or self.linked.is_ambiguous)

    @property
    def judged(self) -> tuple[Reading, ...]:
        """All readings that were checked against the question."""
        return (*self.readings, *self.unsure, *self.without_value)
