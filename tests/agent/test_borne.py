"""What a thing bears is told by its load, and never by what it weighs itself."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, values_of

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
        ("How heavy a crate can I put on the Finch?", "Finch: 90 kg"),
        ("How much weight can the Finch carry?", "Finch: 90 kg"),
        ("How heavy is the Finch?", "Finch: 31 kg"),
        ("Which can carry more weight, the Finch or the Plover?", "Plover"),
        ("Which weighs more, the Finch or the Plover?", "Finch"),
        ("Which cart can carry the most weight?", "Plover"),
        ("Which cart is the heaviest?", "Finch"),
    ],
)
def test_what_is_borne_and_what_a_thing_weighs_are_told_apart(question: str, claim: str) -> None:
    told = answer(question, CARTS)
    assert () == told.needs and told.finding is not None
    assert told.finding.claim.startswith(claim)


@pytest.mark.parametrize("question", ["How heavy a rider can I put on Moss?", "How much weight can Moss carry?"])
def test_the_own_weight_is_never_told_for_a_load_that_nobody_wrote_down(question: str) -> None:
    assert "180" not in str(values_of(answer(question, CARTS)))


SLEDS = book(
    "# Sleds\n\n## Otter\n\n**Payload:** 750 g\n**Maker:** Reed\n\n## Stoat\n\n**Payload:** 900 g\n**Maker:** Reed\n"
)


def test_a_load_is_not_what_a_thing_weighs_where_nothing_says_that() -> None:
    assert SLEDS.binder.bind_by_words("How heavy is the Otter itself?") is None
    assert "750 g" in answer("How heavy a load can the Otter carry?", SLEDS).finding.claim
