"""Utilities that all packages share; they do not depend on facts, pages or scores."""
