"""PDF: words become lines and paragraphs; ruled lines, or white space between words, become tables."""
