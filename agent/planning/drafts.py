"""The shape of the JSON in which a model writes a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, create_model, model_validator

from agent.llm.schemas import strict
from agent.plugins.domain import Domain, Drafting
from agent.plugins.domains import installed
from agent.understanding.question.plan_step import Relation, StepOperation

LONGEST_TEXT = 300
"""Most characters of a sub-query; a longer one is not focused."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_TEXT), AfterValidator(_one_line)]


def _without_description(schema: dict[str, Any]) -> None:
    schema.pop("description", None)


class Draft(BaseModel):
    """A part of a plan. Its docstring is for readers of the code: the model reads the instructions."""

    model_config = ConfigDict(json_schema_extra=_without_description)


class KeyDraft(Draft):
    """A key that selects a row or a column: `level`, `7`."""

    name: Text
    value: Text


class SubjectDraft(Draft):
    """A subject of a step, with keys of its own."""

    name: Text
    keys: list[KeyDraft] = Field(default_factory=list)


class ConditionDraft(Draft):
    """A condition of a step on the members of a kind."""

    measure: Text
    relation: Relation = "is"
    value: Text


class StepDraft(Draft):
    """One step that is computed from tables, or found in prose."""

    id: Text
    do: Text
    text: Text = ""
    subjects: list[SubjectDraft] = Field(default_factory=list)
    kind: Text = ""
    measures: list[Text] = Field(default_factory=list)
    where: list[ConditionDraft] = Field(default_factory=list)
    of: list[Text] = Field(default_factory=list)
    top: int = 1


class ReadingDraft(Draft):
    """The value of this sub-query that later ones use."""

    subject: Text
    attribute: Text
    type: Literal["integer", "text"] = "text"


class QueryDraft(Draft):
    """One focused query, without filters."""

    id: Text
    text: Text
    purpose: Text = ""
    entities: list[Text] = Field(default_factory=list)
    depends_on: list[Text] = Field(default_factory=list)
    reads: ReadingDraft | None = None


class SubQueryDraft(QueryDraft):
    """One focused query with its filters."""

    chunk_types: list[Text] = Field(default_factory=list)
    tags: list[Text] = Field(default_factory=list)
    collection: Text | None = None


class PlanDraft(Draft):
    """A whole plan: the steps that compute the answer, and what to search for.

    `standalone` is a follow-up question in words that need no conversation; `assumed` are the model's assumptions. They
    come last, as a small model that may begin with a sentence does not come to an end. A plan of the older shape, with
    one `kind` of question about some `entities`, becomes one step.
    """

    steps: list[StepDraft] = Field(default_factory=list)
    sub_queries: list[SubQueryDraft] = Field(default_factory=list)
    assumed: list[Text] = Field(default_factory=list)
    standalone: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _of_one_kind(cls, data: Any) -> Any:
        """Convert a plan of the older shape to one with a step."""
        kind = data.get("kind") if isinstance(data, Mapping) and not data.get("steps") else None
        kinds = [each.kind for each in draftings()]
        if kind not in kinds and not (kind == "compare" and _are_some(data.get("entities"))):
            return data
        step = {"id": kind, "do": kind, **{name: data[name] for name in _fields_of(kind) if name in data}}
        if kind == "compare":
            step["subjects"] = [{"name": name, "keys": data.get("keys") or []} for name in data["entities"]]
            step["measures"] = [data["attribute"]] if data.get("attribute") else []
        return {**data, "steps": [step]}


def _are_some(names: object) -> bool:
    return isinstance(names, list) and bool(names)


def draftings() -> list[Drafting]:
    """Return how a model writes the intents of the installed domains."""
    return list(draftings_of(installed()))


def draftings_of(domains: Iterable[Domain]) -> tuple[Drafting, ...]:
    """Return how a model writes the intents of some domains."""
    return tuple(domain.drafting for domain in domains if domain.drafting is not None)


def _fields_of(kind: str) -> set[str]:
    """Return the fields that a domain adds to a step of its kind."""
    return {name for each in draftings() if each.kind == kind for name in each.fields.model_fields}


def plan_shape() -> type[PlanDraft]:
    """Return the shape of any plan, with the fields of all installed domains."""
    return _shape(tuple(draftings()), SubQueryDraft)


@cache
def _shape(added: tuple[Drafting, ...], query: type[QueryDraft]) -> type[PlanDraft]:
    """Return the shape of a plan with the domains' fields in its steps, and the operations of both."""
    does = (*get_args(StepOperation), *(each.kind for each in added))
    bases: Any = (*(each.fields for each in added), StepDraft)
    do: Any = (Literal[does], ...)
    step = create_model("StepDraft", __base__=bases, __doc__=StepDraft.__doc__, do=do)
    steps: Any = (list[step], Field(default_factory=list))  # type: ignore[valid-type]
    queries: Any = (list[query], Field(default_factory=list))  # type: ignore[valid-type]
    model: type[PlanDraft] = create_model(
        "PlanDraft", __base__=PlanDraft, __doc__=PlanDraft.__doc__, steps=steps, sub_queries=queries
    )
    return model


@cache
def plan_schema(added: tuple[Drafting, ...], narrowing: bool, follows: bool) -> dict[str, Any]:
    """Return the JSON schema of a plan with the fields of some domains, as it is sent, without annotations. With
    `narrowing` it has the filters of sub-queries; if the question `follows` others, it begins with what it means then.
    """
    schema = _shape(added, SubQueryDraft if narrowing else QueryDraft).model_json_schema()
    standalone = schema["properties"].pop("standalone")
    if follows:
        schema["properties"] = {"standalone": standalone, **schema["properties"]}
    return strict(schema) or schema
