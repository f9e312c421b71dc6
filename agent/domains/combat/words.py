"""The names of the vocabulary's terms, for the modules that ask whether a word is one of them.

`vocabulary.toml` beside this module has their other forms; a test compares the two.
"""

from __future__ import annotations

ABILITIES = ("strength", "intelligence", "wisdom", "dexterity", "constitution", "charisma")
MEASURES = frozenset({*ABILITIES, "armor class", "hit points", "hit dice", "level"})
"""What a number of a combatant may belong to."""
TERMS = frozenset({"armor class", "hit points", "hit dice", "experience points", *ABILITIES})
"""What a number may belong to, but for the level."""
