"""What follows from numbers of a source: sums, differences, rates, bands, lengths of time, counts."""
