"""Precision and recall by stage, and with each switch on and off, so that defaults are chosen by numbers."""
