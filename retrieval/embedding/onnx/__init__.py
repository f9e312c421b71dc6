"""The default model without torch: its installed weights behind an ONNX graph built in memory.

Importing sentence-transformers takes longer than any command should. Here a BERT is described as an ONNX graph of a few
kilobytes (`graph`, serialized by `wire`), its weights are mapped from the installed package (`weights`), and ONNX
Runtime runs it (`encoder`). Nothing is converted on disk, so nothing can be damaged there. Only a record is stored:
that the vectors were compared with those of sentence-transformers, which are shipped with this package (`recorded`),
and found equal (`check`).
"""
