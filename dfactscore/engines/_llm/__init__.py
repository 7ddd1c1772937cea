"""The LLM engine: any OpenAI-compatible model or GGUF file decomposes, groups and verifies."""
