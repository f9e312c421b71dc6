"""The checks that a proposal must pass before it replaces a generated title and rule.

The rule must accept every query that names one of the table's own subjects and the key, and reject those titles and
queries of the family's other members that the generated rule rejects. Title and sentence may contain no number that the
chunk lacks: they are read as evidence later. So even a model that obeys injected text can only propose what is as exact
as before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from agent.ingesting.proposing.drafts import ProposalDraft
from agent.ingesting.proposing.families import Family, Member
from retrieval.filters.lint import lint
from retrieval.filters.rule import judge, rule_from_json
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import Words, content_words, is_number, number, phrase
from retrieval.types import Chunk, OwnTerms, QueryMust

_ONE = re.compile(r"\b(?:one|first)\b", re.IGNORECASE)
"""Words that are seldom numbers in a sentence."""


def checked(draft: ProposalDraft, member: Member, family: Family) -> Chunk:
    """Return the member's chunk with the proposal in place; `RuleError` or `ValueError` says why it is rejected.

    The new title replaces the generated one; the sentence is added below the book's text, so both are embedded and
    searched. Id, table, source and line stay.
    """
    proposed = rule_from_json(draft.query_must.as_json(), "proposal")
    # The terms that set a look-alike apart come from all members, and are not up for rewording.
    rule = one_spelling(replace(proposed, contain_own=member.rule.contain_own))
    # A generated rule whose key is a name (sub-arctic, troll) rightly requires both.
    complaints = () if lint(one_spelling(member.rule)) else lint(rule)
    for complaint in (*complaints, *_empty_terms(rule), *_foreign_numbers(draft, rule, member)):
        raise ValueError(complaint)
    _require_exact(rule, member, family)
    _require_telling_title(Words(draft.title), member, family)
    text = f"{member.chunk.text}\n{draft.description}"
    return replace(member.chunk, title=draft.title, text=text, query_must=rule)


def one_spelling(rule: QueryMust) -> QueryMust:
    """Return a rule that holds for the same queries, with one spelling for each term.

    >>> one_spelling(QueryMust(contain_one_of=(("cleric", "Clerics", "druid"),))).contain_one_of
    (('cleric', 'druid'),)
    """
    span, own = rule.contain_range, rule.contain_own
    return replace(
        rule,
        contain_one_of=tuple(map(_distinct, rule.contain_one_of)),
        contain_all_of=_distinct(rule.contain_all_of),
        contain_range=None if span is None else replace(span, of=_distinct(span.of)),
        contain_own=None if own is None else OwnTerms(_distinct(own.own), _distinct(own.others)),
    )


def _distinct(terms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple({phrase(term): term for term in reversed(terms)}.values())[::-1]


def _terms(rule: QueryMust) -> Iterator[str]:
    yield from (term for group in rule.contain_one_of for term in group)
    yield from rule.contain_all_of
    yield from [rule.contain] if rule.contain is not None else []
    yield from rule.contain_range.of if rule.contain_range is not None else ()


def _empty_terms(rule: QueryMust) -> Iterator[str]:
    for term in _terms(rule):
        if not content_words(term):
            yield f"the term {term!r} is in any query; leave it out"


def _foreign_numbers(draft: ProposalDraft, rule: QueryMust, member: Member) -> Iterator[str]:
    """Yield numbers of the proposal that neither stand in the chunk nor lie in the range of its key."""
    own = set(Words(f"{member.chunk.title}\n{member.chunk.text}").numbers())
    span = read_label(member.chunk.tables[0].rows[0][0]).span
    bounds = () if rule.contain_range is None else (rule.contain_range.minimum, rule.contain_range.maximum)
    said = {
        "query_must": [
            *(number(token) for term in _terms(rule) for token in phrase(term) if is_number(token)),
            *(bound for bound in bounds if math.isfinite(bound)),
        ],
        "title": Words(_ONE.sub("", draft.title)).numbers(),
        "description": Words(_ONE.sub("", draft.description)).numbers(),
    }
    for place, numbers in said.items():
        for n in numbers:
            if n not in own and not (span is not None and n in span):
                yield f"{place} has the number {n:g}, which is not in the chunk"


def _require_exact(rule: QueryMust, member: Member, family: Family) -> None:
    for text, words in member.queries:
        verdict = judge(words, rule)
        if not verdict:
            raise ValueError(
                f"query_must is too narrow: it keeps out {text!r}, which lacks {'; '.join(verdict.missing)}"
            )
    for other in family.members:
        for text, words in other.queries if other is not member else ():
            if judge(words, rule) and not judge(words, member.rule):
                raise ValueError(f"query_must is too broad: it lets in {text!r}, which is about another chunk")


def _require_telling_title(title: Words, member: Member, family: Family) -> None:
    """Require the distinctive names of the old title in the new one: later steps match on titles."""
    own = Words(member.chunk.title)
    groups = member.rule.contain_one_of
    lost = [term for group in groups for term in group if own.has(phrase(term)) and not title.has(phrase(term))]
    missing = lost or (judge(title, member.rule).missing if judge(own, member.rule) else ())
    if missing:
        raise ValueError(f"the title does not tell the chunk from its look-alikes; it lacks {'; '.join(missing)}")
    for other in family.members:
        if other is not member and judge(title, other.rule) and not judge(own, other.rule):
            raise ValueError(f"the title fits another chunk too: {other.chunk.title!r}")
