"""Rules that a language model proposes at ingestion, checked as strictly as if a stranger had written them."""
