"""Who wins a fight: read from the tables of role-playing games, computed exactly.

One fight, from the question to the odds, in the order of the packages that it goes through; `domain` is the plug-in:

- `question`: `said` puts it into plain words (`wording.toml`), `facts` gives each number to its measure, `cast` finds
  who is named, `described` (with `gear`) what is told of each, `uncounted` what no odds count. `recognise` says whether
  that is a fight, `lookups` whether it asks for a number of one. The result is a `Duel` or a `Lookup` of `Combatant`s
  (`types`). `follow_ups` and `drafts` make one of an earlier question, or of a model's draft.
- `rulebook` reads facts into a `Side`, with a line of working for each: a creature by `creature` and `routine`, a class
  by `combatant` (`level_dice`, `abilities`, `attacks`), both by `armor`, `weapons` and `to_hit`; `groups` knows who
  fights as whom. What things are called is in `profile` (`profile.toml`), the sentences that tell rules in `sayings`
  (`sayings.toml`). What is missing is a need: what the agent searches for next.
- `fighting`: `reasoner` takes the duel and the evidence, and gives the finding; `fight` has both sides read and lets
  them fight, `odds` computes from the `totals` of dice; `lookup_values` reads what a look-up asks for. `outcome` holds
  what an answer says against what was computed, `tools` lends the odds to a model.
"""
