"""One small table, asked in a hundred wordings: what is told of a thing, of two, of the best and of all of a kind."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOATS = book(
    """# Boats

| Boat | Length | Built | Crew | Home port | Harbour fee |
|------|--------|-------|------|-----------|-------------|
| Reed | 9 m | 1912 | 3 | Hull | 40 crowns |
| Sedge | 12 m | 1931 | 8 | York | 75 crowns |
| Rush | 7 m | 1898 | 2 | Hull | 25 crowns |
| Tern | 15 m | 1904 | 11 | Leith | 90 crowns |
"""
)
_TOLD = {
    ("15",): (
        "How long is the Tern?",
        "length of tern",
        "Tern length?",
        "the Tern's length",
        "What length does the Tern have?",
        "Tell me the length of the Tern",
        "length tern",
        "What is the length of the longest boat?",
        "How long is the longest boat?",
    ),
    ("8",): (
        "How many crew does the Sedge have?",
        "How many crew members are on the Sedge?",
        "crew size of the Sedge",
    ),
    ("Leith",): (
        "Which port is the Tern's home?",
        "Where is the home port of the Tern?",
        "Tern: home port?",
        "home port, Tern",
        "What is the Tern's home port called?",
    ),
    ("90",): (
        "What is the harbour fee for the Tern?",
        "How much is the harbour fee of the Tern?",
        "What does the Tern pay as harbour fee?",
        "Which harbour fee does the Tern pay?",
        "what's the fee for the tern",
    ),
    ("1898",): (
        "In what year was the Rush built?",
        "Which year was the Rush built?",
        "Build year of the Rush",
        "Rush, built when?",
        "the year in which the Rush was built",
        "When did they build the Rush?",
    ),
    ("Tern",): (
        "Which is longer: Tern or Reed?",
        "Which one is longer, Tern or Reed",
        "Tern or Reed - which is longer?",
        "Who is longer, the Tern or the Reed?",
        "Between the Tern and the Reed, which has the greater length?",
        "longest boat",
        "Which boat is the longest?",
        "What is the longest boat?",
        "What's the longest of the boats?",
        "Which of the boats is longest?",
        "name of the longest boat",
        "the boat with the greatest length",
        "Which boat has the greatest length?",
        "Which boat has the maximum length?",
        "the boat with the biggest crew",
        "Find the boat with the biggest crew",
        "Please look up the boat with the biggest crew.",
        "Looking for the boat with the biggest crew",
        "Remind me of the boat with the biggest crew.",
        "Which boat was built in 1904?",
        "Which boat has its home port in Leith?",
        "Which boat is not from Hull and was built before 1910?",
    ),
    ("Sedge",): (
        "Does the Sedge or the Rush have the higher harbour fee?",
        "Reed vs Sedge: length",
        "Which boat was built last?",
        "Which is the newest boat?",
        "Which boat is the second longest?",
        "Which is the longest boat except the Tern?",
        "What is the longest boat other than the Tern?",
        "Apart from the Tern, which boat is the longest?",
        "Which boat has a crew of 8?",
    ),
    ("Yes: Tern (",): ("Is the Tern longer than the Reed?", "Has the Tern a higher harbour fee than the Sedge?"),
    ("No: Tern (",): ("Is the Reed longer than the Tern?", "Was the Sedge built earlier than the Tern?"),
    ("Yes: Reed Hull",): ("Do the Reed and the Rush have the same home port?",),
    ("Yes: Tern: 15 m",): ("Is the Tern the longest boat?", "Is the Tern longer than 12 m?"),
    ("No: Sedge: 12 m (Length); Tern: 15 m",): ("Is the Sedge the longest boat?",),
    ("No: Reed Hull",): ("Are the home ports of the Reed and the Tern the same?",),
    ("6",): (
        "How much longer is the Tern than the Reed?",
        "How many metres longer is the Tern than the Reed?",
        "By how much is the Tern longer than the Reed?",
        "What is the difference in length between the Tern and the Reed?",
    ),
    ("Reed",): (
        "Which one of Reed, Sedge and Tern is the shortest?",
        "Of the Reed, the Sedge and the Tern, which has the smallest crew?",
    ),
    ("Rush",): (
        "Which boats other than the Reed are from Hull?",
        "Which boat has the fewest crew?",
        "Which boat has the smallest crew?",
        "Which boat has the lowest harbour fee?",
        "Which boat has the cheapest harbour fee?",
        "Which boat is the oldest?",
        "What is the oldest boat?",
        "Which boat was built the earliest?",
    ),
    ("2",): (
        "How many boats are longer than the Reed?",
        "What is the smallest crew?",
        "How many boats have Hull as home port?",
        "How many boats have their home port in Hull?",
        "How many boats are from Hull?",
        "How many boats can be found in Hull?",
        "How many of the boats are based at Hull?",
        "How many boats were built after 1905?",
        "How many boats were built since 1912?",
    ),
    ("4",): ("How many boats are there?",),
    ("3",): (
        "How many boats are longer than 8 m?",
        "How many boats have a length of more than 8 m?",
    ),
    ("Reed", "Rush"): (
        "Which boats have Hull as their home port?",
        "Which boats have their home port in Hull?",
        "List the boats from Hull",
        "boats from Hull",
        "boats with home port Hull",
        "boats under 50 crowns",
        "Which boats are from Hull?",
        "Which boats are located in Hull?",
        "Which boats have fewer than 5 crew?",
        "Which boats have a harbour fee under 50 crowns?",
    ),
    ("Rush", "Tern"): (
        "Which boats are older than the Reed?",
        "List boats built before 1910",
        "Which boats were built before 1910?",
    ),
    ("Sedge", "Tern"): (
        "Which boats are longer than the Reed?",
        "Which boats have a larger crew than the Reed?",
        "Which boats have a crew of at least 8?",
        "Which boats cost more than 50 crowns?",
        "Which boats are longer than 10 metres?",
        "Which boats are not from Hull?",
    ),
    ("24",): ("What is the total crew of all boats?",),
    ("10.75",): ("What is the average length of the boats?",),
    ("Tern, Sedge, Reed, Rush",): ("Rank the boats by length", "Sort the boats by crew"),
    ("Tern, Sedge #",): ("Top 2 boats by length", "the top 2 by crew"),
    ("Rush, Reed #",): ("Bottom 2 boats by length",),
    ("65",): ("Sum of the harbour fees of the Reed and the Rush",),
    ("9", "12"): ("Compare the Reed and the Sedge",),
    ("15", "11"): ("What are the length and the crew of the Tern?",),
    ("8", "York"): ("Give me the crew and the home port of the Sedge",),
    ("9", "15"): ("lengths of the Reed and the Tern",),
}
_NOT_TOLD = (
    "What is the draught of the Tern?",
    "Who is the captain of the Tern?",
    "How much does the Heron weigh?",
    "What is the home port of the Heron?",
    "Which boat is the fastest?",
    "Which boats are faster than the Reed?",
    "Which boats are longer than the Heron?",
    "Which boats are longer than the Tern?",
    "Which boat was found in 1904?",
    "How many engines does the Tern have?",
)


@pytest.mark.parametrize(
    ("question", "told"), [(question, told) for told, questions in _TOLD.items() for question in questions]
)
def test_it_is_told(question: str, told: tuple[str, ...]) -> None:
    found = answer(question, BOATS)
    said = " ".join(
        (f"{found.finding.verdict or ''} #", found.finding.claim, *(step.text for step in found.finding.steps))
    )
    assert all(each in said for each in told)
    assert not found.needs


def test_the_total_of_texts_with_several_numbers_is_not_told() -> None:
    dice = book("# Dice\n\n| Fighter | Dice |\n|-|-|\n| Reed | 9 (2) 17 (3) |\n| Rush | 7 (2) 11 (2) |\n")
    assert answer("What is the total dice of all fighters?", dice).needs
    assert answer("How many dice do the fighters have altogether at level 12?", dice).needs


@pytest.mark.parametrize("question", _NOT_TOLD)
def test_what_is_not_there_is_not_told(question: str) -> None:
    assert answer(question, BOATS).needs


LOCKS = book(
    """# Locks

| Lock | Fish | Opened | Keeper |
|------|------|--------|--------|
| Alder | trout, pike | 3 May 1914 | Holt |
| Birch | trout | 9 June 1921 | Marsh |
| Cedar | perch, eel | 1 May 1931 | Holt |
| Dogwood | pike | 4 July 1909 | Fenn |
"""
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which locks have trout?", "2: Alder (Fish: trout, pike), Birch"),
        ("locks with pike", "2: Alder (Fish: trout, pike), Dogwood"),
        ("Which locks were opened before 1915?", "2: Alder (Opened: 3 May 1914), Dogwood"),
        ("Which locks were opened in 1931?", "1: Cedar"),
        ("Rank the locks by keeper", ""),
        ("Does the Alder have pike?", "Yes: Alder: trout, pike (Fish)"),
        ("Does the Birch have pike?", "No: Birch: trout (Fish)"),
        ("Is Holt the keeper of the Alder?", "Yes: keeper: Holt (Alder)"),
        ("Was the Dogwood opened before 1900?", "No: Dogwood: 4 July 1909 (Opened)"),
        ("Was the Alder flooded in May?", ""),
        ("Does the Birch have salmon?", ""),
        ("Does the Alder have big trout?", ""),
        ("Is the Dogwood the oldest lock?", "Yes: Dogwood: 4 July 1909 (Opened)"),
        ("Is there a lock with eel?", "Yes: 1: Cedar"),
        ("Are there locks with salmon?", ""),
        ("Were all locks opened before 1925?", "No: 3: Alder"),
        ("Were all locks opened before 1950?", "Yes: 4: Alder"),
        ("Do all locks have pike?", "No: 2 of 4 (Alder, Dogwood)"),
        ("Whose keeper is Fenn?", "1: Dogwood"),
        ("Which keepers are there?", "3: Holt (Keeper: Holt), Marsh (Keeper: Marsh), Fenn"),
        ("How many keepers are there?", "3: Holt"),
        ("How many fish are there?", ""),
        ("Which keeper has the oldest lock?", "Dogwood (Keeper: Fenn)."),
        ("Does the Alder have trout and pike?", "Yes: Alder: trout, pike (Fish)"),
        ("Does the Alder have trout and eel?", ""),
        ("Do the Alder and the Birch have pike?", ""),
        ("What does a trout do?", ""),
        ("Who opened the Cedar?", ""),
        ("What was opened in 1909?", "1: Dogwood"),
        ("What was closed in 1909?", ""),
    ],
)
def test_who_has_what_is_told_of_all_and_of_each(question: str, told: str) -> None:
    found = answer(question, LOCKS)
    assert found.finding.claim.startswith(told)
    assert bool(found.needs) == (not told)


PHONES = book(
    """# Phones

| Model | Manufacturer | Price | Weight | Battery life | Colour | Warranty | Released |
|-------|--------------|-------|--------|--------------|--------|----------|----------|
| Lark 2 | Vireo | $499 | 182 g | 21 hours | black | 2 years | 2021 |
| Wren Max | Vireo | $899 | 229 g | 34 hours | blue | 3 years | 2023 |
| Pipit | Sandling | $249 | 151 g | 17 hours | red | 1 year | 2020 |
| Shrike Pro | Sandling | $1,099 | 214 g | 29 hours | grey | 2 years | 2024 |
"""
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many phones are made by Vireo?", "2"),
        ("What colour is the heaviest phone?", "blue"),
        ("What is the price of the lightest phone?", "$249"),
        ("In what year was the Pipit released?", "2020"),
        ("In which year was the Pipit launched?", ""),  # a year of warranty is no date
        ("How many hours does the Lark 2 run on one charge?", ""),  # a charge is a price, too
        ("Which phone lasts the longest on a charge?", ""),
        ("How much weight can the Pipit carry?", ""),
        ("How much does the Pipit weigh?", "151 g"),
        ("How many pricelists does the Pipit have?", ""),
        ("Of the Pipit and the Lark 2, which has the largest weight?", "Lark 2"),
        ("phones under $600", "Lark 2, Pipit"),
        ("How heavy is the heaviest phone?", "229 g"),
        ("Which phones run for more than a day?", "Wren Max, Shrike Pro"),
        ("Which phones run for less than a day?", "Lark 2, Pipit"),
    ],
)
def test_a_number_of_another_kind_is_not_told(question: str, told: str) -> None:
    found = answer(question, PHONES)
    assert told in f"{found.finding.verdict or ''} {found.finding.claim}"
    assert bool(found.needs) == (not told)


TARNS = """# Tarns

| Tarn | Area | Depth | Current |
|---|---|---|---|
| Alderwater | 12 ha | 8 m | 3 ft. |
| Birchwater | 9 ha | 21 m | 2 ft. |
"""
TOLD_TARNS = """# Tarns

## Alderwater

Alderwater lies in the fells at a height of 412 m. It is loved by anglers.

## Birchwater

Birchwater lies in the dale at a height of 95 m. It has two islands.
"""


@pytest.mark.parametrize("question", ["What is the volume of Alderwater?", "How long does Birchwater freeze?"])
def test_another_measure_is_not_told(question: str) -> None:
    assert answer(question, book(TARNS.replace("Current", "Speed"))).needs


@pytest.mark.parametrize(
    "question", ["How deep is Alderwater?", "How large is Birchwater?", "Is Alderwater deeper than Birchwater?"]
)
def test_the_number_that_a_sentence_gives_for_something_else_is_not_told(question: str) -> None:
    assert answer(question, book(TOLD_TARNS)).needs
    assert "412 m" in answer("What is the height of Alderwater?", book(TOLD_TARNS)).finding.claim


def test_the_largest_of_several_is_so_by_the_measure_that_is_named() -> None:
    moons = book(
        "# Moons\n\n| Moon | Girth (miles) | Girth compared to home |\n|-|-|-|\n"
        "| Ash | 2250 | 1.05 |\n| Elm | 1950 | 0.90 |\n| Fir | 3000 | 1.40 |\n| Yew | 3300 | 1.50 |\n"
    )
    assert "Fir" == answer("Ash, Elm and Fir: which of the three has the largest girth?", moons).finding.verdict


def test_the_day_of_a_date_in_a_sentence_is_no_amount() -> None:
    locks = book("# Locks\n\n## Ash\n\nAsh was opened on 3 May 1914.\n\n## Elm\n\nElm was opened on 1 October 1921.\n")
    found = answer("Which was opened first, Ash or Elm?", locks)
    assert found.finding.verdict == "Ash" or found.needs
