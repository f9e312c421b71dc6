"""A question or a step of a plan is bound to cells: each way is tried, and the first that accounts for all holds."""
