"""Collections by name, in any place: opening, joining, inspecting and repairing them."""
