"""The LLM engine: decompose, group and verify with any OpenAI-compatible model or a GGUF file."""
