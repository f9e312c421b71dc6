"""The operations behind every door: the command line, MCP and HTTP translate, and these few functions do the work."""
