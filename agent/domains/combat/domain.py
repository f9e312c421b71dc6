"""Combat as a domain: who wins a fight, and look-ups of the values that a fight is computed from."""

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
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.rulebook.profile import has_fights, usual_scales
from agent.domains.combat.types import Duel, Lookup
from agent.plugins.domain import Claims, Domain, Drafted, Rank, Scales
from agent.types import Finding, Reasoned
from agent.understanding.question.intent import Intent
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import title_key
from retrieval.types import Chunk

_COMBAT_WORDS = TERMS | {"who", "fight", "duel", "combat"}
"""Words of a question about combat, whatever the collection calls its weapons."""


class Combat(Domain):
    """Fights, and look-ups of rolls to hit, armor classes and the other values that a fight is computed from."""

    name = "combat"
    drafting = FIGHT
    tools = (DUEL_ODDS,)

    def concerns(self, tokens: Sequence[str], lexicon: Lexicon) -> bool:
        """Return False if neither the collection's labels nor the question's words belong to a game."""
        return has_fights(lexicon) or not _COMBAT_WORDS.isdisjoint(tokens)

    def is_at_home(self, lexicon: Lexicon) -> bool:
        """Return True for a collection with labels of values that a fight is computed from."""
        return bool(lexicon.labels) and has_fights(lexicon)

    def recognise(self, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return the fight that the question asks about, or its look-up of combat."""
        said = CombatQuestion.normalise(asked, lexicon)
        return fight_in(said) or lookup_in(said)

    def continued(self, previous: Intent, asked: Tagged, lexicon: Lexicon) -> Intent | None:
        """Return the previous fight or look-up, changed as the new question asks."""
        if isinstance(previous, Duel):
            return continued_fight(previous, asked, lexicon)
        if isinstance(previous, Lookup):
            return continued_lookup(previous, asked, lexicon)
        return None

    def drafted(self, drafted: Drafted) -> tuple[Intent, tuple[str, ...]] | None:
        """Return the fight that a model drafted."""
        return drafted_fight(drafted)

    def is_sure(self, intent: Intent, lexicon: Lexicon) -> bool:
        """Return True for every look-up, and for a fight whose subjects are all names of the collection."""
        return not isinstance(intent, Duel) or all(title_key(who.subject) in lexicon.names for who in intent.combatants)

    def rank(self, finding: Finding) -> Rank | None:
        """Return the first side of a fight with its chance to win."""
        return first_side(finding) if finding.reasoner == self.name else None

    def reason(self, intent: Intent, chunks: Sequence[Chunk], prefix: str) -> Reasoned | None:
        """Compute the duel or the look-up."""
        if isinstance(intent, Duel):
            return reasoner.reason(intent, chunks, prefix)
        if isinstance(intent, Lookup):
            return look_up(intent, chunks, prefix)
        return None

    def scales(self) -> Scales:
        """Return the direction of each measure of combat: whether more or less is better."""
        return usual_scales()

    def follows(self, value: str, measure: str) -> Iterable[float]:
        """Yield the chance of a roll on a d20 in percent, and the average hit points of a creature's hit dice."""
        return expected_values(value, measure)

    def claims(self, finding: Finding) -> Claims | None:
        """Return the check of an answer's claims about the winner."""
        return Outcome(finding) if finding.reasoner == self.name else None
