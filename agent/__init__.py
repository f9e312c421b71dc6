"""The menu of thinking: ask a question, get a computed and cited answer.

    async with Agent.open(Settings(collection="rules")) as agent:
        answer = await agent.ask("Who wins: ...?")

Names are loaded when they are first used, so that `versus --help` does not wait for a model.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.ask import Agent
    from agent.batch.errors import BatchError
    from agent.batch.results import BatchResult
    from agent.cli.responsive import responsive
    from agent.errors import AgentError, BudgetExceeded, LLMError, LLMRefused, QuestionError, SettingsError
    from agent.ingesting.ingest import ingest
    from agent.llm.protocol import LLM, LLMRequest, Reply
    from agent.llm.scripted import ScriptedLLM
    from agent.plugins.domain import Domain
    from agent.reasoning.notebook import Notebook
    from agent.settings.settings import Settings
    from agent.types import Answer, Citation, Event, Evidence, Finding, Plan, Reasoned, Step, Turn, Usage
    from agent.understanding.question.intent import Intent
    from agent.understanding.question.tagged import Tagged
    from agent.understanding.words.lexicon import Lexicon

__version__ = "0.1.0"

__all__ = [
    "LLM",
    "Agent",
    "AgentError",
    "Answer",
    "BatchError",
    "BatchResult",
    "BudgetExceeded",
    "Citation",
    "Domain",
    "Event",
    "Evidence",
    "Finding",
    "Intent",
    "LLMError",
    "LLMRefused",
    "LLMRequest",
    "Lexicon",
    "Notebook",
    "Plan",
    "QuestionError",
    "Reasoned",
    "Reply",
    "ScriptedLLM",
    "Settings",
    "SettingsError",
    "Step",
    "Tagged",
    "Turn",
    "Usage",
    "ingest",
    "responsive",
]

_HOMES = {
    "Agent": "ask",
    "BatchError": "batch.errors",
    "BatchResult": "batch.results",
    "Domain": "plugins.domain",
    "Intent": "understanding.question.intent",
    "LLM": "llm.protocol",
    "LLMRequest": "llm.protocol",
    "Lexicon": "understanding.words.lexicon",
    "Notebook": "reasoning.notebook",
    "Reply": "llm.protocol",
    "ScriptedLLM": "llm.scripted",
    "Settings": "settings.settings",
    "Tagged": "understanding.question.tagged",
    "ingest": "ingesting.ingest",
    "responsive": "cli.responsive",
} | dict.fromkeys(
    ("AgentError", "BudgetExceeded", "LLMError", "LLMRefused", "QuestionError", "SettingsError"), "errors"
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'agent' has no attribute {name!r}")
        return getattr(import_module(f"agent.{_HOMES.get(name, 'types')}"), name)
