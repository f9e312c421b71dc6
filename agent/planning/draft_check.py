"""What a model takes a question for, held against the question: what it says of numbers and names has to stand there.

A model understands wordings that the rules don't, and gets what they read exactly wrong at times: one name stands in
for another. Numbers that the question does not have of what they are said of, and names that it lacks, are not taken,
and a note says so. A domain checks what is drafted for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.planning.conversation import transcript
from agent.planning.drafts import KeyDraft, PlanDraft
from agent.planning.rules import ByRules
from agent.plugins.domain import Drafted
from agent.plugins.domains import installed
from agent.understanding.intent import Intent, Lookup
from retrieval.text.normal import Words, is_number, normal, number, phrase, title_key

_BY_RULES = "the question is taken as the rules read it: the language model's reading has what the question does not"


def restated(draft: PlanDraft, by_rules: ByRules) -> ByRules:
    """Return the question as the model says it means after a conversation, where the rules don't know what it does.

    Whoever and whatever number it then speaks of was spoken of before: nobody is taken from nowhere.
    """
    if by_rules.understood or not by_rules.after or not draft.standalone:
        return by_rules
    said = Words(f"{by_rules.question}\n{transcript(by_rules.after)}")
    meant = replace(by_rules, meaning=draft.standalone)
    names = meant.plan.intent.names if isinstance(meant.plan.intent, Lookup) else ()
    is_said = all(said.has(phrase(name)) for name in names) and Words(meant.meaning).numbers() <= said.numbers()
    return meant if is_said else by_rules


def intended(draft: PlanDraft, by_rules: ByRules) -> tuple[Intent, tuple[str, ...]]:
    """Return what the question is, with notes on what of the draft was not taken.

    The question may take numbers and names from those before it. One that the draft calls open is open, but for
    what a domain recognises: that is computed.
    """
    asked = by_rules.understood or by_rules.question
    if draft.kind == "open" and by_rules.of_domain is None:
        return Lookup(asked), ()
    words = Words(by_rules.conversation)
    for domain in installed():
        if domain.drafting is not None and domain.drafting.kind == draft.kind:
            read = domain.drafted(Drafted(by_rules.question, draft, by_rules.of_domain, words))
            if read is not None:
                return read
    if draft.kind == "compare" and draft.entities and draft.attribute:
        entities = tuple(dict.fromkeys(filter(None, draft.entities)))
        if all(_is_said(key, words) for key in draft.keys) and _are_meant(entities, words, by_rules):
            return Lookup(_described(draft, entities), entities), ()
    return by_rules.plan.intent, () if draft.kind == "open" else (_BY_RULES,)


def _described(draft: PlanDraft, entities: Sequence[str]) -> str:
    """What a draft asks for as one question: *saving throw of thief and cleric (level 9)*."""
    keys = ", ".join(f"{key.name} {key.value}" for key in draft.keys if key.name and key.value)
    return f"{draft.attribute} of {' and '.join(entities)}{f' ({keys})' if keys else ''}"


def _is_said(key: KeyDraft, words: Words) -> bool:
    """True for a value whose numbers the question has, of the same name where it has numbers of that."""
    known = words.numbers_of(phrase(key.name)) or words.numbers()
    return all(number(token) in known for token in normal(key.value) if is_number(token))


def _are_meant(entities: Sequence[str], words: Words, by_rules: ByRules) -> bool:
    """False where a name that the question lacks stands in the place of one that it has: a *fighter* for *the cleric*.

    A *mage* may well be the book's *magic-user*: then the rules know nothing of a mage.
    """
    if all(words.has(phrase(name)) for name in entities):
        return True
    read = by_rules.plan.intent
    missed = {title_key(name) for name in read.names} if isinstance(read, Lookup) else set()
    return missed <= {title_key(name) for name in entities}
