"""PDF: words become lines and paragraphs, and what is drawn with lines, or white between words, becomes tables."""
