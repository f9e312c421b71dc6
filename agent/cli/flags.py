"""The flags that commands share, declared once.

A command declares one parameter, `flags: Flags`; `with_flags` unfolds it for Typer.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from agent.cli.choices import EFFORTS, PLANNERS, PRESETS, completing

_DOOR_ONLY = ("json", "debug", "show_context")


def given_path(text: str) -> Path:
    """Return a path; an empty one, which would be the current folder, is wrong usage."""
    return Path(given_name(text))


def given_name(text: str) -> str:
    """Return a path as typed, so that `./-` is a file and `-` a stream; an empty one is wrong usage."""
    if not text.strip():
        raise typer.BadParameter("a path can't be empty")
    return text


def one_of(flag: str, values: Collection[str], told: str) -> Any:
    """Return an option that accepts some values, and completes them."""
    return typer.Option(flag, metavar="|".join(values), autocompletion=completing(*values), help=told)


@dataclass(frozen=True, kw_only=True)
class StoreFlags:
    """The flags for the store and the output."""

    collection: Annotated[
        str | None,
        typer.Option(
            "--collection",
            metavar="NAME,...",
            help="Collection of chunks, or several to ask; a name has 3 to 512 characters [default: rules].",
        ),
    ] = None
    chroma: Annotated[
        str | None,
        typer.Option(
            "--chroma",
            "--store",
            metavar="PLACE",
            help="Store: a folder, an http(s) address, or NAME://… of another one [default: .versus/chroma].",
        ),
    ] = None
    log_dir: Annotated[
        Path | None,
        typer.Option("--log-dir", metavar="FOLDER", parser=given_path, help="Folder of the log [default: logs]."),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="JSON on stdout and nothing else.")] = False

    def settings(self) -> dict[str, object]:
        """Return the settings among the flags; None means not given."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _DOOR_ONLY}


@dataclass(frozen=True, kw_only=True)
class DemoFlags(StoreFlags):
    """The same for the bundled book, which has a store of its own."""

    collection: Annotated[
        str | None, typer.Option("--collection", metavar="NAME", help="Its collection [default: versus-demo].")
    ] = None
    chroma: Annotated[
        str | None,
        typer.Option(
            "--chroma",
            "--store",
            metavar="PLACE",
            help="Store: a folder, an http(s) address, or NAME://… of another one [default: .versus/demo].",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Flags(StoreFlags):
    """All flags for questions."""

    max_chunks: Annotated[
        int | None, typer.Option("--max-chunks", "-k", metavar="N", help="Most chunks of one sub-query [default: 12].")
    ] = None
    distance_threshold: Annotated[
        float | None,
        typer.Option("--distance-threshold", metavar="D", help="Cut this far beyond the best distance [default: 0.4]."),
    ] = None
    gap_threshold: Annotated[
        float | None,
        typer.Option("--gap-threshold", metavar="D", help="A distance gap this wide is a cliff [default: 0.1]."),
    ] = None
    gap_min_chunks: Annotated[
        int | None,
        typer.Option("--gap-min-chunks", metavar="N", help="So many chunks stay before any gap [default: 2]."),
    ] = None
    relative_threshold: Annotated[
        float | None,
        typer.Option("--relative-threshold", metavar="R", help="As good as this share of the best [default: 0.4]."),
    ] = None
    absolute_min: Annotated[
        float | None, typer.Option("--absolute-min", metavar="R", help="At least this relevant [default: 0.3].")
    ] = None
    min_chunks: Annotated[
        int | None,
        typer.Option("--min-chunks", metavar="N", help="So many stay, whatever the cuts say [default: 1]."),
    ] = None
    preset: Annotated[str | None, one_of("--preset", PRESETS, "A set of thresholds.")] = None
    planner: Annotated[str | None, one_of("--planner", PLANNERS, "Who splits the question.")] = None
    effort: Annotated[str | None, one_of("--effort", EFFORTS, "How far to split.")] = None
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="Language model.")] = None
    hybrid: Annotated[
        bool | None, typer.Option("--hybrid/--no-hybrid", help="Rank by words (BM25) as well as by distance.")
    ] = None
    chunk_types: Annotated[
        str | None, typer.Option("--chunk-types", metavar="TYPE,...", help="Only chunks of one of these types.")
    ] = None
    tags: Annotated[
        str | None, typer.Option("--tags", metavar="TAG,...", help="Only chunks with all of these tags.")
    ] = None
    min_score: Annotated[
        float | None, typer.Option("--min-score", metavar="R", help="Only chunks at least this relevant, 0 to 1.")
    ] = None
    filters: Annotated[
        list[str] | None,
        typer.Option("--filter", metavar="NAME=VALUE", help="Turn on an installed filter; may be given several times."),
    ] = None
    no_filter: Annotated[
        bool | None, typer.Option("--no-filter", help="Turn every screen and cut off, for comparison.")
    ] = None
    show_context: Annotated[bool, typer.Option("--show-context", help="Show the chunks that were read.")] = False
    debug: Annotated[bool, typer.Option("--debug", help="Show the plan, every candidate and every drop.")] = False


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Unfold a command's `flags` parameter, so that Typer sees one option for each field of its type.

    Typer reads signatures, and has no other way to share options; this is the only place that packs keywords.
    """
    hints = get_type_hints(command, include_extras=True)
    kind: type[StoreFlags] = hints["flags"]
    shared = get_type_hints(kind, include_extras=True)

    @functools.wraps(command)
    def door(**given: object) -> None:
        values = {name: given.pop(name) for name in shared}
        command(**given, flags=kind(**values))  # type: ignore[arg-type]

    own = [p.replace(annotation=hints[p.name]) for p in inspect.signature(command).parameters.values()]
    own = [p.replace(kind=p.KEYWORD_ONLY) for p in own if p.name != "flags"]
    options = [
        inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=shared[f.name])
        for f in fields(kind)
    ]
    door.__signature__ = inspect.Signature([*own, *options])  # type: ignore[attr-defined]
    door.__annotations__ = {p.name: p.annotation for p in [*own, *options]}
    return door
