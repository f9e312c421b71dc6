"""Combat as a domain: who wins a fight, and look-ups of what fights are computed from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.domains.combat.fighting import reasoner
from agent.domains.combat.fighting.lookup_values import look_up
from agent.domains.combat.fighting.outcome import Outcome, expected_values, first_side
from agent.domains.combat.fighting.tools import DUEL_ODDS
from agent.domains.combat.question.drafts import FIGHT, drafted_fight
from agent.domains.combat.question.facts import TERMS
from agent.domains.combat.question.follow_ups import continued_fight, continued_lookup
from agent.domains.combat.question.lookups import lookup_in
from agent.domains.combat.question.recognise import fight_in
from agent.domains.combat.question.said import Said
from agent.domains.combat.rulebook.profile import has_fights, usual_scales
from agent.domains.combat.types import Duel, Lookup
from agent.plugins.domain import Claims, Domain, Drafted, Rank, Scales
from agent.types import Finding, Reasoned
from agent.understanding.question.intent import Intent
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import title_key
from retrieval.types import Chunk

_OF_A_GAME = TERMS | {"who", "fight", "duel", "combat"}
"""Words of a question about those who fight, whatever the collection calls what they fight with."""


class Combat(Domain):
    """Fights, and look-ups of rolls to hit, armor classes and what else fights are computed from."""

    name = "combat"
    drafting = FIGHT
    tools = (DUEL_ODDS,)

    def concerns(self, tokens: Sequence[str], lexicon: Lexicon) -> bool:
        """False where neither a label of the collection nor the question is of a game."""
        return has_fights(lexicon) or not _OF_A_GAME.isdisjoint(tokens)

    def is_at_home(self, lexicon: Lexicon) -> bool:
        """True for a collection with labels of what fights are computed from."""
        return bool(lexicon.labels) and has_fights(lexicon)

    def recognise(self, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """The fight that is asked about, or a look-up of combat."""
        said = Said.of(asked, lexicon)
        return fight_in(said) or lookup_in(said)

    def continued(self, previous: Intent, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """The fight or look-up with what the new question changes."""
        if isinstance(previous, Duel):
            return continued_fight(previous, asked, lexicon)
        if isinstance(previous, Lookup):
            return continued_lookup(previous, asked, lexicon)
        return None

    def drafted(self, drafted: Drafted) -> tuple[Intent, tuple[str, ...]] | None:
        """The fight that a model drafted."""
        return drafted_fight(drafted)

    def is_sure(self, intent: Intent, lexicon: Lexicon) -> bool:
        """True for a fight of those that the collection knows, and for every look-up."""
        return not isinstance(intent, Duel) or all(title_key(who.subject) in lexicon.names for who in intent.combatants)

    def rank(self, finding: Finding) -> Rank | None:
        """The first side of a fight with its chance to win."""
        return first_side(finding) if finding.reasoner == self.name else None

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        """Fight the duel, or look up what is asked."""
        if isinstance(intent, Duel):
            return reasoner.reason(intent, chunks, prefix)
        if isinstance(intent, Lookup):
            return look_up(intent, chunks, prefix)
        return None

    def scales(self) -> Scales:
        """Which way the measures of a fight go."""
        return usual_scales()

    def follows(self, value: str, measure: str) -> Iterable[float]:
        """The chance of a roll on a d20, in percent, and the average hit points of a creature's hit dice."""
        return expected_values(value, measure)

    def claims(self, finding: Finding) -> Claims | None:
        """Who may be said to win."""
        return Outcome(finding) if finding.reasoner == self.name else None
