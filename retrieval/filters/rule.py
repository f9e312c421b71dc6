"""The rule that a chunk declares: retrieve it only for queries that contain certain terms (seed document 1).

The chunk knows when it is useless: the attack matrix row for armor class 6 says "a query must name one of these
classes, and armor class 6". A query is normalized once, then each rule is a handful of token look-ups. Matching never
uses substrings or regular expressions, so it is exact, linear and can't be attacked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.errors import RuleError
from retrieval.text.normal import Words, phrase
from retrieval.text.suggestion import did_you_mean
from retrieval.types import OwnTerms, QueryMust, RangeRule

MAX_TERMS = 10_000
_HUGE = 1e300
_OPERATORS = ("contain_one_of", "contain_all_of", "contain", "contain_range", "contain_own")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a rule holds; `missing` says in words what the query lacks. Truthy if it holds."""

    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.missing


def satisfies(query: str, rule: QueryMust | Mapping[str, Any] | None) -> Verdict:
    """Check whether `query` contains what `rule` requires; a malformed rule raises `RuleError`.

    >>> rule = {"contain_one_of": [["cleric", "druid"], ["armor class 6"]]}
    >>> bool(satisfies("What does a 7th level cleric need to hit AC 6?", rule))
    True
    >>> satisfies("What does a 7th level cleric need to hit AC -6?", rule).missing
    ('one of: armor class 6',)
    """
    if rule is not None and not isinstance(rule, QueryMust):
        rule = rule_from_json(rule, "rule")
    return judge(Words(query), rule)


def judge(query: Words, rule: QueryMust | None) -> Verdict:
    """Return `satisfies` for a query that is already normalized, for checking many chunks at once."""
    return Verdict(tuple(_lacks(query, rule))) if rule is not None else Verdict()


def _lacks(query: Words, rule: QueryMust) -> Iterable[str]:
    for group in rule.contain_one_of:
        if not any(map(query.has_term, group)):
            yield "one of: " + (", ".join(group) or "(an empty group, which never holds)")
    for term in rule.contain_all_of:
        if not query.has_term(term):
            yield f"all of: {term}"
    if rule.contain is not None and not query.has_term(rule.contain):
        yield rule.contain
    if rule.contain_range is not None and not _in_range(query, rule.contain_range):
        yield _range_in_words(rule.contain_range)
    if rule.contain_own is not None and (other := _other_than_own(query, rule.contain_own)):
        yield f"one of: {', '.join(rule.contain_own.own) or '(nothing)'}; it has {other}"


def _other_than_own(query: Words, terms: OwnTerms) -> str:
    """Return the look-alike's term that the query has, if it has none of the chunk's own; else empty."""
    if any(map(query.has_term, terms.own)):
        return ""
    return next((term for term in terms.others if query.has_term(term)), "")


def _in_range(query: Words, span: RangeRule) -> bool:
    numbers = query.numbers() if not span.of else [n for term in span.of for n in query.numbers_of(phrase(term))]
    return any(span.minimum <= n <= span.maximum for n in numbers)


def _range_in_words(span: RangeRule) -> str:
    of = f" of {' or '.join(span.of)}" if span.of else ""
    return f"a number{of} from {span.minimum:g} to {span.maximum:g}"


def rule_to_json(rule: QueryMust) -> dict[str, Any]:
    """Return the JSON form of a rule, without absent operators."""
    out: dict[str, Any] = {}
    if rule.contain_one_of:
        out["contain_one_of"] = [list(group) for group in rule.contain_one_of]
    if rule.contain_all_of:
        out["contain_all_of"] = list(rule.contain_all_of)
    if rule.contain is not None:
        out["contain"] = rule.contain
    if rule.contain_range is not None:
        span = rule.contain_range
        bounds: dict[str, Any] = {}
        if math.isfinite(span.minimum):
            bounds["min"] = span.minimum
        if math.isfinite(span.maximum):
            bounds["max"] = span.maximum
        out["contain_range"] = bounds | ({"of": list(span.of)} if span.of else {})
    if rule.contain_own is not None:
        out["contain_own"] = {"own": list(rule.contain_own.own), "others": list(rule.contain_own.others)}
    return out


def rule_from_json(value: object, place: str) -> QueryMust:
    """Read a rule from its JSON form; `RuleError` names `place` (chunk id, file and line) and what is wrong."""
    if not isinstance(value, Mapping):
        raise RuleError(f"query_must has to be an object, not {type(value).__name__}", place)
    unknown = sorted(str(key) for key in value if key not in _OPERATORS)
    if unknown:
        meant, known = did_you_mean(unknown[0], _OPERATORS), ", ".join(_OPERATORS)
        raise RuleError(f"unknown operator {unknown[0]!r} in query_must.{meant} Operators are: {known}", place)
    groups = _listed(value.get("contain_one_of", []), "contain_one_of", place)
    _require_few_terms(value, groups, place)
    return QueryMust(
        contain_one_of=tuple(_terms(group, "each group of contain_one_of", place) for group in groups),
        contain_all_of=_terms(value.get("contain_all_of", []), "contain_all_of", place),
        contain=_term(value["contain"], "contain", place) if "contain" in value else None,
        contain_range=_range(value["contain_range"], place) if "contain_range" in value else None,
        contain_own=_own(value["contain_own"], place) if "contain_own" in value else None,
    )


def _require_few_terms(value: Mapping[str, Any], groups: Sequence[object], place: str) -> None:
    """Count terms before reading any: normalizing a hundred thousand takes seconds."""
    parts = [value.get(name) for name in ("contain_range", "contain_own")]
    within = [terms for part in parts if isinstance(part, Mapping) for terms in part.values()]
    listed = [*groups, value.get("contain_all_of"), *within]
    count = sum(len(terms) for terms in listed if isinstance(terms, list | tuple))
    if count > MAX_TERMS:
        raise RuleError(f"query_must has {count} terms; the limit is {MAX_TERMS}", place)


def _listed(value: object, name: str, place: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise RuleError(f"{name} has to be a list, not {type(value).__name__}", place)
    return list(value)


def _terms(value: object, name: str, place: str) -> tuple[str, ...]:
    return tuple(_term(term, name, place) for term in _listed(value, name, place))


def _term(value: object, name: str, place: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise RuleError(f"{name} has to hold text, not {type(value).__name__}", place)
    if not phrase(str(value)):
        raise RuleError(f"{name} holds {value!r}, which has no letters or digits", place)
    return str(value)


def _range(value: object, place: str) -> RangeRule:
    if not isinstance(value, Mapping) or not set(value) <= {"min", "max", "of"} or not {"min", "max"} & set(value):
        raise RuleError("contain_range has to be an object with min, max and perhaps of", place)
    for bound in (value[name] for name in ("min", "max") if name in value):
        if isinstance(bound, bool) or not isinstance(bound, int | float) or not -_HUGE < bound < _HUGE:
            raise RuleError(f"contain_range has {str(bound)[:40]} where a number is needed", place)
    low, high = value.get("min", -math.inf), value.get("max", math.inf)
    if low > high:
        raise RuleError(f"contain_range can never hold: min {low:g} is above max {high:g}", place)
    return RangeRule(low, high, _terms(value.get("of", []), "contain_range.of", place))


def _own(value: object, place: str) -> OwnTerms:
    if not isinstance(value, Mapping) or not set(value) <= {"own", "others"} or "others" not in value:
        raise RuleError("contain_own has to be an object with others and perhaps own", place)
    own = _terms(value.get("own", []), "contain_own.own", place)
    return OwnTerms(own, _terms(value["others"], "contain_own.others", place))
