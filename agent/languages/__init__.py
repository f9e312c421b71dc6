"""The words with which languages ask: one data file each. To add a language, add a file to this folder."""
