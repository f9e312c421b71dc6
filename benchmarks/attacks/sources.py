"""Hostile sources: read in time that grows with them, or to a limit that is told, and nothing is swallowed."""

from __future__ import annotations

from benchmarks.attacks.row import Row
from benchmarks.attacks.source_kinds import KINDS, LINEAR, OPENERS, growth, read
from retrieval.filters.rule import rule_from_json
from versus import RuleError

_LINES = ("the first line behind", "a **second** line", "# A heading\n\nwith text")


def run() -> list[Row]:
    """Read each kind of hostile source, and what stands behind each opener that nothing closes."""
    return [_growths(), _swallowed(), _large_rule()]


def _growths() -> Row:
    grown = {name: growth(kind) for name, kind in KINDS.items()}
    worst = max(grown, key=lambda name: grown[name])
    held = sum(times < LINEAR for times in grown.values())
    return Row(
        "sources that grow", len(grown), held, f"{worst}: 4 times the text took {grown[worst]:.1f} times as long"
    )


def _swallowed() -> Row:
    lost = [opener for opener in OPENERS if not _all_read(opener)]
    return Row("openers that nothing closes", len(OPENERS), len(OPENERS) - len(lost), lost[0] if lost else "all read")


def _all_read(opener: str) -> bool:
    chunks, _ = read("\n\n".join(["# Top", opener, *_LINES]))
    said = "\n".join(chunk.text for chunk in chunks)
    return all(words in said for words in ("first line behind", "second", "A heading", "with text"))


def _large_rule() -> Row:
    try:
        rule_from_json({"contain_one_of": [[f"word{n}" for n in range(100_000)]]}, "rule")
    except RuleError as error:
        return Row("a rule of 100,000 terms", 1, 1, str(error))
    return Row("a rule of 100,000 terms", 1, 0, "was taken")
