"""Cut sections into chunks: prose in pieces, records with their prose, tables whole or one row at a time.

A table of a near-duplicate family yields a chunk for each row, titled *caption - row header row key*, with a rule.
Other tables are reference data without a rule. Long tables are cut between rows, and each piece repeats the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.ingest.cutting import Piece, packed, turns, weight
from retrieval.ingest.families import Captioned, find_families, stacked
from retrieval.ingest.files import page_name
from retrieval.ingest.heading_records import with_heading_records
from retrieval.ingest.legends import with_heads_in_full
from retrieval.ingest.long_tables import with_wide_tables
from retrieval.ingest.naming import with_page_names
from retrieval.ingest.page_records import with_page_records
from retrieval.ingest.row_pairs import with_pairs_in_rows
from retrieval.ingest.rules import row_rule
from retrieval.ingest.sentence_records import with_sentence_records
from retrieval.ingest.side_by_side import with_things_apart
from retrieval.ingest.subjects import Subject, plain_words, subjects
from retrieval.ingest.things import things_of_records, with_things
from retrieval.readers.documents.pages import Pages
from retrieval.readers.documents.sections import Paragraph, Placed, Section, Source
from retrieval.readers.documents.tables import is_record_matrix
from retrieval.readers.labels.running_text import VALUES_BETWEEN, is_record
from retrieval.readers.labels.value_parts import with_parts
from retrieval.readers.lists.listed_things import listed_things
from retrieval.tables.row_names import group_rows
from retrieval.tabular import Boxes
from retrieval.text.normal import phrase
from retrieval.text.spelling import fold
from retrieval.types import Chunk, QueryMust, Table

_TELLING = 40
"""The characters of a value that are searched for in a piece of text."""
TABLE_WORDS = 180
MOST_REPEATED = 20
"""The most words of a group's name that each piece repeats."""
_BRACKET = re.compile(r"\s*\([^()]*\)$")
_ORDINARY = frozenset({"common", "normal", "ordinary", "standard", "typical"})
"""Names of the default kind, which is meant if none is named."""
_SubjectFacts = tuple[str, tuple[tuple[str, str], ...]]
"""Labels with values, and the name of their subject; an empty name is the section's subject."""
_NUMBERED = re.compile(r"table\s*[\w.-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Place:
    """The place where a chunk begins."""

    source: str
    section: Section
    line: int
    page: int | None
    boxes: Boxes = ()
    turns: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Located:
    source: str
    section: Section
    block: Placed


@dataclass(frozen=True, slots=True)
class _Part:
    """A table, or a group of its rows as a table, with its names and the places of its rows in the whole."""

    located: _Located
    captioned: Captioned
    places: Sequence[int]


def build_chunks(sources: Sequence[Source]) -> list[Chunk]:
    """Turn all sources of one ingestion into chunks; families are detected across all of them."""
    sources = with_things_apart(with_heads_in_full(with_wide_tables(sources)))
    sources = with_things(with_page_records(with_pairs_in_rows(with_heading_records(with_page_names(sources)))))
    sources = with_sentence_records(sources)
    located = [
        _Located(source.name, section, block)
        for source in sources
        for section in source.sections
        for block in section.blocks
        if isinstance(block, Placed)
    ]
    rows = _rows([part for item in located for part in _parts_of(item)])
    drafts = [
        chunk for source in sources for section in source.sections for chunk in _section(source.name, section, rows)
    ]
    return _with_ids(drafts)


def _rows(parts: Sequence[_Part]) -> dict[int, list[Chunk]]:
    """Return the row chunks of each table in a family, by table; a stacked table needs all its parts in families."""
    found: dict[int, list[Chunk]] = {}
    for family in find_families([part.captioned for part in parts]):
        members = [parts[member] for member in family.members]
        about = subjects([member.captioned for member in members], family)
        for part, subject in zip(members, about, strict=True):
            found[id(part)] = list(_row_chunks(part, subject))
    by_table: dict[int, list[_Part]] = {}
    for part in parts:
        by_table.setdefault(id(part.located.block.table), []).append(part)
    return {
        table: [chunk for part in own for chunk in found[id(part)]]
        for table, own in by_table.items()
        if all(id(part) in found for part in own)
    }


def _parts_of(located: _Located) -> list[_Part]:
    """Return a table as one part, or each of its groups of rows if these look alike."""
    table, section = located.block.table, located.section
    groups = stacked(table) if len(list(_pieces(table))) > 1 else []
    if not groups:
        return [_Part(located, Captioned(table, _names(table, section)), range(len(table.rows)))]
    base, outer = _names(table, section)[0], _names(table, section)[1:]
    return [_part(located, f"{base}, {group}", outer, places) for group, places in groups]


def _part(located: _Located, caption: str, outer: tuple[str, ...], places: Sequence[int]) -> _Part:
    table = located.block.table
    part = replace(table.only(places), caption=caption)
    return _Part(located, Captioned(part, (caption, *outer)), places)


def _names(table: Table, section: Section) -> tuple[str, ...]:
    own = (table.caption,) if table.caption else ()
    return own + tuple(reversed(section.headings)) or ("Table",)


def _row_chunks(part: _Part, subject: Subject) -> Iterator[Chunk]:
    located, names, table = part.located, part.captioned.names, part.captioned.table
    caption, head = names[0], table.columns[0][-1]
    outer = next((name for name in names[1:] if _contains_term(name, subject.terms)), "")
    named = caption if _contains_term(caption, subject.terms) or not outer else f"{outer} {caption}"
    for at, (place, row) in enumerate(zip(part.places, table.rows, strict=True)):
        single = replace(table.only([at]), caption=named)
        title = f"{named.rstrip('*')} - {head} {row[0]}"
        where = _Place(located.source, located.section, located.block.line, located.block.pages.after(place))
        rule = row_rule(subject.terms, head, row[0], subject.contain_own)
        yield _chunk(where, title, table_text(single), "row", (single,), rule)


def _contains_term(caption: str, terms: Sequence[str]) -> bool:
    return not terms or any(fold(term) in plain_words(caption) for term in terms)


def _section(source: str, section: Section, rows: dict[int, list[Chunk]]) -> Iterator[Chunk]:
    """Yield a section's chunks: its records open its prose, its other tables stand alone.

    Each of several stat blocks side by side is a chunk, and that of the ordinary kind is also the section's record.
    """
    prose: list[Paragraph] = []
    records: list[Table] = []
    told: list[_SubjectFacts] = []
    members = [each.members for each in section.blocks if isinstance(each, Paragraph) and each.members]
    for block in section.blocks:
        if isinstance(block, Paragraph):
            prose.append(block)
            told += [("", block.pairs), *block.parts]
        elif block.table.is_record:
            records.append(block.table)
            said = block.table.caption in ("", section.title)
            text = ("" if said else f"{block.table.caption}\n") + table_text(block.table)
            prose.append(_on_one_page(block, text))
        elif id(block.table) in rows:
            yield from rows[id(block.table)]
        elif is_record_matrix(block.table):
            for name, record in _matrix_records(block.table, section):
                place = _Place(source, section, block.line, block.pages.first)
                yield _chunk(place, record.caption, table_text(record), "record", (with_parts(record),))
                if section.title and not records and fold(name) in _ORDINARY:
                    records.append(replace(record, caption=section.title))
                    prose.append(_on_one_page(block, table_text(record)))
        else:
            yield from _table_chunks(source, section, block)
    yield from _prose_chunks(source, section, prose, tuple(records), told, members)


def _on_one_page(block: Placed, text: str) -> Paragraph:
    return Paragraph(text, block.line, pages=Pages(block.pages.first), boxes=block.table.boxes)


def _matrix_records(table: Table, section: Section) -> Iterator[tuple[str, Table]]:
    """Yield each stat block of several side by side, named by the section's title and its column's head."""
    heads = [path[-1] for path in table.columns[1:]]
    plain = [_BRACKET.sub("", head) or head for head in heads]
    names = plain if len(set(plain)) == len(plain) else heads
    for c, (path, name) in enumerate(zip(table.columns[1:], names, strict=True), start=1):
        pairs = tuple((row[0].rstrip(": "), row[c]) for row in table.rows)
        said = set(phrase(section.title)) <= set(phrase(name))
        title = name if said else f"{section.title}, {name}"
        over = [text for text in (table.caption, *path) if text and text not in title and text != name]
        yield name, Table(title, ((), ()), pairs, (*over, *table.notes))


def _table_chunks(source: str, section: Section, block: Placed) -> Iterator[Chunk]:
    table = block.table if block.table.caption else replace(block.table, caption=section.title or page_name(source))
    title = f"{section.title}: {table.caption}" if _NUMBERED.fullmatch(table.caption) else table.caption
    pieces = list(_pieces(_with_pages(table, block.pages)))
    for n, (before, piece) in enumerate(pieces, start=1):
        part = f" ({n} of {len(pieces)})" if len(pieces) > 1 else ""
        page = block.pages.after(before) if before else block.pages.first
        place = _Place(source, section, block.line, page)
        yield _chunk(place, title + part, table_text(piece), "table", (piece,))


def _with_pages(table: Table, pages: Pages) -> Table:
    """Return the table with the page of each row if it spans several pages."""
    found = [pages.after(row) for row in range(len(table.rows))]
    return replace(table, row_pages=tuple(page or 0 for page in found)) if len({*found}) > 1 else table


def _pieces(table: Table) -> Iterator[tuple[int, Table]]:
    """Yield the table in pieces that fit into a chunk, each with the number of rows before it.

    Each piece repeats the heads and the name of the group that it continues; if much is repeated, pieces are longer.
    """
    size = sum(weight(head) for path in table.columns for head in path)
    repeated = size + weight(table.caption) + sum(map(weight, table.notes))
    room = max(TABLE_WORDS - size, repeated // 4)
    rows: list[int] = []
    group: int | None = None
    words = before = 0
    groups = group_rows(table.rows)
    for n, row in enumerate(table.rows):
        cost = sum(map(weight, row))
        is_group = n in groups
        if rows and words + cost > room and (is_group or any(row[1:])):
            yield before, table.only(rows)
            is_said = group is not None and not is_group and weight(table.rows[group][0]) <= MOST_REPEATED
            rows = [group] if group is not None and is_said else []
            words, before = 0, n
        group = n if is_group else group
        rows.append(n)
        words += cost
    yield before, table.only(rows)


def table_text(table: Table) -> str:
    """Return a table as text: `head: value` lines for a record or a single row, else pipe rows under the heads."""
    if table.is_record:
        lines = [f"{label}: {value}" for label, value in table.rows]
    elif len(table.rows) == 1:
        lines = _row_lines(table)
    else:
        lines = [" | ".join(" ".join(path) for path in table.columns), *(" | ".join(row) for row in table.rows)]
    return "\n".join([*lines, *table.notes])


def _row_lines(table: Table) -> list[str]:
    """Return one row as text; columns under one spanning head share a line."""
    lines: list[str] = []
    last: tuple[str, ...] | None = None
    for path, value in zip(table.columns, table.rows[0], strict=True):
        spanning = path[:-1]
        if spanning and spanning == last:
            lines[-1] += f", {path[-1]}: {value}"
        else:
            lines.append(f"{' '.join(path)}: {value}")
        last = spanning
    return lines


def _prose_chunks(
    source: str,
    section: Section,
    prose: Sequence[Paragraph],
    records: tuple[Table, ...],
    told: Sequence[_SubjectFacts],
    members: Sequence[Table],
) -> Iterator[Chunk]:
    """Yield the prose in pieces: the first has the section's stat blocks, each the labels and values in its text. What
    things the labels list is told by the whole section, so that a short last piece has its part of their table.
    """
    every = list(packed(prose))
    is_cut = len(every) > 1
    whole = list(listed_things([Table(name, ((), ()), own) for name, own in _joined(told)])) if is_cut else []
    for n, pieces in enumerate(every, start=1):
        text = "\n\n".join(piece.text for piece in pieces)
        boxes = tuple(dict.fromkeys(box for piece in pieces for box in piece.boxes))
        title = section.title or page_name(source)
        tables, kind = (records, "record") if n == 1 and records else ((), "section")
        words = " ".join(text.split())
        for name, own in _facts_in_text(words, told):
            tables = (*tables, Table(name, ((), ()), own))
            kind = "record" if kind == "record" or is_record(own) else kind
        place = _Place(source, section, section.line, pieces[0].page, boxes, turns(pieces))
        listed = [table for table in members if _contains_pair(words, table.rows[0][0], table.rows[-1][0])]
        listed += things_of_records(tables, title)
        things = list(_of_piece(whole, tables)) or listed_things(tables)
        tables = (*(_with_pages_of(pieces, with_parts(table)) for table in tables), *things)
        tables = (*tables, *listed, *(_with_pages_of(pieces, table) for table in _sentence_record(words, prose)))
        yield _chunk(place, title if n == 1 else f"{title} ({n})", text, kind, tables)


def _of_piece(whole: Sequence[Table], records: Sequence[Table]) -> Iterator[Table]:
    """Yield the rows of the section's tables of things whose labels stand in the records of a piece."""
    labels = {row[0] for record in records for row in record.rows}
    for things in whole:
        places = [at for at, row in enumerate(things.rows) if row[0] in labels]
        if places:
            yield things.only(places)


def _sentence_record(words: str, prose: Sequence[Paragraph]) -> Iterator[Table]:
    """Yield the record of the facts in a text's sentences, if there are any."""
    told = [each for paragraph in prose for each in paragraph.sentence_facts if each[-1] in words]
    if told:
        rows = tuple((label, value) for label, value, _ in told)
        yield Table("", ((), ()), rows, sentences=tuple(sentence for *_, sentence in told))


def _with_pages_of(pieces: Sequence[Piece], record: Table) -> Table:
    """Return a record in prose with the page of each row, if the prose spans several pages."""
    if len({piece.page for piece in pieces}) == 1 or record.row_pages:
        return record
    said = [(" ".join(piece.text.split()), piece.page or 0) for piece in pieces]
    rows = range(len(record.rows))
    pages = [next((page for words, page in said if _contains_row(words, record, row)), said[0][1]) for row in rows]
    return record if {*pages} == {said[0][1]} else replace(record, row_pages=tuple(pages))


def _contains_row(words: str, record: Table, row: int) -> bool:
    """True if a text contains a row of a record."""
    return record.sentences[row] in words if record.sentences else _contains_pair(words, *record.rows[row][:2])


def _facts_in_text(words: str, told: Iterable[_SubjectFacts]) -> Iterator[_SubjectFacts]:
    """Yield the labels and values in a text: those of its own subject as one group, and those of each named thing."""
    return _joined((name, tuple(each for each in pairs if _contains_pair(words, *each))) for name, pairs in told)


def _joined(told: Iterable[_SubjectFacts]) -> Iterator[_SubjectFacts]:
    """Yield the labels and values of each subject together, those of the section's own first."""
    found: dict[str, list[tuple[str, str]]] = {"": []}
    for name, pairs in told:
        found.setdefault(name, []).extend(pairs)
    yield from ((name, tuple(pairs)) for name, pairs in found.items() if pairs)


def _contains_pair(words: str, label: str, value: str) -> bool:
    """True if a text contains a label and its value; a note may have moved from the value to the label."""
    own = _ends(label)
    return (own in words or _BRACKET.sub("", own) in words) and _begins(value) in words


def _ends(label: str) -> str:
    """Return the end of a label as it is in the text, without the label above it."""
    return label.rpartition(": ")[2]


def _begins(value: str) -> str:
    """Return the beginning of a value as it is in the text, where list values are on separate lines."""
    return value.partition(VALUES_BETWEEN)[0][:_TELLING]


def _chunk(
    place: _Place, title: str, text: str, kind: str, tables: tuple[Table, ...] = (), rule: QueryMust | None = None
) -> Chunk:
    headings = place.section.headings
    return Chunk(
        "", text, title, place.source, headings, place.page, place.line, kind, (), rule, tables,
        boxes=place.boxes, turns=place.turns,
    )  # fmt: skip


def _with_ids(drafts: Sequence[Chunk]) -> list[Chunk]:
    """Assign ids that survive changes in surrounding text: source, title, and a count for repeats."""
    seen: dict[str, int] = {}
    out = []
    for draft in drafts:
        base = f"{_slug(re.sub(r'[.]md$', '', draft.source))}/{_slug(draft.title)}"
        seen[base] = seen.get(base, 0) + 1
        head = _context(draft)
        out.append(replace(draft, id=base if seen[base] == 1 else f"{base}~{seen[base]}", text=f"{head}\n{draft.text}"))
    return out


def _context(chunk: Chunk) -> str:
    """Return the first line of a chunk's text: its title under the nearest headings that add words."""
    above = [h for h in chunk.headings[-3:] if h not in chunk.title]
    return " > ".join([*above, chunk.title])


def _slug(text: str) -> str:
    slug = re.sub(r"[^\w+-]+", "-", fold(text)).strip("-") or "untitled"
    # The rows of a long caption differ at the end.
    return slug if len(slug) <= 100 else f"{slug[:49]}--{slug[-49:]}"
