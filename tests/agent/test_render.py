from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

from agent.escape import encodable
from agent.render import (
    answer_data,
    answer_view,
    check_view,
    evidence_data,
    evidence_view,
    plan_data,
    plan_view,
    report_data,
    report_view,
    retrieved_view,
    rule_data,
    to_json,
    to_markdown,
    to_text,
)
from agent.render.markdown import sources_list
from agent.render.words import counted
from agent.types import Answer, Citation, Evidence, Finding, Plan, Step, Unanswered
from agent.understanding.question.intent import Lookup
from retrieval.types import Chunk, Drop, Hit, IngestReport, Passage, QueryMust, RangeRule, Retrieved, Skipped, SubQuery

HOSTILE = "[red]x[/red] \x1b[31m\r\u2028\x9b2J \ud800 :skull:"

CHUNK = Chunk("c1", "| 6 | 10 |", "I.A. MATRIX - Opponent Armor Class 6", source="combat.md", line=12, page=74)
SUB_QUERY = SubQuery("q1", "cleric level 7 armor class 6", "to hit")
RETRIEVED = Retrieved(
    SUB_QUERY,
    hits=(Hit(CHUNK, 0.25, 0.75),),
    drops=(Drop("c2", "Thieves", "query_must", "one of: thief"), Drop("c3", "Orc", "gap", "beyond 0.31")),
    rounds=2,
    fetched=3,
    stop="satisfied",
    ms=12.34567,
    best_score=0.75,
)
PLAN = Plan("Who?", (SUB_QUERY, SubQuery("q2", "strength 16", depends_on=("q1",))), Lookup("?"))
ANSWER = Answer(
    question="Who?",
    text="It needs 10 [1].",
    plan=PLAN,
    evidence=Evidence((RETRIEVED,), (Passage(CHUNK, 0.75, 0.016, ("q1",)),)),
    verdict="10",
    stop_reason="partial",
    run_id="r1",
    citations=(Citation(1, "c1", CHUNK.title, "combat.md", 74, "6 → 10"),),
    findings=(Finding("compare", "10", (Step("roll to hit", 10, (1,)),), {"p": 0.55}),),
    unanswered=(Unanswered("speed of a bolt", ("bolt speed",)),),
    timings_ms={"plan": 1.0, "total": 9.5},
)


def test_every_sub_query_that_ran_is_told_in_the_plan_of_an_answer() -> None:
    first, again = SubQuery("q1", "orc"), SubQuery("f1.1", "orc armor class", "armor class of the orc")
    plan = Plan("q", (first,), Lookup("armor class of orc", ("orc",)))
    answer = Answer("q", "t", plan, Evidence((Retrieved(first), Retrieved(again))), None, "complete", "r1")
    assert ["q1", "f1.1"] == [each["id"] for each in answer_data(answer)["plan"]["sub_queries"]]
    assert ["q1"] == [each["id"] for each in plan_data(plan)["sub_queries"]]


def test_the_json_of_an_answer_has_exactly_the_agreed_names() -> None:
    data = json.loads(to_json(ANSWER))
    assert [
        "question", "text", "verdict", "stop_reason", "run_id", "citations", "findings", "unanswered", "plan",
        "retrieved", "evidence", "usage", "timings_ms", "notes",
    ] == list(data)  # fmt: skip
    assert ["plan", "retrieve", "reason", "synthesize", "total"] == list(data["timings_ms"])
    assert ["llm_calls", "prompt_tokens", "completion_tokens", "cost_usd"] == list(data["usage"])
    assert [
        "chunk_id", "title", "source", "page", "page_label", "category", "text", "relevance", "score", "found_by",
    ] == list(data["evidence"][0])  # fmt: skip
    assert [
        "sub_query", "rounds", "fetched", "kept", "stop", "error", "ms", "best_score", "dynamic_threshold",
        "absolute_min", "effective_threshold", "cut", "dropped", "hits",
    ] == list(data["retrieved"][0])  # fmt: skip
    assert ["reasoner", "claim", "steps", "values"] == list(data["findings"][0])


def test_every_rule_is_counted_even_when_it_dropped_nothing() -> None:
    expected = {"query_must": 1, "duplicate": 0, "threshold": 0, "gap": 1, "max_chunks": 0}
    assert expected == answer_data(ANSWER)["retrieved"][0]["dropped"]


def test_drops_are_in_the_json_with_debug_only() -> None:
    assert "drops" not in answer_data(ANSWER)["retrieved"][0]
    drops = answer_data(ANSWER, debug=True)["retrieved"][0]["drops"]
    assert {
        "chunk_id": "c2",
        "title": "Thieves",
        "relevance": 0.0,
        "rule": "query_must",
        "reason": "one of: thief",
    } == drops[0]


def test_a_search_has_its_question_its_sub_queries_and_its_evidence() -> None:
    data = evidence_data("Who?", replace(ANSWER.evidence, plan=PLAN))
    assert ["question", "stop_reason", "plan", "retrieved", "evidence"] == list(data)
    assert answer_data(ANSWER)["plan"] == data["plan"]
    assert None is evidence_data("Who?", ANSWER.evidence)["plan"]


def test_a_plan_has_its_question() -> None:
    data = plan_data(PLAN)
    assert ("Who?", "rules") == (data["question"], data["planner"])
    assert ["q1", "q2"] == [sub_query["id"] for sub_query in data["sub_queries"]]


def test_a_rule_is_written_as_the_design_page_has_it() -> None:
    rule = QueryMust((("cleric", "monk"),), contain_range=RangeRule(-3, 4, ("level",)))
    expected = {"contain_one_of": [["cleric", "monk"]], "contain_range": {"min": -3, "max": 4, "of": ["level"]}}
    assert expected == rule_data(rule)
    assert {} == rule_data(None)


@given(st.text(st.characters()))
def test_json_is_one_printable_line_that_reads_back(text: str) -> None:
    document = to_json({"text": text})
    document.encode()
    assert [document] == document.splitlines()
    assert encodable(text) == json.loads(document)["text"]


VIEWS = {
    "answer": lambda text: answer_view(hostile_answer(text), show_context=True, debug=True),
    "evidence": lambda text: evidence_view(text, hostile_answer(text).evidence, show_context=True),
    "plan": lambda text: plan_view(hostile_answer(text).plan),
    "plan with debug": lambda text: plan_view(hostile_answer(text).plan, debug=True),
    "retrieved": lambda text: retrieved_view(hostile_answer(text).evidence.retrieved[0]),
    "check": lambda text: check_view(text, Chunk(text, text, text, query_must=QueryMust()), False, (text,)),
    "report": lambda text: report_view(
        IngestReport(warnings=(text,), skipped=(Skipped(text, text, 9, (text,)),)), text
    ),
}


def hostile_answer(text: str) -> Answer:
    chunk, sub_query = Chunk(text, text, text, text), SubQuery(text, text, text)
    retrieved = Retrieved(sub_query, (Hit(chunk, 0, 1),), (Drop(text, text, text, text),), error=text)
    return Answer(
        text,
        text,
        Plan(text, (sub_query,), Lookup("?"), text, text),
        Evidence((retrieved,), (Passage(chunk, 1, 1, (text,)),)),
        text,
        "partial",
        citations=(Citation(1, text, text, text, None, text),),
        findings=(Finding(text, text, (Step(text, text, (1,)),)),),
        unanswered=(Unanswered(text, (text,)),),
    )


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_foreign_text_is_neither_markup_nor_control(name: str) -> None:
    text = to_text(VIEWS[name](HOSTILE))
    assert "[red]x[/red]" in text
    assert ":skull:" in text
    assert not {"\x1b", "\r", "\u2028", "\x9b", "\ud800"} & set(text)


@pytest.mark.parametrize("name", sorted(VIEWS))
@pytest.mark.parametrize("width", [20, 80])
def test_a_view_fits_any_terminal(name: str, width: int) -> None:
    console = Console(width=width, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        console.print(VIEWS[name]("some words that are long enough to be wrapped " * 3))
    assert "some" in capture.get()


def test_piped_text_is_never_wrapped() -> None:
    long = "word " * 200 + "end"
    assert long in to_text(answer_view(hostile_answer(long)))


def test_an_answer_shows_its_text_sources_and_that_it_is_in_part() -> None:
    text = to_text(answer_view(ANSWER))
    assert text.startswith("It needs 10 [1].")
    assert "[1] I.A. MATRIX - Opponent Armor Class 6 (combat.md, page 74): 6 → 10" in text
    assert "answered in part" in text


def test_debug_shows_every_candidate_with_its_reason() -> None:
    text = to_text(answer_view(ANSWER, debug=True))
    assert "in 2 rounds" in text
    assert all(part in text for part in ("0.250", "0.750", "kept", "one of: thief", "beyond 0.31", "effective"))


def test_context_shows_the_chunks_that_were_read() -> None:
    assert "[Chunk 1/1] I.A. MATRIX" in to_text(answer_view(ANSWER, show_context=True))


def test_markdown_has_heading_text_and_sources() -> None:
    text = to_markdown(ANSWER)
    assert text.startswith("## Who?\n\nIt needs 10 [1].")
    assert "1. I.A. MATRIX - Opponent Armor Class 6 (combat.md, page 74): 6 → 10" in text


def test_markdown_escapes_what_the_book_says() -> None:
    answer = hostile_answer("<script> *a* _b_")
    assert r"\<script\> \*a\* \_b\_" in to_markdown(answer)


@pytest.mark.parametrize(
    "written",
    [
        "![seen](http://evil.example/p.png)", "[the source](http://evil.example)", "[1](http://evil.example)",
        "![1](http://evil.example/p.png)", "[1]: http://evil.example", "<http://evil.example>", "![x][1]",
        "<img src=//evil.example>", "<b onclick=x>", "&lt;b&gt;", "# Heading", "text\n===", "text\n---", "- x\n  ---",
        "    code", "\tcode", "```\ncode\n```", "~~~\ncode", "> quoted", "| a |\n|---|\n| b |", "**bold** _em_ `code`",
        "a\\", "[^1]: note", "line\n\n[7]: /x\n\n[7]", "http://evil.example", "www.evil.example", "me@evil.example",
    ],
)  # fmt: skip
def test_markdown_shows_what_a_model_or_a_book_wrote_as_it_was_written(written: str) -> None:
    citation = Citation(1, "c1", written, "a.md", None, written)
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")

    tokens = reader.parse(
        to_markdown(replace(ANSWER, question=written, text=f"Ten [1].\n{written}", citations=(citation,)))
    )

    ours = ["heading_open", "paragraph_open", "heading_open", "ordered_list_open", "list_item_open", "paragraph_open"]
    listed = ["bullet_list_open", "list_item_open", "paragraph_open"] if written.startswith("- ") else []
    more = ["paragraph_open"] * (written.count("\n\n"))
    opened = [token.type for token in tokens if token.nesting == 1]
    inline = [child for token in tokens for child in token.children or ()]
    assert ours[:2] + listed + more + ours[2:] == opened
    assert {"text", "softbreak"} >= {child.type for child in inline}
    shown = "".join(child.content for child in inline)
    assert all(line.strip().removeprefix("- ") in shown for line in written.split("\n"))


@pytest.mark.parametrize("title", ["](http://evil.example) [x", "<b>", "a ![x](http://evil.example)", "`a`"])
def test_a_source_links_to_where_we_say_and_nowhere_else(title: str) -> None:
    citation = Citation(1, "c1", title, "a.md", None, title)
    listed = sources_list(replace(ANSWER, citations=(citation,)), {1: "http://ours.example/c1?row=1"})

    tokens = MarkdownIt("commonmark", {"html": True}).parse(listed)

    inline = [child for token in tokens for child in token.children or ()]
    assert ["http://ours.example/c1?row=1"] == [child.attrs["href"] for child in inline if child.type == "link_open"]
    assert {"text", "link_open", "link_close"} == {child.type for child in inline}


def test_markdown_leaves_only_the_marks_of_its_citations() -> None:
    text = to_markdown(replace(ANSWER, text="It needs 10 [1][2], [1]."))

    assert "It needs 10 [1]\\[2\\], [1]." in text


def test_a_report_counts_and_warns() -> None:
    report = IngestReport(files=1, chunks=5, tables=2, rules=3, embedded=4, unchanged=1, warnings=("a.md:3: odd",))
    text = to_text(report_view(report, "rules"))
    assert "1 file, 5 chunks, 2 tables, 3 rules in collection rules" in text
    assert "warning: a.md:3: odd" in text
    assert ["a.md:3: odd"] == report_data(report, "rules")["warnings"]


def test_a_report_names_what_was_not_read() -> None:
    report = IngestReport(skipped=(Skipped(".png", "no text", 1200, ("a.png",)), Skipped("hidden", "dot", 1, (".x",))))
    text = to_text(report_view(report, "rules"))
    assert "not read: 1,200 .png (no text): a.png, …\nnot read: 1 hidden (dot): .x\n" in text
    expected = {"kind": "hidden", "reason": "dot", "count": 1, "files": [".x"]}
    assert expected == json.loads(to_json(report_data(report, "rules")))["skipped"][1]


def test_an_eligible_chunk_and_one_that_is_not_are_told_apart() -> None:
    ruled = Chunk("c1", "", "Title", query_must=QueryMust(contain="orc"))
    assert "not eligible" in to_text(check_view("q", ruled, False, ("orc",)))
    assert "lacks: orc" in to_text(check_view("q", ruled, False, ("orc",)))
    assert "eligible: its rule holds" in to_text(check_view("q", ruled, True, ()))
    assert "has no rule" in to_text(check_view("q", CHUNK, True, ()))
    assert 'rule: {"contain":"orc"}' in to_text(check_view("q", ruled, False, ("orc",), debug=True))


def test_debug_shows_what_a_plan_is_for() -> None:
    sub_query = SubQuery("q1", "owlbear", entities=("Owlbear", "Orc"), tags=("monster",))
    plan = Plan("Which?", (sub_query,), Lookup("armor class of owlbear", ("owlbear",)))
    text = to_text(plan_view(plan, debug=True))
    assert "entities Owlbear, Orc; tags monster" in text
    assert 'intent: lookup {"question":"armor class of owlbear","names":["owlbear"]}' in text
    assert not any(word in to_text(plan_view(plan)) for word in ("intent", "entities"))


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [(1, "batch", "1 batch"), (12, "batch", "12 batches"), (2, "query", "2 queries"), (2, "key", "2 keys"),
     (0, "pass", "0 passes"), (3, "box", "3 boxes"), (2, "reach", "2 reaches"), (2, "chunk", "2 chunks"),
     (1234, "token", "1,234 tokens")],
)  # fmt: skip
def test_a_count_has_the_plural_of_its_noun(number: int, noun: str, expected: str) -> None:
    assert expected == counted(number, noun)
