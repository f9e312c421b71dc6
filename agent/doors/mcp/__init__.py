"""The tools and resources of the Model Context Protocol. Needs `versus-rag[server]`."""
