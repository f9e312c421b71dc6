"""The plan as a model writes it: the shape of its JSON, and no more."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints, create_model

from agent.plugins.domain import Drafting
from agent.plugins.domains import installed

LONGEST_TEXT = 300
"""Characters of a sub-query; a longer one is no focused query."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_TEXT)]


class KeyDraft(BaseModel):
    """What selects a row or a column: `level`, `7`."""

    name: Text
    value: Text


class ReadingDraft(BaseModel):
    """The value that later sub-queries take from this one."""

    subject: Text
    attribute: Text
    type: Literal["integer", "text"] = "text"


class SubQueryDraft(BaseModel):
    """One focused query."""

    id: Text
    text: Text
    purpose: Text = ""
    entities: list[Text] = Field(default_factory=list)
    depends_on: list[Text] = Field(default_factory=list)
    reads: ReadingDraft | None = None
    chunk_types: list[Text] = Field(default_factory=list)
    tags: list[Text] = Field(default_factory=list)
    collection: Text | None = None


class PlanDraft(BaseModel):
    """A whole plan: what kind of question it is, who or what it is about, and what to search for.

    `kind` is `compare`, `open`, or that of a domain, which adds fields of its own. `standalone` is the question in
    words that need no conversation, where it goes on from one.
    """

    kind: Text = "open"
    standalone: Text = ""
    entities: list[Text] = Field(default_factory=list, max_length=24)
    attribute: Text = ""
    keys: list[KeyDraft] = Field(default_factory=list, max_length=24)
    sub_queries: list[SubQueryDraft] = Field(default_factory=list)


def draftings() -> list[Drafting]:
    """How a model writes the intents of the domains that are installed."""
    return [domain.drafting for domain in installed() if domain.drafting is not None]


@cache
def plan_shape() -> type[PlanDraft]:
    """The shape of a plan with what the domains add to it; `kind` is one of theirs, or of the core's."""
    kinds = (*(each.kind for each in draftings()), "compare", "open")
    bases: Any = (*(each.fields for each in draftings()), PlanDraft)
    kind: Any = (Literal[kinds], "open")
    model: type[PlanDraft] = create_model("PlanDraft", __base__=bases, __doc__=PlanDraft.__doc__, kind=kind)
    return model
