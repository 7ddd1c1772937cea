"""The LLM engine: decomposes, groups and verifies with any OpenAI-compatible model or GGUF file."""
