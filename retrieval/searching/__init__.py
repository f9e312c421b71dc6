"""One sub-query, asked until enough has survived; many rankings made one."""
