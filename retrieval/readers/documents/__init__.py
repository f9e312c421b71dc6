"""The output of every reader: a document of sections, with paragraphs, tables and pages."""
