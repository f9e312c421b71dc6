"""Reasons to doubt a bound value: the answer shows the value and says that it is partial.

These are the reasons. No cell has a letter or a digit. Several values have the same row and column, and the question
doesn't choose among them. Too many words of the question are unmatched. An unknown word precedes a matched one and may
change its meaning: a *roaming* fee is not the fee. The label matches only by a modifier that the question applies to
another noun: *base pay* is not *base rent*. The label was assumed, and is no synonym of what was asked. The question
asks how many there are, and the value neither begins with a number nor is a list. Or it asks whether something is so,
and the value says neither yes nor no.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from agent.languages.language import Language
from agent.reasoning.coverage.heads import heads_of, is_short_for
from agent.reasoning.coverage.kinds_of_values import of_another_kind, of_another_unit
from agent.reasoning.measures.dimensions import is_of_none, without_unit
from agent.reasoning.values.cell_text import items_of
from agent.reasoning.values.comparing import asks_whether
from agent.reasoning.values.conditions import flag_of
from agent.reasoning.values.dates import date_of
from agent.reasoning.values.quantities import number_of
from agent.reasoning.values.span_ends import is_open
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.words.clauses import is_plural
from retrieval.tables.bind import Binding
from retrieval.tables.match import any_matches, label_words, matches_any
from retrieval.tables.writing import Kind
from retrieval.text.normal import STOP_WORDS, is_number, phrase

MOST_UNMATCHED = 2
"""The most unmatched words of a question; with more of them, something else is asked."""
_CROSS = "x"
"""A letter that is a mark in tables of marks."""
_SEVERAL = 2
_LIMIT = 2
"""The number of words in *maximum 3*."""
_BEFORE = 3
"""How many tokens before a modifier a preposition is looked for: *from the 12 V rail*."""


def doubts_of(bound: Bound) -> Iterator[str]:
    """Yield the doubts about the answer to a question about named entities, each as what remains to be found out."""
    for reading in bound.readings:
        empty = [binding for binding in reading.found if _is_empty(binding, bound)]
        if len(empty) == len(reading.found):  # next to values, *℃* is their unit and a dash an open end
            yield f"{empty[0].label or bound.measure} of {reading.subject.text}: the cell says {empty[0].text!r}"
        elif (_are_alike(reading) and not _are_all_asked(reading, bound)) or _are_some_of_column(reading):
            yield f"which of these is meant: {', '.join(each.text for each in reading.found)}"
    yield from _doubts_of_words(bound)
    for word in _qualifying(bound):
        yield f"whether that is the {word} one"
    if word := _another_measure(bound, bound.readings[0]):
        yield f"whether {word} is {bound.measure}"


def _is_empty(binding: Binding, bound: Bound) -> bool:
    """True for a value without a letter or a digit, except a mark for yes or no if that is asked for."""
    is_mark = binding.text.casefold() == _CROSS
    if (any(map(str.isalnum, binding.text)) and not is_mark) or bound.yes_or_no is not None:
        return False
    question = bound.linked.question
    return not asks_whether(question) or flag_of(binding.text, question.language) is None


def _doubts_of_words(bound: Bound) -> Iterator[str]:
    """Yield the doubts about words that the cells don't match, each as what remains to be found out."""
    if _counts_nothing(bound) or _is_in_own_unit(bound):
        yield f"how many {bound.linked.amount}"
    if _asks_yes_or_no(bound):
        yield "whether it is so"
    if _names_nobody(bound):
        yield "who it is"
    if len(unmatched := dict.fromkeys(bound.unmatched_question_words)) > MOST_UNMATCHED - _is_told_in_other_words(
        bound
    ):
        yield f"what {', '.join(unmatched)} has to do with it"
    elif attached := _attached(bound) or _beside(bound) or _ranked(bound) or _spoken_of(bound):
        yield f"what {attached} has to do with it"
    if bound.doubtful_word:
        yield f"what {bound.doubtful_word} has to do with it"
    if unit := of_another_unit(bound):
        yield f"{bound.measure} as one for each {unit}"
    if of_another_kind(bound):
        yield f"whether {bound.measure} is what is asked for"
    if word := _borne(bound):
        yield f"whether {bound.measure} is what it can {word}"


def _beside(bound: Bound) -> str:
    """Return a word of a subject's name that nothing around the value matches: the *beholder* of a *beholder fly*."""
    words = (word for each in bound.readings for word in each.subject.words if word in each.best.unmatched_words)
    return next(words, "")


def _attached(bound: Bound) -> str:
    """Return the unmatched word for an attachment: the *stand* of *an anvil with a stand*, which may be
    another anvil.
    """
    question = bound.linked.question
    tokens, language = question.tokens, question.language
    ends = {phrase(reading.subject.text)[-1:] for reading in bound.readings}
    for i, (word, before) in enumerate(pairwise(tokens)):
        is_behind = (word,) in ends and before in language.beside
        place = i + 2 + (tokens[i + 2 : i + 3] != () and tokens[i + 2] in language.articles)
        if is_behind and tokens[place : place + 1] and tokens[place] in bound.unmatched_question_words:
            return tokens[place]
    return ""


def _ranked(bound: Bound) -> str:
    """Return the unmatched word right behind an adjective of any size: in *the larger collection*, only a size of the
    *collection* counts, unless a subject is called so. *Heavier* has one meaning, whatever noun follows.
    """
    question = bound.linked.question
    place = -1 if question.end is None else question.end
    is_of_any = place in question.scales and question.scales[place].scale.of_any
    behind = question.tokens[place + 1 : place + 2] if is_of_any else ()
    called = {word for reading in bound.readings for word in phrase(reading.subject.text)}
    return next((word for word in behind if word in bound.unmatched_question_words and word not in called), "")


def _spoken_of(bound: Bound) -> str:
    """Return what another sentence mentions and a pronoun of the question refers to, if nothing around the value has a
    word of it: *we have a single torch; how long will it give light* asks about the torch.
    """
    question = bound.linked.question
    language = question.language
    asked = {token for i, token in enumerate(question.tokens) if i not in question.context_places}
    if asked.isdisjoint(language.statement_words("pronouns")):
        return ""
    idle = language.idle | language.function_words | STOP_WORDS
    spoken = [question.tokens[i] for i in sorted(question.context_places) if question.tokens[i] not in idle]
    told = {word for reading in bound.readings for word in _around(reading.best)}
    return spoken[-1] if spoken and told.isdisjoint(spoken) else ""


def _around(binding: Binding) -> Iterator[str]:
    """Yield the words of everything that names a value: its row, its label, and the names of its table."""
    cell = binding.cell
    for name in (*cell.row_path, cell.column_label, binding.label, *binding.grid.names):
        yield from label_words(name)


def _names_nobody(bound: Bound) -> bool:
    """True if the question asks who, and the value is a date or begins with a number."""
    question, text = bound.linked.question, bound.readings[0].best.text
    persons = {said[0] for said in question.language.answers.get("person", ())}
    is_asked = question.tokens[0] in persons and bound.operation == "read"
    is_number = any(map(str.isdigit, text)) and not any(map(str.isupper, text))  # *about 1610*
    return is_asked and (date_of(text) is not None or text.lstrip("$£€ ")[:1].isdigit() or is_number)


def _asks_yes_or_no(bound: Bound) -> bool:
    """True for a yes-no question whose single value says neither yes nor no and has no word or number of the question:
    *Deck: 12 m* does not answer *is a cook allowed on deck*.
    """
    question, best = bound.linked.question, bound.readings[0].best
    language = question.language
    if not asks_whether(question):
        return False
    is_judged = question.end is not None or bool(question.numbers) or not language.joining.isdisjoint(question.tokens)
    is_told = best.fit.value or flag_of(best.text, language) is not None
    is_told = is_told or is_open(best.text, question, best.unmatched_words) is not None
    return (
        bound.yes_or_no is None
        and bound.operation == "read"
        and len(bound.readings) == 1
        and not is_judged
        and not is_told
    )


def _borne(bound: Bound) -> str:
    """Return the verb of bearing in the question if the value is the subject's own measure: no mule carries itself."""
    question = bound.linked.question
    told = {word for each in bound.readings for text in (each.subject.text, each.best.label) for word in phrase(text)}
    for each in question.language.dimensions:
        said = next((word for word in question.tokens if word in each.bearing), "")
        own = each.measures & question.language.measures
        if said and said not in told and not told.isdisjoint(own) and told.isdisjoint(each.bearing):
            return said
    return ""


def _is_told_in_other_words(bound: Bound) -> bool:
    """True if no word of the question is in the label itself: *spend*, for *cost per person*."""
    fits = [reading.best.fit for reading in bound.readings]
    return any(fit.label for fit in fits) and all(fit.label <= fit.indirect for fit in fits)


def _is_told_by_name(bound: Bound) -> bool:
    """True if numbers choose the cells, and only the table's name says what they are."""
    return all(reading.best.fit.label.isdisjoint(bound.linked.words) for reading in bound.readings)


def listed_by(bound: Bound) -> tuple[str, ...]:
    """Return the items of a single value that is a list, if the question asks how many there are."""
    text, joining = bound.readings[0].best.text, bound.linked.question.language.joining
    is_one = len(bound.readings) == 1 and (_is_counted(bound) or _is_counted_of_head(bound))
    return items_of(text, joining) if is_one else ()


def _counts_nothing(bound: Bound) -> bool:
    """True if the question counts what the label names, and the value neither begins with a number nor has *maximum*
    before one.
    """
    best, ranges = bound.readings[0].best, bound.linked.question.language.ranges
    said = phrase(best.text)
    is_limit = len(said) == _LIMIT and said[0] in ranges.high | ranges.low
    text = said[-1] if is_limit else best.text
    return _is_counted(bound) and number_of(text, best.label) is None and not listed_by(bound)


def _is_in_own_unit(bound: Bound) -> bool:
    """True if the question counts something, and the assumed label has a unit: *kilocalories* are no *Weight (g)*."""
    reading, linked = bound.readings[0], bound.linked
    unit = phrase(reading.best.label.removeprefix(without_unit(reading.best.label, linked.question.language)))
    if not (reading.assumed and unit and linked.amount):
        return False
    return not matches_any(linked.amount, phrase(reading.best.label))


def _is_counted(bound: Bound) -> bool:
    """True if the question asks how many there are of what the value's label names."""
    return bound.operation == "read" and bound.linked.amount in bound.readings[0].best.fit.label


def _is_counted_of_head(bound: Bound) -> bool:
    """True if the question asks how many there are of what the header above the value names."""
    reading, linked = bound.readings[0], bound.linked
    of_head = reading.best.place.kind is Kind.COLUMN and linked.question.operation == "count"
    is_asked = not linked.amount or linked.amount in phrase(reading.subject.text)
    return bound.operation == "read" and of_head and is_asked


def _another_measure(bound: Bound, reading: Reading) -> str:
    """Return the words of the question that may be another measure than the label of the value."""
    linked, best = bound.linked, reading.best
    if not reading.assumed:
        return _head_asked(bound, best)
    if set(phrase(best.text)) <= {*phrase(reading.assumed)}:  # the value says no more than the assumed label
        return linked.wording
    if reading.sure is not None:
        return "" if reading.sure or _is_graded(linked, reading.assumed) else linked.wording
    asked = [word for word in label_words(linked.wording) if word not in best.fit.context]
    said = label_words(reading.assumed)
    shared = [word for word in asked if word in said]
    is_other = bool(shared) and len(shared) < min(len(asked), len(said))  # *rally points* are no *hit points*
    is_other = is_other or is_of_none(phrase(linked.wording), reading.assumed, best.text, linked.question.language)
    return linked.wording if is_other else ""


def _is_graded(linked: Linked, label: str) -> bool:
    """True if an adjective of the question means the label, and all other words are verbs, or nouns behind a verb and a
    preposition: *how long it stays in effect*, for *Duration*.
    """
    question, said = linked.question, {*label_words(label)}
    adjectives = {question.tokens[place] for place in question.scales}
    places = question.language.statement_words("places")
    verbs = linked.verbs | linked.relational_words
    threes = zip(question.tokens, question.tokens[1:], question.tokens[2:], strict=False)
    behind = {noun for verb, particle, noun in threes if verb in verbs and particle in places}
    is_of_verb = adjectives | verbs | behind >= {*linked.words}
    return is_of_verb and any(said <= {*linked.implied.get(word, ())} for word in adjectives)


def _are_alike(reading: Reading) -> bool:
    """True if several values have equal row and column labels, or if they are spread over columns none of which the
    question names, and over several rows or below one column header.
    """
    heads = {each.cell.column_label for each in reading.found}
    rows = {each.cell.row_path for each in reading.found}
    said = reading.best.fit.label - reading.best.fit.indirect
    is_of_many = len(heads) > 1 and (len(rows) > 1 or reading.best.place.kind is Kind.COLUMN)
    if is_of_many and not any(any_matches(said, label_words(head)) for head in heads):
        return True
    paths = {(each.cell.chunk_id, *each.cell.row_path, each.cell.column_label) for each in reading.found}
    return len(paths) < len(reading.found)


def _are_some_of_column(reading: Reading) -> bool:
    """True if the name of a table leads to some rows of one column, and no word, key or value chose these of all."""
    best, found = reading.best, reading.found
    if len(found) < _SEVERAL or best.place.kind is Kind.ROW or best.fit.value or best.fit.row:
        return False
    if reading.subject.keys or len({(id(each.grid), each.column) for each in found}) > 1:
        return False
    told = {word for each in found for word in phrase(each.cell.row_label)}
    cells = (row[best.column] for row in best.grid.table.rows)
    return told.isdisjoint(best.fit.matched_words) and sum(map(bool, cells)) > len(found)


def _are_all_asked(reading: Reading, bound: Bound) -> bool:
    """True if the question asks for several values of this label in one column: *which routes start from Hull*."""
    question, heads = bound.linked.question, {each.cell.column_label for each in reading.found}
    kinds = (i for i, token in enumerate(question.tokens[:-1]) if token in question.language.kinds)
    asked = [question.tokens[i + 1] for i in kinds if is_plural(question.tokens[i + 1], question.question)]
    return len(heads) == 1 and bool(asked) and any_matches(asked, label_words(reading.best.label))


def _qualifying(bound: Bound) -> Iterator[str]:
    """Yield the unmatched words right before a name, an axis word or a word of the label."""
    question = bound.linked.question
    words = [word for word in dict.fromkeys(bound.unmatched_question_words) if not _is_known(word, question.language)]
    if not words:
        return
    told = {word for reading in bound.readings for word in reading.best.fit.label}
    told |= {word for reading in bound.readings for word in phrase(reading.subject.text)}
    if _is_told_by_name(bound):
        told |= {word for reading in bound.readings for word in reading.best.fit.context}
    if question.end is not None:
        told.discard(question.degree)  # the word before it is a verb: *which shines farther*
    axes = {word for reading in bound.readings for key in reading.subject.keys for word in key.words}
    grids = [binding.grid for reading in bound.readings for binding in reading.found]
    named = {pair for grid in grids for name in grid.names for pair in pairwise(phrase(name))}
    for word in words:
        behind = {other for one, other in pairwise(question.tokens) if one == word}
        is_beside = bool(behind & (told | axes)) and not any(grid.facts.forms.of(word) for grid in grids)
        if is_beside or _is_named_otherwise(word, question.tokens, named):
            yield word


def _is_named_otherwise(word: str, tokens: Sequence[str], named: Collection[tuple[str, str]]) -> bool:
    """True if the tables that a value comes from say another word behind the same one: *region south*, for values of
    *Tiers (region north)*.
    """
    for before, after in pairwise(tokens):
        is_axis = len(before) > 1 and not is_number(before)  # the *B* of *a class B berth* is itself such a word
        if after == word and is_axis and (before, word) not in named and any(one == before for one, _ in named):
            return True
    return False


def _is_known(word: str, language: Language) -> bool:
    """True for a word that the language uses for a degree, an end or an operation: *average* hit points."""
    is_scaled = word in language.adjectives or word in language.ends or word in language.idle
    return is_scaled or any(word in said for _, said in language.operations)


def _head_asked(bound: Bound, binding: Binding) -> str:
    """Return the noun that the question uses in place of a label's own head, if the two differ."""
    told, cell = binding.fit.label - binding.fit.indirect, binding.cell
    other = head_asked(bound, cell.row_label, told) or head_asked(bound, cell.column_label, told)
    return other or _head_behind(bound, binding)


def _head_behind(bound: Bound, binding: Binding) -> str:
    """Return the words of another measure, of which only the modifier implies the label: *thermal expansion*, for a
    *Temperature*.
    """
    question, left = bound.linked.question, {*bound.unmatched_question_words} - bound.linked.question.language.idle
    for place, (word, after) in enumerate(pairwise(question.tokens)):
        if word in binding.fit.indirect and after in left and place not in question.scales:
            return f"{word} {after}"
    return ""


def head_asked(bound: Bound, label: str, told: Collection[str]) -> str:
    """Return the noun that follows a modifier of the label in the question, if the label's own head is not asked for:
    *rent* in *base rent*, for a *Base pay*; but not *rail* in *from the 12 V rail*. `told` are the matched words.
    """
    question = bound.linked.question
    asked = {*bound.linked.words, *bound.unmatched_question_words} - question.language.idle
    modifiers = {word for word in told if matches_any(word, label_words(label))}
    heads = heads_of(label, question.language)
    if not modifiers or any_matches(modifiers, heads):
        return ""
    places = question.language.statement_words("places")
    for i, (word, after) in enumerate(pairwise(question.tokens)):
        is_head = after in asked and after not in told and i + 1 != question.end
        is_head = is_head and not any(is_short_for(after, head) for head in heads)
        if word in modifiers and is_head and places.isdisjoint(question.tokens[max(0, i - _BEFORE) : i]):
            return after
    return ""
