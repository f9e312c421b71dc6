"""The output of single commands: summaries of logs, of collections, of measurements."""
