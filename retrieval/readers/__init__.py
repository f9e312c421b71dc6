"""Readers: a file becomes a document of sections with paragraphs, records and tables. What they mean comes later.

Markdown's reader knows headings, labels, lists, stat blocks and pages. Most others write the Markdown that the author
would have written, with tables as HTML, for that keeps their spans, and have all of it read by that one. Those whose
files hold nothing but tables make sections of them directly.
"""
