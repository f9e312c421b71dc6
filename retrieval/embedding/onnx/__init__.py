"""The default model without torch: its weights, read where they lie, behind a graph built in memory.

Importing sentence-transformers takes longer than any command should. Here a BERT is described as an ONNX graph of a few
kilobytes (`graph`, put into bytes by `wire`), its weights are mapped from the installed package (`weights`), and ONNX
Runtime runs it (`encoder`). Nothing is converted on disk, so nothing can be damaged there. What is kept is the record
that the vectors were compared with those of sentence-transformers, which come recorded with this package (`recorded`),
and found equal (`check`).
"""
