"""Questions for a number that is computed from values: shares, prices times amounts, rates, spans of years."""
