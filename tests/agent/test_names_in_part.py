"""Rows that are called by another column, and options that are called by the last parts of their path."""

from __future__ import annotations

import pytest

from tests.agent.at_hand import answered_at_hand, bind_at_hand
from tests.kit import book

PUMPS = book("""# Gears

| Gear | Nickname | Flow | Lift |
|---|---|---|---|
| Upper Range / Swift | Upper Swift | 21.88 l/s | 140 m |
| Upper Range / Calm | Upper Calm | 10.94 l/s | 143 m |
| Lower Range / Swift | Lower Swift | 1.34 l/s | 150 m |
| Lower Range / Calm | Lower Calm | 0.34 l/s | 156 m |

# Pump heads

| Field | Default |
|---|---|
| `pumpHeads` | All pump heads |
| `valve.coolingPhases.inletDelay` | 60 s |
| `valve.coolingPhases.outletDelay` | 180 s |
| `spare.size` | 5 |

<Tabs>

  <Tab>

      | Device | Default ratio |
      | :----: | :-----------: |
      | barge-g1 | 6.45 |
      | barge-g2 | 1.73 |

  </Tab>

</Tabs>
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Flow of the Lower Calm gear?", "0.34 l/s"),
        ("Does Lower Calm or Lower Swift have the higher lift?", "Lower Calm"),
        ("What is the default of coolingPhases.inletDelay on a pump head?", "60 s"),
        ("What is the default outletDelay of a pump head?", "180 s"),
        ("Which default is longer, outletDelay or inletDelay?", "valve.coolingPhases.outletDelay"),
        ("What is the default ratio of the barge-g1?", "6.45"),
    ],
)
def test_a_name_is_found_by_its_other_name_and_by_a_part(question: str, verdict: str) -> None:
    found = answered_at_hand(question, PUMPS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "What is the default of coolingPhases.drainDelay on a pump head?",  # coined, and nothing has it
        "What is the nickname of Upper Swift?",  # it says itself
        "Which default is longer, outletDelay or drainDelay?",
    ],
)
def test_what_is_coined_is_not_passed_over_and_an_echo_is_no_answer(question: str) -> None:
    assert bind_at_hand(question, PUMPS.chunks) is None


def test_a_number_in_a_label_is_a_part_of_its_name() -> None:
    nets = book("""# Nets

| Net | Top-1 (%) | Top-5 (%) |
|---|---|---|
| `vgg11_8xb32` | 68.75 | 88.87 |
| `vgg13_8xb32` | 70.02 | 89.46 |
""")

    found = answered_at_hand("Which of vgg11_8xb32 and vgg13_8xb32 has the best top-1?", nets.chunks)

    assert found is not None
    assert "vgg13_8xb32" == found.finding.verdict
