"""Check a model's draft against the question: its numbers and names must be in the question.

A model understands wordings that the rules do not, and sometimes misreads what they read exactly, replacing one name by
another. Numbers that the question does not have, or has for something else, and names that it lacks are rejected with a
note. A domain checks its own drafts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from agent.planning.conversation import transcript
from agent.planning.drafts import PlanDraft, StepDraft
from agent.planning.rules import ByRules
from agent.plugins.domain import Drafted
from agent.plugins.domains import installed
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.plan_step import Condition, NamedSubject, PlanStep, StepOperation
from agent.understanding.question.references import filled, names_in
from agent.understanding.question.tagged import tagged
from retrieval.text.normal import Words, content_words, is_number, normal, number, phrase

MOST_NAMED = 24
"""Most names, or measures, of one step."""
_DIGITS = re.compile(r"\d+")
"""Digits inside a word: *Here3+* may be the *third*."""
_OF_CORE = frozenset(get_args(StepOperation))
_BY_RULES = "the question is taken as the rules read it: the language model's reading has what the question does not"


def restated(draft: PlanDraft, by_rules: ByRules) -> ByRules:
    """Return the question as the model restates it after a conversation, if the rules do not resolve it.

    Every name and number of the restatement must occur in the conversation: none is invented.
    """
    if by_rules.understood or not by_rules.after or not draft.standalone:
        return by_rules
    said = Words(f"{by_rules.question}\n{transcript(by_rules.after)}")
    meant = replace(by_rules, meaning=draft.standalone)
    names = meant.plan.intent.names if isinstance(meant.plan.intent, Lookup) else ()
    is_said = all(said.has(phrase(name)) for name in names) and Words(meant.meaning).numbers() <= said.numbers()
    return meant if is_said else by_rules


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """What is accepted of a draft: the intent, the steps that compute it, notes on what was rejected, what exceeds the
    limits (`unread`), and the names and numbers of the question that no step has (`unplanned`).
    """

    intent: Intent
    steps: tuple[PlanStep, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    unplanned: tuple[str, ...] = ()


def checked_draft(drafts: Sequence[StepDraft], by_rules: ByRules) -> CheckedDraft:
    """Return the intent of a draft with its steps, which are in order.

    Its numbers and names may come from the conversation. Without steps the question is open, unless a domain recognises
    it and is sure: then that is computed.
    """
    asked = by_rules.understood or by_rules.question
    if not drafts:
        return CheckedDraft(Lookup(asked) if _is_open(by_rules) else by_rules.plan.intent)
    words = Words(by_rules.conversation)
    names = tuple(dict.fromkeys(each.name for draft in drafts for each in draft.subjects if not names_in(each.name)))
    missed = _unplanned_names(drafts, by_rules)
    has_numbers = all(_has_numbers_of_question(draft, words) for draft in drafts)
    if not has_numbers or not _replace_no_name(names, words, missed):
        is_doubtful = by_rules.of_domain is not None and _is_open(by_rules)
        return CheckedDraft(Lookup(asked) if is_doubtful else by_rules.plan.intent, notes=(_BY_RULES,))
    drafts, left_out = _cut(drafts)
    steps, notes = list[PlanStep](), list[str]()
    for draft in drafts:
        computed = _of_domain(draft, by_rules, words, is_only=len(drafts) == 1)
        if computed is not None:
            notes += computed[1]
        elif draft.do not in _OF_CORE:
            return CheckedDraft(by_rules.plan.intent, notes=(_BY_RULES,))
        steps.append(_step(draft, None if computed is None else computed[0]))
    if len(steps) == 1 and steps[0].intent is not None:
        return CheckedDraft(steps[0].intent, notes=tuple(notes))
    if len(steps) == 1 and _is_of_everything(steps[0]):
        return CheckedDraft(by_rules.plan.intent, notes=tuple(notes))
    unread = [f"only {MOST_NAMED} names or measures of a step are read; left out: {left_out}"] if left_out else []
    left = (*missed, *(f"{each:g}" for each in sorted(_unused(drafts, steps, by_rules))))
    return CheckedDraft(Lookup(asked, names), tuple(steps), tuple(dict.fromkeys(notes)), tuple(unread), left)


def _is_of_everything(step: PlanStep) -> bool:
    """True for a step that names subjects but no measure: all their values are wanted."""
    return bool(step.subjects) and not (step.measures or step.where or step.of)


def _cut(drafts: Sequence[StepDraft]) -> tuple[list[StepDraft], str]:
    """Return the drafts with at most `MOST_NAMED` names and measures, and those that are left out."""
    left = []
    for draft in drafts:
        left += [*(each.name for each in draft.subjects[MOST_NAMED:]), *draft.measures[MOST_NAMED:]]
    shorter = [
        draft.model_copy(update={"subjects": draft.subjects[:MOST_NAMED], "measures": draft.measures[:MOST_NAMED]})
        for draft in drafts
    ]
    return shorter, ", ".join(left)


def _is_open(by_rules: ByRules) -> bool:
    """True if the rules see nothing that a domain computes, or a domain is not sure of it."""
    intent = by_rules.of_domain
    return intent is None or not all(domain.is_sure(intent, by_rules.lexicon) for domain in installed())


def _of_domain(
    draft: StepDraft, by_rules: ByRules, words: Words, *, is_only: bool
) -> tuple[Intent, tuple[str, ...]] | None:
    """Return what a domain computes for a step, with notes; only a sole step has the rules' reading as well."""
    question, read = (by_rules.question, by_rules.of_domain) if is_only else (draft.text, None)
    for domain in installed():
        if domain.drafting is not None and domain.drafting.kind == draft.do:
            return domain.drafted(Drafted(tagged(question), draft, read, words, by_rules.lexicon))
    return None


def _step(draft: StepDraft, intent: Intent | None) -> PlanStep:
    """Return the step of a draft, with a text that describes it."""
    subjects = tuple(
        NamedSubject(each.name, tuple((key.name, key.value) for key in each.keys if key.value))
        for each in draft.subjects
        if each.name
    )
    measures = tuple(dict.fromkeys(filter(None, draft.measures)))
    of = tuple(draft.of)
    if of and measures:  # a measure of the subjects that earlier steps found
        subjects, of = (*subjects, *(NamedSubject(f"{{{id_}}}") for id_ in of)), ()
    where = tuple(Condition(each.measure, each.relation, each.value) for each in draft.where if each.value)
    operation = cast("StepOperation", draft.do if draft.do in _OF_CORE else "find")
    text = draft.text or (intent.described if intent is not None else _described(draft, subjects))
    return PlanStep(draft.id, operation, text, subjects, draft.kind, measures, where, of, max(1, draft.top), intent)


def _described(draft: StepDraft, subjects: Sequence[NamedSubject]) -> str:
    """Return a description of a step: *saving throw of thief (level 3) and cleric (level 9)*."""
    asked = " and ".join(filter(None, draft.measures)) or draft.do
    named = " and ".join(subject.described for subject in subjects) or draft.kind
    text = f"{asked} of {named}" if named else asked
    return filled(text, dict.fromkeys(names_in(text), "what was found"))


def _has_numbers_of_question(draft: StepDraft, words: Words) -> bool:
    """True for a step whose numbers are in the question, and not with another name of the step."""
    pairs = [(key.name, key.value) for subject in draft.subjects for key in subject.keys]
    pairs += _conditions(draft)
    owned = {name: words.numbers_of(phrase(name)) for name, _ in pairs}
    for name, value in pairs:
        of_others = {each for other, own in owned.items() if other != name for each in own} - {*owned[name]}
        if not names_in(value) and not _numbers_in(value) <= {*words.numbers()} - of_others:
            return False
    return draft.top in {0, 1, len(draft.subjects), *words.numbers()}


def _numbers_in(text: str) -> set[float]:
    return {number(token) for token in normal(text) if is_number(token)}


def _unused(drafts: Sequence[StepDraft], steps: Sequence[PlanStep], by_rules: ByRules) -> set[float]:
    """Return the numbers of a question that no step has, except counts of its subjects or steps."""
    asked = Words(by_rules.understood or by_rules.question).numbers()
    told = " ".join(draft.model_dump_json() for draft in drafts)
    said = {*Words(told).numbers(), *map(float, _DIGITS.findall(told)), float(len(drafts))}
    said |= {float(len(step.subjects)) for step in steps} | {float(len(step.of)) for step in steps}
    return set(asked) - said - {1.0}


def _unplanned_names(drafts: Sequence[StepDraft], by_rules: ByRules) -> list[str]:
    """Return the names that the rules find in the question and no step has."""
    read = by_rules.plan.intent
    said = Words("; ".join(text for draft in drafts for text in _texts(draft)))
    return [name for name in read.names if not said.has(phrase(name))] if isinstance(read, Lookup) else []


def _texts(draft: StepDraft) -> Iterator[str]:
    """Yield all texts of a step; its description only if that is searched for."""
    yield from (draft.kind, *draft.measures, *(each.name for each in draft.subjects))
    for name, value in (*((key.name, key.value) for each in draft.subjects for key in each.keys), *_conditions(draft)):
        yield f"{name} {value}"
    if draft.do not in _OF_CORE or draft.do == "find":
        yield draft.text


def _conditions(draft: StepDraft) -> list[tuple[str, str]]:
    return [(each.measure, each.value) for each in draft.where]


def _replace_no_name(names: Sequence[str], words: Words, missed: Sequence[str]) -> bool:
    """False if a name that the question lacks replaces one that it has: *fighter* for *the cleric*.

    A *mage* may well be the book's *magic-user*: then the rules do not know a mage. Of *Platinum (pp)*, one word in the
    question is enough.
    """
    return not missed or all(any(map(words.has, zip(content_words(name), strict=True))) for name in names)
