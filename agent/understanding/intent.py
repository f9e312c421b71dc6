"""What a question asks for, as far as the core knows: values of entities, or what a domain recognises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol


class Intent(Protocol):
    """What a question asks for: the core's `Comparison`, or what a domain recognises, such as a fight.

    It is a frozen dataclass; only the domain that recognised it knows its fields.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def described(self) -> str:
        """The question in one line, as the prompt repeats it when the next question goes on from this one."""
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """The question asks for values of one or more entities.

    `attribute` is what is asked, in the question's words; `keys` are `(name, value)` pairs that select a row
    or column, such as `("level", "7")`. With one entity it is a plain lookup, with none an open question.
    `prefer` is `"low"` or `"high"` where the question asks for that end of the scale, `"better"` or `"worse"` where the
    scale decides. `superlative` asks for the best of all there are: of what stands in the chunks of `among`, which are
    `(id, title)` pairs and all have to be read. `parts` are the attributes that `attribute` may be a list of. With
    `crossed`, each of several values of a key counts for every entity. `question` is all that was asked, for tables
    whose labels say it word by word; empty where only the other fields count. With `cells_only`, no sentences are
    picked for what no cell tells: a model words it from the passages themselves.
    """

    entities: tuple[str, ...]
    attribute: str
    keys: tuple[tuple[str, str], ...] = ()
    prefer: Literal["low", "high", "better", "worse"] | None = None
    superlative: bool = False
    among: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = ()
    crossed: bool = False
    question: str = ""
    cells_only: bool = False

    @property
    def others(self) -> tuple[str, ...]:
        """Those whom the question names, and whose values have to be known before its own can be read."""
        return ()

    @property
    def described(self) -> str:
        """The question in one line.

        >>> Comparison(("thief",), "saving throw", (("level", "9"),)).described
        'saving throw of thief (level 9)'
        """
        if self.question and not self.entities and not self.keys:
            return self.question
        keys = ", ".join(f"{name} {value}" for name, value in self.keys)
        whom = " and ".join(self.entities)
        against = f" against {self.others[0]}" if self.others else ""
        return f"{self.attribute or 'everything'}{f' of {whom}' if whom else ''}{against}{f' ({keys})' if keys else ''}"


def is_open(intent: Intent) -> bool:
    """Return whether a question names nobody whose values could be compared: it is answered from passages.

    >>> is_open(Comparison((), "how initiative works")), is_open(Comparison(("orc",), "armor class"))
    (True, False)
    """
    return isinstance(intent, Comparison) and not intent.entities


def reads_cells(intent: Intent) -> bool:
    """Return whether the cells of a collection may answer a question as they stand, before a domain works on it: the
    core's own, and a look-up of a domain whose intent says so by a `reads_cells` that is true.

    >>> reads_cells(Comparison(("orc",), "armor class"))
    True
    """
    return isinstance(intent, Comparison) or bool(getattr(intent, "reads_cells", False))
