"""What happens to one question on its way: planned, gathered, answered. `agent.ask` goes through them."""
