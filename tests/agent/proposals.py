"""A small book of tables that look alike, and a model that proposes what a test wants for each of its rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

BOOK = """\
# Combat

**Attack Matrix for Clerics and Druids**

| Opponent Armor Class | Level 1-3 | Level 4-6 |
|---|---|---|
| 6 | 14 | 12 |
| 5 | 15 | 13 |
| 4 | 16 | 14 |

**Attack Matrix for Fighters**

| Opponent Armor Class | Level 1-2 | Level 3-4 |
|---|---|---|
| 6 | 14 | 12 |
| 5 | 15 | 13 |

**Psionic Blast for Sages**

| Wisdom Total | Death | Sleep |
|---|---|---|
| 10-13 | 70 | 90 |
| 14-17 | 60 | 80 |

**Psionic Blast for Mystics**

| Wisdom Total | Death | Sleep |
|---|---|---|
| 10-13 | 50 | 75 |
| 14-17 | 40 | 65 |

**Morale**

| Leader | Bonus |
|---|---|
| Present | 2 |
| Lost | 0 |
"""
ROWS = 9

Proposal = dict[str, Any]
Change = Callable[[Proposal], Proposal]


def rows_asked(prompt: str) -> list[dict[str, Any]]:
    """The rows that a prompt is about, each with its id, text and generated rule."""
    rows: list[dict[str, Any]] = json.loads(prompt.split("\n")[1])["chunks"]
    return rows


def good(row: Mapping[str, Any]) -> Proposal:
    """A proposal that stays with the generated title and rule, and knows one more word for clerics."""
    groups = [[*group, *(["priest"] if "clerics" in group else [])] for group in row["generated"]["contain_one_of"]]
    span = row["generated"].get("contain_range")
    rule = {"contain_one_of": groups, "contain_all_of": [], "contain": None, "contain_range": span}
    title = row["text"].split("\n")[0].split(" > ")[-1]
    return {"id": row["id"], "title": title, "description": "What this row is good for.", "query_must": rule}


def answer(prompt: str, changes: Mapping[str, Change] | None = None) -> str:
    """What the model says: good proposals, but for rows whose title has one of these texts."""
    proposals = []
    for row in rows_asked(prompt):
        proposal = good(row)
        for part, change in (changes or {}).items():
            proposal = change(proposal) if part in proposal["title"] else proposal
        proposals.append(proposal)
    return json.dumps({"proposals": proposals})
