"""What every reader makes of a file: a document of sections, with paragraphs, tables and pages."""
