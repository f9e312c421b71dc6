"""Tag a question once: the role of each word, what it asks for, and what it continues."""
