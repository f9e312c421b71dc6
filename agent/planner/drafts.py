"""The plan as a model writes it: the shape of its JSON, and no more."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

LONGEST_TEXT = 300
"""Characters of a sub-query; a longer one is no focused query."""
_Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_TEXT)]


class AbilityDraft(BaseModel):
    """An ability score of a combatant."""

    name: _Text
    score: _Text


class CombatantDraft(BaseModel):
    """One kind of combatant, as far as the question describes it; `side` is 1 or 2 where several fight together."""

    subject: _Text
    level: int | None = None
    armor_class: int | None = None
    armor: _Text | None = None
    weapon: _Text | None = None
    hit_points: int | None = None
    count: int = 1
    weapon_bonus: int = 0
    side: Literal[0, 1, 2] = 0
    abilities: list[AbilityDraft] = Field(default_factory=list, max_length=12)


class KeyDraft(BaseModel):
    """What selects a row or a column: `level`, `7`."""

    name: _Text
    value: _Text


class ReadingDraft(BaseModel):
    """The value that later sub-queries take from this one."""

    subject: _Text
    attribute: _Text
    type: Literal["integer", "text"] = "text"


class SubQueryDraft(BaseModel):
    """One focused query."""

    id: _Text
    text: _Text
    purpose: _Text = ""
    entities: list[_Text] = Field(default_factory=list)
    depends_on: list[_Text] = Field(default_factory=list)
    reads: ReadingDraft | None = None
    chunk_types: list[_Text] = Field(default_factory=list)
    tags: list[_Text] = Field(default_factory=list)
    collection: _Text | None = None


class PlanDraft(BaseModel):
    """A whole plan: what kind of question it is, who or what it is about, and what to search for."""

    kind: Literal["fight", "compare", "open"] = "open"
    combatants: list[CombatantDraft] = Field(default_factory=list, max_length=12)
    entities: list[_Text] = Field(default_factory=list, max_length=24)
    attribute: _Text = ""
    keys: list[KeyDraft] = Field(default_factory=list, max_length=24)
    sub_queries: list[SubQueryDraft] = Field(default_factory=list)
