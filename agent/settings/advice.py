"""Advice on an invalid value of a setting."""

from __future__ import annotations

from typing import get_args

from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings

from retrieval.text.suggestion import did_you_mean


def advice_on(settings_cls: type[BaseSettings], name: str, problem: ErrorDetails) -> str:
    """Return what to do about an invalid value of a setting."""
    advice = {
        "collection": "use 3 to 512 letters, digits, dots, dashes or underscores, beginning and ending with a"
        " letter or digit; several names with commas between them",
        "llm_prices": 'use JSON such as {"my-model": [0.5, 1.5]}, dollars per million tokens of prompt and completion',
        **dict.fromkeys(
            ("openai_base_url", "embedding_base_url"), "use an address that begins with http:// or https://"
        ),
    }
    if problem["type"] == "value_error":
        return str(problem["ctx"]["error"])
    told = advice.get(name, problem["msg"][:1].lower() + problem["msg"][1:])
    return told + _meant(settings_cls, name, problem)


def _meant(settings_cls: type[BaseSettings], name: str, problem: ErrorDetails) -> str:
    """Return a suggestion for a setting whose values are a closed list."""
    if problem["type"] != "literal_error":
        return ""
    meant = did_you_mean(str(problem["input"]), get_args(settings_cls.model_fields[name].annotation))
    return "." + meant if meant else ""
