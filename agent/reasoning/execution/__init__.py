"""What was bound is executed: cells are searched, read, compared, ranked or computed, and told with citations."""
