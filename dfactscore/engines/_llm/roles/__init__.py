"""The three roles of an engine, implemented with a language model."""
