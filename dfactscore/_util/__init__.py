"""Utilities shared by all packages; they know nothing about facts, pages or scores."""
