"""Sentences of chunks: those of Markdown begin with their title, those of chunk JSONL need not."""

from __future__ import annotations

import pytest

from agent.reasoners.passages import quotes
from retrieval.types import Chunk, Table

PAYING = "You can pay by cheque on weekdays."


@pytest.mark.parametrize("text", [PAYING, f"Paying\n{PAYING}", f"Fees > Paying\n{PAYING}", f"# Paying\n\n{PAYING}"])
@pytest.mark.parametrize("title", ["Paying", ""])
def test_a_sentence_is_quoted_whether_or_not_a_title_stands_above_it(text: str, title: str) -> None:
    found = quotes("pay by cheque", [Chunk("c", text, title)])
    assert PAYING in [quote.text for quote in found]


def test_the_note_under_a_table_is_quoted_and_its_rows_are_not() -> None:
    text = "Fees\nItem | Fee by cheque\nPassport | 5 by cheque\nOn weekdays, anything can be paid by cheque."
    table = Table("Fees", (("Item",), ("Fee by cheque",)), (("Passport", "5 by cheque"),))
    found = quotes("paid by cheque", [Chunk("c", text, "Fees", chunk_type="table", tables=(table,))])
    assert ["On weekdays, anything can be paid by cheque."] == [quote.text for quote in found]


def test_a_title_is_no_sentence() -> None:
    assert [] == quotes("fees paying", [Chunk("c", "Fees > Paying\nOn weekdays only.", "Paying")])
