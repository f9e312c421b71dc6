"""Questions for members, or about them: the nearest, tallies, orders, alternatives, owners."""
