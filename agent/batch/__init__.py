"""Batches: files of questions, answered so that no line is lost, none is answered twice, and nothing is paid twice.

A batch consists of four files. `OUT.jsonl` has one record for each question. `OUT.jsonl.manifest.json` has the settings
of the batch. `OUT.jsonl.journal.sqlite` has every reply of the language model, on disk before it is used: a stopped
batch resumes from it without paying again. It may be deleted when the batch is complete. `OUT.jsonl.lock` is held by
the one process that writes.
"""
