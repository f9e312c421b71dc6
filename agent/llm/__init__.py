"""Language models: one protocol, an OpenAI-compatible client, and a scripted double for tests."""
