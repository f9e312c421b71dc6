"""What a question tells of a fight: who fights, with which numbers and gear, and what no odds count."""
