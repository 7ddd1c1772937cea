"""Clients for language models and search services: requests, cache, limits, cost."""
