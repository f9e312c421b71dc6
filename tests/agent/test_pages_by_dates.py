"""Pages of one form, each a member of what its folder is called, with its date: the oldest, and how many of a year."""

from __future__ import annotations

import pytest

from tests.kit import answer, library


def _notice(title: str, day: str, pilot: str) -> str:
    head = f'title: "{title}"\nissued: "{day}"\npilot: {pilot}'
    return f"---\n{head}\n---\n\nIt is about the {title.lower()} of the port.\n"


PORT = library(
    {
        "harbourNotices/n-1.md": _notice("New lamps", "May 3, 2019", "Ada\nwithdrawn: 2 June 2022"),
        "harbourNotices/n-2.md": _notice("Low water", "April 9, 2021", "Bea"),
        "harbourNotices/n-3.md": _notice("Night fees", "June 30, 2021", "Ada"),
        "harbourNotices/n-4.md": _notice("Old chains", "March 1, 2020", "Cid"),
        "tolls.md": "# Tolls\n\n| Toll | Date |\n|---|---|\n| Salt | May 2001 |\n| Wood | June 2002 |\n",
    }
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which harbour notice was issued most recently?", "Night fees"),
    ],
)
def test_a_page_is_one_of_what_its_folder_is_called(question: str, told: str) -> None:
    reasoned = answer(question, PORT)

    assert (told, ()) == (reasoned.finding.verdict, reasoned.needs)
