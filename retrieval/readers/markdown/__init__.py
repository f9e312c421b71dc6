"""Markdown, which most other readers write: its dialects made plain, its blocks and tables read as sections."""
