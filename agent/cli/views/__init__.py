"""What single commands show: summaries of logs, of collections, of measurements."""
