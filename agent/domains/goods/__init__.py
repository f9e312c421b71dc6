"""Lists of goods, prices and measures as a domain: a vocabulary only."""
