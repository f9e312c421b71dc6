"""One answer in three formats: for a terminal, as Markdown, as JSON. Pure functions: nothing here prints."""

from agent.render.data import (
    answer_data,
    check_data,
    evidence_data,
    plan_data,
    report_data,
    retrieved_numbers,
    rule_data,
    to_json,
)
from agent.render.debug import retrieved_view
from agent.render.markdown import to_markdown
from agent.render.terminal import (
    answer_view,
    check_view,
    context_view,
    evidence_view,
    heading,
    plan_view,
    report_view,
    to_text,
)

__all__ = [
    "answer_data",
    "answer_view",
    "check_data",
    "check_view",
    "context_view",
    "evidence_data",
    "evidence_view",
    "heading",
    "plan_data",
    "plan_view",
    "report_data",
    "report_view",
    "retrieved_numbers",
    "retrieved_view",
    "rule_data",
    "to_json",
    "to_markdown",
    "to_text",
]
