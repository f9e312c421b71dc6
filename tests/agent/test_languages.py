"""Languages are data: each word once, each read; a language more is a file more."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import agent
from agent.ask import Agent
from agent.languages.language import FOLDER, Language, languages, read_languages
from agent.understanding.question.tagged import tagged
from retrieval.text.normal import phrase
from tests.agent.shelf import reading

PACKAGE = Path(agent.__file__).parent
MANY = 8
"""Words of a list in code that is a table of a language."""
SEVERAL_LISTS = {
    "little": "an adjective, and irregular",
    "far": "an adjective, and irregular",
    "good": "an adjective, and irregular",
    "bad": "an adjective, and irregular",
    "may": "a month, and an auxiliary",
    "every": "of what comes back, and of all of a kind",
    "in": "of a place, and of the unit of an answer",
    "at": "of a place, and of a bound",
    "before": "of an occasion, and of a date",
    "after": "of a condition, and of a date",
    "since": "of a reason, and of a date",
    "how many": "counts, and asks for an amount",
    "wie viele": "counts, and asks for an amount",
    "and": "joins names, and the limits of a range",
    "except": "denies, and leaves out who stands behind it",
    "close": "of a short distance, and of the end of a span",
    "end": "of a range, and ends one",
    "until": "of an occasion, and of the end of a span",
    "till": "asks for the end of a span, and joins its ends",
    "to": "joins names, and the ends of a span",
    "through": "of a place, and joins the ends of a span",
    "from": "of a place, and asks for the beginning of a span",
    "bis": "asks for the end of a span, and joins its ends",
    "when": "asks for a time, and tells an occasion",
    "each": "asks of all, and tells how often",
    "by": "stands before what a rank goes by, and before who does something",
    "add up": "asks for a total, also as a verb",
    "among": "names nothing, and stands before a kind",
    "one": "says little, and stands for a kind named before",
    "often": "names nothing, and counts how many have a value",
    "must": "asks, and stands before another verb",
    "was": "links, and tells of what was",
    "were": "links, asks, and tells of what was",
    "you": "speaks, and is who a book is for",
    "your": "of who is asked, and of who a book is for",
    "du": "speaks, and is who a book is for",
    "dein": "of who is asked, and of who a book is for",
    "deine": "of who is asked, and of who a book is for",
    "und": "joins names, and the limits of a range",
    "exceed": "asks for a difference, and limits a number",
    "under": "of little weight behind a verb, and limits a number",
    "above": "of a place, and limits a number",
    "below": "of a place, and limits a number",
    "within": "of a place, and limits a number",
    "at least": "limits the number behind it, or the one before",
    "at most": "limits the number behind it, or the one before",
    "vs": "joins names, and sets a number against another",
    "versus": "joins names, and sets a number against another",
    "against": "names nothing, and sets a number against another",
}
"""Words that stand in two lists of their language, and why."""

BRIDGES = """# Brücken

| Brücke | Länge | Baujahr | Preis der Überfahrt | Pfeiler |
|---|---|---|---|---|
| Mühlbrücke | 120 m | 1890 | 2 Taler | 4 |
| Königsbrücke | 310 m | 1950 | 5 Taler | 9 |
| Fährsteg | 45 m | 2004 | 1 Taler | 2 |
"""
TOKI = """
name = "Toki"

[operations]
difference = ["ante"]

[questions]
kinds = ["seme"]

[names]
joining = ["anu"]

[ends]
high = { comparative = ["mute"] }
"""


def words_in(data: object) -> Iterator[str]:
    """Every phrase of a language's file, but for its rules."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for each in data:
            yield from words_in(each)
    elif isinstance(data, dict):
        for each in data.values():
            yield from words_in(each)


def lists_of(data: dict[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every list of words with its place in the file; those of scales stand under what they are of."""
    for name, each in data.items():
        if isinstance(each, dict):
            yield from lists_of(each, (*path, name))
        elif isinstance(each, list) and all(isinstance(word, str) for word in each):
            yield (*path, name), each


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_a_word_stands_in_one_list_of_its_language(name: str) -> None:
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    adjectives = [word for scale in data["scales"] for end in ("more", "less") for word in scale.get(end, ())]
    lists = dict(lists_of({key: value for key, value in data.items() if key not in ("degrees", "scales")}))
    measures = (("worth", "low"), ("worth", "levels"), ("worth", "prices"))
    said = Counter(word for path, words in lists.items() if path not in measures for word in words)
    said += Counter(adjectives)

    assert [] == [word for word, times in said.items() if times > 1 and word not in SEVERAL_LISTS]


@pytest.mark.parametrize("name", sorted(languages()))
def test_every_section_of_a_language_is_read(name: str) -> None:
    """What is taken out of the file makes another language of it: nothing stands there that nobody reads."""
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    whole = all_of(Language(data))
    for section, content in data.items():
        parts = content if isinstance(content, dict) else {"": None}
        for part in parts:
            rest = {key: value for key, value in content.items() if key != part} if part else None
            less = {key: value for key, value in data.items() if key != section} | ({section: rest} if rest else {})
            if section != "name":
                assert all_of(Language(less)) != whole, (section, part)


def all_of(language: Language) -> list[object]:
    """Everything that a language says."""
    said = {name: value for kind in Language.__mro__ for name, value in vars(kind).items()}
    names = [name for name, value in said.items() if not name.startswith("_") and hasattr(value, "attrname")]
    return [getattr(language, name) for name in names]


def test_no_table_of_words_stands_in_code() -> None:
    with_tables = {
        str(path.relative_to(PACKAGE))
        for room in ("planning", "understanding", "reasoning")
        for path in (PACKAGE / room).rglob("*.py")
        if any(tables_of(path.read_text(encoding="utf-8")))
    }

    assert set() == with_tables


def tables_of(source: str) -> Iterator[ast.AST]:
    """The sets and lists of many English words."""
    for node in ast.walk(ast.parse(source)):
        words: list[str] = []
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            words = [each.value for each in node.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            inner = node.func.value
            words = inner.value.split() if isinstance(inner, ast.Constant) and isinstance(inner.value, str) else []
        if len([word for word in words if word.isalpha() and word.islower()]) >= MANY:
            yield node


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Was ist der Preis?", "German"),
        ("Welche Brücke ist länger?", "German"),
        ("What is the price of a die?", "English"),
        ("Which bridge in Die has more?", "English"),
        ("QX7 200?", "English"),
    ],
)
def test_the_words_that_ask_tell_the_language(question: str, name: str) -> None:
    assert name == tagged(question).language.name


def test_a_language_more_is_a_file_more(tmp_path: Path) -> None:
    for path in (*FOLDER.glob("*.toml"),):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "toki.toml").write_text(TOKI, encoding="utf-8")

    asked = tagged("seme li mute ante, kili anu kasi", known=read_languages(tmp_path))

    assert ("Toki", "difference", "high") == (asked.language.name, asked.operation, asked.end_for(("suli",)))
    assert {"kili", "kasi"} <= {word for _, word in asked.words()}
    assert "anu" not in {word for _, word in asked.words()}


@pytest.fixture(scope="module")
async def german(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    return await reading(BRIDGES, tmp_path_factory.mktemp("brücken"))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Welche Brücke hat mehr Pfeiler, die Mühlbrücke oder die Königsbrücke?", "Königsbrücke"),
        ("Wie viele Pfeiler hat der Fährsteg?", "2"),
        ("Wie lang ist die Mühlbrücke?", "120 m"),
        ("Was ist der Unterschied in der Länge zwischen der Mühlbrücke und der Königsbrücke?", "190 m"),
        ("Welche Brücke ist am längsten?", "Königsbrücke"),
        ("Ist die Mühlbrücke älter oder die Königsbrücke?", "Mühlbrücke"),
        ("Welche Brücken haben mehr als drei Pfeiler?", "Mühlbrücke, Königsbrücke"),
    ],
)
async def test_a_german_question_is_answered_from_a_german_book(question: str, verdict: str, german: Agent) -> None:
    answer = await german.ask(question)

    assert (answer.verdict, answer.stop_reason) == (verdict, "complete")


def test_umlauts_are_one_letter_with_theirs_in_texts() -> None:
    assert phrase("Größe der Königsbrücke") == phrase("GROESSE".replace("OE", "Ö") + " der königsbrücke")
