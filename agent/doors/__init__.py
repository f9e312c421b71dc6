"""The interfaces for programs: MCP and HTTP. Each translates for `agent.application`, and none knows another."""
