"""The three roles of an engine with a language model."""
