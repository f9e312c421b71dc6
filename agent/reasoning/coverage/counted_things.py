"""What the numbers of a table count: by a header above their own, or by the name of a table whose rows are numbers.

The *Spells* under *Saving Throws* are throws, and no number of spells.
"""

from __future__ import annotations

from agent.reasoning.coverage.heads import heads_of
from agent.reasoning.measures.dimensions import rated_by
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.match import any_matches, label_words
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase


def counts_another_thing(grid: Grid, column: int, question: Tagged) -> bool:
    """True if the numbers of a column count something else than its own header, according to a header above it or to
    the table's name.
    """
    above = grid.table.columns[column][:-1] if not grid.table.is_record else ()
    if any(label_words(head) and not _asks_for(head, question) for head in above):
        return True
    if _is_rate_of_counted(grid.column_labels[column], question):
        return True
    heads = grid.column_labels[1:]
    if not _is_by_numbers(grid) or all(map(_is_plural, heads)):
        return False
    name = grid.table.caption or grid.title
    measures = heads_of(name, question.language)[:1]  # *Saving throws for smiths* are throws
    told = [word for word in name.split() if _is_plural(word) and any_matches(measures, phrase(word))]
    is_told_by_head = any(any_matches(measures, label_words(head)) for head in heads)
    return bool(told) and not _asks_for(told[0], question) and not is_told_by_head


def _is_rate_of_counted(label: str, question: Tagged) -> bool:
    """True for what is counted by the things that are asked for: neither *how many toys* nor *how many toys can I pay
    the charge of* is told by a *Charge per toy*.
    """
    rated = rated_by(label, question.language)
    counted = [question.tokens[place + 1] for place in question.operation_places]
    head = " ".join(heads_of(label, question.language))
    return any_matches(counted, rated) or (any_matches(question.tokens, rated) and not _asks_for(head, question))


def _asks_for(label: str, question: Tagged) -> bool:
    """True if the question has a word of a label."""
    said = label_words(label)
    return any_matches(question.tokens, said)


def _is_by_numbers(grid: Grid) -> bool:
    """True if all rows of a table are numbers or ranges, without names beside them."""
    rows = [] if grid.table.is_record else grid.table.rows
    are_numbers = bool(rows) and all(read_label(row[0]).span is not None for row in rows)
    return are_numbers and all(len(grid.row_names(at)) == 1 for at in range(len(rows)))


def _is_plural(label: str) -> bool:
    """True if the last word of a label is a plural."""
    last = (label.casefold().split() or [""])[-1]
    return last.endswith("s") and phrase(last) != (last,)
