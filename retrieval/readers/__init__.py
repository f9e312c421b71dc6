"""Readers: a file becomes a document of sections with paragraphs, records and tables. Later stages interpret them.

The Markdown reader knows headings, labels, lists, stat blocks and pages. Most other readers convert their format to
Markdown, with tables as HTML to keep their spans, and pass it to that reader. Readers of pure table formats make
sections directly.

- `documents` has the output types of all readers, and the readers by file suffix.
- `labels`, `lists`, `html` and `markdown` read blocks: values behind labels, items of lists, grids of cells, pages.
- `plain`, `markup`, `office` and `pdf` are formats, most of which write Markdown; `data` reads pure tables.
- `cage` reads files that can hide a bomb in a separate process, `read_before` caches what was read.
"""
