"""One normal form: every row of the matching rules, and what no text may do to them."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.text.normal import Words, is_number, normal, number, phrase, title_key
from retrieval.text.spelling import fold, singular

VOCABULARY = (
    "armor class armour AC A.C. a.c. opponent of is = : level levels lvl HD hit dice die points HP 7 -6 −6 1st 3rd "
    "seventh first second third twenty-first twenty one two three a hundred thousand minus negative and or to - , . & "
    "+ thief thieves "
    "which the a d10 2d6+1 18/51 5+2 1-1 3/2 ½ 1½ ³ 1,000 .5 fighter classes bonuses str strength axes heroes"
).split()
TEXTS = st.text(max_size=60) | st.lists(st.sampled_from(VOCABULARY), max_size=14).map(" ".join)

SAME = [
    pytest.param(["Thief", "THIEVES", "thief's", "thieves’"], id="case and plural"),
    pytest.param(["magic-user", "magic users", "Magic‑Users", "magic user's"], id="hyphen"),
    pytest.param(["café", "CAFÉ", "cafe\u0301", "cafe"], id="accent"),
    pytest.param(["ﬁghter", "ｆｉｇｈｔｅｒ", "fighter"], id="Unicode form"),
    pytest.param(
        ["armor class", "armour class", "Armour-Classes", "AC", "ACs", "A.C.", "a.c.", "opponent armor class"],
        id="armor class",
    ),
    pytest.param(["opponent's AC", "target armour class", "defender's A.C."], id="whose armor class"),
    pytest.param(["hit points", "hit-point", "HP", "H.P.", "HPs", "hitpoints"], id="hit points"),
    pytest.param(["hit dice", "hit die", "HD", "H.D.", "HDs"], id="hit dice"),
    pytest.param(["experience points", "XP", "x.p."], id="experience"),
    pytest.param(["strength", "STR", "Str."], id="strength"),
    pytest.param(["intelligence", "INT"], id="intelligence"),
    pytest.param(["wisdom", "Wis"], id="wisdom"),
    pytest.param(["dexterity", "Dex"], id="dexterity"),
    pytest.param(["constitution", "CON"], id="constitution"),
    pytest.param(["charisma", "Cha"], id="charisma"),
    pytest.param(
        [
            *("armor class 3", "armor class of 3", "armour class is 3", "armor class = 3", "AC: 3", "AC3", "A.C.3"),
            *("a.c. of three", "AC (3)", "AC ３", "AC ٣", "AC 03"),
        ],
        id="number of a term",
    ),
    pytest.param(
        ["AC -6", "AC −6", "AC –6", "AC-6", "AC: −6", "A.C. of -6", "AC minus 6", "AC negative six", "armor class-6"],
        id="sign",
    ),
    pytest.param(
        ["level 7", "7th level", "7th-level", "seventh level", "seventh-level", "level-7", "lvl 7", "7 level"],
        id="level",
    ),
    pytest.param(["0-level halfling", "zero level halfling", "level 0 halflings"], id="level zero"),
    pytest.param(["levels 1 to 6", "1st to 6th level", "first to sixth levels"], id="range of ordinals"),
    pytest.param(["level 1, 6", "1st-6th level", "1st, 6th level"], id="list of ordinals"),
    pytest.param(["level 4 or 7", "4th or 7th level"], id="two ordinals"),
    pytest.param(["21", "twenty-one", "Twenty One", "twenty-first", "21st"], id="tens"),
    pytest.param(["-21", "minus twenty-one"], id="negative tens"),
    pytest.param(["100 orcs", "a hundred orcs", "one hundred orcs"], id="hundred"),
    pytest.param(["1250", "1,250", "twelve hundred fifty", "one thousand two hundred and fifty"], id="hundreds"),
    pytest.param(["-300000", "minus three hundred thousand"], id="negative thousands"),
    pytest.param(["100, 300", "one hundred, three hundred"], id="two hundreds"),
    pytest.param(["genius", "geniuses"], id="geniuses"),
    pytest.param(["d10", "1d10", "D10", "d10s"], id="die"),
    pytest.param(["d%", "1d100", "d100"], id="percentile dice"),
    pytest.param(["½", "1/2", "1⁄2"], id="half"),
    pytest.param(["1½", "3/2"], id="one and a half"),
    pytest.param(["1,000 gp", "1000 gp"], id="thousands"),
    pytest.param([".5", "0.5"], id="no leading zero"),
    *(
        pytest.param([one, many], id=many)
        for one, many in (
            pair.split("/")
            for pair in (
                "bonus/bonuses virus/viruses pegasus/pegasuses incubus/incubuses abacus/abacuses cyclops/cyclopses "
                "house/houses warehouse/warehouses corpse/corpses eclipse/eclipses excuse/excuses bus/buses gas/gases "
                "lens/lenses atlas/atlases iris/irises mantis/mantises maze/mazes topaz/topazes quartz/quartzes "
                "remorhaz/remorhazes lammasu/lammasus menu/menus"
            ).split()
        )
    ),
    pytest.param(["matrix", "matrices"], id="matrices"),
    pytest.param(["battle axe", "Battle Axes"], id="axes"),
    pytest.param(["horseshoe", "horseshoes"], id="horseshoes"),
    pytest.param(["hero", "heroes"], id="heroes"),
    pytest.param(["die", "dice", "dies"], id="dice"),
    pytest.param(["armorer", "armourer"], id="armourer"),
    pytest.param(["paralyzed", "paralysed"], id="paralysed"),
    pytest.param(["Gray Ooze", "grey oozes"], id="grey"),
]


@pytest.mark.parametrize("spellings", SAME)
def test_two_spellings_of_one_thing_have_one_form(spellings: list[str]) -> None:
    assert dict.fromkeys(spellings, normal(spellings[0])) == {spelling: normal(spelling) for spelling in spellings}


DIFFERENT = [
    ("AC 6", "AC -6"),
    ("AC 1", "AC 10"),
    ("level 1", "level 11"),
    ("bear", "owlbear"),
    ("thief", "thieving"),
    ("hit points", "hit dice"),
    ("18/51", "18"),
    ("5+2 HD", "5 HD"),
    ("1-1 HD", "1 HD"),
    ("3¹", "31"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_stays_different(one: str, other: str) -> None:
    assert normal(one) != normal(other)
    assert not Words(one).has(phrase(other))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("level 7-9", ("level", "7", "9")),
        ("levels 7–9", ("level", "7", "9")),
        ("AC 10 to -10", ("armor class", "10", "to", "-10")),
        ("AC -1--3", ("armor class", "-1", "-3")),
        ("6 - 3", ("6", "3")),
        ("which one", ("which",)),
        ("the one", ("the",)),
        ("the one-handed sword", ("the", "1", "handed", "sword")),
        ("no. 1", ("no", "1")),
        ("the first", ("the", "1")),
        ("First, the dwarf", ("1", "the", "dwarf")),
        ("negative energy plane", ("negative", "energy", "plane")),
        ("minus", ("minus",)),
        ("10 seconds", ("10", "seconds")),
        ("minus zero", ("0",)),
        ("1d4+1d6", ("1d4", "1d6")),
        ("2d6+1", ("2d6+1",)),
        ("twenty 12", ("20", "12")),
        ("don't", ("dont",)),
        ("mac-10 tic-tac-2", ("mac", "10", "tic", "tac", "2")),
        ("Дракон 7", ("дракон", "7")),
        ("", ()),
        ("?!—…", ()),
    ],
)
def test_awkward_texts(text: str, tokens: tuple[str, ...]) -> None:
    assert tokens == normal(text)


@given(TEXTS)
@example("1st armor : class opponent opponent AC")
@example("minus minus 6 negative first minus one d6")
@example("of of of of of 3 level 4 levels level of 3 orcs 3 level")
@example("lumens ravemens dicess")
@example("first minus of one, minus 1-1, tens of seconds")
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normal(text) == normal(" ".join(normal(text)))


@given(TEXTS)
@example("A seventh minus-one, of thousand'to two; who's the third?")
@example("Of the Thieves, (which is) a. Level")
@example("Thieves (1 of 2), 3 levels of 0 - 5; [7] is AC 10. 12!")
def test_a_text_of_words_and_whole_numbers_is_read_as_if_it_had_more(text: str) -> None:
    assert normal(text) == normal(f"{text} ~")  # a mark that is no word, and keeps the text from being one of words


@given(st.from_regex(r"[a-z]{1,12}(s|es|ies|ves|men|oes|our|ise|axes)?", fullmatch=True))
def test_the_singular_of_a_singular_is_itself(word: str) -> None:
    assert singular(word) == singular(singular(word))


@given(st.text(st.characters(), max_size=200) | st.text("0123456789+-/.dst% ac&'", max_size=60))
@example("\ud800\udfff\x00 6")
@example("9" * 5000)
@example("1/0 0/0 18/00 00/00 -0")
def test_no_text_raises_and_every_number_has_a_finite_value(text: str) -> None:
    words = Words(text)
    values = words.numbers() + words.numbers_of(("armor class",))

    assert all(abs(value) < 1e25 for value in values)
    assert all(words.tokens)


@pytest.mark.parametrize(
    "unit",
    ["a ", "a", "1", "1 ", "-", "=", "of ", "is 3 ", "level ", "7th ", "7th-", "twenty ", "minus ", "a.", "a.c.",
     "1,000,", "\ud800", "\0", "1-", "d", "d6", "'", "AC ", "AC-1", "+1", "1/", "armor ", "opponent ", "ac 1 and ",
     "½", "é-"],
)  # fmt: skip
def test_time_is_linear_whatever_is_repeated(unit: str) -> None:
    text = (unit * 40_000)[:40_000]
    start = time.perf_counter()
    words = Words(text)
    for term in ("level", "a", "and", "1", "armor class", "a 1", "level 3"):
        words.has(phrase(term))
        words.numbers_of(phrase(term))

    assert time.perf_counter() - start < 8  # quadratic work takes minutes


@given(st.integers(-99, 99), st.sampled_from(["AC", "armor class", "A.C.", "level", "strength", "hit dice", "HP"]))
def test_a_number_belongs_to_its_term_and_to_no_other(n: int, term: str) -> None:
    for wording in (f"{term} {n}", f"{term} of {n}", f"{term} is {n}", f"{term}: {n}", f"{term}={n}"):
        words = Words(f"an orc with {wording} and wisdom 5")

        assert [float(n)] == words.numbers_of(phrase(term))
        assert words.has(phrase(f"{term} {n}"))
        assert not words.has(phrase(f"{term} {n + 1}"))


@pytest.mark.parametrize(
    ("text", "term", "numbers"),
    [
        ("level 3 or 7", "level", [3, 7]),
        ("4th or 7th level", "level", [4, 7]),
        ("1st to 6th level fighters", "level", [1, 6]),
        ("armor classes 3 and 9", "armor class", [3, 9]),
        ("16 strength and 12 dexterity", "strength", [16]),
        ("16 strength and 12 dexterity", "dexterity", [12]),
        ("AC 3 and 16 strength", "armor class", [3]),
        ("AC 3, 45 hp", "armor class", [3]),
        ("AC 3 strength unknown", "strength", []),
        ("a 4th level fighter with AC 3", "level", [4]),
        ("armor class is exactly 3", "armor class", [3]),
        ("intelligence and wisdom total of 14", "wisdom", [14]),
        ("a level between 3 and 5", "level", [3, 5]),
        ("a 5+2 HD troll", "hit dice", [5.02]),
        ("a 1-1 HD goblin", "hit dice", [0.99]),
        ("strength 18/51", "strength", [18.51]),
        ("the class of the 3 orcs", "armor class", []),
    ],
)
def test_whose_number_it_is(text: str, term: str, numbers: list[float]) -> None:
    assert numbers == Words(text).numbers_of(phrase(term))


def test_exceptional_strength_lies_between_18_and_19_in_its_order() -> None:
    written = ["18", "18/01", "18/50", "18/51", "18/99", "18/00", "19"]
    values = [number(token) for token in written]

    assert sorted(set(values)) == values


def test_a_question_of_100_kilobytes_is_fine() -> None:
    text = "a 4th level fighter with an armor class of 3, " * 2500 + "against AC -7"

    assert Words(text).has(phrase("armor class -7"))
    assert not Words(text).has(phrase("armor class 7"))


@pytest.mark.parametrize(("token", "known"), [("7", True), ("-7", True), ("5+2", True), ("1d8", False), ("a", False)])
def test_what_is_a_number(token: str, known: bool) -> None:
    assert known == is_number(token)


def test_a_run_of_digits_that_is_no_quantity_is_a_word() -> None:
    assert not is_number("9" * 400)
    assert [] == Words("level " + "9" * 400).numbers_of(("level",))


@given(st.text(max_size=80))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(text) == fold(fold(text))


def test_titles_are_one_whatever_the_order_of_their_words() -> None:
    assert title_key("Dragon, Black") == title_key("The Black Dragons")
    assert title_key("Dragon, Black") != title_key("Dragon, Red")


@pytest.mark.parametrize("odd", ["➀", "level ➀", "፩ owl", "x²"])
def test_digits_that_make_no_number_are_no_numbers(odd: str) -> None:
    assert [] == Words(odd).numbers()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("40 frames per second", ("40", "frame", "per", "second")),
        ("a second frame", ("a", "frame", "2")),
        ("five per one boat", ("5", "per", "1", "boat")),
    ],
)
def test_a_second_behind_per_is_a_unit(text: str, tokens: tuple[str, ...]) -> None:
    assert tokens == normal(text)
