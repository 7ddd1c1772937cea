"""Engines: the protocols of the three roles and their implementations."""
