"""Work beside the event loop: in separate processes and in threads."""
