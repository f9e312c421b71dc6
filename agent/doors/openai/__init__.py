"""The endpoint that clients of OpenAI can use: collections are models. Needs `versus-rag[server]`."""
