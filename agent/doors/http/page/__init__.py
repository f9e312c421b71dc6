"""The page at `/`: static files that use only the HTTP API, and the same answers as HTML without scripts."""
