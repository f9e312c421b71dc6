"""What a thing bears is told by its load, and never by what it weighs itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.shelf import reading
from tests.kit import answer, book

CARTS = book("""# Carts

## Finch

| Specifications of Finch | |
|---|---|
| Dimensions | 120 x 80 cm (cart), 40 x 30 cm (crate) |
| Weight | 31 kg |
| Maximum load | 90 kg |

## Plover

| Specifications of Plover | |
|---|---|
| Dimensions | 140 x 80 cm (cart), 60 x 30 cm (crate) |
| Weight | 24 kg |
| Maximum load | 120 kg |

# Donkeys

## Moss

| Specifications of Moss | |
|---|---|
| Weight | 180 kg |
| Age | 4 years |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("How heavy is the Finch?", "Finch: 31 kg"),
        ("Which weighs more, the Finch or the Plover?", "Finch"),
        ("Which cart is the heaviest?", "Finch"),
    ],
)
def test_what_is_borne_and_what_a_thing_weighs_are_told_apart(question: str, claim: str) -> None:
    told = answer(question, CARTS)
    assert () == told.needs and told.finding is not None
    assert told.finding.claim.startswith(claim)


SLEDS = book(
    "# Sleds\n\n## Otter\n\n**Payload:** 750 g\n**Maker:** Reed\n\n## Stoat\n\n**Payload:** 900 g\n**Maker:** Reed\n"
)


ARMS = "# Robots\n\n" + "\n".join(
    f"## {name}\n\n| | |\n|---|---|\n| Payload | {load} kg |\n| Reach | {reach} mm |\n"
    for name, load, reach in (("Lark", 5, 900), ("Wren", 10, 1300))
)


@pytest.mark.parametrize(
    "question", ["Which is heavier, the Lark or the Wren?", "What is heavier, the Wren or the Lark?"]
)
async def test_who_bears_more_is_not_told_as_the_heavier_one(question: str, tmp_path: Path) -> None:
    answer = await (await reading(ARMS, tmp_path)).ask(question)
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
