"""Engines: the protocols of the three roles, and those who fill them."""
