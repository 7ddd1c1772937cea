"""Scoring jobs: their settings, the objects that these open, and estimates."""
