"""A model's sentences: what is right is let through, in whatever style, and what is wrong is found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from agent.types import Finding, Step
from agent.writing.checking import prose
from agent.writing.checking.cited import Cited, Source, cited
from agent.writing.checking.verify import Problem, marked
from agent.writing.wording.synthesizer import Draft, synthesize
from retrieval.types import Chunk, Passage
from tests.agent.model_sentences import DISHONEST, DUEL, HONEST, OPEN
from tests.kit import answer, sample_book


@cache
def draft(question: str) -> Draft:
    """What the rules find of a question on the whole sample; of an open one, nothing."""
    if question == OPEN:
        return Draft("", (), ())
    found = answer(question, sample_book())
    return synthesize(found.finding, found.citations, (), "'sample'")


def verified(sentence: str, question: str) -> tuple[Problem, ...]:
    made, problems = told(sentence, question)
    return (*made.problems, *problems)


def told(sentence: str, question: str) -> tuple[Cited, tuple[Problem, ...]]:
    """The sentence with its citations, and what is wrong with it."""
    made, by_id = draft(question), {chunk.id: chunk for chunk in sample_book().chunks}
    sources = {each.n: Source(by_id[each.chunk_id], each.quote) for each in made.citations}
    numbers: dict[str, int] = {}
    for chunk in sample_book().chunks:
        if "{" + chunk.title + "}" in sentence and chunk.title not in numbers:
            numbers[chunk.title] = 100 + len(numbers)
            sources[numbers[chunk.title]] = Source(chunk)
    for title, number in numbers.items():
        sentence = sentence.replace("{" + title + "}", str(number))
    text = cited(sentence, sources, made.citations)
    passages = [Passage(chunk, 0.9, 0.1, ("q1",)) for chunk in sample_book().chunks]
    return text, prose.verify(text.text, made.findings, text.citations, passages, question)


def sentences(of: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(sentence, question) for question, each in of.items() for sentence in each]


@pytest.mark.parametrize(("sentence", "question"), sentences(HONEST))
def test_what_is_right_is_let_through(sentence: str, question: str) -> None:
    assert () == verified(sentence, question)


@pytest.mark.parametrize(("sentence", "question"), sentences(DISHONEST))
def test_what_is_wrong_is_found(sentence: str, question: str) -> None:
    assert verified(sentence, question)


def one(text: str, chunk: Chunk, findings: tuple[Finding, ...] = (), question: str = "?") -> tuple[str, list[str]]:
    """A text about one chunk, which is number 1, as it is shown in the end; and what is wrong with it."""
    made = cited(text, {1: Source(chunk)})
    problems = prose.verify(made.text, findings, made.citations, [Passage(chunk, 0.9, 0.1, ("q1",))], question)
    every = (*made.problems, *problems)
    return marked(made.text, every), [problem.reason for problem in every]


ORC = Chunk("o", "ARMOR CLASS: 6\nMOVE: 9\nHIT DICE: 1\nDAMAGE: 1-8\nIt costs 400 gp to hire one.", "Orc")


@pytest.mark.parametrize(
    "mark",
    ["[1, 1]", "[1; 1]", "[^1]", "【1】", "【1†source】", "[passage 1]", "passage [1]", "[Source 1]", "[1], [1]"],
)
def test_marks_are_read_in_every_form_that_models_use(mark: str) -> None:
    text, wrong = one(f"An orc has AC 6 {mark}.", ORC)
    assert [] == wrong
    assert "[1]" in text


def test_a_range_of_marks_is_one_only_where_it_leads_to_sources() -> None:
    chunks = {n: Source(ORC) for n in (1, 2, 3)}
    assert "It has AC 6 [1][1][1]." == cited("It has AC 6 [1-3].", chunks).text
    assert "It does [1-8]." == cited("It does [1-8].", chunks).text


def test_an_unknown_mark_on_a_line_of_its_own_is_told_and_marks_the_sentence_before_it() -> None:
    text, wrong = one("It is fine [1].\n[99]", ORC)
    assert ["citation [99] leads nowhere"] == wrong
    assert "It is fine [1]. (unverified)" == text


def test_a_citation_quotes_as_many_lines_as_the_sentence_needs() -> None:
    (citation,) = cited("AC 6, move 9 and 1-8 damage [1].", {1: Source(ORC)}).citations
    assert "ARMOR CLASS: 6 … MOVE: 9 … DAMAGE: 1-8" == citation.quote


def test_a_long_line_is_quoted_where_the_number_stands() -> None:
    chunk = Chunk("c", f"{'It rained. ' * 100}It costs 77 gp. {'It rained. ' * 100}", "Rain")
    (citation,) = cited("It costs 77 gp [1].", {1: Source(chunk)}).citations
    assert "77 gp" in citation.quote
    assert len(citation.quote) < 420


@pytest.mark.parametrize("money", ["400 gp", "four hundred gp", "400 gold pieces"])
def test_units_may_be_written_out(money: str) -> None:
    assert [] == one(f"Hiring one costs {money} [1].", ORC)[1]


@pytest.mark.parametrize("money", ["400 sp", "four hundred silver pieces", "400%", "XIV gp", "４０１ gp"])
def test_another_unit_or_number_is_found(money: str) -> None:
    assert one(f"Hiring one costs {money} [1].", ORC)[1]


def test_a_sentence_that_stands_twice_is_marked_twice_and_no_other_that_begins_like_it() -> None:
    once = marked("It is 7.\nIt is 7.\nIt is 7.5 m.", [Problem("It is 7.", "so")])
    assert "It is 7. (unverified)\nIt is 7. (unverified)\nIt is 7.5 m." == once


FIGHT = Finding(
    "combat",
    "The orc is more likely to win, with a probability of 60%.",
    (Step("exact odds: orc 60%, troll 39%, both fall 1%"),),
    {
        "combatants": [{"name": "orc", "win_probability": 0.6}, {"name": "troll", "win_probability": 0.39}],
        "winner": "orc",
    },
    "orc",
)


@pytest.mark.parametrize(
    "text", ["I'm sorry, I can't help with violence.", "I don't know.", "x", "The troll wins.", ""]
)
def test_an_answer_without_what_was_computed_says_nothing(text: str) -> None:
    assert [FIGHT.claim] == list(prose.unstated_claims(text, [FIGHT]))


@pytest.mark.parametrize("text", ["The orc wins.", "Orc: 60%.\nIt is the orc who wins.", "The troll loses."])
def test_an_answer_with_the_winner_says_what_was_computed(text: str) -> None:
    assert [] == list(prose.unstated_claims(text, [FIGHT]))


def test_what_was_found_with_a_doubt_may_be_left_out() -> None:
    found = Finding("structure", "4: a, b, c, d.", values={"values": [{"name": "a", "value": "500"}]}, verdict="4")

    assert [found.claim] == list(prose.unstated_claims("Not found: the cards.", [found]))
    assert [] == list(prose.unstated_claims("Not found: the cards.", [replace(found, is_doubted=True)]))


def test_without_a_computed_winner_nobody_wins() -> None:
    finding = Finding("combat", "No verdict.", (), {**FIGHT.values, "winner": None})
    assert ["no winner was computed"] == one("The orc beats the troll.", ORC, (finding,))[1]
    assert [] == one("Nobody can say whether the orc or the troll wins.", ORC, (finding,))[1]


@pytest.mark.parametrize("answer", ["needs a 9", "needs a nine", "needs 7", "needs a 6"])
def test_a_number_of_the_question_is_free_only_in_its_own_part(answer: str) -> None:
    question = "What does a 7th level cleric need to hit armor class 6?"
    found = Finding("compare", "cleric: 10 (Opponent Armor Class 6, Level 7-9)", (), {"values": [{"value": "10"}]})
    assert one(f"A 7th level cleric {answer} to hit armor class 6.", ORC, (found,), question)[1]
    assert [] == one("A 7th level cleric needs a 10 to hit armor class 6.", ORC, (found,), question)[1]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "bit", ["druid 77 [1] ", "|1", "7 and ", "druid win not ", "if not druid wins fighter ", "[1, 2]\n"]
)
def test_no_text_makes_the_check_slow(bit: str) -> None:
    verified(bit * (8000 // len(bit)), DUEL)
