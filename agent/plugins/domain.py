"""A domain: how questions about one family of books are recognised and computed.

    [project.entry-points."versus.domains"]
    loans = "my_package:Loans"

The core knows no domain by name. It asks each in turn and takes the first answer; a question that no domain claims is a
plain look-up. `tests/agent/test_domains.py` has a complete example, built and installed as a distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, StringConstraints

from agent.types import Finding, Reasoned
from agent.understanding.question.intent import Intent
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import Words
from retrieval.types import Chunk, SubQuery

Brief = Annotated[str, StringConstraints(max_length=200)]
"""A text argument of a tool, of limited length."""


class Claims(Protocol):
    """What a model may claim about one finding, checked against what was computed."""

    def contradiction(self, sentence: str) -> str | None:
        """Return why a sentence contradicts the finding; None if it does not."""
        ...

    def told(self, text: str) -> bool:
        """True if a text states the conclusion of the finding."""
        ...


@dataclass(frozen=True, slots=True)
class Computed:
    """The result of a tool: a line of text, its value, and the numbers that a text may use."""

    text: str
    value: float
    result: str


@dataclass(frozen=True, slots=True)
class ModelTool:
    """A computation that a model may use while it writes.

    `arguments` is the model of its input; its docstring is what the language model reads. Every number in the texts of
    `sourced` has to be in the evidence or in `free`, else the call is refused. `run` raises `ValueError` for what
    cannot be computed.
    """

    name: str
    arguments: type[BaseModel]
    sourced: Callable[[Any], Iterable[str]]
    run: Callable[[Any], Computed]
    free: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Drafting:
    """How a model writes an intent of the domain into its plan.

    `kind` is the word for it in the plan's JSON. `fields` is a model whose fields are added to every plan, and
    `instructions` are the lines of the prompt that say how to fill them in.
    """

    kind: str
    fields: type[BaseModel]
    instructions: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """A model's draft with the question, the rules' reading of it, and the words that the draft may use."""

    asked: Tagged
    draft: BaseModel
    read: Intent | None
    words: Words
    lexicon: Lexicon


@dataclass(frozen=True, slots=True)
class Rank:
    """The subject of a finding, with the value by which several are ranked, and the value in words."""

    name: str
    value: float
    told: str


@dataclass(frozen=True, slots=True)
class Scales:
    """Measures by direction: `low` are better the lower they are, `either` differ from book to book, and a range of a
    `rolled` one stands for dice.
    """

    low: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()


class Domain:
    """The base of all domains: `name`, `recognise` and `reason` are needed, the rest is optional."""

    name: str = ""
    drafting: Drafting | None = None
    tools: Sequence[ModelTool] = ()

    def concerns(self, tokens: Sequence[str], lexicon: Lexicon) -> bool:
        """False if neither the words of a question nor the collection belong to this domain: then the domain is not
        asked.
        """
        return True

    def is_at_home(self, lexicon: Lexicon) -> bool:
        """False for a collection without the data that this domain computes from: then no language model is offered its
        `drafting` and its `tools`.
        """
        return True

    def recognise(self, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return the intent of a question for this domain; None if it has none.

        `asked` is the question as the core has tagged it, with its tokens and its numbers; `lexicon` has the names of
        the collection.
        """
        return None

    def continued(self, previous: Intent, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return the intent of a follow-up to `previous`; None if this domain sees no connection."""
        return None

    def drafted(self, drafted: Drafted) -> tuple[Intent, tuple[str, ...]] | None:
        """Return the intent of a model's draft of this domain's `kind`, with notes on what was rejected.

        Return None if the draft says what the question does not.
        """
        return None

    def is_sure(self, intent: Intent, lexicon: Lexicon) -> bool:
        """False for an intent that the domain may have misread, so that a model that calls the question open is right:
        for example, the collection knows none of the combatants.
        """
        return True

    def rank(self, finding: Finding) -> Rank | None:
        """Return the rank of a finding among others of the domain, such as the first side's chance to win."""
        return None

    def scales(self) -> Scales:
        """Return the directions of the domain's measures."""
        return Scales()

    def besides(self, intent: Intent) -> Sequence[SubQuery]:
        """Return what to search for in addition to the question, if that is one sub-query."""
        return ()

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        """Return what these chunks say about the intent; None if it belongs to another domain.

        The result is as complete as the chunks allow, and names all that more retrieval might add, in sub-queries whose
        ids begin with `prefix`. Without any chunks, that is the plan.
        """
        return None

    def follows(self, value: str, measure: str) -> Iterable[float]:
        """Return what follows from a value by the rules of the domain: the chance of a roll, in percent; an average."""
        return ()

    def claims(self, finding: Finding) -> Claims | None:
        """Return what a model may claim about a finding; None if any sentence with a source is allowed."""
        return None
