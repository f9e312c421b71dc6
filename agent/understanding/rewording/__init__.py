"""Ask a question in other words: with measures as the collection writes them, or one of several questions at a time."""
