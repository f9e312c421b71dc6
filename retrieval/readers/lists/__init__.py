"""Lists and what they hold: things with facts, labels with values, bare names, or links."""
