"""Answers that a model words: from numbered evidence, with three tools, and with every number checked afterwards.

`wording` asks the model and `checking` judges each sentence. `texts` reads prose, `cells` reads tables, records and
lists, `derived` allows values that follow from source numbers, and `against` finds contradictions with the source.
"""
