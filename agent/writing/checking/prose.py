"""Verify free prose, sentence by sentence.

A sentence that repeats a line of a finding with its citations is right, as in `agent.writing.checking.verify`. In any
other sentence, each number must stand in a cited source, in a finding or in the question
(`agent.writing.checking.support` has the rules). No sentence may contradict what a domain computed
(`agent.plugins.domain.Claims`), and the text must state each finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from agent.languages.language import english, language_of, languages
from agent.plugins.domain import Claims
from agent.plugins.domains import domain_of
from agent.types import Citation, Finding
from agent.writing.against.strays import strays
from agent.writing.checking.cells_cited import numbers_in_cited_cells
from agent.writing.checking.cited import MARK, MARKED, marks_of, pieces
from agent.writing.checking.listed import list_below, list_sizes, numbers_counting_list
from agent.writing.checking.sides import lines_of, values_of
from agent.writing.checking.support import Support, begins_with_pronoun
from agent.writing.checking.verify import Problem, Repeatable
from agent.writing.texts.claims import places_of
from agent.writing.texts.numbers import numbers_of_plain, values_in
from agent.writing.texts.plain import plain
from retrieval.text.normal import content_words, normal
from retrieval.types import Passage

_NOT_FOUND = re.compile(
    r"""^\W*not\ found\b
    | \b(?:passages?|evidence|sources?|texts?|excerpts?|context|documents?|collection|rulebook|book)\b
      [^.;]*\b(?:do|does|did)(?:\ not|n['’]t)
      \ (?:\w+\ )?(?:say|mention|state|specify|give|describe|contain|provide|tell|cover|include|address|answer)\b
    | \b(?:is|are|was|were)(?:\ not|n['’]t|\ nowhere)\ (?:\w+\ )?(?:found|mentioned|stated|specified|provided)\b
    | ^\W*(?:neither|nor|no|nothing|none)\b[^.;]*\b(?:is|are|was|were)\ (?:found|mentioned|stated)
      (?:\ in\ \w+\ (?:passages?|evidence|sources?|texts?|documents?|collection|rulebook|book)\b|\s*(?:[.;\[]|$))
    | \b(?:can|could)(?:\ ?not|n['’]t)\ (?:be\ found|find)\b[^.;]*\b(?:passages?|evidence|sources?|texts?|book)\b
    | ^\W*I\ (?:can|could)(?:\ ?not|n['’]t)\ find\b
    | \b(?:is|are)\ no\ (?:mention|information)\b | \bno\ information\ (?:is|was)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""English phrases for what the sources lack; the prompt asks the model for the first of these."""
_ASSUMED = re.compile(r"\W*assumed:", re.IGNORECASE)
_NO_CLAIM = re.compile(r"\W*(?:assumed|not found):", re.IGNORECASE)
"""Begins a line with an assumption of the model, or with what it did not find; it claims nothing of a source."""
_SEVERAL = 2
_DENIES = re.compile(r"\b(?:no|not|none|nothing|nowhere|cannot)\b|n['’]t\b", re.IGNORECASE)


def verify(
    text: str,
    findings: Sequence[Finding],
    citations: Sequence[Citation],
    passages: Iterable[Passage],
    question: str,
) -> tuple[Problem, ...]:
    """Return each unsupported claim of a model's text, sentence by sentence; empty if all is well."""
    chunks = {passage.chunk.id: passage.chunk for passage in passages}
    cited = {citation.n: chunks[citation.chunk_id] for citation in citations if citation.chunk_id in chunks}
    repeatable = Repeatable(findings, citations, question)
    support, outcomes = Support(findings, cited, question), list(filter(None, map(_claims, findings)))
    told = [line for finding in findings for line in lines_of(finding)]
    counted = list_sizes(text, cited)
    found: list[Problem] = []
    before = ""
    for sentence, head in _sentences(text):
        marks, plain = marks_of(sentence), MARK.sub("", sentence)
        found += [Problem(sentence, f"citation [{n}] leads nowhere") for n in marks if n not in cited]
        if ((marks and findings) or any(map(str.isdecimal, plain))) and repeatable.repeats(plain, marks):
            continue
        if _NO_CLAIM.match(plain) and not marks:
            continue
        texts = (question, *(cited[n].text for n in marks if n in cited), *told)
        found += [Problem(sentence, f"{each} stands in no cited passage") for each in strays(plain, texts)]
        told_as = (_row_as_sentence(head, plain) if marks else "") or head + plain
        lacking = _unsupported_by_own_marks(sentence, support.lacking(told_as, marks, before), support)
        if lacking:
            told_otherwise = numbers_in_cited_cells(sentence, citations) | numbers_counting_list(
                sentence, lacking, counted
            )
            lacking = [each for each in lacking if each not in told_otherwise]
        if lacking:
            reason = f"{', '.join(lacking)} stands neither in what is cited nor in a finding, so told"
            found.append(Problem(sentence, reason, tuple(lacking)))
        before = before if begins_with_pronoun(plain) else plain
        found += [Problem(sentence, against) for each in outcomes if (against := each.contradiction(plain))]
    return tuple(found)


def _unsupported_by_own_marks(sentence: str, lacking: Sequence[str], support: Support) -> list[str]:
    """Return the numbers that the whole sentence lacks and that the marks right behind them do not support either.

    The marks in *who made Reed (1968) [3], was born in 1932 [4]* support each year by its own source.
    """
    parts = MARKED.findall(sentence) if lacking else []
    if len(parts) < _SEVERAL:
        return list(lacking)
    left: set[str] = set()
    for part in parts:
        text, marks = MARK.sub("", part), marks_of(part)
        own = {value for value in lacking if value in values_in(text)}
        left |= own if support.names_others(text, marks) else own.intersection(support.lacking(text, marks))
    told = {value for part in parts for value in values_in(part)}
    return [value for value in lacking if value in left or value not in told]


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences, each row of a table with the table's header."""
    head = ""
    for line in text.split("\n"):
        is_row = line.lstrip().startswith("|")
        head = (head or f"{MARK.sub('', line)} ") if is_row else ""
        yield from ((piece, head if is_row and piece not in head else "") for piece in pieces(line))


def _row_as_sentence(head: str, row: str) -> str:
    """Return a row of a table as a sentence; empty if the header has numbers.

    >>> _row_as_sentence("| | Rooms | Price |", "| Elk | 4 | 7 gp |")
    'Elk: Rooms 4, Price 7 gp.'
    """
    heads, cells = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in (head, row))
    if not head or len(heads) != len(cells) or any(map(str.isdecimal, head)):
        return ""
    return f"{cells[0]}: {', '.join(map(' '.join, zip(heads[1:], cells[1:], strict=True)))}."


def unstated_claims(text: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the claims of findings with a verdict or values, if a text does not state the verdict or any value.

    A doubted finding may be left out, for it may be about something else.
    """
    for finding in findings:
        if not finding.is_doubted and not states_finding(text, finding):
            yield finding.claim


def is_of_domain(finding: Finding) -> bool:
    """True if a domain computed the finding: then it cannot be read another way."""
    return domain_of(finding) is not None


def is_uncited(text: str, findings: Sequence[Finding]) -> bool:
    """True if a text can rest on passages only, and cites none.

    >>> is_uncited("Orcs are tall.", ()), is_uncited("Orcs are tall [1].", ())
    (True, False)
    """
    return is_open(findings) and not MARK.search(text)


def is_open(findings: Sequence[Finding]) -> bool:
    """True if nothing was computed, so that a text can rest on passages only."""
    return not any(finding.verdict or finding.reasoner == "tool" or values_of(finding) for finding in findings)


def uncited(text: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the sentences that state something without a mark, if nothing was computed.

    A line above a list of which each item has a mark may sum up the list without one.

    >>> list(uncited("In short:\\n- Orcs hate the light of day [1].\\n- Elves always win.\\nAssumed: elves fight.", ()))
    ['- Elves always win.']
    >>> list(uncited("Two orcs fear light.\\n- Ugh does [1].\\n- Argh does [1].", ()))
    []
    """
    lines = text.split("\n") if is_open(findings) else []
    for place, line in enumerate(lines):
        is_led = bool(list_below(lines, place))
        for piece in pieces(line):
            is_heading = piece.rstrip("* ").endswith((":", "?")) or line.lstrip().startswith(("|", "#"))
            claims = len(content_words(piece)) > 1 and not (is_heading or _ASSUMED.match(line) or denies(piece))
            if claims and not is_led and not MARK.search(piece):
                yield piece


def supported_sentences(text: str, problems: Sequence[Problem]) -> Iterator[str]:
    """Yield the sentences that cite a source, have no problem, and do not say that something was not found."""
    wrong = {problem.sentence for problem in problems}
    for line in text.split("\n"):
        for piece in pieces(line):
            if MARK.search(piece) and piece not in wrong and not _NOT_FOUND.search(piece):
                yield piece


def sentences_without_numbers(text: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the sentences that cite a source and have no number, if nothing was computed: their content is not checked.

    >>> list(sentences_without_numbers("Orcs hate the light [1]. An orc has two axes [1]. Elves win.", ()))
    ['Orcs hate the light [1].']
    """
    for line in text.split("\n") if is_open(findings) else ():
        for piece in pieces(line):
            if MARK.search(piece) and not numbers_of_plain(plain(MARK.sub("", piece))):
                yield piece


def is_mostly_unsupported(text: str, problems: Sequence[Problem]) -> bool:
    """True if more than half of the sentences of a text have problems."""
    sentences = [piece for line in text.split("\n") for piece in pieces(line) if content_words(piece)]
    wrong = {problem.sentence for problem in problems}
    return 2 * sum(sentence in wrong for sentence in sentences) > len(sentences)


def is_json(text: str) -> bool:
    """True if a text is a JSON object or list, fenced or not, and no prose.

    >>> is_json('```json\\n{"answer": 7}\\n```'), is_json("It is 7 [1].")
    (True, False)
    """
    bare = re.sub(r"^```\w*\s*|\s*```$", "", text.strip())
    if not bare.startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(bare), dict | list)
    except (ValueError, RecursionError):
        return bare.startswith("{")


def speaks_of(text: str, sources: Iterable[str]) -> bool:
    """True if a text shares a content word other than a number with one of the `sources`."""
    words = frozenset(word for word in content_words(MARK.sub("", text)) if not word.isdecimal())
    return any(not words.isdisjoint(content_words(source)) for source in sources)


def denies(text: str) -> bool:
    """True if a text may say that something was not found; a model that is asked to cite it would invent a source.

    >>> denies("The passages don't say."), denies("Orcs are tall.")
    (True, False)
    """
    return _DENIES.search(text) is not None or _denies_in_its_language(text)


def _denies_in_its_language(text: str) -> bool:
    """True if a text in a language other than English has one of its words for *not* or *none*."""
    tokens = normal(text)
    language = language_of(tokens, languages())
    return language is not english() and not language.negations.isdisjoint(tokens)


def not_found(text: str) -> Iterator[str]:
    """Yield the sentences that say that something was not found, without their marks.

    >>> list(not_found("Hexers rest for 8 hours [1]. Not found: how they wake."))
    ['Not found: how they wake.']
    >>> list(not_found("Neither a rule for it nor its damage was found in the passages [2]."))
    ['Neither a rule for it nor its damage was found in the passages.']
    >>> list(not_found("Clerics may not use swords [1]. A thief can't find traps. No orc is found by day."))
    []
    >>> list(not_found("Der Preis wurde in den Passagen nicht gefunden."))
    ['Der Preis wurde in den Passagen nicht gefunden.']
    """
    for line in text.split("\n"):
        for piece in pieces(line):
            is_bare = not MARK.search(piece) and not any(map(str.isdecimal, piece))
            if _NOT_FOUND.search(piece) or (is_bare and _denies_in_its_language(piece)):
                yield MARK.sub("", piece).strip(" -")


def _claims(finding: Finding) -> Claims | None:
    domain = domain_of(finding)
    return domain.claims(finding) if domain is not None else None


def states_finding(text: str, finding: Finding) -> bool:
    """True if a text states the verdict or a value of a finding, or if the finding has neither."""
    claims = _claims(finding)
    if claims is not None:
        return finding.verdict is None or claims.told(text)
    told = [finding.verdict] if finding.verdict else [str(value) for _, value in values_of(finding) if value]
    words = frozenset(content_words(text))
    return not told or any(words.issuperset(_words(each)) for each in told)


def agrees(text: str, finding: Finding) -> bool:
    """True if a text says the verdict of a finding, and names no other compared entity before the winner.

    A model may read the same values the other way round: then its sentence stands, without the verdict.

    >>> values = [{"name": "Elk", "value": 2}, {"name": "Fox", "value": 5}]
    >>> finding = Finding("compare", "", (), {"values": values}, "Fox")
    >>> [agrees(text, finding) for text in ("Fox: an error of 5, not 2 as the Elk.", "Elk (2) is better than Fox (5).")]
    [True, False]
    """
    if not states_finding(text, finding):
        return False
    names = [name for name, _ in values_of(finding)]
    if finding.verdict not in names or _claims(finding) is not None:
        return True
    tokens = tuple(normal(MARK.sub("", text)))
    first = {name: next(places_of(tuple(normal(name)), tokens), len(tokens)) for name in names}
    return first[finding.verdict] == min(first.values())


def _words(text: str) -> Sequence[str]:
    """Return the words of a value that a text must have: its numbers, else all its words."""
    words = content_words(re.sub(r"\([^)]*\)", "", text) or text)
    return [word for word in words if any(map(str.isdecimal, word))] or words
