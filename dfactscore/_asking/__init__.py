"""Clients for language models and search services: requests, caching, limits and costs."""
