"""Readers: a file becomes a document of sections with paragraphs, records and tables. What they mean comes later.

Markdown's reader knows headings, labels, lists, stat blocks and pages. Most others write the Markdown that the author
would have written, with tables as HTML, for that keeps their spans, and have all of it read by that one. Those whose
files hold nothing but tables make sections of them directly.

- `documents` is what all of them make, and has the readers by the suffixes of files.
- `labels`, `lists`, `html` and `markdown` read blocks: values behind labels, items of lists, grids of cells, pages.
- `plain`, `markup`, `office` and `pdf` are formats, most of which write Markdown; `data` holds nothing but tables.
- `cage` reads what can hide a bomb in a process of its own, `read_before` keeps what was read.
"""
