"""Language models: one protocol, an OpenAI-compatible client, and the scripted double that ships for tests."""
