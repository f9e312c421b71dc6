"""The words that languages ask with: one file of data each. Another language is another file in this folder."""
