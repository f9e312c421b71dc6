"""The endpoint for OpenAI clients: collections are models. Needs `versus-rag[server]`."""
