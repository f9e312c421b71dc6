"""Plain text: headings and tables that only their layout shows."""
