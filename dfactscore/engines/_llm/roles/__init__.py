"""The three roles, taken by a language model."""
