"""Who wins a fight: read from the tables of role-playing games, computed exactly.

One fight, from the question to the odds, in the order of its packages; `domain` is the plug-in:

- `question`: `said` normalises the wording (`wording.toml`), `facts` assigns each number to its measure, `cast` finds
  the combatants, `described` (with `gear`) their values, `uncounted` what the odds ignore. `recognise` decides whether
  the question is about a fight, `lookups` whether it asks for a value of combat. The result is a `Duel` or a `Lookup`
  of `Combatant`s (`types`). `follow_ups` and `drafts` build one from an earlier question or from a model's draft.
- `rulebook` reads facts into a `Side`, with a line of working for each: a creature by `creature` and `routine`, a class
  by `combatant` (`level_dice`, `abilities`, `attacks`), both by `armor`, `weapons` and `to_hit`; `groups` maps a class
  to the group that it fights as. The book's labels are in `profile` (`profile.toml`), the sentences that state rules in
  `sayings` (`sayings.toml`). A missing fact is a need: the agent searches for it next.
- `fighting`: `reasoner` turns the duel and the evidence into a finding; `fight` reads both sides and fights them,
  `odds` computes the chances from the `totals` of dice; `lookup_values` reads the value of a look-up. `outcome` checks
  an answer against the computed result, `tools` offers the odds to a model.
"""
