"""Files of nothing but data: CSV, chunks as somebody wrote them, and a file that is packed in another."""
