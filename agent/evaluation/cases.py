"""Questions with their wanted entries, from a JSON Lines file.

    {"id": "q1", "question": "…", "wanted": ["…"], "useful": ["…"]}

`wanted` (or `gold_titles`) has to be found; `useful` is relevant too, but its absence is no loss. The forms of an entry
are described in `agent.evaluation.matching`. Other fields are ignored, as files have other uses as well; a line without
wanted entries is counted and skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from agent.errors import QuestionError
from agent.evaluation.matching import pattern_of
from agent.questions import checked

Entry = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True, slots=True)
class Case:
    """One question; `wanted` entries have to be found, `useful` ones may be. Without an id, `id` is the line number."""

    id: str
    line: int
    question: str
    wanted: tuple[str, ...]
    useful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cases:
    """The questions of one file that have wanted entries, and how many others were skipped."""

    path: str
    cases: tuple[Case, ...]
    skipped: int = 0


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    question: str
    id: str | int | None = None
    wanted: tuple[Entry, ...] = ()
    gold_titles: tuple[Entry, ...] = ()
    useful: tuple[Entry, ...] = ()


def read_cases(path: Path, max_question_chars: int = 20_000) -> Cases:
    """Read a file of questions; `QuestionError` with file and line for anything invalid."""
    try:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise QuestionError(f"{path} can't be read: {error.strerror}") from error
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    cases = [_case(path, number, line, max_question_chars) for number, line in lines]
    chosen = tuple(case for case in cases if case.wanted)
    if not chosen:
        raise QuestionError(
            f'{path}: none of its {len(cases)} questions says what is wanted; add "wanted": ["a title", …] to a line'
        )
    return Cases(str(path), chosen, len(cases) - len(chosen))


def _case(path: Path, number: int, line: bytes, limit: int) -> Case:
    try:
        read = _Line.model_validate_json(line)
        wanted = tuple(dict.fromkeys((*read.wanted, *read.gold_titles)))
        for entry in (*wanted, *read.useful):
            _require_readable(entry)
        name = str(number) if read.id is None else str(read.id)
        return Case(name, number, checked(read.question, limit), wanted, read.useful)
    except ValidationError as error:
        raise QuestionError(f"{path}:{number}: {'; '.join(_complaints(error))}") from error
    except QuestionError as error:
        raise QuestionError(f"{path}:{number}: {error}") from error


def _require_readable(entry: str) -> None:
    try:
        pattern_of(entry)
    except re.error as error:
        raise QuestionError(f"{entry} is not a regular expression ({error}); correct it, or drop the slashes") from None


def _complaints(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_input=False):
        place = ".".join(map(str, problem["loc"]))
        message = problem["msg"][:1].lower() + problem["msg"][1:]
        yield f"{place!r}: {message}" if place else message
