"""Numbers derived from those of a source: sums, differences, rates, bands, durations, counts."""
