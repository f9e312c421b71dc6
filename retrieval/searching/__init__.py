"""Search one sub-query until enough hits survive, and fuse rankings."""
