"""What a question asks for, as far as the core knows: a look-up, or an intent that a domain recognises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol


class Intent(Protocol):
    """What a question asks for: the core's `Lookup`, or what a domain recognises, such as a fight.

    It is a frozen dataclass. Only the domain that recognised it knows its fields.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def described(self) -> str:
        """The question in one line, as the prompt repeats it when the next question goes on from this one."""
        ...


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question that the collection answers: by its cells if they bind it, else by its sentences.

    `question` is all that was asked, in words that stand alone. `names` are the names of the collection in it, as the
    collection writes them.

    >>> Lookup("How heavy is a mace?", ("Mace",)).described
    'How heavy is a mace?'
    """

    question: str
    names: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """The question in one line."""
        return " ".join(self.question.split())


@dataclass(frozen=True, slots=True)
class Lacking:
    """A question that cannot be searched for, because what it refers to was not found."""

    question: str

    @property
    def described(self) -> str:
        """The question in one line."""
        return " ".join(self.question.split())


def reads_cells(intent: Intent) -> bool:
    """Return whether the cells of a collection may answer a question before a domain works on it: true for a `Lookup`,
    and for an intent of a domain with a true `reads_cells`.

    >>> reads_cells(Lookup("How heavy is a mace?"))
    True
    """
    return isinstance(intent, Lookup) or bool(getattr(intent, "reads_cells", False))
