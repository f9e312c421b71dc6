"""Execute a bound question: its cells are searched for, read, compared, ranked or computed, and cited in a finding."""
