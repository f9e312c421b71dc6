"""A question about a fight in normal wording: *takes on* is *fights*, *w/* is *with*, *a pair of* is two, *MU* a class.

The meaning of a word may depend on its position: a chance against somebody is the odds of a fight. A short form is
expanded only beside a level or a number, and only if one name of the book fits; the answer states the expansion.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.domains.combat.question.labels import without_labels
from agent.domains.combat.question.shorthand import expand_short_forms
from agent.domains.combat.question.wording import plain_words, several, words
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import ARTICLES, COMMA, in_own_words, sentences
from agent.understanding.words.lexicon import Lexicon
from agent.understanding.words.unread import unparsed_numbers, without_unread
from retrieval.text.normal import is_number

FIRST, SECOND = "combatantone", "combatanttwo"
_LONGEST = 4
"""Words of the longest phrase in the table of plain words."""
_WITH = re.compile(r"\bw/\s*")
_GLUED = re.compile(r"(?i)(\d(?:st|nd|rd|th))(?=level)")
_FIRST = re.compile(r"\bthe (?:first|former)(?: one)?\b(?![ -]*level)", re.IGNORECASE)
_SECOND = re.compile(r"\bthe (?:second|latter|other)(?: one)?\b(?![ -]*level)", re.IGNORECASE)
_ONE = re.compile(r"(?<!level )\bone(?= (?:has|is|wears|wields|uses|carries|with|in)\b)", re.IGNORECASE)
"""*One has AC 3, the other AC 5*, *one with AC 3 and one with AC 5*."""


@dataclass(frozen=True)
class CombatQuestion:
    """A question with the names of its collection; `expanded_sentences` are its sentences as tokens, in full forms.

    `tagged` is the core's reading of it, `expansions` maps each short form to its expansion. Numbers that cannot be
    parsed are removed from the question and listed in `unparsed_numbers`.
    """

    tagged: Tagged
    lexicon: Lexicon
    question: str
    unparsed_numbers: tuple[str, ...]
    expanded_sentences: tuple[list[str], ...]
    expansions: Mapping[str, str]

    @classmethod
    def normalise(cls, read: Tagged, lexicon: Lexicon) -> CombatQuestion:
        """Normalise a question once, whatever it turns out to ask."""
        question = without_unread(read.question)
        full = [
            expand_short_forms(tokens, lexicon)
            for tokens in sentences(plain_wording(without_labels(question, lexicon)))
        ]
        meant = {word: name for _, short in full for word, name in short.items()}
        asked = tuple(tokens for tokens, _ in full)
        return cls(read, lexicon, question, unparsed_numbers(read.question), asked, meant)

    @cached_property
    def tokens(self) -> list[str]:
        """All sentences as one list of tokens, with a comma after each sentence."""
        return [token for tokens in self.expanded_sentences for token in (*tokens, COMMA)]

    @cached_property
    def plain_sentences(self) -> tuple[list[str], ...]:
        """The sentences with words of fighting replaced by their plain forms."""
        said = {token for tokens in self.expanded_sentences for token in tokens}
        return tuple(_tokens_in_plain_wording(tokens, said, self.lexicon) for tokens in self.expanded_sentences)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of all sentences."""
        return frozenset(token for tokens in self.plain_sentences for token in tokens)

    def original_spelling(self, tokens: Sequence[str]) -> str:
        """Return tokens in the question's own spelling."""
        return in_own_words([token for token in tokens if token != COMMA], self.question)


def plain_wording(question: str) -> str:
    """Return the question with *w/*, *4thlevel* and *the first* rewritten as known words."""
    return with_references(_GLUED.sub(r"\1 ", _WITH.sub("with ", question)))


def with_references(text: str) -> str:
    """Replace *the first* and *the other* with tokens of their own, which are neither numbers nor ordinals."""
    text = _SECOND.sub(f" {SECOND} ", _FIRST.sub(f" {FIRST} ", text))
    return _ONE.sub(f" {SECOND} ", _ONE.sub(f" {FIRST} ", text, count=1))


def _tokens_in_plain_wording(tokens: Sequence[str], said: Collection[str], lexicon: Lexicon) -> list[str]:
    known = plain_words()
    tokens, out = list(_with_counts(tokens)), list[str]()
    while len(tokens):
        size = next((n for n in range(_LONGEST, 0, -1) if tuple(tokens[:n]) in known), 0)
        out.append(known[tuple(tokens[:size])] if size else _verb(tokens[0]))
        tokens = tokens[max(size, 1) :]
    named = {each.start for each in lexicon.mentions(out) if not lexicon.is_thing(each)}
    return [_meaning_at(out, place, said, named) for place in range(len(out))]


def _with_counts(tokens: Sequence[str]) -> Iterator[str]:
    """Yield 2 for *a pair of knights* and 12 for *a dozen orcs*, but keep a pair of knives that somebody wields."""
    counts, skipped = several(), -1
    for i, token in enumerate(tokens):
        is_count = token == "a" and tokens[i + 1 : i + 2] and tokens[i + 1] in counts
        if is_count and tokens[i - 1] not in words("wielding") | {"with"}:
            yield str(counts[tokens[i + 1]])
            skipped = i + 1 + (tokens[i + 2 : i + 3] == ["of"])
        elif i > skipped:
            yield token


def _verb(token: str) -> str:
    """Return the base form of a known verb: *hit* for *hitting*; *winning* is itself known and stays."""
    known = words("contest", "throw")
    if not token.endswith(("ing", "ed")) or token in known:
        return token
    stem = token.removesuffix("ing").removesuffix("ed")
    return next((base for base in (stem, stem + "e", stem[:-1]) if base in known), token)


def _meaning_at(tokens: Sequence[str], i: int, said: Collection[str], named: Collection[int]) -> str:
    """Return the meaning of a word at its position.

    *How would she do against a troll?* and *what happens if she attacks it?* ask for a fight, *what chance does she
    have against it?* for its odds. In *a fight with a troll*, *with* is *against*; *take a troll* is *defeat* it.
    """
    token, before, behind = tokens[i], tokens[:i], tokens[i + 1 :]
    if token in words("faring", "attacked") and words("amount").isdisjoint(tokens):
        fares = token in words("faring") and behind[:1] == ["against"] and "how" in before
        return "fight" if fares or (token in words("attacked") and "happen" in before) else token
    if token in words("chance"):
        is_met = not words("versus", "meeting").isdisjoint({*tokens, *said})
        return "odds" if is_met and {"to", "that"}.isdisjoint(behind) else token
    following = (
        k for k in range(i + 1, len(tokens)) if not (tokens[k] in ARTICLES | {"level"} or is_number(tokens[k]))
    )
    if token not in ("with", "take") or next(following, None) not in named:
        return token
    if token == "take":
        return "defeat" if i and words("amount").isdisjoint(before) else token
    is_fight = i > 1 and tokens[i - 1] in words("contest") and tokens[i - 2] in ARTICLES | {"in"}
    return "against" if is_fight else token
