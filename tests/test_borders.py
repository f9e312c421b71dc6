"""What may stand where: nothing about a game or a trade is known in `retrieval`, whose words come as data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

import agent
import retrieval
from retrieval.text.vocabulary import Vocabulary, vocabulary

PACKAGE = Path(retrieval.__file__).parent
CORE = Path(agent.__file__).parent
OF_GAMES_AND_TRADES = frozenset(
    "armour armoured monster creature dragon orc owlbear thief dwarf elf fighter cleric druid "
    "wizard mage spell weapon sword potion treasure melee missile initiative morale psionic thac0 "
    "combat fight fighting gp sp ability abilities attack hero race encounter "
    "freight cargo vessel alloy instance vcpu loan mortgage interest director film premium".split()
)
"""Words that no installed vocabulary has to have: of the sample, the books of the tests, and collections seen."""
ORDINARY = frozenset(
    # of Python and of programs
    "str int move save target range character allowed "
    # of finding: distances, the weights of a model and of a score, what a way costs, dice as a way to write numbers
    "distance weight cost dice die "
    # of English and of HTML
    "small medium large vs".split()
)
"""Words of a vocabulary that mean something else here."""
OF_LIBRARIES = re.compile(r"readers/markup/(?:restructured|converted)\.py:\d+: level")
"""Names of a library that are such words: docutils and pandoc have levels of headings, docutils of complaints too."""


OF_THE_GAME = frozenset(
    "armor class,armour,hit dice,hit points,thac0,monster,creature,combatant,duel,dragon,orc,owlbear,thief,dwarf,elf,"
    "fighter,cleric,druid,paladin,wizard,spell,weapon,sword,treasure,melee,missile,initiative,strength,intelligence,"
    "wisdom,dexterity,constitution,charisma,attack,saving throw,damage,opponent".split(",")
)
"""Words of the one game that is a domain here, which no other part of `agent` has to know."""


def words_of(vocabulary: Vocabulary) -> set[str]:
    """Every phrase of a vocabulary, and its words."""
    phrases = {form for term in vocabulary.terms for form in (term.name, *term.forms, *term.owners)}
    phrases |= {word for group in (*vocabulary.synonyms, *vocabulary.stat_lines) for word in group}
    phrases |= {*vocabulary.spellings, *vocabulary.spellings.values(), *vocabulary.written, *vocabulary.owners}
    phrases |= {*vocabulary.key_heads, *vocabulary.qualifiers, *vocabulary.drawn}
    return {phrase for phrase in phrases if len(phrase) > 1}


def in_words(text: str) -> str:
    """A text or a name as words with a space around each: *_MOST_ROWS*, *HitDice*."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return f" {' '.join(re.findall(r'[a-z]+[0-9]*', apart.lower()))} "


def named_and_quoted(source: str) -> Iterator[tuple[int, str]]:
    """Every name that a module gives, and every text in it that is no docstring, with its line."""
    tree = ast.parse(source)
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in statements:
            yield node.lineno, node.value
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def places_of(phrases: AbstractSet[str], package: Path = PACKAGE) -> list[str]:
    """Where one of these phrases stands in a package."""
    found = re.compile(" (" + "|".join(sorted(map(re.escape, phrases))) + ")s? ")
    modules = {path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))}
    return [
        f"{path.relative_to(package)}:{line}: {match[1]}"
        for path, source in modules.items()
        for line, text in named_and_quoted(source)
        for match in found.finditer(in_words(text))
    ]


def test_the_vocabularies_of_this_distribution_are_installed() -> None:
    """Else the next test looks for nothing. After an update of a development install: `pip install -e .` again."""
    names = {term.name for term in vocabulary().terms}

    assert {"armor class", "level"} <= names
    assert any("fare" in group for group in vocabulary().synonyms)


def test_no_word_of_a_game_or_trade_stands_in_retrieval() -> None:
    places = places_of((words_of(vocabulary()) | OF_GAMES_AND_TRADES) - ORDINARY)

    assert [] == [place for place in places if not OF_LIBRARIES.fullmatch(place)]


def test_retrieval_imports_nothing_of_agent() -> None:
    imports = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
        if name.split(".")[0] == "agent"
    ]

    assert [] == imports


def test_no_word_of_the_game_stands_outside_its_domain() -> None:
    assert [] == [place for place in places_of(OF_THE_GAME, CORE) if not place.startswith("domains/")]
