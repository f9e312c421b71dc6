"""A filter with its setting: chunks of fewer sentences than that are no evidence.

[project.entry-points."versus.filters"]
min_sentences = "min_sentences:min_sentences"
"""

from __future__ import annotations

from collections.abc import Sequence

from versus import Hit, Policy, Sifted, Stage, SubQuery, sift


def min_sentences(least: float | str) -> Stage:
    """Return the screen for this setting."""
    if isinstance(least, str) or least < 1:
        raise ValueError("it is a number of sentences, at least 1")

    def objection(hit: Hit) -> str | None:
        found = hit.chunk.text.count(".")
        return None if found >= least else f"{found} sentences, wanted {least:g}"

    def judge(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
        return sift(hits, "min_sentences", objection)

    return Stage("screen", judge, rules=("min_sentences",))
