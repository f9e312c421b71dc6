"""Work beside the event loop: in processes of its own, and in threads."""
