"""Select members of a kind: the best of them, those that meet a condition, or their number.

The members are first narrowed to those that match words of the question by name. Then each remaining word has to match
some member, and each number has to limit a value. A best is returned only if all members were read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from agent.languages.operations import Operation
from agent.reasoning.coverage.counted_things import counts_another_thing
from agent.reasoning.kinds.common import are_listed_under, of_whole_book
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.reasoning.kinds.passing import Denied, Passed, Passing, narrowed
from agent.reasoning.kinds.readings import (
    has_nothing,
    is_namesake,
    meets,
    ranked,
    readings_of,
    told_of_some,
    told_once,
)
from agent.reasoning.kinds.shape import Shape
from agent.reasoning.kinds.standing import of_called_tables, of_named_tables, of_numbered_tables, words_of_table
from agent.reasoning.kinds.vocabulary import Vocabulary, vocabulary_of
from agent.reasoning.kinds.wanted import Wanted
from agent.reasoning.kinds.whole_values import Said, has_value, said_around, value_within
from agent.reasoning.measures.dimensions import measures_in
from agent.reasoning.selection.counted import counted_thing
from agent.reasoning.selection.denials import denied_in
from agent.reasoning.selection.of_best import asked_of_best, with_value
from agent.reasoning.values.conditions import Limit, unit_behind
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.numbers import Number
from agent.understanding.question.ranking import behind_end, measures_of_adjective
from agent.understanding.question.tagged import Tagged
from agent.understanding.rewording.for_best import numbers_of_all
from retrieval.tables.match import any_matches, label_words, matches_any
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import is_number, phrase

_REACH = 2
"""How many tokens before a word its measure may be."""


@dataclass(frozen=True)
class Selecting:
    """The parts of a question, matched with the members of one shape."""

    wanted: Wanted
    members: list[Member]
    shape: Shape
    vocabulary: Vocabulary
    called: frozenset[str] = frozenset()
    value: Label = ()
    """The words for an attribute of the best that is asked for."""
    common: frozenset[str] = frozenset()
    """The words of the asked noun phrase that all members match, whatever their heading."""
    numbered: frozenset[int] = frozenset()
    """The places of numbers in names of their tables."""
    listed: frozenset[str] = frozenset()
    """The last word of the asked noun phrase, if a column of such things lists the members."""

    @classmethod
    def of(cls, asking: Wanted, members: list[Member], value: Label = ()) -> Selecting:
        """Narrow the members to those that match words of the question by name, the asked noun phrase first."""
        negation = asking.negation
        scales = asking.question.scales.keys() | {asking.question.end}
        said = [word for i, word in asking.said if i not in scales and (negation is None or i < negation)]
        heads = {value.words for member in members[:1] for value in member.values}
        tabled = words_of_table(asking.question, members, {*asking.named, *heads})
        members, numbered = of_numbered_tables(asking.question, of_named_tables(members, asking.within))
        members, common = of_whole_book(asking.asked, asking.of_book, members)
        words = (*asking.asked, *(word for word in said if word in tabled or (word,) not in heads))
        words = tuple(word for word in dict.fromkeys(words) if word not in common)
        vocabulary = vocabulary_of(tuple(members))
        some, called = narrowed(members, words, vocabulary)
        some = of_called_tables(asking.sort, some)
        whole = value_within(asking.question, some, called)
        tokens = asking.question.tokens
        tabled = tabled.union(word for word in (whole.words if whole else ()) if tokens.count(word) == 1)
        shape = Shape(asking.question, some, asking.said, asking.named, called, tabled, frozenset(asking.asked))
        names = () if asking.sort in called else [member.name for member in members]
        listed = frozenset({asking.sort} if are_listed_under(asking.sort, names, asking.index) else ())
        return cls(asking, some, shape, vocabulary, called, value, common, numbered, listed)

    @property
    def question(self) -> Tagged:
        return self.wanted.question

    @cached_property
    def words(self) -> list[str]:
        """The words that the members have to match by name or value, including the last of the asked noun phrase."""
        return list(dict.fromkeys((*self.wanted.asked[-1:], *(word for _, word in self.wanted.said))))

    @cached_property
    def numbers(self) -> list[Number]:
        """The numbers that limit or choose values; a number in a label (*top-1*) is a part of its name."""
        all_of = numbers_of_all(self.question)
        own = (n for n in self.wanted.numbers if n not in self.in_values and n.place not in self.numbered)
        own = (n for n in own if all_of.get(n.place) != len(self.members))
        return [n for n in own if not any(self.shape.is_in_label(label, n) for label in self.shape.labels)]

    @cached_property
    def in_values(self) -> dict[Number, Said]:
        """The numbers that are parts of whole values in the question."""
        free = (n for n in self.wanted.numbers if n.limit is None and not self.shape.is_in_whole_label(n))
        said = ((n, said_around(n, self.question, self.members)) for n in free)
        return {n: each for n, each in said if each is not None and not self._has_unit(n)}

    def _has_unit(self, n: Number) -> bool:
        """True for an amount: *5 crowns* limits a price."""
        return any(bool(unit_behind(self.question, n, self.shape.texts(label))) for label in self.shape.labels)

    def bound(self) -> Bound | None:
        """Return the members that match all words and numbers of the question, with their values."""
        denied = self._denied if self.question.negated else Denied()
        limits = None if denied is None or len(self.members) < FEWEST else self._limits(denied)
        if denied is None or limits is None:
            return None
        limited = (*(label for _, label in limits), *(each.label for each in self.in_values.values()))
        labels = [label for label in (*limited, denied.label) if label is not None]
        measure = self._measure(labels) if self.question.best else None
        if self.question.best and measure is None:
            return None
        told = self._told(limits, labels, measure) | self.listed
        open_ = [word for word in self.words if word not in told]
        said = self.in_values.values()
        told |= {self.question.tokens[place] for each in said for place in each.places}
        told |= {word for each in said for word in self.shape.words_of(each.label)}
        members = self.members
        for each in said:
            members = [member for member in members if has_value(member, each.label, each.words, self.question)]
        passing = Passing(self.wanted, self.shape, denied, members, self.vocabulary, self.called)
        passed = passing.passed(word for word in open_ if word != self.question.degree and word not in self.common)
        told |= self.common
        left = [word for word in dict.fromkeys((*passed.left, *open_)) if word not in told]
        left = [word for word in left if word in passed.left or word == self.question.degree]
        is_named = bool(passed.labels) and all(map(self.shape.words_of, passed.labels))
        left_over = [word for word in left if not (is_named and word in self.wanted.joining)]
        shown = [*([] if measure is None else [measure]), *labels]
        undecided = [word for word in left_over if not self._may_be_left(word, shown)]
        if undecided and not self._is_only_doubtful(undecided, passed, labels):
            return None
        if not (passed.matched_words or labels or measure) or not self._is_understood(passed, labels, measure):
            return None
        by_key = measure if left_over else None
        if not self._are_numbered([*shown, *passed.labels]) or not self._are_asked_by_number(passed.members, by_key):
            return None
        idle = {self.question.degree, *self.question.language.light_words}
        left = [*(word for word in left if word not in idle), *sorted(self.wanted.verbs)]
        bound = self._bound(passed, limits, [*shown, *passed.labels], told | passed.matched_words, left, denied.label)
        doubtful = self._uncalled(passed, told | passed.matched_words, measure not in (None, self._assumed))
        doubtful = doubtful or "".join(undecided[:1]) or told_of_some(passed.members, [*shown, *passed.labels])
        return None if bound is None else replace(bound, doubtful_word=doubtful)

    def _are_numbered(self, told: Sequence[Label]) -> bool:
        """False if a number of the question is part of labels, *Rank 5*, none of which is shown."""
        free = (n for n in self.wanted.numbers if n not in self.in_values)
        named = ([label for label in self.shape.labels if self.shape.is_in_label(label, n)] for n in free)
        return all(not own or not set(own).isdisjoint(told) for own in named)

    def _are_asked_by_number(self, members: Sequence[Member], measure: Label | None) -> bool:
        """False for rows that only a number names, if the question asks for something else than the header over it, or
        if that is the measure: a *beam* is no *receiver*, and a *mode* no *mode resolution*.
        """
        heads = {member.key_head for member in members if member.is_numbered}
        if measure is not None and measure in map(phrase, heads):
            return False
        return not self.wanted.asked or all(any_matches(self.wanted.asked, phrase(head)) for head in heads)

    def _is_only_doubtful(self, undecided: Sequence[str], passed: Passed, labels: Sequence[Label]) -> bool:
        """True if the unmatched words only leave a doubt: verbs, if the members were chosen by names of their table; or
        one unknown word, if the question asks for the best or the word precedes a matched label. A count is never
        returned then.
        """
        if self.wanted.is_counted:
            return False
        is_by_name = not passed.labels and not passed.matched_words.issubset(self.wanted.asked)
        if is_by_name and self.wanted.joining.issuperset(undecided):
            return True
        if len(undecided) > 1 or undecided[0] not in self.wanted.nothing - {self.question.degree}:
            return False
        if self.question.best:
            return bool(self.called)
        pairs = pairwise(self.question.tokens)
        behind = {after for before, after in pairs if before == undecided[0]}
        return any(matches_any(after, label) for after in behind for label in (*labels, *passed.labels))

    def _uncalled(self, passed: Passed, told: Collection[str], is_ranked: bool) -> str:
        """Return a word of the asked noun phrase that no remaining member matches: *how many c5 instances* does not
        count rows that only mention one. A label may match the word instead, unless it is an identifier.

        A word unknown to the collection is accepted as the asker's name for the members if something else chooses among
        them, or ranks them by its name, but not in a count for the speaker, *how many crowns do I need*.
        """
        free = {*self.wanted.family, *self.question.language.idle, ""}
        for word in (*filter(is_identifier, self.wanted.asked), self.wanted.sort):
            is_called = word in free or any(member.is_called(word) for member in passed.members)
            is_called = is_called or word in self.listed
            is_said = word in told or any(matches_any(word, label) for label in self.shape.labels)
            if not is_called and (is_identifier(word) or not is_said):
                may_be = word in self.wanted.callable and not self.wanted.is_of_speaker
                may_be = may_be or (word in self.wanted.behind and self._is_behind_name(self.wanted.asked[-2]))
                return "" if may_be and (is_ranked or self._is_chosen(passed)) else word
        return ""

    def _is_chosen(self, passed: Passed) -> bool:
        """True if more than the asked noun phrase chooses the members."""
        return bool(self.numbers) or len(passed.members) < len(self.members)

    def _is_understood(self, passed: Passed, labels: Sequence[Label], measure: Label | None) -> bool:
        """True if an unknown verb can be ignored, because a label that the question names has the rest. For a count,
        all labels must be named. A question without a kind needs its labels in full, and one about a single entity any
        label.
        """
        shown = [*labels, *passed.labels, *([] if measure is None else [measure])]
        named = shown and all(map(self.shape.is_asked_whole, shown))
        if (self.wanted.is_of_any_kind and not named) or (self.wanted.of_one and not shown):
            return False
        if not self.wanted.verbs or (measure is not None and self.shape.words_of(measure)):
            return True
        if not labels and passed.matched_words <= set(self.wanted.asked):
            return False
        return not self.wanted.is_counted or all(map(self.shape.words_of, passed.labels))

    def _told(self, limits: Sequence[tuple[Limit, Label]], labels: Sequence[Label], measure: Label | None) -> set[str]:
        """Return the words of the question that labels and units match."""
        told = {word for label in (*labels, measure or ()) for word in self.shape.words_of(label)}
        for limit, label in limits:
            told |= self.shape.unit_words(limit.number, label) | self.shape.graded_before(limit.number, label)
            told |= self.shape.told_by_unit(label) | self.shape.spoken_of_by_unit(label)
            told |= counted_thing(limit.number.place, label, self.shape)
        idle = (n for n in self.wanted.numbers if n not in self.numbers and not self.shape.is_in_flag(n))
        told |= {self.question.tokens[n.place + 1] for n in idle}
        if measure is None:
            return told
        told |= self.shape.told_by_unit(measure) | self.shape.spoken_of_by_unit(measure)
        if self.question.end is not None:
            told |= counted_thing(self.question.end, measure, self.shape)
        is_graded = measure == self._assumed or self._is_ranked_by(measure) or self.shape.has_graded_times(measure)
        return told | {self.question.degree} if is_graded else told

    @property
    def _assumed(self) -> Label | None:
        """The label that ranks the kind if no label has a word of the question."""
        if self.shape.is_from_end_to_end:
            return None
        ways = (self.shape.instead, self.shape.by_year, self.shape.by_unit)
        return next((label for label in ways if label is not None), None)

    def _measure(self, taken: Sequence[Label]) -> Label | None:
        """Return the label of the superlative: the named one, else the one that ranks the kind or is limited itself."""
        ways = self.shape.measure(taken), self._assumed, self.shape.graded_of(taken)
        return next((label for label in ways if label is not None), None)

    def _is_ranked_by(self, measure: Label) -> bool:
        """True if the question names the measure of the superlative explicitly: *the most accurate by top-1*."""
        told = self.shape.words_of(measure)
        first = min((i for i, word in self.wanted.said if word in told), default=0)
        return first > 0 and self.question.tokens[first - 1] in self.question.language.ranking

    def _may_be_left(self, word: str, labels: Sequence[Label]) -> bool:
        """True if an unmatched word may be ignored. It is next to a word of the measure and in none of its values, as
        in *top-1 accuracy*; next to a limited measure, only a general word for measures is ignored. The name of a row
        elsewhere is not ignored: the *port* of *default port*.
        """
        language = self.question.language
        if word == self.question.degree and self._is_of_other_measures(labels):
            return False
        if word in self.wanted.joining and labels:
            return True
        if word in self.wanted.asked[1:] and self._calls_them(word):
            return True
        if word in self.wanted.rows:
            return False
        if not self.question.best and word not in language.measures:
            return False
        tokens, places = self.question.tokens, dict(self.wanted.said)
        at = next((i for i in places if places[i] == word), len(tokens) + _REACH)
        end = at + 1
        while word == self.question.degree and {end, end + 1} <= places.keys():
            end += 1  # *the largest Hull harbour fee*
        around = (i for i in (at - _REACH, at - 1, *range(at + 1, end + 1)) if 0 <= i < len(tokens))
        beside = [tokens[i] for i in around if not is_number(tokens[i])]
        near = [label for label in labels if any_matches(beside, label)]
        return any(not any(matches_any(word, label_words(text)) for text in self.shape.texts(label)) for label in near)

    def _calls_them(self, word: str) -> bool:
        """True for the asker's own name for the members, if all of them have the name before it or match by their
        table, *Tern trips*. Whether they are such things is then a doubt.
        """
        asked, is_sort = self.wanted.asked, word in self.wanted.behind and word == self.wanted.sort
        return self._is_behind_name(asked[0]) or (is_sort and self.called.issuperset(asked[:-1]))

    def _is_behind_name(self, name: str) -> bool:
        """True if a name is part of the names of all members: the word behind it is the asker's own name for them."""
        return all(matches_any(name, member.own_words) for member in self.members)

    def _is_of_other_measures(self, labels: Sequence[Label]) -> bool:
        """True if the adjective implies measures that no label has: damage doesn't make a weapon *pricey*."""
        adjective, meant = self.question.adjective, measures_of_adjective(self.question)
        if adjective is None or meant is None:
            return False
        language = self.question.language
        units = [measures_in(text, language) for label in labels for text in self.shape.texts(label)]
        if any(any_matches(meant, label) for label in labels) or any(map(meant.intersection, units)):
            return False
        if adjective.scale.alone and not any(units):
            return False  # *the longest range*, without a unit
        return not (labels and self.shape.has_graded_times(labels[0]))

    @property
    def _denied(self) -> Denied | None:
        """The scope of the question's negation; None if it is unclear."""
        return denied_in(self.wanted, self.shape, self.members, self.vocabulary, {n.place for n in self.numbers})

    def _limits(self, denied: Denied) -> list[tuple[Limit, Label]] | None:
        """Return each number as a limit, with the label whose values it limits; None if a number limits no label."""
        found = []
        for each in self.numbers:
            label = self.shape.limited(each)
            if label is None or self._counts_another(each, label):
                return None
            unit = unit_behind(self.question, each, self.shape.texts(label))
            found.append((Limit(each, unit, denied.place == each.place), label))
        return found

    def _counts_another(self, n: Number, label: Label) -> bool:
        """True for *4 spells* if the numbers under *Spells* are no number of spells; a unit counts what it measures."""
        values = (value for member in self.members[:1] for value in member.values if value.words == label)
        named = self.shape.plain.get(label) or label
        is_counted = any(matches_any(word, named) for word in self.question.tokens[n.place + 1 : n.place + 2])
        return is_counted and any(counts_another_thing(each.grid, each.column, self.question) for each in values)

    def _bound(
        self,
        passed: Passed,
        limits: Sequence[tuple[Limit, Label]],
        shown: Sequence[Label],
        told: Collection[str],
        left: Sequence[str],
        nothing: Label | None,
    ) -> Bound | None:
        """Return the binding: the members that meet the conditions, the uncertain ones, and the rest of the kind."""
        language, members = self.question.language, passed.members
        if nothing is not None:
            members = [member for member in members if has_nothing(member, nothing, language)]
        judged = [(member, meets(member, limits, language)) for member in members]
        by = limits[0][1] if limits else shown[0] if shown else None
        linked = Linked(self.question, (), tuple(sorted(told)))
        met = [member for member, held in judged if held]
        unsure = readings_of((member for member, held in judged if held is None), by)
        if self.question.best:
            best = None if unsure or not shown else self._best(readings_of(met, shown[0]), linked, left)
            if best is None or is_namesake(best):
                return None
            value = self.value or asked_of_best(self.wanted.asked, self.value, self.members, self.shape)
            return with_value(best, met, value, self.shape) if value else best
        rest = readings_of((member for member, held in judged if held is False), by)
        readings = told_once(readings_of(met, shown[0] if shown else None, or_first=True))
        operation: Operation = "count" if self.wanted.is_counted else "list"
        every = (*readings, *unsure, *rest)
        if not every or not (readings or unsure or all(n.limit for n in self.numbers)):
            return None
        return Bound(linked, readings, every[0].best.label, operation, None, tuple(left), unsure, rest)

    def _best(self, readings: tuple[Reading, ...], linked: Linked, left: Sequence[str]) -> Bound | None:
        """Return the best of the remaining members, if they can be ranked."""
        found = ranked(readings, self.question)
        if found is None:
            return None
        some, without, end = found
        name, behind = some[0].best.label, behind_end(self.question)
        if behind in self.question.language.listing and not matches_any(behind, phrase(name)):
            return None  # *the longest name* asks for names
        if phrase(name) == self._assumed:
            linked = replace(linked, name_assumptions=(f"{self.question.degree} is by {name}",))
        rank, top = self.wanted.rank, self.wanted.top
        return Bound(linked, some, name, "best", end, tuple(left), (), without, rank, top)
