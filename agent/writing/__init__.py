"""Answers that a model words: from numbered evidence, with three tools, and with every number checked afterwards.

`wording` asks the model and `checking` judges each sentence: by what its `texts` say, by the `cells` of tables, records
and lists, by what is `derived` from these, and by what of the source speaks `against` it.
"""
