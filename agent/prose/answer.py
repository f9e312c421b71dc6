"""Answer a question from sentences: complete if a sentence passes every gate, else the nearest passages, best first.

The gates: the sentence is about the subject of the question, it or the names above it have every word of the question,
it holds an answer of the kind that is asked for, and no rival gives another answer. A word that no sentence has is
assumed to be meant if one sentence is much nearer to the question than all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise

from agent.languages.language import Language
from agent.prose.asked import ProseQuestion, in_vocabulary
from agent.prose.candidates import Candidate, ProseAnswer, distinct_quotes, is_item_of, is_within
from agent.prose.kinds import KindGate
from agent.prose.nearest import Nearness, unit_wording
from agent.prose.subject_gate import SubjectGate
from agent.prose.units import Unit, describing_rows, section_names, told_in_cells, units_of, untabled_rows
from agent.prose.words import codes, stem, stems, stems_and_compounds, weights
from agent.understanding.words.proper import has_run
from retrieval.text.normal import STOP_WORDS, normal, phrase
from retrieval.types import Chunk

MOST_QUOTED = 3
_MOST_BY_WORDS = 8
_MOST_BY_PLACE = 4
_MOST_ROWS = 2
"""How many are compared by embedding: those that share most words, those found first, and rows without known
headers.
"""
_SEVERAL = 2
_ENOUGH = 0.5
"""Least weighted share of the question's words in a sentence that counts as near."""
_ENOUGH_OF_ROW = 0.35
"""The same for a row, which describes its entity in a few words of its own."""
_NEAR = 0.7
"""Least share of the best passage's score for a passage that is quoted beside it."""
_ALIKE = 0.97
"""Least share of the best answer's score for a tie."""
_BESIDE = 0.75
"""Least share of the best answer's score for other sentences that also answer and are quoted behind it."""
_OWN = 0.5
"""Least weighted share of the words in the sentence itself, if its section names have the others."""
_IN_CONTEXT = 0.8
"""Weight of a word that only the section names have."""
_SHARED = 0.25
"""Weight of the word coverage in the score, beside the embedding similarity."""
_OF_KIND = 0.15
"""Bonus, among near passages, for one that holds an answer of the kind that is asked for."""
_SIMILAR = 0.35
"""Least cosine similarity of a near passage that shares few words with the question."""
_FAR = 0.4
"""Cosine similarity below which a sentence answers nothing, whatever words it shares."""
_MEANT = 0.75
"""Least score of a sentence that may mean words it does not have. Over eight collections with known answers and
all-MiniLM-L6-v2, right sentences score 0.75 to 1.05. Wrong ones score as high where a noun or an adjective is missing:
those are never assumed.
"""
_NONE = frozenset[str]()
_OPEN = ("value", "whether")
"""The kinds of answer for which no gate can check that a sentence has one."""
_AHEAD = 0.05
"""Least lead over the runner-up for an answer of an open kind, or one that is assumed to mean a word."""


class Prose:
    """The sentences of some chunks, compared with one question."""

    def __init__(
        self, asked: ProseQuestion, chunks: Sequence[Chunk], language: Language, nearness: Nearness | None = None
    ) -> None:
        self.chunks = chunks
        self.nearness = nearness or Nearness()
        self.pronouns = language.statement_words("pronouns")
        self.language = language
        self.asked = in_vocabulary(asked, _NONE.union(*(unit.own_words for *_, unit in self._units)))
        self.kind = KindGate(self.asked, language)
        self._gate = SubjectGate(self.asked, chunks)

    def answer(self) -> ProseAnswer:
        """Return the sentences that pass the gates, else those that are near."""
        whole = self._beginning_with_subject([each for each in self.candidates if self.passes(each)])
        best = self._best(whole, _ALIKE, self.score)
        if best and not self._is_tied(best[0], whole) and self._is_ahead(best):
            told = [*best, *self._supporting(best)][:MOST_QUOTED]
            return ProseAnswer(distinct_quotes(list(map(self._with_list, told))), True, self.unmatched_words(best[0]))
        near = [each for each in (*self.candidates, *self._loose_rows()) if self._is_near(each)] or self.candidates
        nearest = self._best(near, _NEAR, self._kind_score)
        return ProseAnswer(distinct_quotes(list(map(self._with_list, nearest))))

    def _loose_rows(self) -> Iterator[Candidate]:
        """Yield the rows without known column headers that share a word with the question: near passages at best."""
        for chunk in self.chunks:
            path = _path_of(chunk)
            rows = (self._candidate(unit, chunk, path) for unit in untabled_rows(chunk))
            yield from (each for each in rows if each.sentence_words)

    def _supporting(self, best: Sequence[Candidate]) -> Iterator[Candidate]:
        """Yield other sentences and rows that pass the gates and score nearly as high: they confirm or vary it."""
        least = _BESIDE * self.score(best[0])
        for each in sorted(self.candidates, key=self.score, reverse=True):
            if each not in best and self.score(each) >= least and self._passes_gates(each):
                yield each

    def _beginning_with_subject(self, whole: Sequence[Candidate]) -> Sequence[Candidate]:
        """Keep the sentences that begin with the subject, if any: *Monthly* is the subject of *Monthly: kept for a
        year*.
        """
        name = phrase(self.asked.subject)
        return [each for each in whole if name and phrase(each.unit.text)[: len(name)] == name] or whole

    def to_compare(self) -> tuple[str, ...]:
        """Return the wordings of the sentences to embed: few, because a model takes its time."""
        by_words = sorted(self.candidates, key=self.coverage, reverse=True)[:_MOST_BY_WORDS]
        by_place = islice((unit_wording(unit, chunk) for chunk, _, unit in self._units), _MOST_BY_PLACE)
        rows = sorted(self._loose_rows(), key=self.coverage, reverse=True)[:_MOST_ROWS]
        return tuple(dict.fromkeys((*(unit_wording(each.unit, each.chunk) for each in (*by_words, *rows)), *by_place)))

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The sentences that share a word with the question, directly or by the text they refer to, or are similar to
        it.
        """
        found = (self._candidate(unit, chunk, path) for chunk, path, unit in self._units)
        return [each for each in found if each.sentence_words | each.context_words or each.similarity >= _SIMILAR]

    def _candidate(self, unit: Unit, chunk: Chunk, path: frozenset[str]) -> Candidate:
        words, own, near = self.asked.words, unit.own_words, unit.near_words
        said, similarity = own | near if near else own, self.nearness.of(unit, chunk)
        meant = [word for word, means in self._meanings if word not in path and word not in said and means & said]
        return Candidate(unit, chunk, words & own, words & near, words & path, similarity, frozenset(meant))

    @cached_property
    def _meanings(self) -> list[tuple[str, frozenset[str]]]:
        """The words of the question that have synonyms, each with their stems."""
        return [(word, means) for word, means in self.asked.word_synonyms.items() if means and word in self.asked.words]

    @cached_property
    def _units(self) -> list[tuple[Chunk, frozenset[str], Unit]]:
        """The sentences and rows, each with its chunk and the stems of the names above it."""
        found: list[tuple[Chunk, frozenset[str], Unit]] = []
        for chunk in self.chunks:
            path = _path_of(chunk)
            told = (*units_of(chunk, self.pronouns), *told_in_cells(chunk), *describing_rows(chunk))
            found += ((chunk, path, unit) for unit in told)
        return found

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weight of each word of the question: rare words count more."""
        return weights(self.asked.words, [each.sentence_words for each in self.candidates])

    def coverage(self, candidate: Candidate) -> float:
        """Return the weighted share of the question's words that a candidate covers; section names and synonyms count
        less.
        """
        own = candidate.sentence_words | candidate.context_words | self._measure_words(candidate)
        told = self._weight(own) + _IN_CONTEXT * self._weight((candidate.section_words | candidate.synonym_words) - own)
        return told / (self._weight(self.asked.words) or 1.0)

    def score(self, candidate: Candidate) -> float:
        """Return how well a sentence fits the question: its embedding similarity plus its word coverage."""
        return candidate.similarity + _SHARED * self.coverage(candidate)

    def _kind_score(self, candidate: Candidate) -> float:
        """Return how likely a near passage is the answer: its score, plus a bonus if it holds an answer of the kind."""
        return self.score(candidate) + (_OF_KIND if self.kind.holds(candidate.unit) else 0.0)

    def _is_near(self, candidate: Candidate) -> bool:
        enough = _ENOUGH_OF_ROW if candidate.unit.is_row else _ENOUGH
        return candidate.similarity >= _SIMILAR or self.coverage(candidate) >= enough

    def _weight(self, words: frozenset[str]) -> float:
        return sum(self.weights[word] for word in words)

    def _measure_words(self, candidate: Candidate) -> frozenset[str]:
        """Return the words for the measure, if a number in the sentence covers them by its unit."""
        return self.asked.measured if self.asked.dimensions and self.kind.values(candidate.unit) else frozenset()

    def passes(self, candidate: Candidate) -> bool:
        """True if a sentence passes every gate. A row never does, because its subject is unknown."""
        return not candidate.unit.is_row and self._passes_gates(candidate)

    def _passes_gates(self, candidate: Candidate) -> bool:
        """True if a sentence or a row passes every gate."""
        if self._refers_elsewhere(candidate) or not self._is_consistent(candidate):
            return False
        if not self._covers_words(candidate) and not self._may_assume_words(candidate):
            return False
        is_about = self._gate.is_about_subject(candidate.unit, candidate.chunk) and self._has_exact_terms(candidate)
        return is_about and self.kind.holds(candidate.unit)

    def _has_exact_terms(self, candidate: Candidate) -> bool:
        """True if the text or its section names have every code, proper name and counted number of the question."""
        asked = self.asked
        texts = (candidate.unit.whole, candidate.unit.text, *section_names(candidate.chunk))
        if asked.codes and not asked.codes <= frozenset().union(*map(codes, texts)):
            return False
        if not all(any(has_run(text, name) for text in texts) for name in asked.proper):
            return False
        numbers = self.language.numbers
        said = ([numbers.get(word, word) for word in phrase(text)] for text in texts)
        return not asked.counts or asked.counts <= {pair for words in said for pair in pairwise(words)}

    def _is_consistent(self, candidate: Candidate) -> bool:
        """False for a sentence that is far from the question, is a question, has an antonym of one of its words, or
        affirms what it negates: a sentence on switching a thing *off* does not answer how to switch it *on*.
        """
        if self.nearness.similarity and candidate.similarity < _FAR:
            return False
        if candidate.unit.text.endswith("?") or self._is_echo(candidate):
            return False
        said = frozenset(normal(candidate.unit.whole))
        if any(said & self.language.opposite_particles[word] for word in self.asked.particles - said):
            return False
        contraries = (self.asked.word_antonyms.get(word, _NONE) for word in self.asked.words - candidate.covered_words)
        if not candidate.unit.own_words.isdisjoint(_NONE.union(*contraries)):
            return False
        return not self.asked.is_negated or not self.language.negations.isdisjoint(normal(candidate.unit.text))

    def _is_echo(self, candidate: Candidate) -> bool:
        """True for a label of several things with a value that the question has already: *Hull: oak* does not answer
        *which boats have an oak hull*.
        """
        label, _, value = candidate.unit.text.partition(": ")
        flags = self.language.yes | self.language.no
        is_flag = (
            self.asked.kind == "value" and bool(self.asked.noun) and bool(value) and flags.issuperset(normal(value))
        )
        is_said = bool(stems(value)) and stems(value) <= self.asked.words and self.asked.kind != "whether"
        return is_flag or (is_said and self._labels[label] >= _SEVERAL)

    @cached_property
    def _labels(self) -> Counter[str]:
        """The number of chunks with each label before a colon."""
        return Counter(
            label for _, label in {(chunk.id, unit.text.partition(": ")[0]) for chunk, _, unit in self._units}
        )

    def unmatched_words(self, candidate: Candidate) -> frozenset[str]:
        """Return the words of the question that a sentence does not cover. The unit of a number covers the measure."""
        return self.asked.words - candidate.covered_words - self._implicit_words(candidate)

    def _may_assume_words(self, candidate: Candidate) -> bool:
        """True for a sentence so near to the question that its unmatched words may be assumed to be meant.

        Only words that merely ask may be unmatched. Any other may belong to something else, such as *large* where the
        sentence is about a *small* one, and no similarity separates these. A logistic regression over similarity, word
        coverage and their margins, fitted on SQuAD 2.0, was right in 95 % where the articles had an answer, and
        accepted a question with one word exchanged as readily. For the kinds *value* and *whether* no gate checks that
        there is an answer.
        """
        is_open = self.asked.kind in _OPEN
        return not is_open and self.unmatched_words(candidate) <= self.asked.light and self.score(candidate) >= _MEANT

    def _is_ahead(self, best: Sequence[Candidate]) -> bool:
        """True if no other answer fits better. If words are assumed to be meant, no other sentence may come close."""
        is_assumed = bool(self.unmatched_words(best[0]))
        answers = best[:1] if is_assumed or self._is_open(best[0]) else best
        highest = self.score(best[0])
        rivals = [each for each in self.candidates if self.score(each) > highest - self._needed_margin(best[0], each)]
        return not any((is_assumed or self.kind.holds(each.unit)) and self._is_rival(each, answers) for each in rivals)

    def _needed_margin(self, best: Candidate, other: Candidate) -> float:
        """Return the needed margin: 0 unless the best assumes words, or is open and not alone in having all words."""
        is_clear = self.asked.words <= best.sentence_words and not self.asked.words <= other.sentence_words
        return _AHEAD if self.unmatched_words(best) or (self._is_open(best) and not is_clear) else 0.0

    def _is_open(self, candidate: Candidate) -> bool:
        """True if only the embedding suggests that a sentence has an answer of the kind."""
        return self.asked.kind in _OPEN and candidate.similarity > 0

    def _is_rival(self, other: Candidate, best: Sequence[Candidate]) -> bool:
        """True for another sentence, unless it gives the same amounts or one text contains the other."""
        if any(is_within(other, each) or is_within(each, other) for each in best):
            return False
        values = self.kind.values(best[0].unit) if self.asked.kind == "amount" else frozenset[str]()
        return not values or values != self.kind.values(other.unit)

    def _covers_words(self, candidate: Candidate) -> bool:
        """True if every word of the question is covered, and enough of them by the sentence itself and its context.

        Section names can say which entity a number belongs to, but not that an unlabelled number is the measure in
        question.
        """
        own = candidate.sentence_words | candidate.context_words | candidate.synonym_words
        implied = self._implicit_words(candidate) - candidate.covered_words
        permitted = self._permission_words(candidate)
        told = candidate.sentence_words or candidate.unit.context_text.endswith("?")
        if self.unmatched_words(candidate) or not told:
            return False
        if self.asked.kind == "whether" and not self._covers_alone(candidate):
            return False
        if self.asked.kind == "value" and self._lacks_light_verb(candidate):
            return False
        if (implied - permitted or self.asked.is_graded) and self.asked.head not in own | (implied & {self.asked.noun}):
            return False
        needed = self.asked.words - implied - self._section_name_words(candidate)
        return self._weight(own) >= _OWN * self._weight(needed)

    def _lacks_light_verb(self, candidate: Candidate) -> bool:
        """True if the verb of the question says little, and only a thing stands beside it, *what do guests get*: then
        the sentence needs that verb as well, as it is all that is asked of the thing.
        """
        light = frozenset(map(stem, self.language.light_words | STOP_WORDS - self.language.helpers))
        is_light = self.asked.verb in light and self.asked.verb not in self.asked.words
        said = {stem(token) for token in normal(candidate.unit.text)}
        return is_light and len(self.asked.words) <= _SEVERAL and self.asked.verb not in said

    def _covers_alone(self, candidate: Candidate) -> bool:
        """True for a sentence that has every word of a question with more than two. A short name is enough under a
        section with the full one: *the pump* under *Reed Pump*. With two words, it may say something else about both.
        """
        names = (name for name in section_names(candidate.chunk) if stems(name.split()[-1]) <= candidate.sentence_words)
        in_full = frozenset().union(*map(stems, names))
        if candidate.unit.context_text.endswith("?"):
            in_full |= candidate.context_words
        is_whole = len(self.asked.words) > _SEVERAL or self.asked.tokens.issubset(normal(candidate.unit.text))
        told = candidate.sentence_words | in_full | self._permission_words(candidate)
        return is_whole and self.asked.words <= told

    def _section_name_words(self, candidate: Candidate) -> frozenset[str]:
        """Return the words of the section name that the sentence itself need not have: the section is the subject of
        the question, or the sentence is a label with its value, as *Reed: 20 hours* under *Running time*.
        """
        label, colon, _ = candidate.unit.text.partition(":")
        is_labelled = bool(label and colon) and stems(label) <= candidate.sentence_words
        wanted = stems(self.asked.subject) & self.asked.words
        names = [stems(name) & self.asked.words for name in section_names(candidate.chunk)]
        told = next((name for name in names if wanted and wanted <= name), frozenset[str]())
        return (names[-1] if is_labelled and names else told) - candidate.sentence_words

    def _implicit_words(self, candidate: Candidate) -> frozenset[str]:
        """Return the words covered without being there: the measure by a unit, the noun of *which …* by a name."""
        rest = self.asked.words - {self.asked.noun}
        has_rest = rest <= candidate.sentence_words | candidate.context_words
        if self.asked.kind == "value" and has_rest and self.kind.names(candidate.unit):
            return frozenset({self.asked.noun}) & self.asked.words
        return self._measure_words(candidate) | self._permission_words(candidate)

    def _permission_words(self, candidate: Candidate) -> frozenset[str]:
        """Return the word for permission, *allowed*, if the sentence says so by *may*, *can* or *must*."""
        modal = self.language.possible | self.language.auxiliaries
        asked = frozenset(map(stem, self.language.permitting)) & self.asked.words
        return asked if asked and not modal.isdisjoint(normal(candidate.unit.text)) else _NONE

    def _refers_elsewhere(self, candidate: Candidate) -> bool:
        """True for a sentence whose pronoun refers to something that the question does not ask about, unless it has the
        name that is asked about itself.
        """
        unit, names = candidate.unit, self.asked.proper
        if (names and all(has_run(unit.text, name) for name in names)) or self.asked.words <= unit.own_words:
            return False
        return unit.has_pronoun_subject and bool(unit.context_text) and not candidate.context_words

    def _best(
        self, candidates: Sequence[Candidate], share: float, score: Callable[[Candidate], float]
    ) -> list[Candidate]:
        """Return the candidates with the highest scores, at most `MOST_QUOTED`."""
        scored = sorted(candidates, key=score, reverse=True)
        least = share * score(scored[0]) if scored else 0.0
        best = [each for each in scored if score(each) >= least]
        lists = [each for each in best if each.unit.list_lead]
        return [each for each in best if not any(is_item_of(each, whole) for whole in lists)][:MOST_QUOTED]

    def _with_list(self, candidate: Candidate) -> Candidate:
        """Return the list that the sentence leads in, or the sentence itself if there is none."""
        for chunk, path, unit in self._units:
            if chunk is candidate.chunk and unit.list_lead and unit.context_text == candidate.unit.text:
                return self._candidate(unit, chunk, path)
        return candidate

    def _is_tied(self, best: Candidate, whole: Sequence[Candidate]) -> bool:
        """True if tied sentences give different amounts, in different sections or matched by section names only."""
        alike = [each for each in whole if self.coverage(each) >= _ALIKE * self.coverage(best)]
        if self.asked.kind != "amount" or len({self.kind.values(each.unit) for each in alike}) < _SEVERAL:
            return False
        of_sections = len({section_names(each.chunk) for each in alike}) > 1
        return of_sections or any(each.section_words - each.sentence_words - each.context_words for each in alike)


def _path_of(chunk: Chunk) -> frozenset[str]:
    """Return the stems of the names above a chunk."""
    return frozenset().union(*map(stems_and_compounds, section_names(chunk)))
