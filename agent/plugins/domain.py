"""A domain: what questions about one family of books mean, and how they are computed.

    [project.entry-points."versus.domains"]
    loans = "my_package:Loans"

The core knows no domain by name. It asks each in turn, the first that knows an answer is heard, and what no domain
claims is a plain look-up. `tests/agent/test_domains.py` has a complete example, built and installed as a distribution.
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
"""A text among the arguments of a tool: what a model says at once is bounded."""


class Claims(Protocol):
    """What a model may say of one finding, held against what was computed."""

    def contradiction(self, sentence: str) -> str | None:
        """Why a sentence can't stand beside the finding; None where it can."""
        ...

    def told(self, text: str) -> bool:
        """Whether a text says what the finding concluded."""
        ...


@dataclass(frozen=True, slots=True)
class Computed:
    """What a tool worked out: a line of text, its value, and the numbers with which a text may go on."""

    text: str
    value: float
    result: str


@dataclass(frozen=True, slots=True)
class ModelTool:
    """A computation that a model may use while it writes.

    `arguments` is what it takes; its docstring is what the model reads. Every number of the texts in `sourced` has to
    stand in the evidence or in `free`, else the call is refused. `run` raises `ValueError` for what can't be computed.
    """

    name: str
    arguments: type[BaseModel]
    sourced: Callable[[Any], Iterable[str]]
    run: Callable[[Any], Computed]
    free: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Drafting:
    """How a model writes an intent of the domain into its plan.

    `kind` is the word for it in the plan's JSON, `fields` a model whose fields are added to those of every plan, and
    `instructions` the lines of the prompt that say how to fill them in.
    """

    kind: str
    fields: type[BaseModel]
    instructions: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """A model's draft beside the question: what the rules read, and the words that the draft may use."""

    asked: Tagged
    draft: BaseModel
    read: Intent | None
    words: Words
    lexicon: Lexicon


@dataclass(frozen=True, slots=True)
class Rank:
    """Who a finding is about, with the value by which several are put in order, and the value in words."""

    name: str
    value: float
    told: str


@dataclass(frozen=True, slots=True)
class Scales:
    """Measures by how their values are told apart: `low` are better the lower they are, `either` go up in some books
    and down in others, and a range of those that are `rolled` stands for dice."""

    low: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()


class Domain:
    """The base of all domains: `name`, `recognise` and `reason` make one, the rest is as a domain needs it."""

    name: str = ""
    drafting: Drafting | None = None
    tools: Sequence[ModelTool] = ()

    def concerns(self, tokens: Sequence[str], lexicon: Lexicon) -> bool:
        """False where neither the words of a question nor the collection are of this domain: then the question is not
        read for it.
        """
        return True

    def is_at_home(self, lexicon: Lexicon) -> bool:
        """False for a collection that has nothing of what this domain computes from: then no language model is told
        of its `drafting` and its `tools`.
        """
        return True

    def recognise(self, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return what the question asks of this domain; None where it asks nothing of it.

        `asked` is the question as the core has read it, with its tokens and its numbers; `lexicon` has the names of the
        collection.
        """
        return None

    def continued(self, previous: Intent, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return what a question means that goes on from `previous`; None where this domain knows of no connection."""
        return None

    def drafted(self, drafted: Drafted) -> tuple[Intent, tuple[str, ...]] | None:
        """Return what a model's draft of this domain's `kind` means, and notes on what of it was not taken.

        None where the draft says what the question does not.
        """
        return None

    def is_sure(self, intent: Intent, lexicon: Lexicon) -> bool:
        """False for an intent that a domain recognised and may have misread, so that who calls the question open is
        right: those who fight are nobody that the collection knows.
        """
        return True

    def rank(self, finding: Finding) -> Rank | None:
        """By what a finding is held against others of the domain: the chance of the first side to win."""
        return None

    def scales(self) -> Scales:
        """Which way the measures of the domain go."""
        return Scales()

    def besides(self, intent: Intent) -> Sequence[SubQuery]:
        """What to search for besides the question as asked, where it is searched for in one."""
        return ()

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        """Return what these chunks say of the intent; None where it is not of this domain.

        It makes the most of them, and names all that more retrieval might fill, in sub-queries whose ids begin with
        `prefix`. On no chunks at all, that is the plan.
        """
        return None

    def follows(self, value: str, measure: str) -> Iterable[float]:
        """What a number comes to by the rules of the domain: the chance of a roll, in percent; an average."""
        return ()

    def claims(self, finding: Finding) -> Claims | None:
        """What a model may say of a finding of this domain; None where any sentence with a source may stand."""
        return None
