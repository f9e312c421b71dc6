"""Amounts that are written in thousands, millions and billions: funds no code knows."""

from __future__ import annotations

import pytest

from agent.reasoning.values.quantities import best_of, quantities_of
from tests.kit import answer, library

_FACTS = (("Alpha", "$1.2bn", "1.2 million"), ("Beta", "$300m", "300,000"), ("Gamma", "$4.5 billion", "20k"))
FUNDS = library(
    {
        f"funds/{name}.md": f"# {name}\n\nA fund.\n\n## Key facts\n\n"
        f"- **Assets:** {assets}\n- **Holders:** {holders}\n- **Seat:** Reedham\n"
        for name, assets, holders in _FACTS
    }
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which fund has the most assets?", "Gamma"),
        ("Which fund has the most holders?", "Alpha"),
        ("Which has more assets, Alpha or Beta?", "Alpha"),
        ("Which funds have assets above $500 million?", "Alpha, Gamma"),
        ("Which funds have assets of more than $1bn?", "Alpha, Gamma"),
        ("What are the total assets of Alpha and Gamma?", "5,700,000,000 $"),
    ],
)
def test_a_number_counts_for_what_stands_behind_it(question: str, expected: str) -> None:
    assert expected == answer(question, FUNDS).finding.verdict


@pytest.mark.parametrize(
    ("texts", "most"),
    [
        (("900 KB", "2 MB"), 1),
    ],
)
def test_letters_for_how_much_a_number_counts_are_heeded(texts: tuple[str, ...], most: int | None) -> None:
    found = quantities_of(texts)

    assert (None if most is None else [most]) == (None if found is None else best_of(found, low=False))
