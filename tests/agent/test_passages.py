"""Sentences of chunks: those of Markdown begin with their title, those of chunk JSONL need not."""

from __future__ import annotations

import pytest

from agent.prose.units import units_of
from retrieval.types import Chunk, Table

PAYING = "You can pay by cheque on weekdays."


@pytest.mark.parametrize("text", [PAYING, f"Paying\n{PAYING}", f"Fees > Paying\n{PAYING}", f"# Paying\n\n{PAYING}"])
@pytest.mark.parametrize("title", ["Paying", ""])
def test_a_sentence_is_quoted_whether_or_not_a_title_stands_above_it(text: str, title: str) -> None:
    assert PAYING in [unit.text for unit in units_of(Chunk("c", text, title))]


def test_the_note_under_a_table_is_quoted_and_its_rows_are_not() -> None:
    text = "Fees\nItem | Fee by cheque\nPassport | 5 by cheque\nOn weekdays, anything can be paid by cheque."
    table = Table("Fees", (("Item",), ("Fee by cheque",)), (("Passport", "5 by cheque"),))
    chunk = Chunk("c", text, "Fees", chunk_type="table", tables=(table,))
    assert ["On weekdays, anything can be paid by cheque."] == [unit.text for unit in units_of(chunk)]


def test_a_title_is_no_sentence() -> None:
    chunk = Chunk("c", "Fees > Paying\nOn weekdays only.", "Paying")
    assert ["On weekdays only."] == [unit.text for unit in units_of(chunk)]


def test_an_item_stands_under_the_line_that_leads_in_its_list() -> None:
    *items, whole = units_of(Chunk("c", "Guilds\nEach has a colour:\n\n- Bakers: red\n- Tanners: brown", "Guilds"))
    assert [("Each has a colour:", "Bakers: red"), ("Each has a colour:", "Tanners: brown")] == [
        (item.context_text, item.text) for item in items
    ]
    assert "Each has a colour: - Bakers: red - Tanners: brown" == whole.text


def test_a_pronoun_points_at_the_sentence_before() -> None:
    first, second = units_of(Chunk("c", "Pump\nThe pump is heavy. It weighs 8 kg.", "Pump"), frozenset({"it"}))
    assert ("", "The pump is heavy.") == (first.context_text, second.context_text)
