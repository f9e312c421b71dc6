"""Follow-up questions: *what about level 9?*, *and the cleric?*, *and its weight?*

A follow-up says only what changes. Its opening words or a pronoun reveal it; any other question stands alone. Together
with the previous question it becomes one question again: names replace names, a number replaces the number of the same
key, and another measure is asked of the same names. That question is then understood like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from agent.languages.language import english
from agent.understanding.question.tagged import tagged
from agent.understanding.words.clauses import ARTICLES, COMMA, in_own_words, tokens_of
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.text.normal import STOP_WORDS, is_number

_OPENING = re.compile(
    r"^\s*(and|but|what about|how about|what if|what when|or|then|now|same|suppose|instead|if"
    r"|the same(?= (?:for|at|with|of|but)\b))\b[\s,]*"
    r"((what|how) about|if|with|at|for|when|suppose)?\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_CLOSING = re.compile(r"[\s,]*\b(?:too|as well|also|instead|again)\s*[?.!]*\s*$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_WHY = frozenset({"why", "how", "come", "so", "is", "that", COMMA})
_PERSONAL = r"(?:it|he|she|they|him|her|them)"
_OWNER = re.compile(r"\b(?:its|his|her|their)\b(?=\s+\w)", re.IGNORECASE)
_ONE_OF_THEM = r"(?:which|who|one|each|any) of (?:them|these|those|the two)"
_SOMEBODY = re.compile(rf"\b(?:{_ONE_OF_THEM}|{_PERSONAL})\b", re.IGNORECASE)
_OF = frozenset({"of", "for", "did", "had"})
_OF_ALL = re.compile(rf"\b{_ONE_OF_THEM}\b", re.IGNORECASE)
_NOBODY = re.compile(rf"\b{_PERSONAL}\b\s+(?:take|have|need)s?\s+to\b|\bis it (?:that|to)\b", re.IGNORECASE)
"""*How long does it take to …*, where *it* refers to nothing."""
HIS = frozenset({"he", "she", "it", "his", "her", "him"})
PRONOUNS = HIS | {"its", "they", "them", "their"}


@dataclass(frozen=True, slots=True)
class _Key:
    """A number of a question with the word it belongs to: *level 9*, in the question's own words."""

    name: str
    own: str


@dataclass(frozen=True)
class _QuestionParts:
    """The parts of a question in its own words: names, numbers with their words, and the other words."""

    text: str
    lexicon: Lexicon

    @cached_property
    def tokens(self) -> list[str]:
        return tokens_of(self.text)

    @cached_property
    def mentions(self) -> list[Mention]:
        return self.lexicon.mentions(self.tokens)

    @cached_property
    def names(self) -> list[str]:
        """The names, as the question writes them."""
        return [in_own_words(self.tokens[m.start : m.end], self.text) for m in self.mentions]

    @cached_property
    def keys(self) -> list[_Key]:
        return [_Key(name, in_own_words(self.tokens[start:end], self.text)) for start, end, name in self._key_spans]

    @cached_property
    def words(self) -> list[str]:
        """The words other than names and numbers that ask for something."""
        taken = self._named.union(*(range(start, end) for start, end, _ in self._key_spans))
        small = PRONOUNS | ARTICLES | STOP_WORDS
        return [word for i, word in tagged(self.text).words() if i not in taken and word not in small]

    @cached_property
    def _named(self) -> set[int]:
        return set[int]().union(*(range(m.start, m.end) for m in self.mentions))

    @cached_property
    def _key_spans(self) -> list[tuple[int, int, str]]:
        return list(_key_spans(self.tokens, self._named))


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question that may be a follow-up: its text without the opening words, and whether it has opening words."""

    question: str
    rest: str
    tokens: tuple[str, ...]
    is_opened: bool

    @classmethod
    def of(cls, question: str) -> FollowUp:
        """Remove the opening and closing words."""
        opened = _OPENING.match(question)
        rest = _CLOSING.sub("?", question[opened.end() if opened else 0 :])
        return cls(question, rest.strip(), tuple(tokens_of(rest)), opened is not None)

    @property
    def asks_why(self) -> bool:
        """True for *why?* and *how come?*, which repeat the previous question."""
        return "why" in self.tokens and _WHY.issuperset(self.tokens)

    @property
    def refers_back(self) -> bool:
        """True for a question that refers to earlier names: *how heavy is it?*, *which of them …*."""
        if _NOBODY.search(self.rest) is not None:
            return False
        place = next((i for i, token in enumerate(self.tokens) if token in PRONOUNS), None)
        if place is None or {COMMA, "a", "an"} & set(self.tokens[:place]):
            return _OF_ALL.search(self.rest) is not None
        language = english()
        before = language.auxiliaries | language.helpers | language.copulas | language.kinds | _OF
        return place == 0 or self.tokens[place - 1] in before

    @property
    def has_no_verb(self) -> bool:
        """True for *and what a spear?*, which asks the previous question about something else."""
        language = english()
        verbs = language.auxiliaries | language.helpers | language.copulas
        return self.tokens[:1] != () and self.tokens[0] in language.kinds and verbs.isdisjoint(self.tokens)

    def is_whole(self, lexicon: Lexicon) -> bool:
        """True for *if a character dies, what happens?*, which opens like a follow-up but stands alone."""
        language = english()
        asking = language.asking | language.kinds | language.auxiliaries | language.helpers | language.copulas
        asks = any(one == COMMA and other in asking for one, other in pairwise(self.tokens))
        said = _QuestionParts(self.rest, lexicon)
        return asks and not (self.refers_back or said.keys or said.mentions)

    def may_follow_up(self, lexicon: Lexicon) -> bool:
        """True if it has opening words and is not a whole question."""
        return self.is_opened and not self.is_whole(lexicon)


def continued(previous: str, question: str, lexicon: Lexicon) -> str | None:
    """Return the question that a follow-up to `previous` means; None if it stands alone.

    >>> book = Lexicon({"thief": "Thief", "cleric": "Cleric"})
    >>> continued("What does a 5th level thief save against breath?", "and a cleric at level 9?", book)
    'What does a level 9 cleric save against breath?'
    >>> continued("What does a mace weigh?", "How does initiative work?", book) is None
    True
    """
    follow_up, before = FollowUp.of(question), _QuestionParts(previous, lexicon)
    if follow_up.asks_why:
        return previous
    new = _QuestionParts(follow_up.rest, lexicon)
    back = follow_up.refers_back and bool(before.names)
    is_elliptic = _is_bare_key(new) or (follow_up.has_no_verb and _is_bare_name(new))
    if not (back or follow_up.may_follow_up(lexicon) or is_elliptic):
        return None
    if back:
        return _with_earlier_names(before, follow_up.rest)
    if new.words and not _names_entity(new, before):
        is_all = bool(new.names and new.keys) or not before.names
        return None if is_all else _with_measure(before, new)
    return _with_replacements(before, new)


def _is_bare_key(new: _QuestionParts) -> bool:
    """True for *at level 9?*, which has only a number and its word."""
    return bool(new.keys) and not (new.words or new.names)


def _is_bare_name(new: _QuestionParts) -> bool:
    """True for *what a spear?* and *which a spear of grade 2?*, which have only a name and its number."""
    return bool(new.names) and not new.words


def _names_entity(new: _QuestionParts, before: _QuestionParts) -> bool:
    """True if the other words are a name rather than a measure: it replaces an earlier name.

    *And a beholder?* may be a name that the collection does not know; *and the hit dice?* is a measure.
    """
    if new.names or not before.names:
        return set(new.words) <= set(before.words)
    labels = {label for held in new.lexicon.labels.values() for label in held}
    is_measure = any(word in label.split() or word == label for word in new.words for label in labels)
    return new.tokens[0] in ARTICLES and not is_measure


def _with_earlier_names(before: _QuestionParts, rest: str) -> str:
    """Return the new question with the earlier names in place of its pronoun."""
    names = " and ".join(before.names)
    if (owned := _OWNER.sub(lambda _: f"{names}'s", rest, count=1)) != rest:
        return owned + _bracketed(before.keys)
    somebody = _SOMEBODY.search(rest)
    if somebody is None:
        return rest
    if " of " in somebody[0]:
        return f"{_SOMEBODY.sub('which', rest, count=1).rstrip(' ?')}, {' or '.join(before.names)}?"
    return _SOMEBODY.sub(f"the {names}", rest, count=1) + _bracketed(before.keys)


def _with_measure(before: _QuestionParts, new: _QuestionParts) -> str:
    """Return the question for another measure of the earlier or the new names, with the numbers that still hold."""
    names = [] if new.names else before.names
    keys = new.keys or before.keys
    if tagged(new.text).compares:
        return f"{new.text.rstrip(' ?')}, {' or '.join(names)}?"
    own = f"{new.text.rstrip(' ?')} of {' and '.join(names)}" if names else new.text.rstrip(" ?")
    return own + (_bracketed(keys) if keys is before.keys else "")


def _with_replacements(before: _QuestionParts, new: _QuestionParts) -> str | None:
    """Return the previous question with the new names and numbers in place of its own."""
    names = new.names or ([_LEADING.sub("", new.text).strip(" ?")] if new.words else [])
    if not names and not new.keys:
        return None
    text = before.text
    replaced = before.names[-len(names) :] if names else []
    for old, name in zip(replaced, names, strict=False):
        text = _replaced(text, old, name)
    if names and not replaced:
        text = f"{text.rstrip(' ?')}: {' and '.join(names)}"
    for key in new.keys:
        text = _with_key(text, before.keys, key)
    return text


def _with_key(text: str, keys: Sequence[_Key], new: _Key) -> str:
    """Return the text with another number for the same key; add the key if it is missing."""
    old = next((each for each in keys if each.name == new.name or not new.name), None)
    if old is None and len(keys) == 1 and not (keys[0].name and new.name):
        old = keys[0]
    if old is None:
        return text + _bracketed([new])
    own = new.own if new.name else _DIGITS.sub(lambda _: new.own, old.own)  # user input, not a pattern
    return _replaced(text, old.own, own)


def _replaced(text: str, old: str, new: str) -> str:
    """Return the text with `new` in place of the last `old`."""
    head, found, tail = text.rpartition(old)
    return f"{head}{new}{tail}" if found else f"{text.rstrip(' ?')}: {new}"


def _bracketed(keys: Sequence[_Key]) -> str:
    return f" ({', '.join(key.own for key in keys)})" if keys else ""


def _key_spans(tokens: Sequence[str], taken: set[int]) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of numbers with the noun directly before them, else directly behind."""
    for i, token in enumerate(tokens):
        if not is_number(token) or i in taken:
            continue
        if i and i - 1 not in taken and _is_noun(tokens[i - 1]):
            yield i - 1, i + 1, tokens[i - 1]
        elif i + 1 < len(tokens) and i + 1 not in taken and _is_noun(tokens[i + 1]):
            yield i, i + 2, tokens[i + 1]
        else:
            yield i, i + 1, ""


def _is_noun(token: str) -> bool:
    return token not in STOP_WORDS and token != COMMA and token[:1].isalpha()
