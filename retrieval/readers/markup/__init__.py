"""Pages with marks of another kind, written again as Markdown: HTML, AsciiDoc and reStructuredText."""
