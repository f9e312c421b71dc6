"""Plain text, whose headings and tables show only in its layout."""
