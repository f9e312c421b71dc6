"""Answers from sentences: whole where one passes every gate, else the nearest passages with what is missing."""

from __future__ import annotations

import pytest

from agent.languages.language import english
from agent.prose.asked import prose_question
from agent.prose.kinds import KindGate
from agent.prose.units import Unit
from agent.understanding.question.tagged import tagged
from tests.kit import answer, book

PUMP = book(
    """
# Reed Pump Manual

The Reed is a pump for ponds. It is sold by Alder Works of Lund.

## Motor

The motor is driven by an STM32 controller. It runs for 40 minutes on one charge.

## Fitting

Screw the foot to a post. Press the red button for three seconds.

The 90-day test of winter begins when the foot is taken off, which is done 20 days before the winter.

## Tern Lamp

A battery of 700 mAh. A guard of 5 mm. A cable of 2 m. A rope of 8 m.
The log of the Reed is kept on the path /reed/log/. The foundry of the Reed was founded in 2350.

The max depth of the Reed is 3 m.

## Winter

Some valves are always open in winter. These are:

- Ball valves
- Gate valves

## Spring

Some hoses always leak in spring.

These are:

- Long hoses
- Old hoses

## Options

| Option | What it does | Default |
|---|---|---|
| keep | How many records are kept before the oldest is deleted | 7 |
| name | What the pump calls itself on the line | Reed |

## Link

The two ends must use the same channel word. The default station name is `heron`.

## Care

To clean the filter, rinse it in cold water. The seal needs no oil because it is made of silicone.
Clean the filter once a month.

- Screws: steel
- Hoses: rubber

Each part has its own colour:

- Valves are yellow.
- Hoses are blue.

## Charger

The charger was designed in 1994. It ends in a three-pole plug. If used as a lamp, its light is dim.
"""
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How long does the motor run on one charge?", "40 minutes"),
        ("What is the default station name?", "heron"),
        ("How often should the filter be cleaned?", "once a month"),
        ("Why does the seal need no oil?", "because it is made of silicone"),
        ("When was the charger designed?", "1994"),
        ("Who sold the Reed?", "Alder Works"),
        ("Which parts are blue?", "Hoses are blue"),
        ("How do I fit the pump?", "Screw the foot to a post"),
        ("How many days before winter is the foot taken off?", "20 days"),
        ("On which path is the log of the Reed kept?", "/reed/log/"),
        ("How big is the battery of the Tern Lamp?", "700 mAh"),
        ("What is the maximum depth of the Reed?", "3 m"),
        ("Which valves are always open in winter?", "- Ball valves - Gate valves"),
        ("Which hoses always leak in spring?", "- Long hoses - Old hoses"),
    ],
)
def test_a_sentence_that_passes_every_gate_is_the_answer(question: str, said: str) -> None:
    found = answer(question, PUMP)
    assert () == found.needs
    assert said in " ".join(step.text for step in found.finding.steps)


@pytest.mark.parametrize(
    "question",
    [
        "How long does fitting the pump take?",  # three seconds are of the button
        "What is the channel word?",  # it is spoken of, and not told
        "How many controllers does the motor have?",  # the number is part of a name
        "When was the motor designed?",  # another thing has the date
        "When does the charger end?",  # where it does
        "Who designed the charger?",
        "How heavy is the Reed?",
        "How many m has the Tern Lamp?",  # two tell it, each of something else
        "How bright is the light of a lamp?",
    ],
)
def test_what_fails_a_gate_is_no_more_than_near(question: str) -> None:
    found = answer(question, PUMP)
    assert found.needs
    assert found.finding.verdict is None


def test_the_row_that_describes_what_is_asked_is_read() -> None:
    found = answer("How many old records does the pump keep around before it begins to delete them?", PUMP)
    assert "7" == found.finding.verdict


def test_two_sections_that_tell_different_amounts_leave_it_open() -> None:
    two = book("# Lamps\n\n## Small\n\nThe lamp burns for 5 hours.\n\n## Large\n\nThe lamp burns for 9 hours.\n")
    assert answer("How long does the lamp burn?", two).needs


def test_what_is_described_is_told_as_its_section() -> None:
    told = answer("Describe the charger", PUMP)
    assert () == told.needs
    assert "1994" in " ".join(step.text for step in told.finding.steps)


FERRIES = book(
    """
# Ferries

## Reed

The Reed was built in 1931. Its hull is made of oak. It sails to Lund on Mondays.

## Tern

The Tern was built in 1954. Its hull is made of steel.
"""
)


def test_two_that_are_named_are_each_told_by_a_sentence_of_their_own() -> None:
    told = answer("When were the Reed and the Tern built?", FERRIES)
    assert ["Reed: The Reed was built in 1931.", "Tern: The Tern was built in 1954."] == [
        step.text for step in told.finding.steps
    ]
    assert [(1,), (2,)] == [step.cites for step in told.finding.steps]
    assert () == told.needs


def test_of_two_that_are_named_the_one_that_nothing_tells_is_missed() -> None:
    told = answer("When do the Reed and the Tern sail?", FERRIES)
    assert ["Reed: The Reed was built in 1931. … It sails to Lund on Mondays."] == [
        step.text for step in told.finding.steps
    ]
    assert ["Tern"] == [need.need.partition(":")[0] for need in told.needs]


def test_how_high_something_is_ranks_nothing() -> None:
    quay = book("# Quays\n\nThe old quay is 5 m high. The new quay is of stone.\n")
    assert () == answer("How high is the old quay?", quay).needs


LAMPS = book(
    """
# Lamps

## Red Lamp

The red lamp is 30 cm high and has a 900 mAh battery. It burns for 3 hours, at most 20 times. It was made in Lund.
The life of the red lamp is 11,500 nights.

## Blue Lamp

The blue lamp is 20 cm high and has a 1200 mAh battery. It burns for 5 hours, at most 10 times. It was made in Orlow.
The life of the blue lamp is 9,800 nights.

## Plans

Each month a share is kept from the wage:

- Single plan: $96.05
- Family plan: $287.65

The short term plan replaces up to 70% of the wage, for 12 weeks. The long term plan replaces up to 60% of the wage.
"""
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which burns longer, the red lamp or the blue lamp?", "blue lamp"),
        ("Does the red lamp or the blue lamp have the bigger battery?", "blue lamp"),
        ("Which of the red lamp and the blue lamp has the higher life?", "red lamp"),
        ("Which replaces more of the wage, the short term plan or the long term one?", "short term plan"),
        ("How much more is kept from the wage each month for the family plan than for the single plan?", "191.6 $"),
    ],
)
def test_amounts_of_sentences_are_held_against_each_other(question: str, verdict: str) -> None:
    told = answer(question, LAMPS)
    assert ((), verdict) == (told.needs, told.finding.verdict)
    assert {1, 2} == {cite for step in told.finding.steps for cite in step.cites}


@pytest.mark.parametrize(
    "question",
    [
        "Which is brighter, the red lamp or the blue lamp?",
        "Which is better, the red lamp or the blue lamp?",
        "Which burns longer, the red lamp or the green lamp?",
    ],
)
def test_what_one_of_two_lacks_is_no_verdict(question: str) -> None:
    told = answer(question, LAMPS)
    assert told.needs
    assert told.finding.verdict is None


def test_an_amount_without_words_of_its_own_is_no_error() -> None:
    keys = book(
        "# Reed\n\nPress DEL five times and hold two keys to reset the Reed.\n\n"
        "# Heron\n\nPress DEL three times and hold two keys to reset the Heron.\n"
    )
    assert answer("On the Reed, how many times do you press DEL to reset the Heron?", keys).needs


def test_what_bears_an_answer_out_is_told_behind_it() -> None:
    told = answer(
        "What happens to the pressure when the valve is closed?",
        book(
            "# Valve\n\nIf the valve is closed, the pressure rises by itself.\n\n"
            "| Part | What happens to the pressure when it is closed |\n|-|-|\n"
            "| Valve | the pressure builds up at once, for it has nowhere to go |\n| Tap | nothing |\n"
        ),
    )
    assert () == told.needs
    steps = [step.text for step in told.finding.steps]
    assert "rises by itself" in steps[0]
    assert any("builds up" in text for text in steps[1:])


def test_a_page_that_is_called_with_what_stands_above_the_name_elsewhere_is_about_it() -> None:
    shelf = book(
        "# Pumps\n\n## Acme\n\n### Reed Mark Two\n\nA small pump.\n\n# Acme Reed Mark Two\n\n## Features\n\n"
        "- 12-hole lid.\n- 3 m of rope.\n\n# Reed Mark Two Junior\n\n## Features\n\n- 7-hole lid.\n"
    )
    told = answer("How many holes are in the lid of the Reed Mark Two?", shelf)
    assert () == told.needs
    assert "12-hole" in told.finding.claim


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("How many tests are in the Rope Handbook?", False),  # the number is that of a code
        ("How many chapters are in the Rope Handbook?", False),  # the number is the chapter's own
        ("How many knots are in the Rope Handbook?", True),
        ("How many pictures are in the Rope Handbook?", True),
    ],
)
def test_a_number_of_a_code_or_of_a_chapter_counts_nothing(question: str, is_told: bool) -> None:
    ropes = book(
        "# Rope Handbook\n\nThe KN-3 rope tests are in the Rope Handbook before the summer.\n\n"
        "Chapter 6 - knots that hold, in the Rope Handbook.\n\nThere are 41 knots in the Rope Handbook.\n\n"
        "Pictures: 12, all in the Rope Handbook.\n"
    )
    assert bool(answer(question, ropes).needs) != is_told


@pytest.mark.parametrize(("text", "told"), [("27. Old Ropes (thin)", False), ("There are 27 old ropes.", True)])
def test_the_number_of_an_item_counts_nothing(text: str, told: bool) -> None:
    gate = KindGate(prose_question(tagged("How many old ropes are there?")), english())

    assert bool(gate.values(Unit(text))) is told


def test_how_high_it_is_has_to_be_told() -> None:
    """No similarity stands in for *high*, as for words that only ask."""
    assert "high" not in prose_question(tagged("How high is the hill?")).light


STOVES = book(
    """
# Stoves

The warden puts the fire out when the average wind speed is above 35 km/h over ten minutes.
The fire is lit at 6 km/h.

## Reed A4 series

The hearth + fan power budget, which includes all lamps, is 450 W.

## Reed A7 and B7 series

The hearth + fan power budget, which includes all lamps, is 550 W.
"""
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("At what average wind speed does the warden put the fire out?", "35 km/h"),
        ("What is the hearth + fan power budget of the Reed A7 and B7 series?", "550 W"),
        ("What is the hearth + fan power budget of the Reed A4 series?", "450 W"),
    ],
)
def test_an_average_that_is_told_and_a_section_of_two_names_are_answers(question: str, said: str) -> None:
    found = answer(question, STOVES)
    assert () == found.needs
    assert said in found.finding.claim


@pytest.mark.parametrize("question", ["At what total wind speed does the warden put the fire out?"])
def test_what_is_to_be_computed_and_not_told_is_no_answer(question: str) -> None:
    assert answer(question, STOVES).needs


GUILD = book(
    """# Guild

## Trades

Trades that are marked as secret have to be learnt from a master. The trades are listed below.

## Rope

Ropes which are tarred last for ten years. The tarred ropes are Red and Blue.
"""
)


def test_a_sentence_about_a_class_does_not_say_who_belongs_to_it() -> None:
    assert answer("Which trades are marked as secret?", GUILD).needs
    assert "Red and Blue" in answer("Which ropes are tarred?", GUILD).finding.claim
    assert "from a master" in answer("What has to be done for trades that are marked as secret?", GUILD).finding.claim


ORGAN = book("""# Organ

The maximum tremulant depth is 1 semitone. The tremulant has 3 stops.

# Gear

Gas mask: It covers the face and has a filter canister. It is grey. The filter canister lasts for 12 hours of use.

Dust mask: It covers the mouth and has a filter canister. The filter canister lasts for 3 hours of use.
""")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the maximum tremulant depth?", "1 semitone"),
        ("How long does the filter canister of the gas mask last?", "12 hours"),
        ("How long does the filter canister of the dust mask last?", "3 hours"),
    ],
)
def test_a_unit_of_the_book_and_a_label_before_several_sentences_are_heeded(question: str, said: str) -> None:
    claim = answer(question, ORGAN).finding.claim
    assert said in claim
    assert ("12 hours" in claim) + ("3 hours" in claim) < 2


@pytest.mark.parametrize(
    "question", ["How deep is the tremulant?", "How long does the filter canister of the paint mask last?"]
)
def test_a_unit_of_the_book_needs_its_measure_and_a_label_its_name(question: str) -> None:
    claim = answer(question, ORGAN).finding.claim
    assert claim.startswith("The nearest passages, which may not answer the question")
