"""Questions in other forms than *which … has …*: statements to confirm, requests, and restrictions said before.

*It is true that the Reed is long, isn't it?* asks whether the Reed is long, *name the boats that sail* which boats
sail, and *of the boats from Hull, which is the longest* which boat from Hull is. Each is bound in the plain form.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.languages.language import Language, language_of, languages
from agent.languages.phrases import Phrase, phrase_places
from agent.languages.scales import superlative_of
from agent.reasoning.kinds.members import is_kind
from agent.understanding.linking.mentions import mentions_of
from agent.understanding.words.clauses import COMMA, tokens_of, written
from retrieval.tables.index import Cells
from retrieval.text.normal import is_number

_LONGEST_TOPIC = 6
"""The most words of a topic before a question."""


def plain_forms(question: str, index: Cells) -> Iterator[str]:
    """Yield the forms in which a question may be bound: as it is, unless it is a statement to confirm, and others.

    >>> from retrieval.tables.index import CellIndex
    >>> index = CellIndex.build([])
    >>> list(plain_forms("Is it true that the Reed is long?", index))
    ['Is the Reed long']
    >>> list(plain_forms("Name the boats that sail.", index))[1:]
    ['which boats sail']
    >>> list(plain_forms("Among the boats from Hull, which is the longest?", index))[:1]
    ['which boats from Hull is the longest']
    """
    tokens = tuple(tokens_of(question))
    language = language_of(tokens, languages())
    words = _unpleaded(tokens, language)
    if ending := next((said for said in language.endings if words[-len(said) :] == said), ()):
        words = words[: -len(ending)]
        question = written(words, question)
    asserted = _asserted(words, language, index)
    if asserted:
        yield written(asserted, question)
        return
    requested = _requested(words, language, index)
    is_of_same = not language.same.isdisjoint(words)  # *list the boats with the same port as the Kite* asks for no port
    plainer = (
        _restricted(words, language),
        _counted_measure(words, language),
        _timed(words, language),
        _of_year(words, language),
        _of_all(words, language, index),
        requested if is_of_same else (),
    )
    yield from (written(form, question) for form in plainer if form)
    yield question
    forms = (
        requested,
        _of_which(words, language),
        _added(words, language),
        _of_two(words, language),
        _better_of(words, language),
        _of_topic(words, language),
    )
    yield from (written(form, question) for form in forms if form)


def _unpleaded(tokens: Phrase, language: Language) -> Phrase:
    """Return the tokens without the closing comma, and without a plea at either end."""
    idle = language.pleas | {COMMA}
    places = [i for i, token in enumerate(tokens) if token not in idle]
    return tokens[places[0] : places[-1] + 1] if places else ()


def _asserted(words: Phrase, language: Language, index: Cells) -> Phrase:
    """Return the question whether a statement is so, for one that asks to confirm it; empty for others."""
    start = next((len(said) for said in language.asserting if words[: len(said)] == said), 0)
    end = next((len(said) + 1 for said in language.confirming if words[-len(said) - 1 :] == (COMMA, *said)), 0)
    said = words[start : len(words) - end]
    if not (start or end) or not said or COMMA in said:
        return ()
    asking = language.kinds | language.before_adjectives | language.helpers | language.copulas
    return said if said[0] in asking else _as_question(said, language, index)


def _as_question(said: Phrase, language: Language, index: Cells) -> Phrase:
    """Return a statement as a question: with its first auxiliary before its subject, or with another one there."""
    named = {place for name in mentions_of(said, index) for place in name.places}
    free = [i for i in range(1, len(said)) if i not in named]
    first = next((i for i in free if said[i] in language.helpers | language.copulas), None)
    if first is not None and said[first] in language.copulas | language.auxiliaries:
        return said[first], *said[:first], *said[first + 1 :]
    return min(language.support), *said


def _requested(words: Phrase, language: Language, index: Cells) -> Phrase:
    """Return the question of a request; empty for others."""
    start = next((len(said) for said in language.requests if words[: len(said)] == said), 0)
    asked = words[start:]
    if not start or not asked or COMMA in asked:
        return ()
    if asked[0] in language.kinds | language.before_adjectives:
        return asked
    skipped = language.articles | language.every
    asked = asked[next((i for i, word in enumerate(asked) if word not in skipped), len(asked)) :]
    which = (language.wordings["which"],)
    of = next((i for i, word in enumerate(asked) if word in language.partitive), len(asked))
    relative = next((i for i, word in enumerate(asked) if i and word in language.relatives), len(asked))
    if relative < of:
        return *which, *asked[:relative], *asked[relative + 1 :]
    if 0 < of < len(asked) and asked[of - 1] in index.measure_words:
        label, name = " ".join(asked[:of]), " ".join(asked[of + 1 :])
        return tuple(language.wordings["value_of"].format(label=label, name=name).split())
    head = next((word for word in reversed(asked[: min(of, relative)]) if word.isalpha()), "")
    return (*which, *asked) if index.of_kind(head) or head in index.measure_words or index.holding(head) else ()


def _restricted(words: Phrase, language: Language) -> Phrase:
    """Return the question with a restriction that stands before it, or an exclusion, where it belongs; empty for
    others.
    """
    comma = words.index(COMMA) if COMMA in words else 0
    before, behind = words[:comma], words[comma + 1 :]
    if not before or len(behind) < 2 or COMMA in behind or behind[0] not in language.kinds | language.before_adjectives:
        return ()
    if excepting := next((said for said in language.excluding if before[: len(said)] == said), ()):
        return *behind, *min(language.excepting, key=len), *before[len(excepting) :]
    among = next((len(said) for said in language.among if before[: len(said)] == said), 0)
    if not among:
        return ()
    kind = before[among:][before[among] in language.articles :]
    rest = behind[2:] if behind[1] in language.singles else behind[1:]
    is_alone = behind[1] in language.singles | language.copulas | language.helpers
    return (behind[0], *kind, *rest) if is_alone else ()


def _of_which(words: Phrase, language: Language) -> Phrase:
    """Return *which boat has the highest fee* for *for which boat is the fee the highest* and *the fee of which boat is
    the highest*; empty for others.
    """
    which, has = language.wordings["which"], language.wordings["has"]
    place = next((i for i, word in enumerate(words) if word == which), 0)
    verb = next((i for i in range(place + 1, len(words)) if words[i] in language.copulas), 0)
    if not 0 < place < verb or COMMA in words:
        return ()
    kind, behind = words[place + 1 : verb], words[verb + 1 :]
    before = words[: place - 1]
    if words[place - 1] in language.partitive and before:
        label, said = before, behind
    elif words[place - 1] in language.of_each and not before:
        end = next((i for i, word in enumerate(behind) if i and _is_said(word, language)), len(behind))
        label, said = behind[:end], behind[end:]
    else:
        return ()
    label = _without_count(tuple(word for word in label if word not in language.articles), language)
    said = tuple(word for word in said if word not in language.articles)
    if not label or not said:
        return ()
    is_superlative = language.degree_of(said[0]) == "superlative" and said[0] not in language.nearest
    return (which, *kind, has, *said, *label) if is_superlative else (which, *kind, has, *label, *said)


def _without_count(label: Phrase, language: Language) -> Phrase:
    """Return a label without the words that ask for a number: *how many visitors*, for their number."""
    counting = next((said for said in language.counting if label[: len(said)] == said), ())
    return label[len(counting) :]


def _counted_measure(words: Phrase, language: Language) -> Phrase:
    """Return *with visitors above 9* for *with a number of visitors above 9*; empty for others."""
    for said in sorted(language.counting, key=len, reverse=True):
        at = phrase_places(words, said)
        if at.start > 1 and words[at.start - 1] in language.indefinite:
            which = (
                ()
                if words[0] in language.kinds | language.listing | language.helpers
                else (language.wordings["which"],)
            )
            return (*which, *words[: at.start - 1], *words[at.stop :])
    return ()


def _timed(words: Phrase, language: Language) -> Phrase:
    """Return *when was it built* for *in which year was it built*; empty for others."""
    times = sorted(language.answers.get("time", ()), key=len)
    start = int(words[:1] != () and words[0] in language.statement_words("places"))
    asked = next((said for said in reversed(times) if len(said) > 1 and words[start : start + len(said)] == said), ())
    behind = words[start + len(asked) :]
    verbs = language.copulas | language.helpers
    return (*times[0], *behind) if asked and behind and behind[0] in verbs and COMMA not in words else ()


def _of_year(words: Phrase, language: Language) -> Phrase:
    """Return *built in 1998* for *built in the year 1998*; empty for others."""
    years = (i for i, word in enumerate(words[:-1]) if i > 1 and word in language.years and is_number(words[i + 1]))
    at = next((i for i in years if words[i - 1] in language.articles), 0)
    return (*words[: at - 1], *words[at + 1 :]) if at else ()


def _of_all(words: Phrase, language: Language, index: Cells) -> Phrase:
    """Return *how many boats are there* for *how many boats are there altogether*, which adds up nothing; empty for
    others.
    """
    begins = [said for name, said in language.operations if name == "count" and words[: len(said)] == said]
    ends = [said for name, said in language.operations if name == "total" and words[-len(said) :] == said]
    is_of_kind = bool(begins and ends) and is_kind("".join(words[len(begins[0]) : len(begins[0]) + 1]), index)
    return words[: -len(ends[0])] if is_of_kind else ()


def _added(words: Phrase, language: Language) -> Phrase:
    """Return the question for the total of what is added up; empty for others."""
    adding = next((said for said in language.adding if phrase_places(words, said)), ())
    at = phrase_places(words, adding) if adding else range(0)
    if not at or COMMA in words:
        return ()
    idle = language.kinds | language.support | language.articles
    rest = tuple(word for i, word in enumerate(words) if i not in at)
    if not at.start:
        rest = words[at.stop :]
    first = next((i for i, word in enumerate(rest) if word not in idle), len(rest))
    last = len(rest) - (rest[-1:] != () and rest[-1] in language.beside)
    summed = _without_count(rest[first:last], language)
    return tuple(language.wordings["total"].format(measure=" ".join(summed)).split()) if summed else ()


def _of_two(words: Phrase, language: Language) -> Phrase:
    """Return *which is smaller* for *which of the two is smaller*, before names; empty for others."""
    of = next((i for i, word in enumerate(words) if i and word in language.partitive), len(words))
    behind = words[of + 1 : of + 3]
    is_number_of = len(behind) > 1 and behind[0] in language.articles and is_number(behind[1])
    is_asked = words[:1] != () and words[0] in language.kinds and of == 1 and COMMA in words
    return (*words[:of], *words[of + 3 :]) if is_asked and is_number_of else ()


def _better_of(words: Phrase, language: Language) -> Phrase:
    """Return *which boat is the longest* for *which of the boats is longer*, without one to compare with; empty for
    others.
    """
    is_asked = len(words) > 1 and words[0] in language.kinds
    place = next((i for i, word in enumerate(words) if language.degree_of(word) == "comparative"), 0)
    joined = language.comparing | language.joining | {COMMA}
    if not is_asked or place < 2 or not joined.isdisjoint(words):
        return ()
    best = superlative_of(words[place], language.adjectives, language.ends)
    start = 2 if words[1] in language.partitive else 1
    kind = words[start + (words[start] in language.articles) : place]
    return (words[0], *kind, best, *words[place + 1 :]) if best and kind and not is_number(kind[0]) else ()


def _of_topic(words: Phrase, language: Language) -> Phrase:
    """Return the question with its topic in the place of a pronoun: *the hire of the Kite: how high is it*; empty for
    others.
    """
    comma = words.index(COMMA) if COMMA in words else 0
    topic, behind = words[:comma], words[comma + 1 :]
    is_asked = behind[:1] != () and behind[0] in language.kinds | language.before_adjectives | language.copulas
    pronoun = next((i for i, word in enumerate(behind) if word in language.pronouns), None)
    is_topic = bool(topic) and len(topic) <= _LONGEST_TOPIC and COMMA not in behind
    if not is_topic or not is_asked or pronoun is None or not language.helpers.isdisjoint(topic):
        return ()
    return (*behind[:pronoun], *topic, *behind[pronoun + 1 :])


def _is_said(word: str, language: Language) -> bool:
    """True for a word that begins what is said of a value: an article, a limit or a superlative."""
    limits = {said[0] for said in language.limits}
    return word in language.articles | limits or language.degree_of(word) in ("comparative", "superlative")
