"""The HTTP API: JSON, events and problems. Needs `versus-rag[server]`."""
