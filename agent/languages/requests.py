"""The requests of a language: the phrases of operations, of commands and of amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from agent.languages.lists import listed
from agent.languages.operations import Operation
from agent.languages.phrases import Phrase, Phrases
from agent.languages.sentences import Sentences
from retrieval.text.normal import phrase


class Requests(Sentences):
    """The part of a language that requests an operation.

    A question has hardly any of the many phrases, so candidates are looked up by their first words.
    """

    @cached_property
    def operations(self) -> tuple[tuple[Operation, Phrase], ...]:
        """The phrases that ask for an operation."""
        said: Mapping[Operation, Sequence[str]] = self.data.get("operations", {})
        return tuple((name, phrase(each)) for name, phrases in said.items() for each in phrases)

    @cached_property
    def counting(self) -> tuple[Phrase, ...]:
        """The phrases that ask how many there are of something, and that begin a label which says so."""
        return tuple(said for name, said in self.operations if name == "count")

    @cached_property
    def commands(self) -> tuple[tuple[Operation, Phrase], ...]:
        """The phrases that ask for an operation at the beginning of a clause."""
        said: Mapping[Operation, Sequence[str]] = self.data.get("commands", {})
        return tuple((name, phrase(each)) for name, phrases in said.items() for each in phrases)

    def operations_in(self, tokens: Sequence[str]) -> Iterator[tuple[Operation, Phrase]]:
        """Yield the candidate phrases of operations in a text, in their order."""
        return (self.operations[place] for place in self._operations.candidates_in(tokens))

    def commands_in(self, tokens: Sequence[str]) -> Iterator[tuple[Operation, Phrase]]:
        """Yield the candidate phrases of commands in a text, in their order."""
        return (self.commands[place] for place in self._commands.candidates_in(tokens))

    @cached_property
    def amounts(self) -> tuple[Phrase, ...]:
        """The phrases that ask how much or how many there is of something."""
        return self._phrases("questions", "amounts")

    @cached_property
    def wordings(self) -> Mapping[str, str]:
        """Templates of plain questions, by what they ask for, with places for the kind, its measure and the names."""
        return self._section("wordings")

    @cached_property
    def excepting(self) -> tuple[Phrase, ...]:
        """Phrases that exclude what follows, longest first."""
        return self._longest_first("names", "excepting")

    @cached_property
    def asserting(self) -> tuple[Phrase, ...]:
        """Phrases before a statement that is to be confirmed."""
        return self._longest_first("forms", "asserting")

    @cached_property
    def confirming(self) -> tuple[Phrase, ...]:
        """Phrases behind a statement that is to be confirmed."""
        return self._longest_first("forms", "confirming")

    @cached_property
    def requests(self) -> tuple[Phrase, ...]:
        """Phrases before what is asked for: *tell me*, *list*."""
        return _longest((*self._phrases("forms", "requests"), *((word,) for word in self.listing)))

    @cached_property
    def among(self) -> tuple[Phrase, ...]:
        """Phrases before a kind that a question behind a comma is about."""
        return _longest((*self._phrases("forms", "among"), *self._phrases("questions", "partitive")))

    @cached_property
    def excluding(self) -> tuple[Phrase, ...]:
        """Phrases before what a question behind a comma is not about."""
        return _longest((*self._phrases("forms", "excluding"), *self.excepting, *self._phrases("dates", "after")))

    @cached_property
    def belonging(self) -> tuple[Phrase, ...]:
        """Phrases before those that something may be one of."""
        return _longest((*self._phrases("forms", "belonging"), *self._phrases("forms", "among")))

    @cached_property
    def endings(self) -> tuple[Phrase, ...]:
        """Phrases at the end of a question that add nothing."""
        return self._longest_first("forms", "endings")

    @cached_property
    def adding(self) -> tuple[Phrase, ...]:
        """Phrases that ask for a sum of values, as verbs."""
        return self._longest_first("forms", "adding")

    pleas = listed("forms", "pleas")
    """Words that only make a request polite."""

    @cached_property
    def relatives(self) -> frozenset[str]:
        """Words between a kind and its relative clause."""
        persons = {word for said in self._phrases("answers", "person") for word in said}
        return self._words("names", "again") | self._words("questions", "kinds") | persons

    buying = listed("forms", "buying")
    """Verbs for what money is for."""

    remaining = listed("forms", "remaining")
    """Words for money that is not spent."""

    singles = listed("forms", "singles")
    """Words that stand for a kind named before: *which one*."""

    @cached_property
    def joining(self) -> frozenset[str]:
        """Words between the names of a list, or between two names that are compared."""
        return self._words("names", "joining") | self.comparing

    @cached_property
    def between(self) -> Phrase:
        """The two words around the first of two limits: *between 5 and 10*."""
        return phrase(" ".join(self._section("names").get("between", ())))

    @cached_property
    def alternating(self) -> frozenset[str]:
        """Words that join alternatives: *or*."""
        return self.joining.difference(self.between, self.comparing)

    comparing = listed("names", "comparing")
    """Words between a comparative and what it is compared with: *longer than*."""

    like = listed("names", "like")
    """Words that join entities with the same value: *the same port as*."""

    often = listed("ends", "often")
    """Adverbs that count how many have a value: *occurs most often*."""

    nearest = listed("ends", "nearest")
    """Superlatives for the value closest to a number."""

    listing = listed("questions", "listing")
    """Verbs that begin a request for a list of what follows."""

    sharing = listed("names", "sharing")
    """Verbs before a value that several have: *share a port with*."""

    every = listed("names", "every")
    """Words that ask about all members of a kind."""

    same = listed("names", "same")
    """Words that ask whether several values are equal."""

    @cached_property
    def asking_phrases(self) -> Phrases:
        """All phrases with which a clause asks."""
        return Phrases((*(said for _, said in self.operations), *self.prose, *self.amounts))

    @cached_property
    def prose_phrases(self) -> Phrases:
        """The phrases of `prose`, which ask for sentences."""
        return Phrases(self.prose)

    @cached_property
    def _operations(self) -> Phrases:
        return Phrases(said for _, said in self.operations)

    @cached_property
    def _commands(self) -> Phrases:
        return Phrases(said for _, said in self.commands)


def _longest(phrases: Iterable[Phrase]) -> tuple[Phrase, ...]:
    """Return phrases without repetitions, the longest first."""
    return tuple(sorted(dict.fromkeys(phrases), key=len, reverse=True))
