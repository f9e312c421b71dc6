"""The page at `/`: plain files that know only the HTTP API, and the same answers as HTML where no script runs."""
