"""Every question that is not a fight: which entities, which attribute, which keys, and which end of the scale.

Entities are names that the book knows, and alternatives that stand where such names would (*an orc or a flumph*), so
that an unknown one is missed aloud. What remains of the question is the attribute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agent.languages.language import english
from agent.understanding.attributes import asks_price, attribute_parts, is_superlative, measure_alone, preference
from agent.understanding.clauses import ARTICLES, COMMA, in_own_words, tokens_of
from agent.understanding.conditions import is_conditional, is_negated_choice, kind_asked
from agent.understanding.coordination import borrowed
from agent.understanding.intent import Comparison
from agent.understanding.keys import Key, axis_keys, in_digits, is_crossed, keys_of, levels_of_things, with_levels
from agent.understanding.lexicon import Lexicon, Mention
from agent.understanding.measures import measures
from agent.understanding.typos import slipped
from retrieval.tables.measures import canonical
from retrieval.text.normal import STOP_WORDS, is_number, phrase, title_key

_LONGEST_KIND = 3
_WHICH = frozenset({"which", "what", "who", "whose"})
_NO_NAME = frozenset({"or", "and", "versus", "vs", "v", COMMA, "between", "than", "among", "&"})


@dataclass(frozen=True, slots=True)
class Roles:
    """Who is asked about, and under which keys.

    The tokens at the places `aside` tell of somebody else, by whom a domain finds the answer; then `attribute` may be
    what is asked, whatever else the question says.
    """

    asked: tuple[Mention, ...]
    keys: tuple[Key, ...] = ()
    aside: frozenset[int] = frozenset()
    attribute: str = ""


class RoleReader(Protocol):
    """How a domain tells who has which part in a look-up."""

    def worded(self, tokens: list[str]) -> list[str]:
        """The tokens of the question, in the words of the domain."""
        ...

    def roles(self, tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[Key], lexicon: Lexicon) -> Roles:
        """The roles of those that the question mentions."""
        ...


class _Plain:
    """Without a domain, all that is mentioned is asked about."""

    def worded(self, tokens: list[str]) -> list[str]:
        return tokens

    def roles(self, tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[Key], lexicon: Lexicon) -> Roles:
        return Roles(tuple(mentions), tuple(keys))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A comparison with the tokens and the roles that it was read from."""

    comparison: Comparison
    tokens: tuple[str, ...]
    roles: Roles


@dataclass(frozen=True, slots=True)
class _Field:
    """All there is of a kind: the names with tables of their own, or the chunks that list it; its tokens."""

    names: tuple[str, ...] = ()
    chunks: tuple[tuple[str, str], ...] = ()
    places: frozenset[int] = frozenset()


def parse_comparison(question: str, lexicon: Lexicon) -> Comparison:
    """Return what a question asks: of a lookup one entity, of a comparison several, of an open question none."""
    return parsed(question, lexicon, _Plain()).comparison


def parsed(question: str, lexicon: Lexicon, reader: RoleReader) -> Parsed:
    """Return what a question asks, with the roles that a domain tells."""
    question = in_digits(question, lexicon)
    tokens = with_levels(reader.worded(tokens_of(question)), lexicon)
    mentions = _mentions(tokens, lexicon)
    keys = tuple(keys_of(tokens, levels_of_things(tokens, mentions)))
    roles = reader.roles(tokens, mentions, keys, lexicon)
    return Parsed(replace(_parsed(tokens, roles, question, lexicon), question=question), tuple(tokens), roles)


def _parsed(tokens: Sequence[str], roles: Roles, question: str, lexicon: Lexicon) -> Comparison:
    asked = _entities(tokens, roles, lexicon)
    if not asked and not roles.aside and (field := _field(tokens, roles.keys, lexicon)) is not None:
        return _of_a_field(tokens, field, roles, question, lexicon)
    keys = (*roles.keys, *axis_keys(tokens, asked, roles.keys, lexicon))
    names = tuple(dict.fromkeys(called(m, tokens, question) for m in asked))
    read = _read(tokens, asked, roles, keys, question, lexicon)
    if names and not read.attribute and all(map(lexicon.is_thing, asked)) and asks_price(tokens):
        read = replace(read, attribute="cost")
    if not names and not roles.aside and not read.attribute:
        read = replace(read, attribute=question.strip().rstrip("?!. "))
    return replace(
        read,
        entities=names,
        superlative=_is_chosen(tokens, names) and not keys,
        crossed=is_crossed(tokens),
        among=_of_kind(tokens, asked, lexicon),
    )


def _is_chosen(tokens: Sequence[str], names: Sequence[str]) -> bool:
    """True where one thing or some are picked out of all there are, and quoting what is near would not do that."""
    return (len(names) < 2 and is_superlative(tokens)) or (not names and is_negated_choice(tokens))


def _of_kind(tokens: Sequence[str], asked: Sequence[Mention], lexicon: Lexicon) -> tuple[tuple[str, str], ...]:
    """All there is of a kind, where the one thing that is named may be what its members have: *depots in the North*."""
    if len(asked) != 1 or not lexicon.is_thing(asked[0]) or not is_conditional(tokens) or preference(tokens):
        return ()
    field = _all_of_kind(list(_spans(tokens, lexicon.kinds)), kind_asked(tokens), lexicon)
    return field.chunks if field is not None else ()


def _read(
    tokens: Sequence[str],
    asked: Sequence[Mention],
    roles: Roles,
    keys: Sequence[tuple[str, str]],
    question: str,
    lexicon: Lexicon,
) -> Comparison:
    """What is asked, once it is known of whom."""
    own = {token for name, _ in keys[len(roles.keys) :] for token in phrase(name)}  # an axis and its unit
    taken = _taken(tokens, asked, keys, own) | roles.aside
    taken |= {i for i, token in enumerate(tokens) if canonical(token) == "total" and len(asked) > 1}
    parts = [" ".join(words) for words in attribute_parts(tokens, taken, question)]
    attribute = roles.attribute or " ".join(parts)
    listed = tuple(parts) if len(parts) > 1 and not roles.attribute else ()
    return Comparison((), attribute, tuple(keys), preference(tokens), parts=listed)


def _taken(
    tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[tuple[str, str]], own: Collection[str]
) -> set[int]:
    """The tokens that name somebody or are a key: the term and its numbers."""
    names = {"level" if name.endswith(" level") else name for name, _ in keys}
    taken = {i for m in mentions for i in range(m.start, m.end)}
    for i, token in enumerate(tokens):
        near = [t for t in (*tokens[i + 1 : i + 3], *tokens[max(0, i - 1) : i]) if is_number(t)]
        if (token in names and near) or token in own:
            taken.add(i)
    return taken


def called(mention: Mention, tokens: Sequence[str], question: str) -> str:
    """A name in the asker's words, or in the book's where they differ in more than form (*cut-purse*)."""
    own = in_own_words(tokens[mention.start : mention.end], question)
    return own if title_key(own) == title_key(mention.name) else mention.name


def _mentions(tokens: Sequence[str], lexicon: Lexicon) -> list[Mention]:
    known = [m for m in lexicon.mentions(tokens) if not _is_attribute(m, tokens)]
    known = [m for m in known if not _is_counted(m, tokens, known, lexicon)]
    if is_superlative(tokens):
        known = [m for m in known if not _is_in_kind(m, tokens, lexicon)]
    return borrowed(tokens, sorted([*known, *slipped(tokens, known, lexicon)], key=lambda m: m.start), lexicon)


def _entities(tokens: Sequence[str], roles: Roles, lexicon: Lexicon) -> list[Mention]:
    """Those who are asked about: where some can be characters or creatures, a thing beside them is none."""
    known = list(roles.asked)
    if not all(map(lexicon.is_thing, known)):
        known = [m for m in known if not lexicon.is_thing(m)]
    others = [] if roles.aside else list(_alternatives(tokens, known))
    return sorted([*known, *others], key=lambda m: m.start)


def _is_attribute(mention: Mention, tokens: Sequence[str]) -> bool:
    """A known name that only says which attribute is meant, as in *saving throw against breath weapons*."""
    clause = max((i + 1 for i in range(mention.start) if tokens[i] == COMMA), default=0)
    before = [t for t in tokens[max(clause, mention.start - 3) : mention.start] if t not in ARTICLES]
    saved = bool({"saving", "save"} & set(tokens)) and any(t in ("against", "versus", "vs") for t in before)
    return saved or (mention.end < len(tokens) and is_number(tokens[mention.end]))


def _is_counted(mention: Mention, tokens: Sequence[str], known: Sequence[Mention], lexicon: Lexicon) -> bool:
    """The *henchmen* of *how many henchmen can a character with charisma 16 have*: what is asked, not of whom."""
    behind = tuple(tokens[max(0, mention.start - 2) : mention.start]) == ("how", "many")
    return behind and lexicon.is_thing(mention) and (len(known) > 1 or bool(keys_of(tokens)))


def _is_in_kind(mention: Mention, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """The *Tern* of *the Tern Yards*, where that is what a table is called."""
    spans = (places for places, _ in _spans(tokens, lexicon.kinds))
    return any(places > set(range(mention.start, mention.end)) for places in spans)


def _alternatives(tokens: Sequence[str], known: Sequence[Mention]) -> Iterator[Mention]:
    """Unknown names in a list with known ones: *the orc or the flumph*."""
    if len(known) != 1:
        return
    (one,) = known
    before, after = _neighbour(tokens, one.start, -1), _neighbour(tokens, one.end, 1)
    if after and after + 1 < len(tokens) and tokens[after] in ("or", "versus", "vs", "than", "and"):
        yield from _unknown(tokens, after + 1 + int(tokens[after + 1] in ARTICLES))
    elif before is not None and tokens[before] in ("or", "versus", "vs", "than"):
        articles = [i for i in range(before) if tokens[i] in ARTICLES]
        if articles:
            yield from _unknown(tokens, articles[-1] + 1)


def _neighbour(tokens: Sequence[str], at: int, step: int) -> int | None:
    i = at if step > 0 else at - 1
    while 0 <= i < len(tokens) and tokens[i] in ARTICLES:
        i += step
    return i if 0 <= i < len(tokens) else None


def ends_a_name(token: str) -> bool:
    """True for a word that no unknown name has."""
    return token in _NO_NAME or token in english().asking or token in measures()


def _unknown(tokens: Sequence[str], start: int) -> Iterator[Mention]:
    end = start
    while end < len(tokens) and end - start < 4 and not (ends_a_name(tokens[end]) or is_number(tokens[end])):
        end += 1
    if end > start:
        yield Mention(start, end, " ".join(tokens[start:end]))


def _field(tokens: Sequence[str], keys: Sequence[tuple[str, str]], lexicon: Lexicon) -> _Field | None:
    """What the best is sought among, where nobody is named: of a kind with tables of its own, or of a list."""
    conditional = is_conditional(tokens)
    ranked = preference(tokens) is not None and (is_superlative(tokens) or _WHICH & set(tokens))
    if not conditional and not ranked:
        return None
    spans = list(_spans(tokens, {*lexicon.kinds, *lexicon.families}))
    if conditional:
        return _all_of_kind(spans, kind_asked(tokens), lexicon)
    numbered = any(is_number(token) for token in tokens)
    for places, kind in spans:
        names = lexicon.families.get(kind, ())
        if numbered and len(names) > 1:
            named = min(places) and tokens[min(places) - 1] in _WHICH
            return _Field(tuple(names), (), places if named else frozenset())
    listed = [(places, lexicon.kinds[kind]) for places, kind in spans if lexicon.kinds.get(kind)]
    if not listed or keys:
        return None
    places, chunks = listed[0]
    for more, others in listed[1:]:
        if both := {id_: title for id_, title in chunks.items() if id_ in others}:
            chunks, places = both, places | (more if len(both) < len(others) or both.keys() == chunks.keys() else set())
    return _Field((), tuple(sorted(chunks.items())), places)


def _all_of_kind(spans: Sequence[tuple[frozenset[int], str]], start: int | None, lexicon: Lexicon) -> _Field | None:
    """All there is of the kind that stands at `start`."""
    chunks = next((lexicon.kinds.get(kind) for places, kind in spans if start in places), None)
    return _Field((), tuple(sorted(chunks.items()))) if chunks else None


def _spans(tokens: Sequence[str], kinds: Collection[str]) -> Iterator[tuple[frozenset[int], str]]:
    i = 0
    while i < len(tokens):
        if tokens[i] in STOP_WORDS | english().comparatives:
            i += 1
            continue
        sizes = (n for n in range(_LONGEST_KIND, 0, -1) if " ".join(tokens[i : i + n]) in kinds)
        size = next(sizes, 0)
        if size:
            yield frozenset(range(i, i + size)), " ".join(tokens[i : i + size])
        i += size or 1


def _of_a_field(tokens: Sequence[str], field: _Field, roles: Roles, question: str, lexicon: Lexicon) -> Comparison:
    """The best of all that a kind has: of names as in any comparison, of a list by reading all of it."""
    members = [Mention(0, 0, name) for name in field.names]
    keys = (*roles.keys, *axis_keys(tokens, members, roles.keys, lexicon))
    read = _read(tokens, members, roles, keys, question, lexicon)
    own = {token for name, _ in keys[len(roles.keys) :] for token in phrase(name)}
    parts = attribute_parts(tokens, _taken(tokens, (), keys, own) | field.places, question)
    attribute = " ".join(word for part in parts for word in part)
    if field.places and max(field.places) - min(field.places) < len(field.places):  # no other noun that it may rank
        attribute = attribute or measure_alone(tokens)
    if not attribute or (field.names and not set(phrase(attribute)) - {"best", "worst"}):
        attribute = read.attribute
    return replace(
        read, entities=field.names, attribute=attribute, superlative=not field.names, among=field.chunks, parts=()
    )
