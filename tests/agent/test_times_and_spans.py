"""Times of day and spans in values: their ends, how long they last, whether it is open then, and days in between."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BATHS = """
# Baths of Ellmere

## Opening hours

| Bath | Monday to Friday | Saturday | Sunday | Season |
|---|---|---|---|---|
| Harbour Pool | 06:30-21:00 | 08:00-18:00 | 09:00-17:00 | all year |
| Mill Lido | 11:00–20:00 | 10:00–20:00 | 10:00–19:00 | 1 May to 15 September |
| Abbey Baths | 9 am – 5 pm | 10 am – 4 pm | closed | March – October |

## Growing

| Plant | Sowing | Height (cm) | Temperature |
|---|---|---|---|
| Wood aster | April to June | 30-60 | 5 to 18 °C |
| Bell vetch | September to October | 15-25 | -2 to 12 °C |

## Market

Hours: 7:30 to 13:00
Place: Quay Square
"""
LIBRARIES = """
# Libraries of Orrin

| Library | Opens | Closes | Loan period |
|---|---|---|---|
| Castle Library | 09:00 | 18:30 | 2–4 weeks |
| Dock Library | 10:30 | 20:00 | 1–3 weeks |
| Tower Library | 08:15 | 17:00 | 4–6 weeks |

## Desks

| Desk | Mon–Wed | Thu | Fri | Weekend |
|---|---|---|---|---|
| Permits | 08:00–16:00 | 08:00–18:30 | 08:00–12:00 | closed |
| Registry | 09:00–15:30 | 09:00–17:00 | 09:00–13:00 | 10:00–12:00 |

## Depot

Opening hours: 07:00–15:00

## Recycling yard

Opening hours: 08:30–17:30
"""
BOOKS = {"baths": book(BATHS), "libraries": book(LIBRARIES)}


@pytest.mark.parametrize(
    ("name", "question", "verdict"),
    [
        ("baths", "When does the Mill Lido close on Saturday?", "20:00"),
        ("baths", "When does the Harbour Pool open on Sunday?", "09:00"),
        ("baths", "When does the Abbey Baths close on Saturday?", "4 pm"),
        ("baths", "Until when is the Mill Lido open on Sunday?", "19:00"),
        ("baths", "How late is the Harbour Pool open on Saturday?", "18:00"),
        ("baths", "When is the Harbour Pool open on Saturday?", "08:00-18:00"),
        ("baths", "When does the season of the Mill Lido end?", "15 September"),
        ("baths", "When does the season of the Abbey Baths begin?", "March"),
        ("baths", "When does the sowing of wood aster start?", "April"),
        ("baths", "When does the market close?", "13:00"),
        ("libraries", "When does the depot close?", "15:00"),
        ("libraries", "When does the recycling yard open?", "08:30"),
        ("libraries", "When does the Dock Library close?", "20:00"),
    ],
)
def test_the_end_of_a_span_that_is_asked_for_is_told(name: str, question: str, verdict: str) -> None:
    told = answer(question, BOOKS[name])

    assert (verdict, ()) == (told.finding.verdict, told.needs)


@pytest.mark.parametrize(
    ("name", "question", "verdict"),
    [
        ("baths", "What is the lowest temperature of the bell vetch?", "-2 °C"),
        ("baths", "What is the highest temperature of the wood aster?", "18 °C"),
        ("baths", "How tall does the bell vetch get at most?", "25"),
        ("libraries", "What is the longest loan period of the Castle Library?", "4 weeks"),
        ("libraries", "What is the minimum loan period of the Dock Library?", "1 weeks"),
        ("libraries", "What is the loan period of the Dock Library?", "1–3 weeks"),
    ],
)
def test_the_end_of_a_range_that_is_asked_for_is_told(name: str, question: str, verdict: str) -> None:
    told = answer(question, BOOKS[name])

    assert (verdict, ()) == (told.finding.verdict, told.needs)


@pytest.mark.parametrize(
    ("name", "question", "verdict"),
    [
        ("baths", "When does the Harbour Pool open on Tuesday?", "06:30"),
        ("baths", "When does the Harbour Pool close on weekdays?", "21:00"),
        ("baths", "When is the Mill Lido open on Mondays?", "11:00–20:00"),
        ("libraries", "When does the Permits desk open on Tuesday?", "08:00"),
        ("libraries", "When does the Registry open on Saturday?", "10:00"),
        ("libraries", "When does the Permits desk close on Friday?", "12:00"),
        ("libraries", "When does the Permits desk open on weekdays?", None),  # it depends on the day
    ],
)
def test_a_day_within_a_span_of_days_is_found(name: str, question: str, verdict: str | None) -> None:
    assert verdict == answer(question, BOOKS[name]).finding.verdict


@pytest.mark.parametrize(
    ("name", "question", "verdict"),
    [
        ("baths", "Which bath closes latest on Saturday?", "Mill Lido"),
        ("baths", "Which bath opens earliest on Sunday?", "Harbour Pool"),
        ("baths", "Which bath closes earliest on Wednesdays?", "Abbey Baths"),
        ("baths", "Which bath opens latest on Saturday?", None),  # two do
        ("libraries", "Which library closes latest?", "Dock Library"),
        ("libraries", "Which library opens first?", "Tower Library"),
        ("libraries", "Which opens earlier, the depot or the recycling yard?", "depot"),
    ],
)
def test_times_of_day_are_ranked(name: str, question: str, verdict: str | None) -> None:
    assert verdict == answer(question, BOOKS[name]).finding.verdict


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Is the Mill Lido open on Sunday?", "Yes: "),
        ("Is the Abbey Baths open on Sunday?", "No: "),
        ("Is the Abbey Baths closed on Sunday?", "Yes: "),
        ("Is the Mill Lido closed on Saturday?", "No: "),
    ],
)
def test_what_has_hours_is_open_and_what_says_so_is_closed(question: str, begins: str) -> None:
    told = answer(question, BOOKS["baths"])

    assert told.finding.claim.startswith(begins)
    assert () == told.needs


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("libraries", "Is the depot open on Sunday?"),  # its hours name no day
        ("libraries", "Is the depot open at 23:00?"),
        ("baths", "Is the season of the Mill Lido open in March?"),
    ],
)
def test_whether_it_is_open_is_not_said_of_a_time_that_nothing_chooses(name: str, question: str) -> None:
    told = answer(question, BOOKS[name])

    assert not told.finding.claim.startswith(("Yes", "No:"))
    assert told.needs


@pytest.mark.parametrize(
    ("name", "question", "verdict"),
    [
        ("baths", "How long is the Abbey Baths open on Tuesday?", "8 h"),
        ("libraries", "How long is the Permits desk open on Thursday?", "10 h 30 min"),
    ],
)
def test_how_long_it_is_open_is_computed(name: str, question: str, verdict: str) -> None:
    told = answer(question, BOOKS[name])

    assert (verdict, ()) == (told.finding.verdict, told.needs)
    assert "–" in told.finding.claim  # the span is told beside it


HIRE = book("""
# Hire

| Tool | Per day | Per weekend | Per week |
|-|-|-|-|
| Saw | £18 | £54 | £108 |
| Drill | £10 | £35 | £69 |

# Rooms

| Room | Price Mon-Thu | Price Fri-Sun |
|-|-|-|
| Oak | 60 | 85 |
| Elm | 75 | 70 |

# Tides

| Month | Price | Visitors |
|-|-|-|
| Jan–Mar | 4 € | 120 |
| Apr–Jun | 6 € | 340 |
| Jul–Sep | 9 € | 800 |

# Kilns

| Kiln | Start | End | Ramp |
|-|-|-|-|
| A1 | 22:00 | 04:30 | 3:15 |
| B2 | 21:30 | 05:45 | 4:40 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What does the saw cost per weekend?", "£54"),
        ("What does the saw cost per week?", "£108"),
        ("What does a drill cost on Saturday?", "£35"),
        ("How much is the Oak room on a Wednesday?", "60"),
        ("Which room is cheapest on Saturday?", "Elm"),
        ("Which room is cheapest on Wednesday?", "Oak"),
        ("What is the price in February?", "4 €"),
        ("How many visitors come in August?", "800"),
        ("Which kiln starts latest?", "A1"),
        ("Which kiln has the longest ramp?", "B2"),
    ],
)
def test_prices_and_visitors_go_by_days_and_months_in_between(question: str, verdict: str) -> None:
    told = answer(question, HIRE)

    assert (verdict, ()) == (told.finding.verdict, told.needs)


def test_the_end_of_times_is_called_the_latest_and_not_the_highest() -> None:
    assert "the latest Start: 22:00" in answer("Which kiln starts latest?", HIRE).finding.claim


def test_times_of_day_are_not_subtracted() -> None:
    told = answer(
        "What is the difference in opens between the Castle Library and the Tower Library?", BOOKS["libraries"]
    )

    assert not any("45" in step.text for step in told.finding.steps)


def test_a_day_that_no_label_covers_is_not_found() -> None:
    ferries = book(
        "| Ferry | Mon–Wed | Fri |\n|-|-|-|\n| Reed | 8:00–9:00 | 9:00–10:00 |\n| Kite | 8:00–11:00 | 9:00–12:00 |\n"
    )

    assert answer("When does the Reed start on Thursday?", ferries).finding.verdict is None


BAEDER = book("""
# Bäder

| Bad | Freitag | Samstag |
|---|---|---|
| Seebad | 10:00–20:00 | 9:00–18:00 |
| Waldbad | 11:00–19:00 | 10:00–17:00 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Wann schließt das Seebad am Samstag?", "18:00"),
        ("Bis wann ist das Waldbad am Samstag geöffnet?", "17:00"),
        ("Wann öffnet das Seebad am Freitag?", "10:00"),
        ("Wann ist das Seebad am Samstag geöffnet?", "9:00–18:00"),
    ],
)
def test_a_language_more_asks_for_ends_by_its_file_alone(question: str, verdict: str) -> None:
    assert verdict == answer(question, BAEDER).finding.verdict


SHOPS = book("""
# Shops

## Brannock Bakery

Hours: Tue to Fri 6:30 am to 2 pm, Sat 6:30 am to 3:30 pm
Closed: Sunday and Monday

## Quay Hardware

Hours: Mon to Fri 8 am to 5:30 pm, Sat 8 am to 1 pm
Closed: Sunday

## Pools

| Pool | Day | Opens | Closes |
|-|-|-|-|
| Willow Pool | Mon–Fri | 7 am | 8:30 pm |
| Willow Pool | Sat | 7:45 am | 7 pm |
| Ashby Lido | Mon–Fri | 10 am | 7:15 pm |
| Ashby Lido | Sat | 9:30 am | 8 pm |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Until when is the Brannock Bakery open on Saturday?", "3:30 pm"),
        ("When does the Quay Hardware close on Wednesday?", "5:30 pm"),
        ("When does the Brannock Bakery open on Thursday?", "6:30 am"),
    ],
)
def test_hours_by_days_in_one_value_are_values_by_days(question: str, verdict: str) -> None:
    assert verdict == answer(question, SHOPS).finding.verdict


@pytest.mark.parametrize(
    "question",
    ["Is the Quay Hardware open on Sundays?", "Which shops are open on Monday?", "Is the bakery open on Sunday?"],
)
def test_days_under_closed_are_not_those_when_it_is_open(question: str) -> None:
    claim = answer(question, SHOPS).finding.claim

    assert not claim.startswith("Yes")
    assert "Closed: Sunday" not in claim.splitlines()[0]
