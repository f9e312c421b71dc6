"""The quality of a question's chunks, and the mean over many questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median

from agent.evaluation.cases import Case
from agent.evaluation.matching import ChunkIndex, Ids
from agent.evaluation.measures import f1, precision_at_k, recall_at_k
from agent.evaluation.stages import Loss


@dataclass(frozen=True, slots=True)
class Score:
    """The number of chunks and their quality; in a mean, each number is the mean over the questions."""

    chunks: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Gold:
    """The chunks that a question wants: each wanted entry with its chunks, and all relevant chunks."""

    wanted: Mapping[str, Ids]
    relevant: Ids

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The wanted entries that match no chunk of the collection."""
        return tuple(entry for entry, ids in self.wanted.items() if not ids)

    def score(self, found: Sequence[str]) -> Score:
        """Return the score of chunks by their ids."""
        precision = precision_at_k(found, self.relevant)
        recall = recall_at_k(found, list(self.wanted.values()))
        return Score(len(found), precision, recall, f1(precision, recall))


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: the score after each stage of the policy in force, and score and milliseconds of each way.

    `losses` are the wanted entries that the policy in force lost on the way, `unmatched` those that match no chunk.
    `failed` counts failed sub-queries.
    """

    case: Case
    stages: Mapping[str, Score]
    ways: Mapping[str, Score]
    ms: Mapping[str, float]
    losses: tuple[Loss, ...] = ()
    unmatched: tuple[str, ...] = ()
    failed: int = 0


@dataclass(frozen=True)
class Evaluation:
    """All questions, at least one, and their means."""

    judged: tuple[Judged, ...]

    @cached_property
    def stages(self) -> dict[str, Score]:
        """The mean score after each stage."""
        return {stage: mean(one.stages[stage] for one in self.judged) for stage in self.judged[0].stages}

    @cached_property
    def ways(self) -> dict[str, Score]:
        """The mean score of each way."""
        return {way: mean(one.ways[way] for one in self.judged) for way in self.judged[0].ways}

    @cached_property
    def ms(self) -> dict[str, float]:
        """The median time of a question, by way."""
        return {way: median(one.ms[way] for one in self.judged) for way in self.judged[0].ms}


def gold_of(index: ChunkIndex, case: Case) -> Gold:
    """Return the chunks that a question wants, looked up in a collection."""
    wanted = {entry: index.find(entry, case.question) for entry in case.wanted}
    useful = [index.find(entry, case.question) for entry in case.useful]
    return Gold(wanted, frozenset().union(*wanted.values(), *useful))


def mean(scores: Iterable[Score]) -> Score:
    """Return the mean of each number over scores, at least one."""
    columns = zip(*((one.chunks, one.precision, one.recall, one.f1) for one in scores), strict=True)
    return Score(*map(fmean, columns))
