"""Settings: what they can be, which places they come from, and whom those places may be trusted by."""
