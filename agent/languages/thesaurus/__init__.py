"""Which words of English are near in meaning, from WordNet: data, and who reads and makes them."""
