"""The many ways to ask for a fight, brought to the words that the planner knows: *takes on* is *fights*.

Also who stands together: in *a knight and a priest against an ogre* two are one side.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from agent.domains.combat.facts import MEASURES, measure_of
from agent.domains.combat.mentions import ARMOR, CONTEST, VERSUS, WIELD, Head, may_name, run
from agent.domains.combat.uncounted import LACKING
from agent.languages.language import english
from agent.languages.phrases import found
from agent.understanding.clauses import ARTICLES, COMMA
from agent.understanding.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, title_key

_PLAIN = {
    tuple(phrase.split("-")): plain
    for plain, phrases in (
        ("fight", "brawl clash skirmish showdown matchup wrestle spar lose loser losing take-on taking-on square-off"),
        ("fight", "face-off facing-off toe-to-toe hold-off fend-off go-after cross-sword cross-blade come-to-blow"),
        ("fight", "in-melee a-melee"),
        ("defeat", "conquer destroy crush overwhelm bring-down take-down finish-off too-much-for get-the-better-of"),
        ("win", "won triumph alive on-top stand-a-chance last-one walk-away"),
        ("victor", "victorious"),
        ("survive", "survivor"),
        ("kill", "killer"),
        ("slay", "slew"),
        ("wield", "holding hefting clutching"),
        ("versus", "go-up-against up-against pitted-against"),
        ("fare", "come-off"),
    )
    for phrase in phrases.split()
}
"""What the planner knows each word or phrase as."""
_THROWS = frozenset({"hit", "miss", "save", "saving", "roll"})
_SETTINGS = frozenset(
    "fight fighting fought duel battle combat odds match jumped ambush ambushed standing favored".split()
)
"""Words of fighting that do not ask how one ends."""
_BEFORE_NAMES = frozenset({"or", "my", "your", "our"})
_LOSING = frozenset({"lose", "loser", "losing"})
_LESS = frozenset("less least lower lowest smaller smallest slimmer slimmest worse worst".split())
_ASKED_BY_WORDS = frozenset(
    "what how which when where why compare comparison difference differ stat statistic better worse higher lower fewer "
    "faster slower".split()
)
_FARES = frozenset({"do", "fare", "up", "manage"})
_ATTACKS = frozenset({"attack", "attacked"})
_AMOUNTS = frozenset({"much", "many", "often", "far", "long", "damage"})
_CHANCES = frozenset({"chance", "odd", "probability", "likelihood"})
_LIKELY = _CHANCES | {"likely", "likelier", "probable"}
_NEAR = 6
"""Tokens from *how much* to the chance that it asks for."""
_SEVERAL = {"pair": 2, "couple": 2, "duo": 2, "trio": 3, "quartet": 4, "dozen": 12}
_MEETS = frozenset({"meet", "face"})
_OF_GEAR = frozenset({"weapon", "armor", "gear", "item"})
_NOBODY = frozenset(
    "party group band team pair duo trio other winner loser first second former latter one fair".split()
)
_JOINS = frozenset({"and", "or", "&", "plus"})
_BARE = ARTICLES | MEASURES | {"with", "of", "in", COMMA}
_TOGETHER = frozenset({"and", "&", "plus", COMMA})
_LONGEST = max(map(len, _PLAIN))
_BEGINNINGS = frozenset(phrase[0] for phrase in _PLAIN)


def in_plain_words(tokens: Sequence[str], said: AbstractSet[str] = frozenset()) -> list[str]:
    """Tokens of a sentence with the verbs of fighting in the form that the planner knows; `said` is in others.

    >>> in_plain_words(["a", "knight", "battling", "a", "troll"])
    ['a', 'knight', 'battle', 'a', 'troll']
    """
    out: list[str] = []
    i = 0
    tokens = _counts(tokens)
    while i < len(tokens):
        sizes = range(_LONGEST, 0, -1) if tokens[i] in _BEGINNINGS else ()
        size = next((n for n in sizes if tuple(tokens[i : i + n]) in _PLAIN), 0)
        out.append(_PLAIN[tuple(tokens[i : i + size])] if size else _verb(tokens[i]))
        i += max(size, 1)
    return _with_odds(_faring(out), said)


def _counts(tokens: Sequence[str]) -> list[str]:
    """*A pair of knights* are two and *a dozen orcs* twelve; a pair of knives that somebody wields stays what it is."""
    out: list[str] = []
    for i, token in enumerate(tokens):
        if token in _SEVERAL and out[-1:] == ["a"] and not set(out[-2:-1]) & WIELD:
            out[-1] = str(_SEVERAL[token])
        elif not (token == "of" and tokens[i - 1] in _SEVERAL and out[-1:] == [str(_SEVERAL[tokens[i - 1]])]):
            out.append(token)
    return out


def _verb(token: str) -> str:
    """*Battling* is *battle*, *beating* is *beat*, *hitting* is *hit*, *winning* stays as it is known."""
    if not token.endswith(("ing", "ed")) or token in CONTEST | _THROWS:
        return token
    stem = token.removesuffix("ing").removesuffix("ed")
    return next((base for base in (stem, stem + "e", stem[:-1]) if base in CONTEST | _THROWS), token)


def is_about_a_roll(words: AbstractSet[str]) -> bool:
    """*Who hits more often in a fight?*: how it ends is not asked."""
    return bool(words & _THROWS) and not words & (CONTEST - _SETTINGS)


def asks_loser(texts: Sequence[Sequence[str]]) -> bool:
    """True where the less likely winner is asked for: *who is less likely to win*, *who loses*.

    >>> asks_loser([["who", "is", "less", "likely", "to", "win"]]), asks_loser([["less", "likely", "to", "lose"]])
    (True, False)
    """
    tokens = [token for text in texts for token in text]
    pairs = set(pairwise(tokens))
    loses = any(_is_losing(tokens, i) for i in range(len(tokens))) and not {"win", "winner"} & set(tokens)
    less = "unlikely" in tokens or any(one in _LESS and other in _LIKELY for one, other in pairs)
    wins = next((i for i, token in enumerate(tokens) if token in ("win", "prevail", "survive")), 0)
    never = "not" in tokens[max(0, wins - 3) : wins] and not {"who", "which"}.isdisjoint(tokens[:wins])
    return (loses + less + never) % 2 == 1


def _is_losing(tokens: Sequence[str], i: int) -> bool:
    """*Who loses the fight*; one who loses his sword does not."""
    after = [token for token in tokens[i + 1 : i + 3] if token not in ARTICLES]
    plain = tokens[i + 1 : i + 2] in ([], [COMMA]) or bool(set(after[:1]) & (CONTEST | VERSUS | {"in", "if", "when"}))
    return tokens[i] in _LOSING and (plain or tokens[i - 1] == "the")


def noun_begins(tokens: Sequence[str], start: int) -> int:
    """Where the adjectives of a name begin: *a blind* owlbear, *two drunk* orcs, *an unarmed* fighter."""
    first = start
    while first and may_name(tokens[first - 1]) and tokens[first - 1] not in ARTICLES | _JOINS | _BEFORE_NAMES:
        first -= 1
    if start == 0:
        return 0
    before = tokens[first - 1] if 0 < first < start else ""
    bounded = before in ARTICLES | VERSUS | _BEFORE_NAMES or (before and _is_count(tokens, first - 1))
    return first if bounded else start - int(tokens[start - 1] in LACKING)


def _is_count(tokens: Sequence[str], i: int) -> bool:
    return tokens[i].isdigit() and (i == 0 or not {tokens[i - 1]} & MEASURES)


def _faring(tokens: list[str]) -> list[str]:
    """*How would she do against a troll?* and *what happens if she attacks it?* ask for a fight."""
    for i, token in enumerate(tokens):
        faring = token in _FARES and tokens[i + 1 : i + 2] == ["against"] and "how" in tokens[:i]
        if (faring or (token in _ATTACKS and "happen" in tokens[:i])) and not _AMOUNTS & set(tokens):
            return [*tokens[:i], "fight", *tokens[i + 1 :]]
    return tokens


def _with_odds(tokens: list[str], said: AbstractSet[str]) -> list[str]:
    """*What chance does she have against a troll?* asks for odds; a chance to hide from one does not."""
    asking = _CHANCES & set(tokens)
    if not asking or not {*tokens, *said} & (VERSUS | _MEETS):
        return tokens
    if any({"to", "that"} & set(tokens[tokens.index(token) :]) for token in asking):
        return tokens
    return ["odds" if token in _CHANCES else token for token in tokens]


def with_opponents(tokens: Sequence[str], lexicon: Lexicon) -> list[str]:
    """*A fight with a troll* is one against it, a fight with a sword is not; *can she take a troll?* asks for one."""
    out = list(tokens)
    places = [i for i in range(1, len(tokens) - 1) if tokens[i] in ("with", "take")]
    known = {each.start for each in lexicon.mentions(tokens) if not lexicon.is_thing(each)} if places else ()
    for i in places:
        noun = tokens[i - 1] in CONTEST and tokens[i - 2] in ARTICLES | {"in"}
        named = next(
            (
                k
                for k in range(i + 1, len(tokens))
                if tokens[k] not in ARTICLES | {"level"} and not is_number(tokens[k])
            ),
            None,
        )
        if tokens[i] == "with" and noun and named in known:
            out[i] = "against"
        elif tokens[i] == "take" and named in known and not _AMOUNTS & set(tokens[:i]):
            out[i] = "defeat"
    return out


def is_plain_versus(texts: Sequence[Sequence[str]], heads: Sequence[Head], lexicon: Lexicon) -> bool:
    """*Three orcs against a 2nd level knight in mail*: set against each other, and nothing else is asked."""
    words = {token for tokens in texts for token in tokens}
    if not words & VERSUS or words & _ASKED_BY_WORDS:
        return False
    introduced = len(heads) > 1 and all(head.start and texts[0][head.start - 1] in ARTICLES for head in heads)
    if introduced or any(head.count != 1 or head.level is not None for head in heads):
        return True
    named = {i for head in heads for i in range(head.start, head.end)}
    rest = {token for i, token in enumerate(texts[0]) if i not in named}
    if len(texts) > 1 or len(heads) < 2 or not rest <= VERSUS | _TOGETHER:
        return False
    others = [head for head in heads if not lexicon.is_described(head.subject)]
    return len(others) < len(heads) and not any(lexicon.mentions(head.subject) for head in others)


def asks_how_many(tokens: Sequence[str]) -> bool:
    """*How many orcs can a knight beat?* is about no fight with one of them, *how many rounds* asks for these."""
    for amount in english().amounts:
        start = found(tokens, amount)
        if start is not None and _LIKELY.isdisjoint(tokens[start : start + _NEAR]):
            return True
    return False


def are_of_something_else(tokens: Sequence[str], heads: Sequence[Head]) -> bool:
    """*Gnoll vs hobgoblin lair chance*: the odds at the end are of what stands between them and the name."""
    end = next((i for i, token in enumerate(tokens) if token == "odds" and tokens[i + 1 :] in ([], [COMMA])), 0)
    return not (CONTEST - {"odds"} | {"survival"}) & set(tokens) and any(
        head.end < end == run(tokens, head.end) for head in heads
    )


def with_counts(tokens: Sequence[str], heads: Sequence[Head]) -> list[Head]:
    """The *three* of *three 2nd level knights*; two of a kind against somebody else are a count, and no twins."""
    out: list[Head] = []
    for head in sorted(heads, key=lambda head: (head.start, head.end)):
        again = out and head.start == head.end == out[-1].end and head.subject == out[-1].subject
        if again and len({other.subject for other in heads}) > 1:
            out[-1] = _counted(out[-1], 2)
            continue
        first = noun_begins(tokens, head.start)
        before = tokens[first - 1 : first]
        free = head.reference is None and (head.level is not None or first < head.start) and head.start != head.end
        is_own = before and before[0].isdigit() and _is_free(tokens, first - 1, heads)
        number = before[0] if free and is_own else ""
        out.append(_counted(head, int(number)) if number and (number != "2" or again or first < head.start) else head)
    return out


def _is_free(tokens: Sequence[str], place: int, heads: Sequence[Head]) -> bool:
    """False for the 3 of *an AC 3 level 4 fighter* and the 4 of *a fighter 4/thief 5*: each number has one owner."""
    return measure_of(tokens, place) is None and not any(head.start <= place < head.end for head in heads)


def _counted(head: Head, count: int) -> Head:
    return Head(head.start, head.end, head.subject, head.level, count, head.reference)


def things_that_fight(tokens: Sequence[str], heads: Sequence[Head], lexicon: Lexicon) -> list[Head]:
    """Ships and other rows of a table, where they stand as combatants would and nobody else does."""
    found = []
    for mention in lexicon.mentions(tokens):
        before = [
            t for t in tokens[max(0, mention.start - 4) : mention.start] if t not in ARTICLES and not is_number(t)
        ]
        near = set(before[-1:]) | set(tokens[mention.end : mention.end + 1])
        taken = any(head.start < mention.end and mention.start < head.end for head in heads)
        worn = set(tokens[mention.start : mention.end + 1]) & ARMOR or set(tokens) & _OF_GEAR
        if not lexicon.is_thing(mention) or taken or worn or set(before[-1:]) & WIELD:
            continue
        if any(head.end <= mention.start and _is_told(tokens[head.end : mention.start]) for head in heads):
            continue
        is_whole = run(tokens, mention.end) == mention.end
        chosen = before[-1:] == ["or"] and is_whole and not _is_one_of_gear(mention, tokens, lexicon)
        if not heads or chosen or near & (CONTEST | VERSUS):
            number = tokens[mention.start - 1 : mention.start]
            count = int(number[0]) if number and number[0].isdigit() else 1
            subject = tuple(t for t in tokens[mention.start : mention.end] if t != COMMA)
            found.append(Head(mention.start, mention.end, subject, None, count))
    return found


def _is_one_of_gear(mention: Mention, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """*A sword or a spear*: another thing of the same table stands before it."""
    tables = set(lexicon.holders.get(title_key(mention.name), ()))
    before = (other for other in lexicon.mentions(tokens) if other.end <= mention.start)
    return any(not tables.isdisjoint(lexicon.holders.get(title_key(other.name), ())) for other in before)


def _is_told(between: Sequence[str]) -> bool:
    """Nothing sets the one against the other: *a knight, AC 3, halberd*."""
    return COMMA in between and not set(between) & (CONTEST | VERSUS | {"or", "and"})


def unknown_others(tokens: Sequence[str], heads: Sequence[Head], lexicon: Lexicon) -> list[Head]:
    """*A knight and a basilisk against a troll*: one more that the book may not know, and that must not be left out.

    It stands behind an article or a number and a word that sets against, or an *and* or *or* right behind a combatant.
    """
    things = {mention.start for mention in lexicon.mentions(tokens) if lexicon.is_thing(mention)}
    found: list[Head] = []
    for i in range(1, len(tokens) - 1):
        end = run(tokens, i + 1)
        words = set(tokens[i + 1 : end])
        taken = any(head.start < end and i < head.end for head in (*heads, *found))
        opens = tokens[i] in ARTICLES or tokens[i].isdigit()
        if not opens or not words or taken or i + 1 in things or words & (ARMOR | _NOBODY):
            continue
        joined = tokens[i] in ARTICLES and tokens[i - 1] in _JOINS and _is_bare(tokens, i - 1, heads)
        if joined and words & lexicon.sorts and "with" in tokens[max(h.end for h in heads if h.end < i) : i]:
            continue  # *with AC 5 and a mace*
        if tokens[i - 1] in CONTEST | VERSUS or joined:
            count = int(tokens[i]) if tokens[i].isdigit() else 1
            found.append(Head(i + 1, end, tuple(tokens[i + 1 : end])[:3], None, count))
    return found


def _is_bare(tokens: Sequence[str], end: int, heads: Sequence[Head]) -> bool:
    """Nothing but an armor class or another number stands between the last combatant and this place."""
    last = max((head.end for head in heads if head.end <= end), default=None)
    between = tokens[last:end] if last is not None else ()
    return last is not None and all(t in _BARE or is_number(t) for t in between)


def is_adjective(head: Head, heads: Sequence[Head], lexicon: Lexicon) -> bool:
    """The *frightened* of *a frightened 1st level fighter* is nobody of its own."""
    followed = any(head.end == other.start < other.end for other in heads)
    return followed and head.level is None and lexicon.at(head.subject, 0) is None


def without_verb(head: Head, tokens: Sequence[str], lexicon: Lexicon) -> Head:
    """*A 4th level knight stand against an ogre*: one more word between a known name and *against* is a verb."""
    known = lexicon.at(head.subject, 0) if head.subject and tokens[head.end : head.end + 1] == ["against"] else None
    more = len(head.subject) - known.end if known else 0
    return replace(head, end=head.end - 1, subject=head.subject[:-1]) if more == 1 else head


def name_ends(tokens: Sequence[str], head: Head) -> int:
    """Behind the class or the level: the *riding a mule* of *a fighter riding a mule* is told of it."""
    places = (i for i in range(head.start, head.end) if tokens[i] in (*head.subject, "level") or is_number(tokens[i]))
    return max(places, default=head.end - 1) + 1


def words_beside(words: Sequence[str], head: Head) -> list[str]:
    """The *hasted* of *a 4th level hasted fighter*, and the *AC 3* of *a 4th level, AC 3 fighter*."""
    out: list[str] = []
    for i, token in enumerate(words):
        is_level = is_number(token) and (words[i - 1 : i] == ["level"] or words[i - 1 : i] == [*head.subject[-1:]])
        if not is_level and token not in (*head.subject, "level", COMMA):
            out.append(token)
    return out


def sides_of(tokens: Sequence[str], heads: Sequence[Head]) -> tuple[tuple[int, ...], ...]:
    """The places of those who stand together, where one word sets all before it against all behind it.

    Empty where each fights for itself: *a knight, a priest or an ogre*, *which of a knight and a priest*.
    """
    links = [_link(tokens[one.end : other.start]) for one, other in pairwise(heads)]
    is_choice = "which" in tokens or tokens[0] in ("of", "among", "between")
    if len(heads) < 3 or any(head.reference is not None for head in heads) or is_choice:
        return ()
    for separating in ("against", "or"):
        cuts = [i for i, link in enumerate(links, start=1) if link == separating]
        rest = [link for link in links if link != separating]
        if len(cuts) == 1 and rest and set(rest) <= _TOGETHER and (separating == "against" or COMMA not in rest):
            return tuple(range(cuts[0])), tuple(range(cuts[0], len(heads)))
    return ()


def _link(between: Sequence[str]) -> str:
    """What stands between two combatants: *against* for all that sets them against each other, *or*, *and*, a comma."""
    if set(between) & (VERSUS | CONTEST):
        return "against"
    words = [t for t in between if t not in ARTICLES and not is_number(t)]
    last = words[-1] if words else ""
    if last in _TOGETHER - {COMMA}:
        return "and"
    return last if last in ("or", COMMA) else "?"
