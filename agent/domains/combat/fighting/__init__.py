"""Two sides fight: the exact odds, what is told of them, and the numbers that fights are computed from."""
