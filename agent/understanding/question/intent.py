"""What a question asks for, as far as the core knows: to be looked up, or what a domain recognises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol


class Intent(Protocol):
    """What a question asks for: the core's `Lookup`, or what a domain recognises, such as a fight.

    It is a frozen dataclass; only the domain that recognised it knows its fields.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def described(self) -> str:
        """The question in one line, as the prompt repeats it when the next question goes on from this one."""
        ...


@dataclass(frozen=True, slots=True)
class Lookup:
    """The question is answered by what the collection says: by its cells where they bind it, else by its sentences.

    `question` is all that was asked, in words that stand alone. `names` are those of the collection that it holds, as
    the collection writes them.

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
    """What can't be looked for, since what it goes on from was not found."""

    question: str

    @property
    def described(self) -> str:
        """What is asked in one line."""
        return " ".join(self.question.split())


def reads_cells(intent: Intent) -> bool:
    """Return whether the cells of a collection may answer a question as they stand, before a domain works on it: the
    core's own, and a look-up of a domain whose intent says so by a `reads_cells` that is true.

    >>> reads_cells(Lookup("How heavy is a mace?"))
    True
    """
    return isinstance(intent, Lookup) or bool(getattr(intent, "reads_cells", False))
