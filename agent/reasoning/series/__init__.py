"""Series: the values of one measure along an axis of years, months or other ordered points."""
