"""The installed domains: those of other distributions first, then our own.

A domain that cannot be loaded is logged once, one that raises is logged each time. The others continue.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from agent.plugins.domain import Claims, Domain, Drafted, Drafting, ModelTool, Scales
from agent.types import Finding, Reasoned
from agent.understanding.question.intent import Intent
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.lexicon import Lexicon
from retrieval.types import Chunk, SubQuery

GROUP = "versus.domains"
OWN = "versus-rag"
"""The distribution whose domains are trusted: their exceptions are errors of this program."""
log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Guarded(Domain):
    """A domain of another distribution. Its failures are logged, and the question is left to the others."""

    domain: Domain

    @property
    def name(self) -> str:  # type: ignore[override]  # a plain attribute of those who bring one
        """The domain's name."""
        return self.domain.name

    @property
    def drafting(self) -> Drafting | None:  # type: ignore[override]
        """How a model drafts its intents."""
        return self.domain.drafting

    @property
    def tools(self) -> Sequence[ModelTool]:  # type: ignore[override]
        """Its tools."""
        return self.domain.tools

    def concerns(self, tokens: Sequence[str], lexicon: Lexicon) -> bool:
        """True if the question may belong to the domain."""
        return self._tried(lambda: self.domain.concerns(tokens, lexicon), False)

    def is_at_home(self, lexicon: Lexicon) -> bool:
        """True if the collection has the data that the domain computes from."""
        return self._tried(lambda: self.domain.is_at_home(lexicon), False)

    def recognise(self, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return the domain's intent, or None."""
        return self._tried(lambda: self.domain.recognise(asked, lexicon), None)

    def continued(self, previous: Intent, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return the domain's intent of a follow-up, or None."""
        return self._tried(lambda: self.domain.continued(previous, asked, lexicon), None)

    def drafted(self, drafted: Drafted) -> tuple[Intent, tuple[str, ...]] | None:
        """Return the domain's reading of a draft, or None."""
        return self._tried(lambda: self.domain.drafted(drafted), None)

    def scales(self) -> Scales:
        """Return the directions of its measures, or none."""
        return self._tried(self.domain.scales, Scales())

    def besides(self, intent: Intent) -> Sequence[SubQuery]:
        """Return the domain's additional sub-queries, or none."""
        return self._tried(lambda: self.domain.besides(intent), ())

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        """Return the domain's result, or None."""
        return self._tried(lambda: _sound(self.domain.reason(intent, chunks, prefix)), None)

    def claims(self, finding: Finding) -> Claims | None:
        """Return what may be claimed about a finding, or None."""
        return self._tried(lambda: self.domain.claims(finding), None)

    def _tried(self, work: Callable[[], T], otherwise: T) -> T:
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - a plug-in is foreign code; whatever it raises must not stop the others
            log.warning("the domain %r failed: %s: %s", self.name, type(error).__name__, error)
            return otherwise


def _sound(found: object) -> Reasoned | None:
    """Return a plug-in's result; raise an error if it has the wrong type, or cites what it does not give."""
    if found is None:
        return None
    if not isinstance(found, Reasoned) or not isinstance(found.finding, Finding):
        raise TypeError(f"it returned {type(found).__name__} where Reasoned with a Finding, or None, is wanted")
    given = {citation.n for citation in found.citations}
    lost = sorted({n for step in found.finding.steps for n in step.cites} - given)
    if lost:
        raise ValueError(f"its steps cite {', '.join(map(str, lost))}, which is no citation of its own")
    return found


def load(points: Iterable[EntryPoint]) -> Iterator[Domain]:
    """Load the domains, in the order of their names; one that cannot be loaded is logged and skipped."""
    for point in sorted(points, key=lambda point: point.name):
        try:
            loaded = point.load()
            domain = loaded() if isinstance(loaded, type) else loaded
            if not isinstance(domain, Domain):
                raise TypeError(f"{point.value} is no agent.plugins.domain.Domain")
        except Exception as error:  # noqa: BLE001 - importing foreign code can raise anything
            log.warning(
                "the domain %r (%s) can't be loaded and is left out: %s: %s. Uninstall or repair its package.",
                point.name,
                point.value,
                type(error).__name__,
                error,
            )
        else:
            yield domain if _is_own(point) else Guarded(domain)


def _is_own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == OWN


@cache
def installed() -> tuple[Domain, ...]:
    """Return all domains: those of other distributions, then our own. They are loaded once, at the first use."""
    found = list(load(entry_points(group=GROUP)))
    return (*(each for each in found if isinstance(each, Guarded)), *own_of(found))


def at_home(lexicon: Lexicon) -> tuple[Domain, ...]:
    """Return the domains with data to compute from in a collection."""
    return tuple(domain for domain in installed() if domain.is_at_home(lexicon))


@cache
def scales() -> Scales:
    """Return the measures of all domains by direction."""
    low: list[str] = []
    either: list[str] = []
    rolled: list[str] = []
    for each in (domain.scales() for domain in installed()):
        low += each.low
        either += each.either
        rolled += each.rolled
    return Scales(tuple(low), tuple(either), tuple(rolled))


def own_of(domains: Iterable[Domain]) -> tuple[Domain, ...]:
    """Return those of the domains that belong to this distribution."""
    return tuple(each for each in domains if not isinstance(each, Guarded))


def domain_of(finding: Finding) -> Domain | None:
    """Return the domain of a finding."""
    return next((each for each in installed() if each.name == finding.reasoner), None)
