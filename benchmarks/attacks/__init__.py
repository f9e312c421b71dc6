"""Attacks that have to fail: damage, kills, hostile questions and sources, secrets.

A module here tells one kind of attack, and has `run() -> list[Row]`; `__main__.py` lists them all.

    python -m benchmarks.attacks damage
"""
