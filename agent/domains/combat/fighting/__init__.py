"""The fight itself: exact odds, the finding about them, and look-ups of the values behind them."""
