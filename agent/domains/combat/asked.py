"""What a question about those who fight asks: who wins, who loses, or something that is no fight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.domains.combat.cast import Head, run
from agent.domains.combat.facts import MEASURES, TERMS, has_number_behind
from agent.domains.combat.said import Said
from agent.domains.combat.wording import words
from agent.languages.language import english
from agent.languages.phrases import found
from agent.understanding.clauses import ARTICLES, COMMA
from agent.understanding.tagged import Tagged
from retrieval.tables.measures import canonical
from retrieval.text.normal import STOP_WORDS, is_number, title_key
from retrieval.text.vocabulary import vocabulary

_OPERATIONS = frozenset({"difference", "count", "ratio"})
_NEAR = 6
"""Tokens from *how much* to the chance that it asks for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked besides a fight; `heads` are those whom the first sentence introduces, `subjects` all names."""

    said: Said
    heads: Sequence[Head]
    subjects: Sequence[tuple[str, ...]]

    @property
    def more_of_a_fight(self) -> bool:
        """True where a question that tells of a fight asks for something else than how it ends.

        *Who hits more often in a fight?*, *gnoll vs hobgoblin lair odds*, and *a knight kills an ogre. What is his
        experience?*, where the last sentence asks for a measure.
        """
        said = self.said.words
        is_of_roll = bool(said & words("throw")) and not said & (words("contest") - words("setting"))
        return is_of_roll or self._of_no_fight or self._in_the_end

    @property
    def _of_no_fight(self) -> bool:
        """*How many orcs can a knight beat?*, and odds at the end that are of what stands between them and a name."""
        if any(map(asks_how_many, self.said.texts)):
            return True
        tokens = self.said.texts[0]
        last = len(tokens) - (tokens[-1:] == [COMMA]) - 1
        is_contest = not (words("contest", "lasting") - {"odds"}).isdisjoint(tokens)
        if is_contest or tokens[last] != "odds":
            return False
        return any(head.end < last == run(tokens, head.end) for head in self.heads)

    @property
    def _in_the_end(self) -> bool:
        last = self.said.texts[-1]
        if len(self.said.texts) < 2 or not words("contest", "versus").isdisjoint(last):
            return False
        is_question = not (english().kinds | {"how"}).isdisjoint(last[:1])
        measures = (i for i, token in enumerate(last) if canonical(token) in TERMS | MEASURES)
        return is_question and any(last[i] not in words("armor") and not _has_own_number(last, i) for i in measures)

    @property
    def anything(self) -> bool:
        """True where anything is asked of those who are named but who wins."""
        read = self.said.read
        if self._of_no_fight or read.prose or read.operation in _OPERATIONS or self._asks_end(read):
            return True
        return any(_asks_measure(tokens) or self._asks_label(tokens) for tokens in self.said.texts)

    def _asks_end(self, read: Tagged) -> bool:
        """A comparative that speaks of a measure of theirs (*faster*), or of what stands behind it (*more charm*)."""
        if read.end is None or read.tokens[read.end] in read.language.worth:
            return False
        compared = [read.scales[place].scale.measures for place in (read.end, read.end + 1) if place in read.scales]
        if compared:
            return any(measure in label for label in self._labels() for measure in compared[0])
        noun, before = read.tokens[read.end + 1], read.tokens[max(0, read.end - 1)]
        return not (before in words("being") or noun in STOP_WORDS | {COMMA, "likely"} or is_number(noun))

    @property
    def is_plain_versus(self) -> bool:
        """*Three orcs against a 2nd level knight in mail*: set against each other, and nothing else is asked."""
        said, heads, lexicon = self.said.words, self.heads, self.said.lexicon
        tokens, versus = self.said.texts[0], words("versus")
        if not said & versus or said & words("other_asking"):
            return False
        introduced = len(heads) > 1 and all(head.start and tokens[head.start - 1] in ARTICLES for head in heads)
        if introduced or any(head.count != 1 or head.level is not None for head in heads):
            return True
        named = {i for head in heads for i in range(head.start, head.end)}
        rest = {token for i, token in enumerate(tokens) if i not in named}
        if len(self.said.texts) > 1 or len(heads) < 2 or not rest <= versus | words("together") | {COMMA}:
            return False
        others = [head for head in heads if not lexicon.is_described(head.subject)]
        return len(others) < len(heads) and not any(lexicon.mentions(head.subject) for head in others)

    def _asks_label(self, tokens: Sequence[str]) -> bool:
        """A label under which the book has values of those who are named."""
        said = set(tokens) - {word for subject in self.subjects for word in subject} - MEASURES
        return any(label <= said for label in self._labels())

    def _labels(self) -> Iterator[set[str]]:
        """The labels as words, but for those that are in every question about a fight."""
        lexicon = self.said.lexicon
        ignored = {title_key(word) for word in (*vocabulary().drawn, *vocabulary().never)} | lexicon.names.keys()
        for subject in self.subjects:
            for label in (
                lexicon.labels.get(title_key(" ".join(subject)), frozenset()) - ignored - lexicon.things.keys()
            ):
                parts = set(label.split())
                if not parts <= STOP_WORDS and not any(map(is_number, parts)):
                    yield parts


def asks_how_many(tokens: Sequence[str]) -> bool:
    """*How many orcs can a knight beat?* is about no fight with one of them, *how many rounds* asks for these."""
    starts = (found(tokens, amount) for amount in english().amounts)
    likely = words("chance", "likely")
    return any(start is not None and likely.isdisjoint(tokens[start : start + _NEAR]) for start in starts)


def _asks_measure(tokens: Sequence[str]) -> bool:
    """A measure without its number, or a roll."""
    if not words("roll").isdisjoint(tokens):
        return True
    return any(token in MEASURES and not _has_own_number(tokens, i) for i, token in enumerate(tokens))


def _has_own_number(tokens: Sequence[str], place: int) -> bool:
    """True where a number stands beside a measure: *AC 3*, *an armor class of 3*, *16 strength*."""
    return has_number_behind(tokens, place) or (place > 0 and is_number(tokens[place - 1]))


def asks_loser(texts: Sequence[Sequence[str]]) -> bool:
    """True where the less likely winner is asked for: *who is less likely to win*, *who loses*.

    >>> asks_loser([["who", "is", "less", "likely", "to", "win"]]), asks_loser([["less", "likely", "to", "lose"]])
    (True, False)
    """
    tokens = [token for text in texts for token in text]
    loses = {"win", "winner"}.isdisjoint(tokens) and any(_is_losing(tokens, i) for i in range(len(tokens)))
    likely = words("chance", "likely")
    less = "unlikely" in tokens or any(a in words("less") and b in likely for a, b in pairwise(tokens))
    wins = next((i for i, token in enumerate(tokens) if token in ("win", "prevail", "survive")), 0)
    never = "not" in tokens[max(0, wins - 3) : wins] and not {"who", "which"}.isdisjoint(tokens[:wins])
    return (loses + less + never) % 2 == 1


def _is_losing(tokens: Sequence[str], i: int) -> bool:
    """*Who loses the fight*; one who loses his sword does not."""
    if tokens[i] not in words("losing"):
        return False
    after = next((token for token in tokens[i + 1 : i + 3] if token not in ARTICLES), COMMA)
    is_of_fight = after in words("contest", "versus") | {"in", "if", "when"}
    return is_of_fight or tokens[i + 1 : i + 2] in ([], [COMMA]) or tokens[i - 1] == "the"
