"""An answer as HTML that needs no script. Text from a book, a model or a caller is escaped."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import escape
from urllib.parse import quote, urlencode

from agent.doors.http.page.assets import frame
from agent.escape import printable
from agent.render.shapes import (
    AnswerData,
    CellPlace,
    CitationData,
    MarkedChunkData,
    ProblemData,
    RetrievedData,
    SubQueryData,
    TableData,
    UnansweredData,
)
from agent.render.words import page_words

_WELCOME = """<div id="welcome">
<p>Ask for a value, compare several things, rank them, count them, or ask what a text says. What is asked is split into
searches, numbers are read and computed and never guessed, and each one leads to the very cell that it stands in.
What was not found is said.</p>
</div>"""
_STOPS = {"complete": "Answered", "deadline": "Cut off by the deadline", "budget": "Cut off by the budget"}
_FOUND = {"part": "Answered in part", "near": "Nothing found but the nearest passages", "nothing": "Nothing found"}
_SENTENCE = 20
"""Letters from which a quote counts as a sentence, which the answer's text may contain verbatim."""
KEY_KEPT = "Your browser keeps it until it is closed."
_CITED = re.compile(r"\[(\d+)\]")
_ENDS_CITED = re.compile(r"\[\d+\]$")


def framed(
    head: str,
    base: str,
    said: str = "",
    question: str = "",
    run_id: str = "",
    collection: str = "",
    usual: str = "",
    takes_files: bool = False,
    asks: bool = True,
    key_said: str | None = None,
) -> str:
    """Return the whole page around `said`; `base` leads from its address to that of the server.

    `usual` is the collection that is asked if none is chosen, and that receives uploaded files. With `key_said` the
    page asks for a key.
    """
    return frame().substitute(
        base=base,
        head=head,
        asking="" if asks else " hidden",
        reference=f'<a class="small" href="{base}docs">API</a>' if asks else "",
        title=escape(printable(f"{question} – versus" if question else "versus")),
        question=escape(printable(question)),
        run=escape(run_id),
        collection=escape(collection),
        keying=" hidden" if key_said is None else "",
        key_said=escape(key_said or KEY_KEPT),
        following="" if run_id and said else " hidden",
        uploading="" if takes_files else " hidden",
        usual=escape(usual),
        said=said or (_WELCOME if asks else ""),
    )


def answer_html(answer: AnswerData, base: str | None, run_id: str, collection: str) -> str:
    """Return the question, the text with citations, what was not found and tried, the sources, and the plan.

    Without a server, `base` is None and the sources have no links.
    """
    sources = [_source(citation, answer["text"], base, collection) for citation in answer["citations"]]
    state = _state(answer)
    stops = _STOPS.get(answer["stop_reason"]) or _FOUND[state]
    missing = "".join(_missing(each, collection) for each in answer["unanswered"])
    said = f'<div class="answer">{"".join(_lines(answer))}</div>'
    parts = [
        f"<h2>{_text(answer['question'])}</h2>",
        f'<p class="small" role="status">{stops} in {answer["timings_ms"]["total"] / 1000:.2f} s</p>',
        *((missing, said) if state == "near" else (said, missing)),
        f'<h3>Sources</h3>\n<ol class="sources">\n{"".join(sources)}</ol>' if sources else "",
        _plan(answer),
        "" if base is None else _addresses(base, run_id),
    ]
    return f'<article data-state="{state}">\n' + "\n".join(parts) + "\n</article>"


def _state(answer: AnswerData) -> str:
    """Return whether the question is answered in full or in part, only passages near it were found, or nothing."""
    if answer["stop_reason"] == "complete":
        return "complete"
    if not answer["citations"]:
        return "nothing"
    needs = {each["need"] for each in answer["unanswered"]}
    values = [finding["values"] for finding in answer["findings"]]
    is_near = values and all(each.get("attribute") in needs and each.get("values") == [] for each in values)
    return "near" if is_near else "part"


def _plan(answer: AnswerData) -> str:
    """Return the plan as a tree, each sub-query with its result."""
    found = {each["sub_query"]: each for each in answer["retrieved"]}
    planned = answer["plan"]["sub_queries"]
    below: dict[str, list[SubQueryData]] = {"": []}
    for each in planned:
        below[each["id"]] = []
        parent = next((on for on in each["depends_on"] if on in below), "")
        below[parent].append(each)

    def branch(parent: str) -> str:
        lines = [f"<li>{_searched(each, found.get(each['id']))}{branch(each['id'])}</li>" for each in below[parent]]
        return f'<ul class="plan">{"".join(lines)}</ul>' if lines else ""

    return f'<details class="work"><summary>How it was looked up</summary>{branch("")}</details>' if planned else ""


def _searched(sub_query: SubQueryData, found: RetrievedData | None) -> str:
    """Return a sub-query with the number of chunks it kept, or why it failed."""
    came = "not searched"
    if found is not None:
        came = f"failed: {found['error']}" if found["error"] else f"kept {found['kept']} of {found['fetched']}"
    told = ": ".join(part for part in (sub_query["purpose"], came) if part)
    return f'{_text(sub_query["text"])} <span class="small">{_text(told)}</span>'


def problem_html(problem: ProblemData) -> str:
    """Return what went wrong, and what to do.

    >>> problem_html({"type": "", "title": "Too many", "status": 429, "detail": "wait", "instance": None, "errors": []})
    '<section class="problem" role="alert"><h2>Too many</h2><p>wait</p></section>'
    """
    fields = "".join(f"<p>{_text(each['pointer'])}: {_text(each['detail'])}</p>" for each in problem["errors"])
    told = f"<h2>{_text(problem['title'])}</h2><p>{_text(problem['detail'])}</p>"
    return f'<section class="problem" role="alert">{told}{fields}</section>'


def chunk_html(chunk: MarkedChunkData) -> str:
    """Return a chunk: its tables with the marked cell, or its text if no cell is asked for."""
    marked = None if chunk["marked"] is None else chunk["marked"]["citation"]["cell"]
    tables = []
    for place, table in enumerate(chunk["tables"]):
        tables.append(_table(table, marked if marked is not None and marked["table"] == place else None))
    text = "" if marked is not None else f'<p class="text">{_text(chunk["text"])}</p>'
    twin = urlencode({**(marked or {}), "as": "json"})
    where = f'<p class="small">{_place(chunk)}, <a href="?{escape(twin)}">as JSON</a></p>'
    return f"<article>\n<h2>{_text(chunk['title'])}</h2>{where}{text}{''.join(tables)}\n</article>"


def _table(table: TableData, marked: CellPlace | None) -> str:
    """Return a table with its headers, and a mark on the cell at a place."""
    depth = max(map(len, table["columns"]), default=0)
    heads = []
    for level in range(depth):
        cells = [f'<th scope="col">{_text(path[level] if level < len(path) else "")}</th>' for path in table["columns"]]
        heads.append(f"<tr>{''.join(cells)}</tr>")
    rows = []
    for row, texts in enumerate(table["rows"]):
        cells = [
            _cell(text, marked is not None and (marked["row"], marked["column"]) == (row, column))
            for column, text in enumerate(texts)
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    notes = "".join(f'<p class="small">{_text(note)}</p>' for note in table["notes"])
    caption = f"<caption>{_text(table['caption'])}</caption>" if table["caption"] else ""
    inner = f"{caption}<thead>{''.join(heads)}</thead><tbody>{''.join(rows)}</tbody>"
    return f'<div class="scroll"><table>{inner}</table></div>{notes}'


def _cell(text: str, is_marked: bool) -> str:
    return f'<td class="marked" id="marked"><mark>{_text(text)}</mark></td>' if is_marked else f"<td>{_text(text)}</td>"


def _lines(answer: AnswerData) -> Iterator[str]:
    """Yield the lines of the text, except those that a box of missing facts repeats; a dash begins a list item."""
    cited, is_list = {citation["n"] for citation in answer["citations"]}, False
    for line in answer["text"].split("\n"):
        if any(_repeats_missing_fact(line, each) for each in answer["unanswered"]):
            continue
        is_item = line.startswith("- ")
        if is_item != is_list:
            yield '<ul class="working">' if is_item else "</ul>"
            is_list = is_item
        told = _with_links(line.removeprefix("- "), cited)
        kind = ' class="assumed"' if line.startswith("- assumed: ") else ""
        yield f"<li{kind}>{told}</li>" if is_item else f"<p>{told}</p>"
    if is_list:
        yield "</ul>"


def _repeats_missing_fact(line: str, missing: UnansweredData) -> bool:
    """Return True if a line without citations repeats the box of a missing fact."""
    says_all = bool(missing["tried"]) and all(part in line for part in (missing["need"], *missing["tried"]))
    return says_all and not line.startswith("- ") and not _ENDS_CITED.search(line)


def _with_links(line: str, cited: Collection[int]) -> str:
    """Return a line whose citation marks link to the sources that exist."""

    def link(mark: re.Match[str]) -> str:
        return f'<a class="cite" href="#c{mark[1]}">{mark[0]}</a>' if int(mark[1]) in cited else mark[0]

    return _CITED.sub(link, _text(line))


def _missing(unanswered: UnansweredData, collection: str) -> str:
    absent = ", ".join(f"<em>{_text(each)}</em>" for each in unanswered["absent"])
    nowhere = f"<p>Nowhere in it: {absent}.</p>" if absent else ""
    error = f" {_text(unanswered['error'])}" if unanswered["error"] else ""
    head = "Not looked up" if unanswered["error"] else f"Not found in {_text(collection)}"
    tried = "".join(f"<li>{_text(each)}</li>" for each in unanswered["tried"])
    need = f"<p><strong>{_text(unanswered['need'])}</strong>{error}</p>{nowhere}"
    return f'<section class="missing"><h3>{head}</h3>{need}<p>Looked for:</p><ul>{tried}</ul></section>'


def _addresses(base: str, run_id: str) -> str:
    return f'<p><a href="{base}r/{run_id}">This answer</a>, <a href="{base}v1/runs/{run_id}">as JSON</a></p>'


def _source(citation: CitationData, text: str, base: str | None, collection: str) -> str:
    """Return a source, with its quote unless the text of the answer has it."""
    n, cell = citation["n"], citation["cell"]
    title = _text(citation["title"])
    if base is not None:
        places = f"?{urlencode(dict(cell))}#marked" if cell else ""
        address = f"{base}v1/collections/{quote(collection, safe=',')}/chunks/{quote(citation['chunk_id'])}{places}"
        title = f'<a href="{escape(address)}">{title}</a>'
    inferred = "table structure inferred" if citation["inferred"] else None
    where = f'<span class="small">{_place(citation, citation["address"], inferred)}</span>'
    is_repeated = len(citation["quote"]) >= _SENTENCE and citation["quote"] in text
    quoted = "" if is_repeated else f"<q>{_text(citation['quote'])}</q>"
    return f'<li id="c{n}" value="{n}">{title} {quoted} {where}</li>\n'


def _place(part: CitationData | MarkedChunkData, *further: str | None) -> str:
    """Return the place of a citation or chunk in its book."""
    page = page_words(part["page"], part.get("page_label") or "")
    line = None if part["line"] is None else f"line {part['line']}"
    return _text(", ".join(filter(None, (part["source"], page, line, *further))))


def _text(text: str) -> str:
    """Return text with all markup escaped.

    >>> _text("<b>orc</b>")
    '&lt;b&gt;orc&lt;/b&gt;'
    """
    return escape(printable(text))
