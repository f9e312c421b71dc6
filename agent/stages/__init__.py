"""The stages of one question: planning, gathering, answering. `agent.ask` runs them in order."""
