"""Whether the sentences of an answer rest on what they cite, and on what was found."""
