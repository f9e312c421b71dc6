"""The model's answer: for each chunk, by id, a title, a sentence, and a rule as JSON of `query_must`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\n\r]*$")]
_Sentence = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400, pattern=r"^[^\n\r]*$")
]
_Terms = Annotated[list[Annotated[str, StringConstraints(max_length=100)]], Field(max_length=60)]


class _Draft(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RangeDraft(_Draft):
    """Some number of these terms, from min to max."""

    min: float | None = None
    max: float | None = None
    of: _Terms = Field(default_factory=list)


class RuleDraft(_Draft):
    """A rule as the model writes it, with operators it does not need empty or null."""

    contain_one_of: Annotated[list[_Terms], Field(max_length=20)] = Field(default_factory=list)
    contain_all_of: _Terms = Field(default_factory=list)
    contain: str | None = None
    contain_range: RangeDraft | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the rule with only the operators it has.

        >>> RuleDraft(contain_one_of=[["cleric"]], contain_range=RangeDraft(min=7)).as_json()
        {'contain_one_of': [['cleric']], 'contain_range': {'min': 7.0}}
        """
        given = self.model_dump(exclude_none=True)
        if "contain_range" in given and not given["contain_range"]["of"]:
            del given["contain_range"]["of"]
        return {name: value for name, value in given.items() if value != []}


class ProposalDraft(_Draft):
    """What is proposed for one chunk."""

    id: str
    title: _Line
    description: _Sentence
    query_must: RuleDraft


class ProposalsDraft(_Draft):
    """What is proposed for all chunks of a request."""

    proposals: list[ProposalDraft]
