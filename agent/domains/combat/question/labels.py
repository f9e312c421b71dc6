"""Labels before combatants and values in a question: *Side A: …*, *AC: 3*, *2) a druid*.

Such a label is neither a combatant nor a thing. It is removed, or rewritten as the words that a sentence would have;
the text behind it is then read as usual.
"""

from __future__ import annotations

import re

from agent.domains.combat.question.facts import MEASURES
from agent.domains.combat.question.shorthand import expand_short_forms
from agent.domains.combat.question.wording import words
from agent.languages.language import english
from agent.understanding.words.clauses import COMMA, tokens_of
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import phrase

_NUMBER = re.compile(r"(?m)^\s*\(?(?:\d{1,2}|[A-Za-z])[.)]\s+")
_GIVEN = re.compile(r"\b([A-Za-z][A-Za-z.]*(?: [A-Za-z]+)?)\s*[:=]\s*(?=(\S))")
_SIDE = re.compile(
    r"(?m)(?:^|(?<=[.;?!] ))(?P<item>[ \t]*[-*•◦▪–]?[ \t]*)(?P<label>[^\W\d_]\w*(?: \w+){0,2}?)"
    r"(?P<link> *: +| +[-–—] +| +is +)(?P<told>[^\n.;?!]*)"
)
_MARK = re.compile(r"(?i:\b(?:one|two|three|first|second|third))$|\b[A-D]$|\b[IV]+$|\d$")
"""A label's last word if it counts: *side one*, *fighter A*."""


def without_labels(question: str, lexicon: Lexicon) -> str:
    """Return the question with the labels of sides and values removed or rewritten as a sentence has them.

    >>> book = Lexicon({"druid": "Druids"})
    >>> without_labels("1) Side one: a druid, AC: 3, weapon: spear", book)
    '- a druid, AC 3, with spear'
    >>> without_labels("Druid A: level 5", book), without_labels("Druid: level 5", book)
    ('Druid, level 5', 'Druid: level 5')
    """
    listed = _GIVEN.sub(_plain_value_label, _NUMBER.sub("- ", question))
    return _SIDE.sub(lambda match: _plain_side_label(match, lexicon), listed)


def _plain_value_label(match: re.Match[str]) -> str:
    """Return a measure right before its number, and *with* in place of a label that only announces gear."""
    said = phrase(match[1])
    if said[-1:] and said[-1] in MEASURES and (match[2].isdigit() or match[2] in "+-−"):
        return f"{match[1]} "
    return "with " if len(said) == 1 and said[0] in words("gear") else match[0]


def _plain_side_label(match: re.Match[str], lexicon: Lexicon) -> str:
    """Return the text behind a side's label; keep a label that says more than which side is meant."""
    label, told = match["label"], match["told"]
    is_marked, said = _MARK.search(label) is not None, set(tokens_of(_MARK.sub("", label)))
    if (match["link"].strip() == "is" and not is_marked) or not said.isdisjoint(_asking()):
        return match[0]
    if _names_somebody(told, lexicon):
        return f"{match['item']}{told}"
    if not (is_marked and _names_somebody(label, lexicon)):
        return match[0]
    return f"{match['item']}{_MARK.sub('', label).strip()}, {told}"


def _asking() -> frozenset[str]:
    """Return words of asking and fighting: a label with one of them is text, not a label."""
    return english().asking | words("contest", "versus")


def _names_somebody(told: str, lexicon: Lexicon) -> bool:
    """Return True if the first clause, up to a word of opposition, names a combatant."""
    ends = words("versus") | {COMMA, "or"}
    tokens, _ = expand_short_forms(tokens_of(told), lexicon)
    end = next((i for i, token in enumerate(tokens) if token in ends), len(tokens))
    return any(not lexicon.is_thing(each) for each in lexicon.mentions(tokens[:end]))
