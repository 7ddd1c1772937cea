"""Asking a language model: requests, cache, limits, cost."""
