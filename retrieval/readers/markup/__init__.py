"""Other markup converted to Markdown: HTML, AsciiDoc and reStructuredText."""
