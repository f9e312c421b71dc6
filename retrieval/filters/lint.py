"""Warnings about well-formed rules: a rule is taken as written, and its author is warned once, at ingestion.

Three things are detected: a rule that no query can satisfy, several groups that look like alternatives (the AND-ed
classes of seed document 1, its error 1 in the seeds' README), and terms with the same normal form. Only hand-written
rules are checked. Those that `retrieval.ingest.rules` makes for table rows list several spellings of each key on
purpose, so that a reader, or another program's plain matcher, finds the usual wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.text.normal import Tokens, is_number, phrase
from retrieval.types import QueryMust, RangeRule

_LARGEST = 1e24
"""The largest number; longer runs of digits are not numbers in `retrieval.text.normal`."""
_SHOWN = 4
"""The most names in a message; a rule may have thousands."""


def lint(rule: QueryMust) -> tuple[str, ...]:
    """Return warnings about the rule, a sentence each, the most serious first.

    >>> lint(QueryMust(contain_one_of=(("AC 6", "armor class 6"),)))
    ('one spelling is enough, these match the same queries: AC 6 = armor class 6',)
    """
    return (*_unsatisfiable(rule), *_anded(rule.contain_one_of), *_redundant(rule))


def _unsatisfiable(rule: QueryMust) -> Iterator[str]:
    """Yield proofs that no query satisfies the rule; any term is satisfied by itself, so only two cases exist."""
    if any(not group for group in rule.contain_one_of):
        yield "an empty group never holds, so no query will ever get this chunk"
    if rule.contain_range is not None and _unreachable(rule.contain_range):
        yield "contain_range lies beyond every number that a query can hold, so no query will ever get this chunk"


def _unreachable(span: RangeRule) -> bool:
    return span.minimum > _LARGEST or span.maximum < -_LARGEST


def _anded(groups: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a warning for groups of one concept each and one kind: names, or numbers of one term (*AC 5* and *AC
    6*).
    """
    kinds: dict[Tokens | None, dict[Tokens, str]] = {}
    for group in groups:
        forms = {phrase(term) for term in group}
        if len(forms) == 1 and all(forms):
            (form,) = forms
            kind = form[:-1] if is_number(form[-1]) else None
            kinds.setdefault(kind, {}).setdefault(form, group[0])
    for names in kinds.values():
        if len(names) > 1:
            yield (
                f"a query must contain all of: {_some(', ', list(names.values()))}; "
                "if any of them will do, put them in one group, otherwise say contain_all_of"
            )


def _redundant(rule: QueryMust) -> Iterator[str]:
    of = rule.contain_range.of if rule.contain_range is not None else ()
    own = (rule.contain_own.own, rule.contain_own.others) if rule.contain_own is not None else ()
    lists = (*rule.contain_one_of, rule.contain_all_of, of, *own)
    same = [spelled for terms in lists for spelled in _spellings(terms)]
    if same:
        shown = _some("; ", [_some(" = ", spelled) for spelled in same])
        yield f"one spelling is enough, these match the same queries: {shown}"


def _spellings(terms: Sequence[str]) -> list[list[str]]:
    """Return the terms that share a normal form, by form."""
    by_form: dict[Tokens, list[str]] = {}
    for term in terms:
        by_form.setdefault(phrase(term), []).append(term)
    return [spelled for spelled in by_form.values() if len(spelled) > 1]


def _some(between: str, names: Sequence[str]) -> str:
    """Join the first few names, with a sign if there are more."""
    return between.join([*names[:_SHOWN], *(["…"] if len(names) > _SHOWN else [])])
