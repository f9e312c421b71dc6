"""Words that nothing tells and that may ask for something else: a name of what the table is not about, a code, what
another line of the table is called, or a measure that the collection has elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from agent.reasoning.structure.asked import asked_for
from agent.reasoning.structure.lineup import Lineup
from agent.reasoning.structure.told_measures import Told
from agent.understanding.clauses import COMMA, in_own_words
from agent.understanding.mentions import THINGS
from agent.understanding.related import only_relates
from agent.understanding.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place
from retrieval.tables.match import is_told, said_words
from retrieval.tables.names import Mention
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import is_number

_OF_FOLDER = frozenset(("index", "readme", "_index", "overview"))
"""Pages that tell of all in their folder."""


def strangers(told: Told, lineup: Lineup, index: Cells) -> Iterator[str]:
    """The words in question, in their order; of what is only near to what is asked, those that are names."""
    question, grid = told.question, lineup.grid
    kinds = asked_for(question, index)[0]
    others = {word for label in grid.labels if label != told.measure.label for word in said_words(label)}
    for i, word in told.left.items():
        text = word.text
        mention = next((each for each in question.names if each.start <= i < each.end), None)
        if _is_of_part(i, told) or (text not in kinds and _says_of_what(i, told)):
            yield text
        is_one_word = mention is None or mention.end - mention.start == 1
        if is_one_word and only_relates(question.tokens, i, question.language) and not _is_written_as_name(i, question):
            continue
        if mention is not None and _names_table(mention, question, grid, index):
            continue
        is_named = mention is not None and bool(index.places([mention.key], THINGS)) and text not in kinds
        is_measure = not told.assumed and text not in kinds and (is_told(text, others) or bool(index.measures([text])))
        if is_named or is_measure or is_number(text) or is_identifier(text) or _is_written_as_name(i, question):
            yield text


def _is_of_part(place: int, told: Told) -> bool:
    """True for what an adjective that tells the measure is said of, where the things only have that: who has the *older
    boat* is told by no age of theirs.
    """
    question, adjective = told.question, place - 1
    is_told = adjective in question.scales and adjective in told.places
    start = max((i for i in range(place) if question.tokens[i] == COMMA), default=0)
    return is_told and question.language.copulas.isdisjoint(question.tokens[start:place])


def _says_of_what(place: int, told: Told) -> bool:
    """True for a word right before one that tells the measure, or behind *to*: an *insurance fee* is another fee, and
    what something *costs to repair* is not what it costs. A measure taken as the nearest is one in other words.
    """
    tokens, language = told.question.tokens, told.question.language
    if told.assumed or place in told.question.scales or only_relates(tokens, place, language):
        return False
    return place + 1 in told.places or (place > 0 and tokens[place - 1] in language.beside)


def _names_table(mention: Mention, question: Tagged, grid: Grid, index: Cells) -> bool:
    """True for a name of which the table has a part in its own, or that the page of its folder is called by."""
    words = question.tokens[mention.start : mention.end]
    if not grid.context.isdisjoint(words):
        return True
    places = index.places([mention.key], THINGS)
    return any(_tells_folder(place, grid, index) for place in places)


def _tells_folder(place: Place, grid: Grid, index: Cells) -> bool:
    """True for a page that tells of the folder of a table."""
    if place.grid is None:
        return False
    page, own = PurePath(index.grid(place.grid).source), PurePath(grid.source)
    return page.parent == own.parent and page.stem.casefold() in _OF_FOLDER


def _is_written_as_name(place: int, question: Tagged) -> bool:
    """True for a word with a capital, but for the first of a question that goes on behind it."""
    own = in_own_words((question.tokens[place],), question.question)
    is_first = question.question.lstrip().startswith(own) and question.tokens[place + 1] != COMMA
    return own[:1].isupper() and not is_first
