"""Whom a word is said of is the same whether each member is asked or only those whose tables have the word."""

from collections.abc import Sequence

import pytest

from agent.reasoning.kinds.member import Member
from agent.reasoning.kinds.passing import with_word
from agent.reasoning.kinds.vocabulary import Vocabulary, vocabulary_of
from retrieval.tables.index import CellIndex, grids_of
from retrieval.types import Chunk, Table

HARBOUR = Table(
    "Harbour boats",
    (("Boat",), ("Rig",), ("Paint",)),
    (("Grey Tern", "sloop", "red"), ("Heron", "ketch", "grey, red"), ("Plover K2-b", "cutter", "2.5-ton")),
)
FISH = Table("", ((), ()), (("Food", "worms"), ("Water", "salt")))


class Everybody(Vocabulary):
    """May say every word of everybody."""

    def may_say(self, word: str, members: Sequence[Member]) -> Sequence[Member]:
        """All of them."""
        return members


def _members() -> list[Member]:
    chunks = [Chunk("a", "", "Boats", tables=(HARBOUR,)), Chunk("b", "", "Eel", tables=(FISH,))]
    index = CellIndex.build(chunks)
    boats, fish = (grids_of(index.heads[head])[0] for head in ("Rig", "Food"))
    return [*(Member(((boats, index.grid(boats)),), at) for at in range(3)), Member(((fish, index.grid(fish)),))]


WORDS = "tern grey red sloop slop boat harbour harb plover k2-b 2.5-ton salt eel no".split()


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_said_of_the_same_members(word: str) -> None:
    members = _members()
    assert with_word(members, word, Everybody(members)) == with_word(members, word, Vocabulary(members))


def test_a_word_that_stands_nowhere_is_said_of_nobody() -> None:
    members = _members()
    words = vocabulary_of(tuple(members))
    assert ([], ["Eel"]) == ([*words.may_say("tide", members)], [m.name for m in words.may_say("salt", members)])


def test_of_some_members_only_these_are_meant() -> None:
    members = _members()
    assert [members[0]] == list(Vocabulary(members).may_say("red", members[:1]))
