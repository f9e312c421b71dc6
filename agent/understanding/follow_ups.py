"""Questions that go on from the one before: *what about level 9?*, *and the cleric?*

A follow-up says only what changes. It is known by its opening words or by being incomplete; whatever stands alone
(names those it asks about and what it asks of them) starts anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.understanding.attributes import attribute_parts
from agent.understanding.clauses import COMMA, tokens_of
from agent.understanding.intent import Comparison, Intent
from agent.understanding.keys import keys_of
from agent.understanding.lexicon import Lexicon
from retrieval.text.normal import STOP_WORDS, is_number, phrase

_OPENING = re.compile(
    r"^\s*(and|but|what about|how about|what if|what when|or|then|now|same|suppose|instead|if"
    r"|the same(?= (?:for|at|with|of|but)\b))\b[\s,]*"
    r"((what|how) about|if|with|at|for|when|suppose)?\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(?<![\w.,])[-−]?\d[\d,]*(?:\.\d+)?(?![\w.]\w)")
_CLOSING = re.compile(r"[\s,]*\b(?:too|as well|also|instead|again)\s*[?.!]*\s*$", re.IGNORECASE)
_WHY = frozenset({"why", "how", "come", "so", "is", "that", COMMA})
_QUESTIONS = frozenset("what how who which can do doe is are will".split())
_NAMED_BEFORE = re.compile(
    r"(^\s*(?:is|does|can|has)\s+)(?:it|he|she)\b|(\b(?:hit|against|than|versus|vs\.?)\s+)(?:it|him|her)(?=\s*[?.!]*\s*$)",
    re.IGNORECASE,
)
"""*is it faster than …* and *what does … need to hit it*, which name somebody besides."""
_BEFORE_PRONOUNS = frozenset("what do doe did is are was has have can could would will must may should of for".split())
_MUST = frozenset({"need", "have", "has"})
HIS = frozenset({"he", "she", "it", "his", "her", "him"})
PRONOUNS = HIS | {"its", "they", "them", "their"}


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question that may go on from another: what it says besides its opening words, and whether it has such words."""

    question: str
    rest: str
    tokens: tuple[str, ...]
    is_opened: bool

    @classmethod
    def of(cls, question: str) -> FollowUp:
        """Take the opening and the closing words off."""
        opened = _OPENING.match(question)
        rest = _CLOSING.sub("?", question[opened.end() if opened else 0 :])
        return cls(question, rest, tuple(tokens_of(rest)), opened is not None)

    @property
    def asks_why(self) -> bool:
        """True for *why?* and *how come?*, which ask for nothing new."""
        return "why" in self.tokens and _WHY.issuperset(self.tokens)

    def is_whole(self, lexicon: Lexicon) -> bool:
        """True for *if a character dies, what happens?*, which opens like what goes on but asks something else."""
        asks = any(one == COMMA and other in _QUESTIONS for one, other in pairwise(self.tokens))
        return asks and not (PRONOUNS & set(self.tokens) or keys_of(self.tokens) or lexicon.mentions(self.tokens))

    def may_go_on(self, lexicon: Lexicon) -> bool:
        """True where it begins with words that go on, and is no whole question."""
        return self.is_opened and not self.is_whole(lexicon)


Recognise = Callable[[str, Lexicon], Intent]
"""What a question asks that stands alone."""
Merge = Callable[[Comparison, Comparison, FollowUp, Lexicon], Comparison | None]
"""What two questions ask together; None where the second stands alone."""


def continued(
    previous: Comparison, question: str, lexicon: Lexicon, recognise: Recognise, merge: Merge | None = None
) -> Intent | None:
    """The earlier intent with what the new question changes; None when the question stands alone.

    A domain that knows more of an intent than the core does brings its own way to `merge` two of them.

    >>> from agent.understanding.comparisons import parse_comparison
    >>> before = Comparison(("thief",), "saving throw breath", (("level", "5"),))
    >>> continued(before, "What about level 9?", Lexicon(), parse_comparison).keys
    (('level', '9'),)
    """
    follow_up = FollowUp.of(question)
    if follow_up.asks_why:
        return previous
    if (named := _with_name(previous, question)) is not None and lexicon.mentions(follow_up.tokens):
        return recognise(named, lexicon)
    if not (follow_up.may_go_on(lexicon) or (not follow_up.is_opened and _is_incomplete(previous, follow_up, lexicon))):
        return None
    if (again := _with_number(previous, follow_up)) is not None:
        return recognise(again, lexicon)
    new = recognise(follow_up.rest, lexicon)
    return (merge or merged)(previous, new, follow_up, lexicon) if isinstance(new, Comparison) else None


def _with_name(previous: Comparison, question: str) -> str | None:
    """The question with the name of the one who was asked about in place of a pronoun; None where there is none."""
    if len(previous.entities) != 1:
        return None
    named = _NAMED_BEFORE.sub(lambda match: f"{match[1] or match[2]}the {previous.entities[0]}", question)
    return named if named != question else None


def _is_incomplete(previous: Comparison, follow_up: FollowUp, lexicon: Lexicon) -> bool:
    """True for what names nobody, and says no more than keys or comes back to who was named: *which of them has …*."""
    tokens = follow_up.tokens
    if not previous.entities or lexicon.mentions(tokens):
        return False
    place = next((i for i, token in enumerate(tokens) if token in PRONOUNS), None)
    if place is None:
        keys = keys_of(tokens)
        return bool(keys) and not attribute_parts(tokens, {i for i, t in enumerate(tokens) if t in dict(keys)}, "")
    if {COMMA, "a", "an"} & set(tokens[:place]) or (tokens[:2] == ("which", "of") and len(previous.entities) < 2):
        return False
    if any(pair[1] == "to" and pair[0] not in _MUST for pair in pairwise(tokens[place:])):
        return False  # *how long does it take to …*: it is nobody
    return place == 0 or tokens[place - 1] in _BEFORE_PRONOUNS


def merged(previous: Comparison, new: Comparison, follow_up: FollowUp, lexicon: Lexicon) -> Comparison | None:
    """The question with other entities, other keys or another attribute, whichever the new one has."""
    attribute = _attribute(follow_up, new, lexicon)
    if new.entities and attribute and new.keys:
        return None  # it says all that a question needs
    if not (new.entities or new.keys or new.prefer or attribute):
        return None
    intent = replace(
        previous,
        entities=new.entities or previous.entities,
        keys=_with_keys(previous.keys, new.keys),
        attribute=attribute or previous.attribute,
        parts=new.parts if attribute else previous.parts,
        crossed=new.crossed,
        prefer=new.prefer or (None if attribute else previous.prefer),
    )
    return replace(intent, question=replace(intent, question="").described)


def _with_number(previous: Comparison, follow_up: FollowUp) -> str | None:
    """The question with another number, where nothing else is new and no key holds it: *and at 61,000?*"""
    numbers, own = _DIGITS.findall(previous.question), _DIGITS.findall(follow_up.rest)
    words = {token for token in follow_up.tokens if token not in STOP_WORDS | {COMMA} and not is_number(token)}
    if previous.keys or len(numbers) != 1 or len(own) != 1 or not words <= set(phrase(previous.question)):
        return None
    return _DIGITS.sub(own[0], previous.question)


def _attribute(follow_up: FollowUp, new: Comparison, lexicon: Lexicon) -> str:
    """What the new question asks for, besides names and keys."""
    tokens, names = follow_up.tokens, {name for name, _ in new.keys}
    taken = {i for m in lexicon.mentions(tokens) for i in range(m.start, m.end)}
    taken |= {i for i, token in enumerate(tokens) if token in names | HIS}
    return " ".join(word for part in attribute_parts(tokens, taken, follow_up.rest) for word in part)


def _with_keys(old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """New values take the place of the old ones of their name."""
    names = {name for name, _ in new}
    return (*(key for key in old if key[0] not in names), *new)
