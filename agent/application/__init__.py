"""What every door offers: the command line, MCP and HTTP translate, and these few functions do what is asked."""
