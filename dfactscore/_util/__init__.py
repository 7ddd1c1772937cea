"""Utilities shared by all packages; none of them depends on facts, pages or scores."""
