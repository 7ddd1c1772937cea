"""Decides whether a page supports a fact."""
