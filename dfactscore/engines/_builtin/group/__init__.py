"""Assigns each clause to an individual."""
