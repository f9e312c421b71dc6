"""Markdown, which most other readers produce: its dialects normalized, its blocks and tables read into sections."""
