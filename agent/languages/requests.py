"""What a language asks to be done: the phrases of operations, of commands and of amounts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from agent.languages.lists import listed
from agent.languages.operations import Operation
from agent.languages.phrases import Phrase, Phrases
from agent.languages.sentences import Sentences
from retrieval.text.normal import phrase


class Requests(Sentences):
    """The part of a language that asks for something to be done.

    A question has hardly any of its many phrases, so those that it may have are looked up by their first words.
    """

    @cached_property
    def operations(self) -> tuple[tuple[Operation, Phrase], ...]:
        """The phrases that ask for an operation."""
        said: Mapping[Operation, Sequence[str]] = self.data.get("operations", {})
        return tuple((name, phrase(each)) for name, phrases in said.items() for each in phrases)

    @cached_property
    def commands(self) -> tuple[tuple[Operation, Phrase], ...]:
        """The phrases that ask for an operation where a clause begins with them."""
        said: Mapping[Operation, Sequence[str]] = self.data.get("commands", {})
        return tuple((name, phrase(each)) for name, phrases in said.items() for each in phrases)

    def operations_in(self, tokens: Sequence[str]) -> Iterator[tuple[Operation, Phrase]]:
        """The phrases of operations that may stand in a text, in their order."""
        return (self.operations[place] for place in self._operations.begun_in(tokens))

    def commands_in(self, tokens: Sequence[str]) -> Iterator[tuple[Operation, Phrase]]:
        """The phrases of commands that may stand in a text, in their order."""
        return (self.commands[place] for place in self._commands.begun_in(tokens))

    @cached_property
    def amounts(self) -> tuple[Phrase, ...]:
        """The phrases that ask how much or how many there is of something."""
        return self._phrases("questions", "amounts")

    @cached_property
    def wordings(self) -> Mapping[str, str]:
        """Plain questions, by what they ask for, with places for the kind, its measure and the names."""
        return self._section("wordings")

    @cached_property
    def excepting(self) -> tuple[Phrase, ...]:
        """Phrases that leave out who stands behind them, the longest first."""
        return tuple(sorted(self._phrases("names", "excepting"), key=len, reverse=True))

    comparing = listed("names", "comparing")
    """What joins a comparative to whom it is held against: *longer than*."""

    like = listed("names", "like")
    """What joins those who have the same to whom they have it with: *the same port as*."""

    every = listed("names", "every")
    """What asks of all of a kind."""

    same = listed("names", "same")
    """What asks whether the values of several are alike."""

    @cached_property
    def asking_phrases(self) -> Phrases:
        """All phrases by which a clause asks."""
        return Phrases((*(said for _, said in self.operations), *self.prose, *self.amounts))

    @cached_property
    def prose_phrases(self) -> Phrases:
        """The phrases that ask for sentences, as `prose` has them."""
        return Phrases(self.prose)

    @cached_property
    def _operations(self) -> Phrases:
        return Phrases(said for _, said in self.operations)

    @cached_property
    def _commands(self) -> Phrases:
        return Phrases(said for _, said in self.commands)
