"""Readers: a file becomes a document of sections with paragraphs, records and tables. What they mean comes later."""
