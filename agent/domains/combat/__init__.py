"""Who wins a fight: read from the tables of role-playing games, computed exactly."""
