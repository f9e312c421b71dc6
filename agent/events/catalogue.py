"""The catalogue of events: the name, level, fields and meaning of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EventDefinition:
    """One entry of the catalogue."""

    name: str
    level: str
    fields: tuple[str, ...]
    meaning: str


_RETRIEVED = (
    "text", "rounds", "fetched", "kept", "stop", "error", "ms", "best_score", "dynamic_threshold", "absolute_min",
    "effective_threshold", "cut", "dropped", "unique_added", "hits",
)  # fmt: skip
_ANSWERED = (
    "stop_reason", "verdict", "text", "citations", "findings", "unanswered", "not_looked_up", "tried", "evidence",
    "usage", "timings_ms", "notes",
)  # fmt: skip
_CALLED = ("model", "purpose", "prompt_tokens", "completion_tokens", "cost_usd", "ms")
_BATCH_DONE = ("done", "total", "answered", "in_part", "failed", "cost_usd")

CATALOGUE: tuple[EventDefinition, ...] = (
    EventDefinition("question.received", "info", ("question", "chars", "collection", "store"),
                    "A question came in; `store` is the folder or address of the collection."),
    EventDefinition("plan.created", "info", ("planner", "effort", "sub_queries"),
                    "It was split into sub-queries, each with all that is needed to run it again."),
    EventDefinition("plan.extended", "info", ("round", "needs", "sub_queries"),
                    "Facts were missing; these sub-queries look for them, with wider limits."),
    EventDefinition("planner.fallback", "warning", ("reason",), "The language model made no plan; the rules did."),
    EventDefinition("plan.corrected", "info", ("reason",), "The language model read what the question does not say."),
    EventDefinition("subquery.retrieved", "info", _RETRIEVED, "One sub-query was searched, screened and cut. "
                    "`best_score` is of all chunks; thresholds and cuts are of those not asked for by name."),
    EventDefinition("chunk.dropped", "debug", ("chunk_id", "title", "rule", "reason", "relevance"),
                    "A candidate was removed."),
    EventDefinition("subquery.failed", "warning", ("text", "error", "message"),
                    "One sub-query failed, or was not searched before the deadline; the others go on."),
    EventDefinition("subquery.skipped", "info", ("text", "stop", "low_quality_limit"),
                    "One sub-query was not searched: so many before it, in a row, lost more chunks than they kept."),
    EventDefinition("llm.called", "info", _CALLED, "A language model answered."),
    EventDefinition("llm.retried", "warning", ("model", "attempt", "error"), "A call failed and is tried again."),
    EventDefinition("llm.failed", "warning", ("model", "purpose", "error"), "A call failed for good."),
    EventDefinition("answer.completed", "info", _ANSWERED, "The answer was checked and handed over. "
                    "`unanswered` was looked for and not found, what is `not_looked_up` was not searched; "
                    "`tried` are the queries for each."),
    EventDefinition("search.completed", "info", ("passages", "timings_ms"),
                    "A question was planned and perhaps searched; no answer was wanted."),
    EventDefinition("question.failed", "error", ("error", "message"), "A question ended without an answer."),
    EventDefinition("batch.joined", "info", ("process",),
                    "One more process, by its number, answers the questions of a batch."),
    EventDefinition("batch.recorded", "info", ("line", "id", "status", "same_as", "error"),
                    "The record of a line is on disk for good: `answered`, `in_part` or `failed` with the type of its "
                    "error. Records that a resume finds are not told again, and a kill may lose the last of these."),
    EventDefinition("batch.progress", "info", (*_BATCH_DONE, "rate"),
                    "Some questions of a file are done, told every ten seconds; the counts are of the whole output."),
    EventDefinition("batch.completed", "info", ("output", "ending", *_BATCH_DONE, "copies", "seconds", "notes"),
                    "A batch ended, `complete` or why it stopped. The counts and the cost are of the whole output, "
                    "with what earlier runs wrote; `seconds` are of this run."),
    EventDefinition("ingest.completed", "info",
                    ("files", "files_unchanged", "chunks", "tables", "rules", "embedded", "updated", "unchanged",
                     "removed", "warnings", "skipped", "failed"),
                    "Sources were read and stored. `updated` chunks were written with a vector that was known; "
                    "`skipped` are the files of folders that were not read, by kind, and `failed` those that can't "
                    "be read."),
    EventDefinition("index.rebuilt", "warning", ("collection", "chunks", "reason"),
                    "An index was destroyed or missing, and is built again from the chunks that were kept."),
    EventDefinition("vectors.lost", "warning", ("collection", "reason"),
                    "Chroma can't read the vectors of a collection that is taken over; its texts are embedded again."),
    EventDefinition("settings.not_taken", "warning", ("name", "value", "source", "reason"),
                    "A setting of the working folder does not count, for nobody has trusted the folder."),
    EventDefinition("profile.unused", "warning", ("chunk_type", "chunk_types"),
                    "A profile is for a chunk type that the collection does not have."),
    EventDefinition("command.failed", "error", ("error", "message", "exception"),
                    "A command gave up; `exception` is the traceback, without the values of variables."),
    EventDefinition("log.message", "warning", ("logger", "message"), "A library said something."),
)  # fmt: skip


def catalogue_page() -> str:
    """Return the text of `logs/README.md`."""
    rows = (f"| `{e.name}` | {e.level} | {_listed(e.fields)} | {e.meaning} |" for e in CATALOGUE)
    return _PAGE.format(rows="\n".join(rows))


def _listed(fields: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in fields)


_PAGE = """\
# The log

`versus` writes what it does to this folder (`VERSUS_LOG_DIR`), one file a day (`versus-YYYYMMDD.jsonl`, by UTC),
one event a line, each line one JSON object. Several processes may write at once, and files may be moved away while
they do. Secrets are masked; line breaks and control characters are escaped; long texts are shortened. Used as a
library, `versus` writes no log unless the program asks for one (`agent.events.configure_logging`).

| setting | effect |
|---|---|
| `VERSUS_LOG_LEVEL=debug` | adds every dropped chunk, with its reason |
| `VERSUS_LOG_TO=stderr` | writes the lines to stderr instead of a file; `none` writes none |
| `VERSUS_LOG_FORMAT=console` | shows the events on stderr in a form for people, besides the file |
| `VERSUS_LOG_MAX_BYTES=100000000` | sets a file of that size aside as `versus-YYYYMMDD.0001.jsonl`, and so on |
| `VERSUS_SPANS=otlp` | sends each question as OpenTelemetry spans (needs `versus-rag[otel]`) |

`versus logs` sums them up and judges them, `versus logs show RUN_ID` tells one question's story, and
`versus replay RUN_ID` runs its plan again to show what other settings change.

Every event has `event`, `level` and `timestamp`; where they apply also `run_id`, `question_id` and `sub_query`. All
that happens in one `versus batch` has the same `batch_id`, but for what libraries say.
The names are those of the JSON output. Each of `sub_queries` has `id`, `text`, `purpose`, `depends_on`, `entities`,
`chunk_types`, `tags`, `min_score` and `collection`; each of `hits` has `chunk_id`, `title`, `distance` and `relevance`;
each of `evidence` has `chunk_id`, `title`, `score` and `found_by`; `usage` has `llm_calls`, `prompt_tokens`,
`completion_tokens` and `cost_usd`; `timings_ms` has `plan`, `retrieve`, `reason`, `synthesize` and `total`.

| event | level | fields | meaning |
|---|---|---|---|
{rows}

What dropped how much today, for instance:

```sh
jq -r 'select(.event == "subquery.retrieved") | [.sub_query, .kept, .cut, (.dropped | tostring)] | @tsv' logs/*.jsonl
```

This page is generated from the catalogue in `agent/events/catalogue.py`: `python -m agent.events > logs/README.md`.
"""
