"""Batches: files of questions, answered so that no line is lost, none is answered twice, and nothing is paid twice.

A batch consists of four files. `OUT.jsonl` has one record for each question. `OUT.jsonl.manifest.json` has the settings
that it is made with. `OUT.jsonl.journal.sqlite` has every reply of the language model, on disk before it is used: with
it a batch that was stopped goes on without paying again, so it may be deleted when the batch is complete.
`OUT.jsonl.lock` is held by the one process that writes.
"""
