"""Check that a sentence holds an answer of the kind that is asked for.

A number inside an identifier does not count, one with another unit is another measure, and a count must stand beside
what is counted. A name that the question has does not answer *who*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.languages.scales import Dimension
from agent.prose.asked import ProseQuestion
from agent.prose.question_reader import Kind
from agent.prose.units import Unit
from agent.prose.words import stem, stems, stems_and_compounds
from retrieval.text.english import CARDINALS
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold, singular, with_powers

_WORDS = "|".join(sorted(CARDINALS, key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?<![\w.])(?<![a-z]-)(?P<coin>[$£€¥])?(?P<number>\d*d\d+|\d[\d,]*(?:\.\d+)?|(?:{_WORDS})\b|half(?: an?)?\b)"
    r"(?!\.\d)[ \-\u00a0]?(?P<unit>%|°\s?[cfk]?|[$£€¥]|(?:[a-z]?m[23]\b|[^\W\d_]+(?:/[^\W\d_]+)?(?!\d)))?",
)
_LIMIT = "at least|at most|up to|about|around|almost|over|under|more than|less than"
_ONE = re.compile(rf"\b(?:for|within|takes?|lasts?|than|after|{_LIMIT}) an? (?P<unit>[a-z]+)")
_OF = re.compile(rf"(?P<name>[^\W\d_]+(?:-[^\W\d_]+)*) of (?:(?:{_LIMIT}) )?$")
"""The noun before its number: *a ratio of 2:3*."""
_WAY = 60
"""Characters before a number that are searched for its noun."""
_DATE = re.compile(r"\b(?:1\d{3}|20\d\d)\b|\b\d{1,2}:\d\d\b|\bo'clock\b|\b\d{1,2} ?[ap]\.?m\b", re.IGNORECASE)
_HOUR = re.compile(rf"\bat (?:\d{{1,2}}|{_WORDS})\b(?! [%°]| degrees?| (?:km|m|kg|percent)\b)")
"""An hour of the day: *at seven*."""
_NAME = re.compile(r"[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)*")
_CLAUSE = re.compile(
    r"(?:(?<!\d)[,;:]|[,;:](?!\d))\s*|(?<!\d)(?<!\d\s)[–—]\s*|[–—](?!\s?\d)\s*"
    r"|\s(?=(?:when|if|once|after|whenever)\b)",
    re.IGNORECASE,
)
"""The separators of clauses. A comma or colon between two digits belongs to the number, as in *11,000* and *10:30*."""
_COINED = re.compile(r"`[^`]+`|(?<!\S)[/\\@~#]\w|\w[/\\@_]\w")
"""Marks inside words that only a value has, such as a path."""
_ORDINAL = re.compile(r"(?:^|[:;]\s)\W*(\d+)[.)]\s")
"""The number at the beginning of a heading or list item: *27. Historical boats* is not a count of boats."""
_OF_CODE = re.compile(r"[^\W\d_][-\u2010\u2011](\d+)\b")
"""A number at the end of a code: the 3 of *NWS-3*."""
_LED = re.compile(r"[:=]\s*(\d+)")
_LONGEST_OWN_UNIT = 3
"""Most letters of a unit that only the collection knows, such as its coins."""
_DASHES = ("-", "–", "—", "−")
_JOINED = re.compile(r"(?<=\d)[-\u00a0](?=[^\W\d])")
"""What joins a number to its unit: *6-week*."""
_BESIDE = 3
_SHORT_WAY = 2
_DEMONSTRATIVES = (("these",), ("those",), ("such",))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text with its unit, the word before both, its wording there (`amount_text`), and the noun that it
    belongs to (`noun_before`): *ratio* in *a ratio of at least 2*.
    """

    number: str
    unit: str
    before: str = ""
    amount_text: str = ""
    noun_before: str = ""

    def __str__(self) -> str:
        return f"{self.number} {self.unit}"

    @property
    def written(self) -> str:
        """The amount as the text writes it: *3 hours*, *$15*."""
        return _JOINED.sub(" ", self.amount_text or str(self))

    @property
    def is_end(self) -> bool:
        """True after a dash: the number is the end of a range, or negative."""
        return self.before.endswith(_DASHES)

    def is_of(self, dimensions: Sequence[Dimension]) -> bool:
        """True if its unit is one of some dimensions."""
        return any(self.unit in each.units for each in dimensions)


@lru_cache(maxsize=8192)
def amounts(text: str) -> tuple[Amount, ...]:
    """Return the amounts in a text, without numbers inside identifiers.

    >>> [(each.number, each.unit) for each in amounts("An STM32 with 128 KB, sealed to IP68, costs $15.")]
    [('128', 'kb'), ('15', '$')]
    """
    return tuple(_amounts(text))


def _amounts(text: str) -> Iterator[Amount]:
    folded = fold(with_powers(text))
    for match in _AMOUNT.finditer(folded):
        unit = match["coin"] or singular((match["unit"] or "").replace(" ", ""))
        before = folded[: match.start()].split()[-1:]
        told = text[match.start() : match.end()] if len(text) == len(folded) else match[0]
        name = _OF.search(folded, max(0, match.start() - _WAY), match.start())
        yield Amount(match["number"].replace(",", ""), unit, "".join(before), told, name["name"] if name else "")
    for match in _ONE.finditer(folded):
        yield Amount("1", singular(match["unit"]))


@dataclass(frozen=True, slots=True)
class KindGate:
    """Compares sentences with the kind of answer that is asked for."""

    asked: ProseQuestion
    language: Language

    def holds(self, unit: Unit) -> bool:
        """True if a sentence may hold an answer of the kind. No sentence is an overview."""
        gates: Mapping[Kind, Callable[[Unit], object]] = {
            "amount": self.values,
            "time": self._has_time,
            "frequency": lambda unit: self._has_phrase(unit, "repeated", "regular", "conditions"),
            "place": lambda unit: self._has_phrase(unit, "places"),
            "reason": lambda unit: self._has_phrase(unit, "reasons"),
            "manner": lambda unit: self._has_phrase(unit, "means") or self._tells_how(unit),
            "outcome": lambda unit: self._is_condition(unit) or self._tells_of_subject(unit),
            "person": lambda unit: self._has_name(unit) or self._has_agent(unit),
            "value": self._has_value,
            "whether": self._is_plain,
            "overview": lambda unit: False,
        }
        return bool(gates[self.asked.kind](unit))

    def values(self, unit: Unit) -> frozenset[str]:
        """Return the amounts of a sentence that may answer, as numbers with units."""
        return frozenset(map(str, self.amounts_in(unit)))

    def amounts_in(self, unit: Unit) -> list[Amount]:
        """Return the amounts of a sentence that may answer; those without a known unit only if it has no others."""
        if self.asked.counted:
            return self._counts(unit)
        found = [each for each in amounts(unit.text) if each.number not in self.asked.words]
        said = [each for each in found if self._fits(each)] or [each for each in found if self._is_named_in(unit, each)]
        known = [each for each in said if self.language.measures_of(each.unit)]
        return known or said

    def amount_of(self, text: str) -> str:
        """Return the only amount in the clauses that share most words with the question; empty if it is not exactly
        one.
        """
        told = {clause: given for clause in _clauses(text) if (given := self.amounts_in(Unit(clause)))}
        wanted = self.asked.words - stems(self.asked.subject)
        said = {clause: len(wanted & stems(clause)) for clause in told}
        best = [clause for clause in told if said[clause] == max(said.values())]
        found = {str(amount): amount for clause in best for amount in self._of_head(told[clause], clause)}
        only = next(iter(found.values())) if len(found) == 1 else None
        return only.written if only is not None and not only.is_end else ""

    def _of_head(self, told: Sequence[Amount], clause: str) -> Sequence[Amount]:
        """Of several amounts, keep those right before what is measured (*a 1400 mAh battery*), else those that count
        the subject (*8 oak boats and 12 elm boats*), else all.
        """
        texts = (clause.partition(each.amount_text)[2] if each.amount_text else "" for each in told)
        behind = (normal(text)[:_SHORT_WAY] for text in texts)
        own = [each for each, words in zip(told, behind, strict=True) if self.asked.head in map(stem, words)]
        own = own if len(own) < len(told) else []
        counted = [each for each in told if stem(each.unit) in stems(self.asked.subject)]
        return (own or counted or told) if len(told) > 1 else told

    def _fits(self, amount: Amount) -> bool:
        """True for a unit of the dimension that is asked for. For a price, a short unknown unit may be a coin of the
        collection, but not if a hyphen joins it to its number: *6-pin plug*.
        """
        asked = self.asked.dimensions
        if (amount.before,) in self.language.statement_phrases.get("repeated", ()):
            return False
        if self._is_of_another(amount) or amount.unit in self.language.months:
            return False
        if amount.is_of(asked or self.language.dimensions) or self._is_named(amount):
            return True
        if not asked:
            has_number = bool(amount.amount_text)  # unlike *for a day*, *for a wind* is no amount
            return has_number and bool(amount.unit) and stem(amount.unit) in self.asked.words
        is_own = 1 < len(amount.unit) <= _LONGEST_OWN_UNIT and amount.unit not in STOP_WORDS
        is_own = is_own and "-" not in amount.amount_text and not amount.is_of(self.language.dimensions)
        return is_own and any("price" in each.measures for each in asked)

    def _is_named_in(self, unit: Unit, amount: Amount) -> bool:
        """True for a unit that only the collection knows, in a sentence that names the measure and all else that is
        asked: *the maximum vibrato depth is 1 semitone*.
        """
        has_unit = bool(amount.unit) and not amount.is_of(self.language.dimensions)
        is_named = bool(self.asked.measured) and self.asked.words <= stems(unit.text)
        return has_unit and is_named and not self._is_of_another(amount) and amount.unit not in STOP_WORDS

    def _is_of_another(self, amount: Amount) -> bool:
        """True for a number of another measure than the one asked for: *at a height of 640 m*."""
        language = self.language
        free = language.asking | language.adjectives.keys() | language.ranges.low | language.ranges.high
        if not amount.noun_before or amount.noun_before in free or self._is_named(amount):
            return False
        return stems_and_compounds(amount.noun_before).isdisjoint(self.asked.words)

    def _is_named(self, amount: Amount) -> bool:
        """True for a number of the measure that is asked for, whatever its unit: *a complexity of at least 600*."""
        measures = frozenset[str]().union(*(each.measures for each in self.asked.dimensions))
        is_done = bool(self.asked.measured) and self.asked.measured.isdisjoint(map(stem, measures))
        if is_done and amount.noun_before in measures:
            return True  # *pay a fee of 15 euro*
        names = self.asked.measured if self.asked.dimensions else {self.asked.head}
        return bool(amount.noun_before) and stem(amount.noun_before) in names

    def _counts(self, unit: Unit) -> list[Amount]:
        """Return the numbers beside what is counted: *10 bonus shares*, *shares: 10*."""
        tokens = [part for token in normal(unit.text) for part in token.split()]
        places = [i for i, token in enumerate(tokens) if stem(token) == self.asked.counted]
        said = {token for token in tokens if token in self.asked.words and tokens.count(token) == 1}
        said |= {*_OF_CODE.findall(unit.text), *_ORDINAL.findall(unit.text)}
        numbers = [i for i, token in enumerate(tokens) if is_number(token) and token not in said]
        led = set(_LED.findall(unit.text))
        own = [i for i in numbers if any(self._is_beside(tokens, i, place, led) for place in places)]
        return [Amount(tokens[i], self.asked.counted) for i in own]

    @staticmethod
    def _is_beside(tokens: Sequence[str], number: int, counted: int, led: Collection[str]) -> bool:
        """True if only adjectives stand between a number and what it counts. If the number comes second, a link or a
        colon must lead to it (`led`): *chapter 6* is not a count of chapters.
        """
        between = tokens[min(number, counted) + 1 : max(number, counted)]
        if number > counted:
            return set(between) <= {"is", "are", "of", "to"} if between else tokens[number] in led
        return len(between) < _BESIDE and not any(map(is_number, between)) and STOP_WORDS.isdisjoint(between)

    def _has_time(self, unit: Unit) -> bool:
        """True for a sentence with a date or, unless the past is asked for, with an occasion."""
        if _DATE.search(unit.text) or self._has_phrase(unit, "dates"):
            return True
        if not self.asked.is_past and _HOUR.search(fold(unit.text)):
            return True
        return not self.asked.is_past and self._has_phrase(unit, "occasions", "conditions", "repeated")

    def _is_plain(self, unit: Unit) -> bool:
        """True for a sentence without a condition: *if the lid is open, …* does not say whether it is open."""
        openings = self.language.whether | {said[0] for said in self.language.statement_phrases.get("conditions", ())}
        return openings.isdisjoint(normal(unit.text))

    def _is_condition(self, unit: Unit) -> bool:
        """True for a sentence with a *when* or *if* clause that has only words of the question."""
        clauses = [normal(part) for part in _CLAUSE.split(unit.text)]
        opened = [
            clause[1:]
            for clause in clauses
            if tuple(clause[:1]) in self.language.statement_phrases.get("conditions", ())
        ]
        return any(self._is_in_question([word for word in clause if word not in STOP_WORDS]) for clause in opened)

    def _tells_of_subject(self, unit: Unit) -> bool:
        """True for a sentence that begins with all words of the question and says something of them: *dropped parts are
        scrapped*, for what happens to these.
        """
        tokens = [token for token in normal(unit.text) if token not in STOP_WORDS]
        own = tokens[: len(self.asked.words)]
        is_first = {*map(stem, own)} == self.asked.words
        return is_first and not self.asked.is_conditional and len(tokens) > len(own)

    def _tells_how(self, unit: Unit) -> bool:
        """True for a sentence with the verb of the question before a way to do it: *dried between paper*."""
        tokens = normal(unit.text)
        language = self.language
        ways = language.statement_words("places") | language.beside | (set(language.between) - language.joining)
        pairs = zip(tokens, tokens[1:], tokens[2:], strict=False)
        return any(
            stem(verb) == self.asked.verb and way in ways and stem(what) not in self.asked.words and not is_number(what)
            for verb, way, what in pairs
        )

    def _has_agent(self, unit: Unit) -> bool:
        """True for a sentence that says by whom a deed of the question is done: *inspected by the foreman*."""
        tokens, agents = normal(unit.text), self.language.statement_words("agents")
        for before, by, *behind in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
            noun = next((word for word in behind if word not in STOP_WORDS), "")
            if by in agents and stem(before) in self.asked.words and noun and stem(noun) not in self.asked.words:
                return True
        return False

    def _is_in_question(self, tokens: Sequence[str]) -> bool:
        """True if the question has all of some words."""
        return bool(tokens) and all(stem(token) in self.asked.words for token in tokens)

    def _has_phrase(self, unit: Unit, *ways: str) -> bool:
        """True for a sentence with a phrase that expresses an answer in one of some ways."""
        tokens = normal(unit.text)
        phrases = (said for way in ways for said in self.language.statement_phrases.get(way, ()))
        return any(found(tokens, said) is not None for said in phrases)

    def _has_name(self, unit: Unit) -> bool:
        """True for a sentence with a name that the question does not have. The label of a value, as in *Title: Cook*,
        is not a name.
        """
        if self.names(unit):
            return True
        label, colon, value = unit.text.partition(":")
        is_labelled = bool(colon) and len(label.split()) <= _BESIDE
        if is_labelled and stems(label).isdisjoint(self.asked.words):
            return False  # *Material: porcelain* does not say who made it
        before = self._before_words(normal(value if is_labelled else unit.text))
        return bool(before) and not before[0][:1].isdigit() and len(before) <= _BESIDE

    def names(self, unit: Unit) -> bool:
        """True for a sentence with a name that the question does not have."""
        names = (match[0] for match in _NAME.finditer(unit.text) if match.start() > 0)
        return any(stems(name) - self.asked.words - STOP_WORDS for name in names)

    def _before_words(self, tokens: Sequence[str]) -> list[str]:
        """Return the words of a sentence before its first word of the question."""
        before: list[str] = []
        for token in tokens:
            if stem(token) in self.asked.words:
                break
            before.append(token)
        return [token for token in before if token not in STOP_WORDS]

    def _has_value(self, unit: Unit) -> bool:
        """True for a sentence that adds something to the question and, for *what is …*, links it to the question's
        words.
        """
        is_defined = self.asked.is_linked or self.asked.is_definition
        is_answer = self._adds_words(unit) and not self._is_about_class(unit)
        return is_answer and (not is_defined or self._is_linked(unit))

    def _is_about_class(self, unit: Unit) -> bool:
        """True for a sentence about all of a kind: *trades that are secret are learnt* does not say which these are."""
        relative = {*self.language.again, *self.language.kinds}
        opening = [token for token in normal(unit.text)[:_BESIDE] if token not in self.language.articles]
        is_noun = opening[1:] != [] and bool(self.asked.noun) and stem(opening[0]) == self.asked.noun
        return is_noun and opening[1] in relative

    def _adds_words(self, unit: Unit) -> bool:
        """True for a sentence that has words beyond those of the question, or a path, an address or the like."""
        said = (token for token in normal(unit.text) if token not in STOP_WORDS)
        return bool(_COINED.search(unit.text)) or any(stem(token) not in self.asked.words for token in said)

    def _is_linked(self, unit: Unit) -> bool:
        """True if a clause begins with words of the question and links something to them with *is* or a colon."""
        if any(map(self._is_named, amounts(unit.text))):
            return True
        copulas = self.language.links
        for clause in _clauses(unit.text):
            tokens = normal(clause)
            if self._is_link(tokens, copulas) or self._sums_up(tokens, copulas):
                return True
        head, colon, value = unit.text.rpartition(": ")
        return bool(colon and value.strip()) and self.asked.words <= stems(head) | unit.near_words

    def _sums_up(self, tokens: Sequence[str], copulas: Collection[str]) -> bool:
        """True for *these are the arts of reavers*, which sums up the sentence before it."""
        is_naming = tokens[:1] in _DEMONSTRATIVES and tokens[1:2] != () and tokens[1] in copulas
        return is_naming and self.asked.words <= frozenset(map(stem, tokens[2:]))

    def _is_link(self, tokens: Sequence[str], copulas: Collection[str]) -> bool:
        """True for *the default port is 80*, but not for *is not* or *is used for*, which do not define anything."""
        free = STOP_WORDS - set(copulas)
        place = next((i for i, t in enumerate(tokens) if t not in free and stem(t) not in self.asked.words), None)
        if place is None or not any(stem(token) in self.asked.words for token in tokens[:place]):
            return False
        if is_number(tokens[place]):
            return True
        while tokens[place] in copulas and place + 2 < len(tokens) and stem(tokens[place + 1]) in self.asked.words:
            place += 1  # *is fined 150*, for the *fine*
            if is_number(tokens[place + 1]):
                return True
        behind = tokens[place + 1] if tokens[place] in copulas and place + 1 < len(tokens) else "not"
        return behind != "not" and not (behind.endswith("ed") and behind not in ("called", "named", "set"))


def _clauses(text: str) -> list[str]:
    return [clause for sentence in sentences(text) for clause in _CLAUSE.split(sentence)]
