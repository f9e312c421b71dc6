"""Measurements: compared, never asserted."""
