"""What a question asks of the labels of some members: the measure that ranks them, and the values that are limited."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from agent.languages.scales import Adjective
from agent.reasoning.kinds.labels import Labels
from agent.reasoning.kinds.member import Label
from agent.reasoning.kinds.members import instead_of
from agent.reasoning.measures.asked_of_spans import grades_times
from agent.reasoning.measures.dimensions import (
    dimensions_in_brackets,
    measures_in,
    measures_under,
    of_each,
)
from agent.reasoning.measures.units import named_units, signs_by_name, unit_of
from agent.reasoning.values.conditions import unit_behind, words_under
from agent.reasoning.values.dates import are_of_years, are_times, date_of, is_decade
from agent.understanding.question.numbers import Number
from agent.understanding.question.ranking import measures_of_adjective
from agent.understanding.words.clauses import in_own_words
from retrieval.tables.match import any_matches, begins, first_matching, matches_any
from retrieval.tables.wording import without_lead
from retrieval.text.normal import phrase

_FAIRLY = 0.4
"""The share of a label, including its unit, that a question for the best must have."""


@dataclass(frozen=True)
class Shape(Labels):
    """The labels of some members, with what a question asks of them."""

    def is_said_whole(self, label: Label) -> bool:
        """True for a label whose words are all in the question, except its unit."""
        own = [word for word in self.plain.get(label) or label if word not in self.question.language.function_words]
        return all(matches_any(word, self.words_of(label)) for word in own)

    def is_asked_whole(self, label: Label) -> bool:
        """True for a label whose words are all in the question, or implied by its words."""
        told = self.words_of(label)
        return bool(told) and self._share(label, told) >= 1

    def is_in_label(self, label: Label, n: Number) -> bool:
        """True for a number that is part of a label, as in *top-1* and *12 V current*, or is one, such as a year."""
        tokens = self.question.tokens
        if label == (n.value,):
            return True
        beside = {*pairwise(tokens[max(0, n.place - 1) : n.place + 2])}
        return not beside.isdisjoint(pairwise(label))

    def is_in_whole_label(self, n: Number) -> bool:
        """True for a number in a label that the question has as a whole: *1st level spells*, beside *Level 1*."""
        said = {*self.question.tokens}
        return any(self.is_in_label(label, n) and said.issuperset(self.plain[label]) for label in self.labels)

    def is_in_flag(self, n: Number) -> bool:
        """True for a number in the name of a flag, which is a condition: *two-handed*."""
        return any(self.is_in_label(label, n) and self.is_flag(label) for label in self.labels)

    def limited(self, n: Number) -> Label | None:
        """Return the label whose values a number limits: the one named nearest to it, else the one with its unit.

        A label with a word of the question comes before one that is only implied: a *duration* is no casting time.
        """
        if is_decade(n, self.question.tokens):
            dated = [label for label, texts in self.labels.items() if are_of_years(texts)]
            return dated[0] if len(dated) == 1 else None
        named = [label for label in self.labels if self.words_of(label) - self.called]
        direct = [label for label in named if any_matches(self.words_of(label) - self.called, label)]
        measured = [label for label in direct or named if self._is_limited(label, n)]
        if not direct and n.limit is None and n.place - 1 in self.question.related:
            measured = [label for label in measured if self.unit_words(n, label)]  # *finished third* is no 3 goals
        by_unit = [label for label in self.labels if self.is_measured(label) and self.unit_words(n, label)]
        if measured:
            best = min(measured, key=lambda label: self._near(label, n))
            is_of_unit = len(by_unit) == 1 and by_unit[0] not in measured and self._is_nearer_to_another(best, n)
            return by_unit[0] if is_of_unit else best
        found = by_unit if direct else self._counted_by(n) or by_unit  # *under 200 m with gas heating*
        return found[0] if len(found) == 1 else None

    def _counted_by(self, n: Number) -> list[Label]:
        """Return the labels that match the word right behind a number, even if the table has that name too: *at most 5
        nights*, for *Table 3: Nights of each field*.
        """
        told = set(self.question.tokens[n.place + 1 : n.place + 2]).intersection(self.called)
        found = list[Label]()
        for label in self.labels if told else ():
            is_of_all = self._is_head_told(label, told) and not self._is_rate_of_unsaid(label, told)
            if is_of_all and told <= self.words_of(label) and self.is_measured(label):
                found.append(label)
        return found

    def _is_limited(self, label: Label, n: Number) -> bool:
        """True for a label with numbers. For equality, it is enough that some value has the number and its unit."""
        if n.limit is not None or self.is_measured(label):
            return self.is_measured(label)
        return bool(self.unit_words(n, label)) and any(n.value in phrase(text) for text in self.texts(label))

    def _near(self, label: Label, n: Number) -> tuple[int, int, int, int, int, Label]:
        """Return the sort key of a label for a number, smallest is nearest: the distance of its words. Labels with
        another number of the question come first.
        """
        told = self.words_of(label)
        places = [i for i, word in self.said if word in told]
        near = min(abs(i - n.place) for i in places)
        named = sum(self.is_in_label(label, each) for each in self.question.numbers)
        return -named, near, -len(places), len(label), -len(self.texts(label)), label

    def _is_nearer_to_another(self, label: Label, n: Number) -> bool:
        """True if the words for a label stand nearer to another number: *over 42 m and with under 20,000 visitors*."""
        told = self.words_of(label)
        places = [i for i, word in self.said if word in told]
        others = [abs(i - other.place) for i in places for other in self.question.numbers if other is not n]
        return bool(others) and min(others) < min(abs(i - n.place) for i in places)

    def unit_words(self, n: Number, label: Label) -> set[str]:
        """Return the words behind a number that also stand behind the numbers of a label's values: its unit."""
        tokens, language = self.question.tokens, self.question.language
        behind = tokens[n.place + 1 : n.place + 3]
        if behind[1:] and behind[1] in self.words_of(label) and behind[1] in language.adjectives:
            return set(behind)  # *16 year old*
        said = words_under(self.texts(label))
        found = {word for word in behind if matches_any(word, said)} | self._spelled_out(n, said)
        if unit := unit_behind(self.question, n, self.texts(label)):
            found.add(unit)
        signs = signs_by_name(self._texts_of_labels.get(label, "") + "".join(self.texts(label)[:1]))
        return found | {word for word in behind[:1] if word in signs or self._is_unit_of(word, label)}

    def graded_before(self, n: Number, label: Label) -> set[str]:
        """Return the comparative before a limit if it may grade any amount, or is of the label: *smaller than 3*."""
        place = n.place - 2
        adjective = self.question.language.adjectives.get(self.question.tokens[place]) if place >= 0 else None
        if adjective is None or n.limit is None or adjective.degree != "comparative":
            return set()
        is_own = adjective.scale.of_any or any_matches(adjective.scale.measures, label)
        is_own = is_own or (self._grades_times(adjective) and all(map(date_of, self.texts(label))))
        return {self.question.tokens[place]} if is_own and self.is_said_whole(label) else set()

    def _grades_times(self, adjective: Adjective) -> bool:
        """True for an adjective of years or dates: *later*."""
        language = self.question.language
        return not (language.years | language.dates).isdisjoint(adjective.scale.measures)

    def graded_of(self, labels: Collection[Label]) -> Label | None:
        """Return the one of some labels that the adjective grades: *the shortest boat longer than 8 m*."""
        graded = list(dict.fromkeys(label for label in labels if any_matches(self._graded, label)))
        return graded[0] if len(graded) == 1 else None

    def _is_unit_of(self, word: str, label: Label) -> bool:
        """True for the name of a label's unit: *metres*, for *Altitude (m)* and *210 m*."""
        if not word.endswith(self.question.language.long_units):
            return False
        unit = unit_of(in_own_words((word,), self.question.question))
        held = named_units("".join(self.texts(label)[:1]), self._texts_of_labels.get(label, ""))
        return unit is not None and unit in held

    def _spelled_out(self, n: Number, said: Collection[str]) -> set[str]:
        """Return the words behind a number that a unit abbreviates: *gold pieces*, for *gp*."""
        found = set[str]()
        for label, places in self.named.items():
            if len(label) == 1 and min(places) == n.place + 1 and label[0] in said:
                found |= {self.question.tokens[place] for place in places}
        return found

    def told_by_unit(self, label: Label) -> set[str]:
        """Return the words of the question for the dimension of a label's values: the *share*, for *2.3%*."""
        return {word for _, word in self.said} & measures_under(self.texts(label), self.question.language)

    def measure(self, taken: Collection[Label]) -> Label | None:
        """Return the label that the superlative is about: the one that matches most of the question."""
        fits = []
        for label in self.labels:
            told = self.words_of(label) - self.tabled
            if told and label not in taken and self.is_measured(label):
                numbered = any(self.is_in_label(label, n) for n in self.question.numbers)
                share = self._share(label, told)
                if (told <= self.question.soft and share < 1) or not self._is_head_told(label, told):
                    continue  # *of all* does not ask for an *all input*
                if self._is_rate_of_unsaid(label, told) or self._is_only_asked(label, told):
                    continue
                direct = sum(matches_any(word, label) for word in told) + numbered
                exact = len(told.intersection(label))  # *per week* is not *per weekend*
                whole = sum(matches_any(word, told) for word in label) / len(label)
                if share >= _FAIRLY:
                    is_own = not self.asked.issuperset(told)  # the heaviest *bell* has no highest number
                    fits.append((is_own, direct, len(told), exact, self._is_first(label), share, whole, label))
        best = sorted(fits, reverse=True)
        alike = [each[-1] for each in best if each[:-1] == best[0][:-1]]
        if not alike:
            return None
        label = max(alike, key=lambda each: len(self.texts(each)))
        return label if all(_are_forms(label, each) for each in alike) else None

    def _is_first(self, label: Label) -> tuple[bool, int]:
        """Return whether a label has the word for the end, and how early its measure is among those of the adjective:
        *the longest* is about a length first.
        """
        adjective = self.question.adjective
        measures = () if adjective is None else adjective.scale.measures
        return self.question.degree in label, -first_matching(measures, label)

    def _is_head_told(self, label: Label, told: Collection[str]) -> bool:
        """False for a column of a table of one measure if only the measure matches, not the column's own header. The
        sum is exempt: *visits* are those of the *Total*.
        """
        head = self._heads.get(label)
        return head is None or head in self.question.language.sums or any(matches_any(word, head) for word in told)

    def _is_only_asked(self, label: Label, told: Collection[str]) -> bool:
        """True for a label that only the asked noun phrase matches, if the adjective is of other measures: the oldest
        *car ferry* is not the one for most *cars*.
        """
        adjective = self.question.adjective
        is_of_any = adjective is None or adjective.scale.of_any
        return not is_of_any and self.asked.issuperset(told) and not any_matches(self._graded, label)

    @cached_property
    def _graded(self) -> frozenset[str]:
        return measures_of_adjective(self.question) or frozenset()

    def has_graded_times(self, label: Label) -> bool:
        """True if the adjective grades times or years, and the values under a label are such: *most recently built*."""
        adjective = self.question.adjective
        if self._grades_years and all(map(date_of, self.texts(label))):
            return True
        graded = self._graded.difference(() if adjective is None else adjective.scale.low)  # the longest is early
        return not graded.isdisjoint(self.question.language.dates) and are_times(self.texts(label))

    def _is_rate_of_unsaid(self, label: Label, told: Collection[str]) -> bool:
        """True for a rate per something that the question does not mention, or mentions alone, *Visits/night*: it is no
        number of visits, nor of nights. A rate per unit of time or size, *Requests/s*, does not count as such.
        """
        each = of_each(self._texts_of_labels.get(label, ""))
        if not each or not each[0].isalpha():
            return False
        is_unit = any(each[0] in dimension.units for dimension in self.question.language.dimensions)
        return all(matches_any(word, each) for word in told) or not (matches_any(each[0], told) or is_unit)

    @cached_property
    def _heads(self) -> Mapping[Label, Label]:
        """The own headers of the columns that also have the table's measure in their label."""
        return {phrase(whole): phrase(head) for head, whole in (self.members[0].heads if self.members else ())}

    def _share(self, label: Label, told: Collection[str]) -> float:
        """Return the share of a label's words that the question has; adjectives count by the measures that
        they imply.
        """
        if self.named.get(label, frozenset()) & {i for i, word in self.said if word in told}:
            return 1.0
        if any(matches_any(word, self._covered(label)) for word in told):
            return 1.0
        meant = {each for i, word in self.said if word in told for each in self.question.implied_of_kind(i)}
        plain = self.plain.get(label) or label
        behind = [word for word in label if word not in plain]
        if behind and all(matches_any(word, told) for word in behind):
            return 1.0  # *Epochs (nights)* matches the word *nights*
        counted = without_lead(plain, self.question.language.counting)
        own = [word for word in counted if word not in self.question.language.function_words] or counted
        return sum(matches_any(word, told) or matches_any(word, meant) for word in own) / max(1, len(own))

    @cached_property
    def instead(self) -> Label | None:
        """The one label that ranks the kind if no label has the adjective's own measure."""
        words = instead_of(self.question)
        found = [label for label in self.labels if any_matches(words, self._measured_words(label))]
        return found[0] if len(found) == 1 and self.measure(()) is None else None

    def _only(self, is_meant: Callable[[Label], bool]) -> Label | None:
        """Return the only matching label among those that half of the members have, if the question names no label. Of
        several it is the one with a number of the question: *in 2023*.
        """
        usual = (label for label, texts in self.labels.items() if 2 * len(texts) >= len(self.members))
        found = list(filter(is_meant, usual))
        if len(found) > 1:
            found = [each for each in found if any(self.is_in_label(each, n) for n in self.question.numbers)]
        return found[0] if len(found) == 1 and self.measure(()) is None else None

    @cached_property
    def by_year(self) -> Label | None:
        """The only label whose values are all years, if the question names no label and the adjective implies years:
        *built*, for *which is the oldest*.
        """
        return self._only(lambda label: all(map(date_of, self.texts(label)))) if self._grades_years else None

    @property
    def _grades_years(self) -> bool:
        place, years = self.question.end, self.question.language.years
        return place is not None and not years.isdisjoint(self.question.implied_of_kind(place))

    @cached_property
    def by_unit(self) -> Label | None:
        """The only label whose values have a unit of the adjective's dimension, if the question names no label: *31 m*,
        for *which is the longest*.
        """
        place = self.question.end
        if place is None:
            return None
        meant = {*self.question.implied_of_kind(place), *(word for _, word in self.said)}
        if grades_times(self.question):  # *the latest* is no number of days
            return self._only(lambda label: are_times(self.texts(label)))
        return self._only(lambda label: self.is_in_unit_of(meant, label))

    @cached_property
    def is_from_end_to_end(self) -> bool:
        """True if the question has both ends of one scale, *from oldest to newest*: it asks for all members."""
        place, adjectives = self.question.end, self.question.language.adjectives
        own = None if place is None else self.question.scales.get(place)
        said = [adjectives[token] for token in self.question.tokens if token in adjectives]
        ends = {each.up for each in said if own and each.scale == own.scale and each.degree == "superlative"}
        return len(ends) > 1

    def spoken_of_by_unit(self, label: Label) -> set[str]:
        """Return the adjectives of the question whose dimension is that of the label's values: *longer than 25 m*."""
        scales = {i: {*self.question.implied_of_kind(i)} for i in self.question.scales}
        return {word for i, word in self.said if i in scales and self.is_in_unit_of(scales[i], label)}

    def is_in_unit_of(self, meant: Collection[str], label: Label) -> bool:
        """True if all values of a label have a unit of one of the measures, or its bracket has, and the label names no
        other: a *speed* of 50 ft. is no length.
        """
        language = self.question.language
        if not language.quantities.difference(meant).isdisjoint(label):
            return False
        told = dimensions_in_brackets(self._texts_of_labels[label], language)
        if any(not each.measures.isdisjoint(meant) for each in told):
            return self.is_measured(label)
        return all(measures_in(text, language).intersection(meant) for text in self.texts(label))


def _are_forms(one: Label, two: Label) -> bool:
    """True for two labels that differ only in the forms of their words, *IBU* and *IBUs*, as on two pages."""
    return len(one) == len(two) and all(begins(word, other) for word, other in zip(one, two, strict=True))
